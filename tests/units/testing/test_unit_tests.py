"""`prowess test`: examples, schemas, faults and coverage of units, through the one call path."""

from __future__ import annotations

import asyncio
import json
import textwrap
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from prowess.errors import UsageError
from prowess.evaluate.checks import Check, UnitReports
from prowess.evaluate.http_twin import HttpTwin
from prowess.evaluate.readiness import Report, readiness
from prowess.evaluate.unit_tests import run_tests

URL = "https://api.example.com/v1/weather"
CAREFUL = """
class Weather:
    async def execute(self, params: dict, ctx) -> dict:
        answer = await ctx.http.get("https://api.example.com/v1/weather", params={"q": params["city"]})
        answer.raise_for_status()
        said = answer.json()
        if not isinstance(said.get("sky"), str):
            raise RuntimeError("the weather service answered with something else than weather")
        return {"sky": said["sky"]}
"""
CARELESS = """
class Weather:
    async def execute(self, params: dict, ctx) -> dict:
        answer = await ctx.http.get("https://api.example.com/v1/weather", params={"q": params["city"]})
        return {"sky": answer.json()["sky"]}
"""
FAULTS = ["upstream 500", "garbage", "timeout"]
SAID: dict[str, Any] = {
    "name": "query_weather",
    "description": "Says what the weather is in a city now.",
    "triggers": ["weather today"],
    "parameters": {
        "type": "object",
        "properties": {"city": {"type": "string", "description": "Where.", "examples": ["Oslo"]}},
        "required": ["city"],
    },
    "returns": {"type": "object", "properties": {"sky": {"type": "string"}}, "required": ["sky"]},
    "timeout": 60_000,
    "permissions": {"hosts": ["api.example.com"]},
    "examples": [
        {
            "input": {"city": "Oslo"},
            "output": {"sky": "grey"},
            "http": [{"url": URL, "json": {"sky": "grey"}}],
        }
    ],
}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return tmp_path / "units"


def write(root: Path, code: str = CAREFUL, folder: str = "weather", **said: Any) -> None:
    place = root / folder
    place.mkdir(parents=True)
    whole = {key: each for key, each in {**SAID, **said}.items() if each is not None}
    (place / "schema.json").write_text(json.dumps(whole))
    (place / "skill.py").write_text(textwrap.dedent(code))


def tried(root: Path, only: str | None = None) -> UnitReports:
    return asyncio.run(asyncio.wait_for(run_tests(str(root), only=only), 40))


def failed(tested: UnitReports) -> list[Check]:
    return [each for unit in tested.units for each in unit.checks if each.status == "failed"]


def test_a_careful_unit_passes_everything(root: Path) -> None:
    write(root)
    tested = tried(root)
    assert tested.ok, failed(tested)
    (unit,) = tested.units
    assert [each.name for each in unit.checks if each.kind == "fault"] == FAULTS
    assert unit.coverage is not None
    assert unit.coverage.percent == 100


def test_a_careless_unit_fails_by_what_it_stumbles_over(root: Path) -> None:
    write(root, CARELESS)
    assert [(each.kind, each.name) for each in failed(tried(root))] == [
        ("fault", "upstream 500"),
        ("fault", "garbage"),
    ]


def test_an_answer_that_is_rubbish_fails(root: Path) -> None:
    code = CARELESS.replace('answer.json()["sky"]', "None if answer.is_error else 'grey'")
    write(root, code)
    assert [each.name for each in failed(tried(root))] == ["upstream 500"]


def test_a_unit_that_gives_up_before_its_time_is_fine(root: Path) -> None:
    code = CAREFUL.replace('params["city"]})', 'params["city"]}, timeout=1)')
    write(root, code)
    assert tried(root).ok


def test_a_timeout_that_is_answered_with_rubbish_fails(root: Path) -> None:
    code = """
    import httpx2
    class Weather:
        async def execute(self, params: dict, ctx) -> dict:
            try:
                answer = await ctx.http.get("https://api.example.com/v1/weather", timeout=2)
                answer.raise_for_status()
                return {"sky": str(answer.json().get("sky", "unknown"))}
            except httpx2.TimeoutException:
                return {"sky": None}
    """
    write(root, code)
    assert [each.name for each in failed(tried(root))] == ["timeout"]


@pytest.mark.parametrize(
    "example",
    [
        {
            "input": {"city": "Oslo"},
            "output": {"sky": "clear"},
            "http": [{"url": URL, "json": {"sky": "grey"}}],
        },
        {"input": {"city": "Oslo"}, "output": {"sky": "grey"}},
        {"input": {"city": "Oslo"}, "error": "no such", "http": [{"url": URL, "json": {"sky": "grey"}}]},
        {"input": {"city": "Oslo"}, "error": "other words", "http": [{"url": URL, "status": 503}]},
        {"input": {"city": "Oslo"}, "output": {"sky": "grey"}, "http": [{"address": URL}]},
        {"input": {"city": "Oslo"}, "output": {"sky": "grey"}, "http": [{"url": URL, "status": "many"}]},
        {"input": {"town": "Oslo"}, "output": {"sky": "grey"}},
    ],
)
def test_an_example_that_comes_to_something_else_fails(root: Path, example: dict[str, Any]) -> None:
    write(root, examples=[example])
    tested = tried(root)
    assert not tested.ok
    assert "example" in {each.kind for each in failed(tested)}


@pytest.mark.parametrize(
    "example",
    [
        {"input": {"city": "Oslo"}, "error": "503", "http": [{"url": URL, "status": 503}]},
        {
            "input": {"city": "Oslo"},
            "error": "something else than weather",
            "http": [{"url": URL, "json": {}}],
        },
        {"input": {}, "error": "invalid-arguments"},
        {"input": {"city": "Oslo"}, "http": [{"url": f"{URL}?q=Oslo", "json": {"sky": "any"}}]},
    ],
)
def test_an_example_may_say_an_error_or_only_that_it_answers(root: Path, example: dict[str, Any]) -> None:
    write(root, examples=[example])
    assert failed(tried(root)) == []


def test_a_result_that_does_not_fit_returns_fails(root: Path) -> None:
    code = CAREFUL.replace('return {"sky": said["sky"]}', 'return {"sky": 3}')
    write(root, code, examples=[{"input": {"city": "Oslo"}, "http": [{"url": URL, "json": {"sky": "grey"}}]}])
    assert [each.kind for each in failed(tried(root))] == ["example"]


@pytest.mark.parametrize(
    "said",
    [
        {"parameters": {**SAID["parameters"], "properties": {"city": {"type": "string", "examples": [3]}}}},
        {"parameters": {**SAID["parameters"], "properties": {"city": {"type": "string", "default": 3}}}},
        {"parameters": {**SAID["parameters"], "properties": {"city": {"type": "strong", "example": "a"}}}},
        {"examples": [{**SAID["examples"][0], "output": {"sky": 3}}]},
    ],
)
def test_a_value_that_does_not_fit_its_own_schema_fails(root: Path, said: dict[str, Any]) -> None:
    write(root, **said)
    assert "examples fit the schemas" in {each.name for each in failed(tried(root))}


def test_a_unit_that_does_not_load_fails_and_hides_no_other(root: Path) -> None:
    write(root)
    write(root, "import nothing_of_that_name\n" + CAREFUL, folder="tide", name="query_tide")
    tested = tried(root)
    assert {each.unit.name: each.ok for each in tested.units} == {"query_weather": True, "query_tide": False}


def test_metadata_that_is_no_unit_is_a_no(root: Path) -> None:
    write(root)
    write(root, folder="tide", name="query_tide", version="1")
    tested = tried(root)
    assert [each.rule for each in tested.broken] == ["unit-version-invalid"]
    assert not tested.ok


def test_an_undeclared_host_is_refused_in_tests_too(root: Path) -> None:
    write(root, permissions={})
    tested = tried(root)
    assert [each.kind for each in failed(tested)] == ["example"]
    assert "does not declare the host" in failed(tested)[0].detail


def test_secrets_are_made_up_and_data_is_gone_after_each_call(root: Path) -> None:
    code = """
    class Keep:
        async def execute(self, params, ctx):
            kept = ctx.data_dir / "kept"
            fresh = not kept.exists()
            kept.write_text("x")
            return {"fresh": fresh, "key": ctx.secret("KEY")}
    """
    example = {"input": {}, "output": {"fresh": True, "key": "made-up-KEY"}}
    write(root, code, name="keep_things", parameters=None, returns=None, permissions={"secrets": ["KEY"]},
          examples=[example, example])  # fmt: skip
    assert tried(root).ok


def test_each_version_is_tried_by_itself(root: Path) -> None:
    for version, sky in (("1.0.0", "grey"), ("2.0.0", "GREY")):
        code = CAREFUL if sky == "grey" else CAREFUL.replace('said["sky"]}', 'said["sky"].upper()}')
        example = {**SAID["examples"][0], "output": {"sky": sky}}
        write(root, code, folder=f"weather/{version}", version=version, examples=[example])
    tested = tried(root)
    assert tested.ok, failed(tested)
    assert [each.unit.version for each in tried(root, "query_weather@2.0.0").units] == ["2.0.0"]


def test_lines_that_did_not_run_are_named(root: Path) -> None:
    code = """
    import asyncio
    from typing import TYPE_CHECKING
    if TYPE_CHECKING:
        from collections.abc import Mapping

    def _twice(text):
        return text * 2

    class Weather:
        "Words."

        async def execute(self, params, ctx):
            if params["city"] == "Bergen":
                return {
                    "sky": "rain"
                }
            if params["city"] == "Nowhere":  # pragma: no cover
                raise ValueError("no")
            sky = await asyncio.to_thread(_twice, "x")
            return {"sky": sky}
    """
    write(root, code, examples=[{"input": {"city": "Oslo"}, "output": {"sky": "xx"}}])
    (unit,) = tried(root).units
    assert unit.coverage is not None
    assert unit.coverage.missing_words() == "15"


def test_a_name_that_is_not_there_cannot_be_answered(root: Path) -> None:
    write(root)
    with pytest.raises(UsageError):
        tried(root, "query_tide")
    with pytest.raises(UsageError):
        tried(root.parent)


@pytest.fixture
def service() -> Iterator[str]:
    """A real service on this machine; its origin."""

    class Answers(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            body = b'{"sky": "grey"}'
            self.send_response(200)
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Answers) as server:
        thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield f"127.0.0.1:{server.server_address[1]}"
        server.shutdown()
        thread.join(5)


def test_live_examples_reach_what_they_declare_and_faults_do_not(root: Path, service: str) -> None:
    code = CAREFUL.replace("https://api.example.com", f"http://{service}")
    write(
        root,
        code,
        permissions={"hosts": [service]},
        examples=[{"input": {"city": "Oslo"}, "output": {"sky": "grey"}}],
    )
    assert not tried(root).ok
    tested = asyncio.run(asyncio.wait_for(run_tests(str(root), live=True), 40))
    assert tested.ok, failed(tested)
    assert [each.name for each in tested.units[0].checks if each.kind == "fault"] == FAULTS


def test_a_unit_that_waits_for_a_thread_first_has_its_timeout_tried(root: Path) -> None:
    wait = "        await asyncio.to_thread(time.sleep, 0.05)\n        answer = "
    write(root, "import asyncio, time\n" + CAREFUL.replace("        answer = ", wait, 1))
    tested = tried(root)
    assert tested.ok, failed(tested)
    assert [each.status for each in tested.units[0].checks if each.kind == "fault"] == ["ok"] * 3


def test_a_unit_that_leaves_the_program_has_failed(root: Path) -> None:
    code = "class Odd:\n    async def execute(self, params):\n        raise SystemExit(3)\n"
    example = {"input": {"city": "Oslo"}, "output": {"a": 1}}
    write(root, code, returns=None, permissions={}, examples=[example])
    assert [each.kind for each in failed(tried(root))] == ["example"]


def test_a_unit_that_says_it_reaches_something_and_does_not_is_told(root: Path) -> None:
    code = "class Still:\n    async def execute(self, params):\n        return {'sky': 'grey'}\n"
    write(root, code)
    checks = [each for each in tried(root).units[0].checks if each.kind == "fault"]
    assert [each.status for each in checks] == ["skipped"]


# -- readiness


def answers(report: Report) -> dict[str, str]:
    (unit,) = report.units
    return {each.name: each.answer for each in unit.points}


def ready(root: Path) -> Report:
    return asyncio.run(asyncio.wait_for(readiness(str(root)), 40))


def test_a_unit_that_has_everything_is_ready_though_triggers_are_not_measured(root: Path) -> None:
    write(root)
    report = ready(root)
    assert report.ok
    assert {name: each for name, each in answers(report).items() if each != "pass"} == {
        "triggers": "not measured"
    }


LOOSE = CAREFUL.replace('weather", params=', 'weather/" + params["city"], params=')
OF_LOOSE = {**SAID["examples"][0], "http": [{"url": f"{URL}/Oslo", "json": {"sky": "grey"}}]}
UNUSED = "\ndef unused():\n" + "    a = 1\n" * 10


@pytest.mark.parametrize(
    ("missing", "code", "said"),
    [
        ({"examples", "faults", "coverage"}, CAREFUL, {"examples": []}),
        ({"faults"}, CARELESS, {}),
        ({"coverage"}, CAREFUL + UNUSED, {}),
        ({"docs"}, CAREFUL, {"triggers": []}),
        ({"docs"}, CAREFUL, {"description": "Weather. Any weather."}),
        ({"lint"}, LOOSE, {"examples": [OF_LOOSE]}),
    ],
)  # fmt: skip
def test_what_is_missing_is_said(root: Path, missing: set[str], code: str, said: dict[str, Any]) -> None:
    write(root, code, **said)
    report = ready(root)
    assert not report.ok
    assert {name for name, answer in answers(report).items() if answer == "missing"} == missing


# -- the twin of HTTP


def test_the_twin_refuses_what_it_cannot_prepare() -> None:
    twin = HttpTwin()
    odd_ones: list[object] = [{}, {"url": 3}, {"url": "nowhere"}, {"url": URL, "body": "x"}, [], "x"]
    for odd in odd_ones:
        with pytest.raises(UsageError):
            twin.prepare(odd)
    with pytest.raises(UsageError):
        twin.fail("slow")  # type: ignore[arg-type]  # what a typing mistake gives
