"""GET /skills, /snapshot, /health and /metrics, and what HTTP asks of every answer."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import httpx2
import pytest
from tests.serve_api.conftest import Tempers, client_of, front

from prowess.call.policy import EVERYTHING, Reach
from prowess.capability.snapshot import Snapshot
from prowess.host import Host
from prowess.provider import Caller
from prowess.serve.api import api_app
from prowess.serve.api_intake import acceptable
from prowess.serve.api_metrics import MOST_TOOLS
from prowess.serve.api_problems import HttpProblem

pytestmark = pytest.mark.anyio

LABELS = ("server", "tool", "outcome", "le")
CODE = """
class Weather:
    async def execute(self, params, ctx):
        return {"version": VERSION}
"""


def unit(root: Path, version: str) -> None:
    folder = root / "weather" / version
    folder.mkdir(parents=True)
    said = {"name": "weather", "description": f"Tells the weather, {version}.", "version": version}
    said["parameters"] = {"type": "object", "properties": {"city": {"type": "string"}}}  # type: ignore[assignment]
    (folder / "schema.json").write_text(json.dumps(said))
    (folder / "skill.py").write_text(CODE.replace("VERSION", repr(version)))


@pytest.fixture
def units(tmp_path: Path) -> Path:
    for version in ("1.4.2", "1.5.0", "2.0.0-rc.1"):
        unit(tmp_path / "units", version)
    return tmp_path / "units"


async def skills(api: httpx2.AsyncClient, query: str = "") -> list[dict[str, Any]]:
    answer = await api.get(f"/skills{query}")
    assert answer.status_code == 200, answer.text
    found: list[dict[str, Any]] = answer.json()["skills"]
    return found


async def test_skills_are_listed_with_what_calling_them_takes(api: httpx2.AsyncClient, crm: Tempers) -> None:
    listed = await skills(api)
    assert [each["name"] for each in listed] == sorted(each.name for each in crm.tools)
    query = next(each for each in listed if each["name"] == "query")
    assert query["description"] == "Does query." and query["server"] == "crm" and query["default"] is True
    assert query["parameters"]["required"] == ["week"]


async def test_every_version_of_a_unit_is_listed_or_the_one_asked_for(units: Path) -> None:
    async with Host.open(units) as host, client_of(api_app(host)) as api:
        versions = [(each["version"], each["default"]) for each in await skills(api)]
        assert versions == [("1.4.2", False), ("1.5.0", True), ("2.0.0-rc.1", False)]
        for asked, found in (
            ("1.4.2", ["1.4.2"]),
            ("1", ["1.4.2", "1.5.0"]),
            ("~1.4", ["1.4.2"]),
            ("2.0.0-rc.1", ["2.0.0-rc.1"]),
            ("9", []),
        ):
            assert [each["version"] for each in await skills(api, f"?version={asked}")] == found
        wrong = await api.get("/skills?version=banana")
        assert wrong.status_code == 400


async def test_a_version_can_be_called_for(units: Path) -> None:
    async def called(**more: Any) -> httpx2.Response:
        return await api.post("/call", json={"params": {}, **more})

    async with Host.open(units) as host, client_of(api_app(host)) as api:
        for more, version in (
            ({"skill": "weather"}, "1.5.0"),
            ({"skill": "weather", "version": "~1.4"}, "1.4.2"),
            ({"skill": "weather@2.0.0-rc.1"}, "2.0.0-rc.1"),
            ({"skill": "units/weather@1.4"}, "1.4.2"),
        ):
            answer = await called(**more)
            assert answer.json() == {"result": {"version": version}}, answer.text
        assert (await called(skill="weather", version="9")).status_code == 404
        assert (await called(skill="weather", version="x.y")).status_code == 400


async def test_the_snapshot_is_the_one_that_the_command_prints(api: httpx2.AsyncClient, host: Host) -> None:
    answer = await api.get("/snapshot")
    assert answer.status_code == 200
    assert Snapshot.from_json(answer.text, source="the API") == host.snapshot()


async def test_a_snapshot_of_several_plugins_asks_which(tmp_path: Path, plugin: Path) -> None:
    other = tmp_path / "other"
    other.mkdir()
    (other / "plugin.json").write_text((plugin / "plugin.json").read_text().replace("sample", "other"))
    (tmp_path / "prowess.toml").write_text('[plugins]\nsample = "sample"\nother = "other"\n')
    async with Host.open(tmp_path) as host, client_of(api_app(host)) as api:
        assert (await api.get("/snapshot")).status_code == 400
        assert (await api.get("/snapshot?plugin=other")).json()["plugin"]["name"] == "other"
        assert (await api.get("/snapshot?plugin=third")).status_code == 404


async def test_health_says_the_status_of_each_server(plugin: Path) -> None:
    crm, erp = Tempers("crm"), Tempers("erp", status="failed")
    async with Host.open(plugin, providers=[crm, erp]) as host, client_of(api_app(host)) as api:
        answer = await api.get("/health")
        assert answer.status_code == 200
        assert answer.json() == {
            "status": "degraded",
            "servers": [
                {"id": "crm", "type": "stdio", "status": "connected"},
                {"id": "erp", "type": "stdio", "status": "failed", "reason": "exited"},
            ],
            "rejected": [],
        }
        crm.status = "timed-out"
        assert (await api.get("/health")).status_code == 503
        erp.status = crm.status = "connected"
        assert (await api.get("/health")).json()["status"] == "ok"


async def test_a_host_without_servers_is_healthy(plugin: Path) -> None:
    async with Host.open(plugin) as host, client_of(api_app(host)) as api:
        assert (await api.get("/health")).status_code == 200


async def metrics(api: httpx2.AsyncClient) -> dict[str, float]:
    from prometheus_client.parser import text_string_to_metric_families

    answer = await api.get("/metrics")
    assert answer.headers["content-type"].startswith("text/plain; version=0.0.4")
    return {
        " ".join(
            [sample.name, *(sample.labels[each] for each in LABELS if each in sample.labels)]
        ): sample.value
        for family in text_string_to_metric_families(answer.text)
        for sample in family.samples
    }


async def test_metrics_count_calls_by_outcome_whoever_made_them(
    api: httpx2.AsyncClient, host: Host, crm: Tempers
) -> None:
    await host.call("echo", {"token": "hush-8391"})
    await api.post("/call", json={"skill": "echo", "params": {}})
    await api.post("/call", json={"skill": "fail", "params": {}})
    waiting = asyncio.ensure_future(api.post("/call", json={"skill": "wait", "params": {}}))
    await asyncio.wait_for(crm.started.wait(), 5)
    found = await metrics(api)
    assert found["prowess_calls_total crm echo answered"] == 2
    assert found["prowess_calls_total crm fail tool-failed"] == 1
    assert found["prowess_call_duration_seconds_count crm echo"] == 2
    assert found["prowess_calls_in_flight"] == 1
    assert "hush" not in (await api.get("/metrics")).text
    crm.release.set()
    await waiting
    assert (await metrics(api))["prowess_calls_in_flight"] == 0


async def test_metrics_tell_no_more_tools_apart_than_they_may(plugin: Path) -> None:
    from prowess.provider import MemoryProvider

    async def answer(arguments: Mapping[str, Any]) -> int:
        return 1

    tools: dict[str, Any] = {
        f"t{n}": ({"inputSchema": {"type": "object"}}, answer) for n in range(MOST_TOOLS + 3)
    }
    provider = MemoryProvider("many", tools)
    async with Host.open(plugin, providers=[provider]) as host, client_of(api_app(host)) as api:
        for name in tools:
            await host.call(name)
        found = await metrics(api)
    assert len([each for each in found if each.startswith("prowess_calls_total")]) == MOST_TOOLS + 1
    assert found["prowess_calls_total other other answered"] == 3


@pytest.mark.parametrize("path", ["/skills", "/snapshot", "/health"])
async def test_who_accepts_no_json_is_answered_406(path: str, api: httpx2.AsyncClient) -> None:
    answer = await api.get(path, headers={"Accept": "image/png"})
    assert answer.status_code == 406 and answer.json()["code"] == "not-acceptable"


async def test_who_accepts_neither_json_nor_events_is_answered_406_and_nothing_is_called(
    api: httpx2.AsyncClient, crm: Tempers
) -> None:
    answer = await api.post("/call", json={"skill": "echo", "params": {}}, headers={"Accept": "text/html"})
    assert answer.status_code == 406
    assert not crm.calls


@pytest.mark.parametrize(
    ("accept", "chosen"),
    [
        ("", "application/json"),
        ("*/*", "application/json"),
        ("text/event-stream", "text/event-stream"),
        ("text/*", "text/event-stream"),
        ("application/json;q=0.1, text/event-stream", "text/event-stream"),
        ("text/event-stream, application/json", "application/json"),
        ("*/*, application/json;q=0", "text/event-stream"),
        ("nonsense", "application/json"),
        ("application/json;q=x", "application/json"),
        ("text/html", None),
        ("application/json;q=0", None),
    ],
)
async def test_what_is_accepted_best_is_what_is_answered(accept: str, chosen: str | None) -> None:
    offered = ("application/json", "text/event-stream")
    if chosen is None:
        with pytest.raises(HttpProblem) as refused:
            acceptable(accept, offered)
        assert refused.value.status == 406
    else:
        assert acceptable(accept, offered) == chosen


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("POST", "/skills", 405),
        ("GET", "/call", 405),
        ("DELETE", "/metrics", 405),
        ("GET", "/nothing", 404),
        ("GET", "/skills/", 404),
        ("GET", "/docs", 404),
        ("GET", "/redoc", 404),
    ],
)
async def test_other_methods_and_paths_are_problems_too(
    method: str, path: str, status: int, api: httpx2.AsyncClient
) -> None:
    answer = await api.request(method, path)
    assert answer.status_code == status
    assert answer.headers["content-type"] == "application/problem+json"
    assert (status != 405) or answer.headers["allow"] in ("GET", "POST")


@pytest.mark.parametrize("path", ["/skills?versoin=1", "/health?x=1", "/metrics?x", "/snapshot?plugin="])
async def test_a_query_that_is_not_known_is_refused(path: str, api: httpx2.AsyncClient) -> None:
    answer = await api.get(path)
    if path.endswith("?x"):
        assert answer.status_code in (200, 400)
        return
    assert answer.status_code == 400
    assert answer.json()["errors"][0]["path"].startswith("?")


async def test_a_fault_of_our_own_is_a_problem_without_a_traceback(
    host: Host, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    secret = "-".join(("hush", "8391"))

    def broken(plugin: str | None = None, **_: Any) -> Any:
        raise RuntimeError(secret)

    monkeypatch.setattr(host, "snapshot", broken)
    async with client_of(api_app(host)) as api:
        answer = await api.get("/snapshot")
    assert answer.status_code == 500
    assert answer.json()["error"] == "Prowess itself failed: RuntimeError"
    assert "Traceback" not in answer.text and secret not in answer.text
    assert secret not in caplog.text and "broken" in caplog.text


async def test_the_openapi_document_says_what_is_answered(api: httpx2.AsyncClient) -> None:
    document = (await api.get("/openapi.json")).json()
    operations = {
        operation["operationId"]: operation
        for path in document["paths"].values()
        for operation in path.values()
    }
    runs = {
        "listRuns",
        "getRun",
        *(f"{verb}Run" for verb in ("approve", "refuse", "cancel", "resume", "retry")),
    }
    assert set(operations) == {"listSkills", "callSkill", "getSnapshot", "getHealth", "getMetrics", *runs}
    statuses = set(operations["callSkill"]["responses"])
    assert statuses == {*map(str, (200, 400, 403, 404, 406, 409, 413, 415, 429, 500, 502, 503, 504))}
    assert "422" not in json.dumps(document)
    for operation in operations.values():
        for status, answer in operation["responses"].items():
            if int(status) >= 400 and operation["operationId"] != "getHealth":
                assert set(answer["content"]) == {"application/problem+json"}


async def test_what_a_caller_may_not_reach_is_nowhere(plugin: Path) -> None:
    crm, erp = Tempers("crm"), Tempers("erp")
    ann = Caller(principal="ann")
    async with Host.open(plugin, providers=[crm, erp]) as host:
        host.path.reach = lambda who: Reach(servers=("crm",)) if who == "ann" else EVERYTHING
        async with client_of(front(api_app(host), {"ann": ann})) as api:
            api.headers["x-who"] = "ann"
            answers = [await api.get(path) for path in ("/skills", "/snapshot", "/health")]
            unknown = await api.post("/call", json={"skill": "erp__echo", "params": {}})
            hidden = await api.post("/call", json={"skill": "erp/echo", "params": {}})
            metrics = await api.get("/metrics")
    assert all(each.status_code == 200 and "crm" in each.text and "erp" not in each.text for each in answers)
    assert (unknown.status_code, hidden.status_code, metrics.status_code) == (404, 404, 403)
    assert unknown.json()["nearest"] and not any("erp" in each for each in unknown.json()["nearest"])
    assert not erp.calls


@pytest.mark.parametrize("missing", ["fastapi", "prometheus_client"])
async def test_without_the_extra_its_install_command_is_named(missing: str) -> None:
    program = f"import sys; sys.modules[{missing!r}] = None\nfrom prowess.errors import UsageError\n"
    program += "try:\n    import prowess.serve.api\nexcept UsageError as error:\n    print(error.hint)"
    done = subprocess.run(  # noqa: ASYNC221
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=30, check=False
    )
    assert done.stdout.strip() == "pip install 'prowess[api]'"
