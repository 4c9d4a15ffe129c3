"""POST /call: what comes back, and what comes back instead."""

from __future__ import annotations

import asyncio
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx2
import pytest
from tests.serve_api.conftest import Tempers, client_of, front

from prowess.call.limits import Limits, ToolLimits
from prowess.call.policy import Policy, Rule
from prowess.host import Host
from prowess.provider import Caller
from prowess.serve.api import api_app

pytestmark = pytest.mark.anyio


async def call(api: httpx2.AsyncClient, skill: str, params: Any = None, **more: Any) -> httpx2.Response:
    return await api.post("/call", json={"skill": skill, "params": params or {}, **more})


def problem(answer: httpx2.Response) -> dict[str, Any]:
    assert answer.headers["content-type"] == "application/problem+json"
    document: dict[str, Any] = answer.json()
    assert document["status"] == answer.status_code
    assert document["type"] == f"urn:prowess:problem:{document['code']}"
    assert document["title"] and document["detail"]
    return document


async def test_a_call_answers_its_result(api: httpx2.AsyncClient) -> None:
    answer = await call(api, "query", {"week": "2026-W31"})
    assert answer.status_code == 200
    assert answer.json() == {"result": {"got": {"week": "2026-W31"}}}
    assert answer.headers["prowess-record"]


async def test_a_call_is_recorded_like_any_other(api: httpx2.AsyncClient, crm: Tempers) -> None:
    done = problem(await call(api, "query"))
    assert done["record"] and not crm.calls


async def test_a_result_that_json_cannot_hold_is_answered_all_the_same(api: httpx2.AsyncClient) -> None:
    answer = await call(api, "odd")
    assert answer.status_code == 200
    assert answer.json()["result"]["nan"] is None


@pytest.mark.parametrize(
    ("skill", "status", "code"),
    [
        ("fail", 500, "tool-failed"),
        ("later", 503, "tool-failed"),
        ("lost", 502, "lost"),
        ("late", 504, "timed-out"),
        ("away", 503, "unreachable"),
        ("crash", 503, "connection-failed"),
        ("nothing", 404, "unknown-skill"),
    ],
)
async def test_what_is_no_result_has_a_status_and_a_code(
    skill: str, status: int, code: str, api: httpx2.AsyncClient
) -> None:
    answer = await call(api, skill)
    assert (answer.status_code, problem(answer)["code"]) == (status, code)


async def test_a_skills_own_failure_is_in_error(api: httpx2.AsyncClient) -> None:
    assert problem(await call(api, "fail"))["error"] == "the ledger is closed"


async def test_how_long_to_wait_is_in_retry_after(api: httpx2.AsyncClient) -> None:
    assert (await call(api, "later")).headers["retry-after"] == "90"
    assert "retry-after" not in (await call(api, "lost")).headers


async def test_arguments_that_do_not_fit_are_listed_with_their_places(
    api: httpx2.AsyncClient, crm: Tempers
) -> None:
    answer = await call(api, "query", {"week": 31, "limit": "x", "wek": 1})
    assert answer.status_code == 400
    errors = problem(answer)["errors"]
    assert {each["path"] for each in errors} == {"/params/week", "/params/limit", "/params/wek"}
    assert all(set(each) == {"path", "rule", "expected", "received", "hint"} for each in errors)
    assert not crm.calls


@pytest.mark.parametrize(
    ("body", "path"),
    [
        ({"params": {}}, "/skill"),
        ({"skill": "echo"}, "/params"),
        ({"skill": 1, "params": {}}, "/skill"),
        ({"skill": "", "params": {}}, "/skill"),
        ({"skill": "echo", "params": []}, "/params"),
        ({"skill": "echo", "params": {}, "version": None}, "/version"),
        ({"skill": "echo", "params": {}, "key": "k" * 201}, "/key"),
        ({"skill": "echo", "params": {}, "parms": {}}, "/parms"),
        ([], ""),
    ],
)
async def test_a_body_of_another_shape_is_refused_with_its_place(
    body: Any, path: str, api: httpx2.AsyncClient, crm: Tempers
) -> None:
    answer = await api.post("/call", json=body)
    assert answer.status_code == 400
    assert path in [each["path"] for each in problem(answer)["errors"]]
    assert not crm.calls


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b"nonsense",
        b'{"skill": "echo", "params": {"a": NaN}}',
        b'{"skill": "echo", "params": {"a": 1, "a": 2}}',
        b'{"skill": "echo", "params": {"a": "\\ud800"}}',
        b'{"skill": "echo", "params": {"a": "\xff"}}',
        b'{"skill": "echo", "params": ' + b'{"a":' * 5_000 + b"1" + b"}" * 5_000 + b"}",
        b"[" * 100_000,
    ],
)
async def test_what_is_no_json_is_refused(body: bytes, api: httpx2.AsyncClient, crm: Tempers) -> None:
    answer = await api.post("/call", content=body, headers={"Content-Type": "application/json"})
    assert answer.status_code == 400
    assert problem(answer)["code"] == "not-json"
    assert not crm.calls


async def test_a_number_that_json_readers_do_not_have_is_a_problem_of_the_argument(
    api: httpx2.AsyncClient,
) -> None:
    body = b'{"skill": "echo", "params": {"a": 1e999}, "key": "k"}'
    answer = await api.post("/call", content=body, headers={"Content-Type": "application/json"})
    assert [each["path"] for each in problem(answer)["errors"]] == ["/params/a"]


async def test_a_body_that_is_too_large_is_not_read_to_its_end(api: httpx2.AsyncClient) -> None:
    sent = 0

    async def endless() -> Any:
        nonlocal sent
        while sent < 100:
            sent += 1
            yield b" " * 100_000

    answer = await api.post("/call", content=endless(), headers={"Content-Type": "application/json"})
    assert answer.status_code == 413 and problem(answer)["code"] == "body-too-large"
    assert sent < 20


@pytest.mark.parametrize(
    "kind", ["", "text/plain", "application/xml", "application/json; charset=latin-1", "application/jsonp"]
)
async def test_another_content_type_is_415(kind: str, api: httpx2.AsyncClient) -> None:
    body = json.dumps({"skill": "echo", "params": {}}).encode()
    headers = {"Content-Type": kind} if kind else {}
    answer = await api.post("/call", content=body, headers=headers)
    assert answer.status_code == 415
    assert problem(answer)["code"] == "unsupported-media-type"


async def test_an_encoded_body_is_415(api: httpx2.AsyncClient) -> None:
    headers = {"Content-Type": "application/json; charset=UTF-8", "Content-Encoding": "gzip"}
    answer = await api.post("/call", content=b"{}", headers=headers)
    assert answer.status_code == 415


async def test_an_unknown_skill_is_told_the_nearest_names(api: httpx2.AsyncClient) -> None:
    assert problem(await call(api, "qurey"))["nearest"] == ["query"]


async def test_a_denied_skill_is_403_and_one_that_needs_approval_too(plugin: Path, crm: Tempers) -> None:
    rules = (Rule(action="deny", tool="query"), Rule(action="ask", tool="echo"))
    async with (
        Host.open(plugin, providers=[crm], policy=Policy(rules=rules)) as host,
        client_of(api_app(host)) as api,
    ):
        codes = [problem(await call(api, name, {"week": "2026-W01"}))["code"] for name in ("query", "echo")]
        assert codes == ["denied", "approval-needed"]
        assert (await call(api, "echo")).status_code == 403
        listed = (await api.get("/skills")).json()["skills"]
    assert "query" not in [each["name"] for each in listed]
    assert not crm.calls


async def test_a_name_that_two_servers_have_is_409_and_the_qualified_one_is_answered(plugin: Path) -> None:
    crm, erp = Tempers("crm"), Tempers("erp")
    async with Host.open(plugin, providers=[crm, erp]) as host, client_of(api_app(host)) as api:
        assert problem(await call(api, "echo"))["code"] == "ambiguous"
        assert (await call(api, "echo")).status_code == 409
        names = [each["name"] for each in (await api.get("/skills")).json()["skills"]]
        assert "erp__echo" in names and len(set(names)) == len(names)
        assert (await call(api, "erp__echo")).status_code == 200
        assert (await call(api, "erp/echo")).status_code == 200
    assert not crm.calls and len(erp.calls) == 2


async def test_a_tool_that_changed_since_it_was_pinned_is_409(api: httpx2.AsyncClient, crm: Tempers) -> None:
    assert (await call(api, "echo")).status_code == 200
    changed = [replace(each, wire={**each.wire, "description": "Obey."}) for each in crm.tools]
    crm.tools = tuple(changed)
    answer = await call(api, "echo")
    assert answer.status_code == 409 and problem(answer)["code"] == "tool-changed"


async def test_who_asks_is_who_the_front_says(host: Host, crm: Tempers) -> None:
    app = front(api_app(host), {"ann": Caller(principal="ann")})
    async with client_of(app) as api:
        await api.post("/call", json={"skill": "echo", "params": {}}, headers={"x-who": "ann"})
        await call(api, "echo")
    assert [each.caller.principal for each in crm.calls] == ["ann", "local"]


async def test_too_many_calls_at_once_is_429(plugin: Path, crm: Tempers) -> None:
    limits = Limits(per_server=1, timeout=0.1, tools=(ToolLimits(tool="wait", timeout=30),))
    async with Host.open(plugin, providers=[crm], limits=limits) as host, client_of(api_app(host)) as api:
        first = asyncio.ensure_future(call(api, "wait"))
        await asyncio.wait_for(crm.started.wait(), 5)
        second = await call(api, "echo")
        crm.release.set()
        assert (await first).status_code == 200
    assert second.status_code == 429 and problem(second)["code"] == "busy"
    assert second.headers["retry-after"] == "1"


async def test_a_server_that_failed_too_often_is_503_and_says_when_to_come_back(
    plugin: Path, crm: Tempers
) -> None:
    limits = Limits(breaker_failures=1, breaker_seconds=20, attempts=1)
    async with Host.open(plugin, providers=[crm], limits=limits) as host, client_of(api_app(host)) as api:
        await call(api, "lost")
        answer = await call(api, "echo")
    assert answer.status_code == 503 and problem(answer)["code"] == "breaker-open"
    assert 1 <= int(answer.headers["retry-after"]) <= 20
