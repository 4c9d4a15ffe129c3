"""Runs of workflows over HTTP: which wait, and for what; yes and no, by whom that may say it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx2
import pytest
from tests.bounds import bound
from tests.serve_api.conftest import client_of, front
from tests.workflow_engine.projects import Project

from prowess import Caller, Host
from prowess.serve.api import api_app
from prowess.workflow import records_runs as runs

pytestmark = pytest.mark.anyio

ASKS = "name: asks\nsteps: [{id: greet, skill: greet, params: {name: Kim}, approve: 'Greet Kim?'}]"
TOKENS = """
[serve.tokens.boss]
token = { env = "UNUSED_TOKEN_1" }
approves = ["as*"]
[serve.tokens.robot]
token = { env = "UNUSED_TOKEN_2" }
[serve.tokens.shop]
token = { env = "UNUSED_TOKEN_3" }
tools = ["greet"]
approves = ["*"]
"""
CALLERS = {name: Caller(principal=name) for name in ("boss", "robot", "shop")}


@asynccontextmanager
async def served(folder: Path, tables: str = TOKENS, settings: str = "") -> AsyncIterator[tuple[Any, Host]]:
    project = Project(folder)
    project.workflow("asks", ASKS)
    project.settings(settings, tables)
    async with project.opened() as host, client_of(front(api_app(host), CALLERS)) as client:
        yield client, host


async def put_in(host: Host, principal: str = "robot", workflow: str = "asks") -> str:
    provider = host.workflows
    assert provider is not None
    meant = next(each for each in provider.workflows if each.name == workflow)
    return (await provider.start(meant, {}, caller=Caller(principal=principal))).run


async def until(client: httpx2.AsyncClient, run: str, state: str) -> Any:
    async with asyncio.timeout(bound(20)):
        while True:
            found = (await client.get(f"/runs/{run}")).json()
            if found["state"] == state:
                return found
            await asyncio.sleep(0.02)


def who(name: str) -> dict[str, str]:
    return {"x-who": name}


async def test_a_question_is_listed_and_a_yes_lets_the_run_go_on(tmp_path: Path) -> None:
    async with served(tmp_path) as (client, host):
        run = await put_in(host)
        await until(client, run, "waiting")
        (found,) = (await client.get("/runs?asking=true", headers=who("boss"))).json()["runs"]
        assert (found["run"], found["principal"]) == (run, "robot")
        assert [(each["step"], each["text"]) for each in found["questions"]] == [("greet", "Greet Kim?")]
        answer = await client.post(f"/runs/{run}/approve", json={"step": "greet"}, headers=who("boss"))
        assert (answer.status_code, answer.json()["questions"]) == (200, [])
        done = await until(client, run, "completed")
        steps = {each["step"]: each for each in done["steps"]}
        assert steps["greet?approve"]["value"] == {"by": "boss"}
        assert (await client.get("/runs?asking=true")).json() == {"runs": []}
        late = await client.post(f"/runs/{run}/refuse", json={}, headers=who("boss"))
        assert (late.status_code, late.json()["code"]) == (409, "conflict")


async def test_a_no_is_kept_with_who_said_it_and_a_run_that_failed_goes_on_when_it_is_told(
    tmp_path: Path,
) -> None:
    async with served(tmp_path) as (client, host):
        run = await put_in(host)
        await until(client, run, "waiting")
        assert (await client.post(f"/runs/{run}/refuse", json={}, headers=who("boss"))).status_code == 200
        assert "boss" in (await until(client, run, "failed"))["error"]["message"]
        assert (await client.post(f"/runs/{run}/resume", json={}, headers=who("boss"))).status_code == 200
        assert len((await until(client, run, "waiting"))["questions"]) == 1
        assert (await client.post(f"/runs/{run}/cancel", json={}, headers=who("robot"))).status_code == 200
        again = await client.post(f"/runs/{run}/retry", json={"from": "greet"}, headers=who("boss"))
        assert (again.status_code, again.json()["retry_of"]) == (201, run)
        await until(client, again.json()["run"], "waiting")


async def test_a_step_that_may_have_acted_is_resumed_with_what_it_gave(tmp_path: Path) -> None:
    async with served(tmp_path, settings="work = false") as (client, host):
        run = await put_in(host)
        assert host.workflows is not None
        database = host.workflows.database
        owned = await database.run(lambda rows: runs.claim(rows, run, 1, "dead", "dead/1"))
        assert owned is not None
        await database.run(lambda rows: runs.begin(rows, owned, "greet", "call", "started", {}))
        sql = "UPDATE prowess_runs SET state = 'attention' WHERE run = ?"
        await database.run(lambda rows: rows.write(sql, (run,)))
        assert (await client.post(f"/runs/{run}/resume", json={})).status_code == 409
        both = await client.post(f"/runs/{run}/resume", json={"again": True, "result": 1})
        assert (both.status_code, both.json()["code"]) == (400, "invalid-request")
        known = await client.post(f"/runs/{run}/resume", json={"result": {"said": "hi"}})
        assert (known.status_code, known.json()["steps"][0]["value"]) == (200, {"said": "hi"})


@pytest.mark.parametrize(
    ("caller", "path", "status"),
    [
        ("robot", "", 200),
        ("robot", "/approve", 403),  # it began the run, and does not decide on it
        ("robot", "/cancel", 200),
        ("shop", "", 404),  # the workflow is out of its reach, whatever it approves
        ("shop", "/approve", 404),
        ("", "/approve", 200),  # nobody that [serve] knows: the user of this machine
    ],
)
async def test_a_caller_does_to_a_run_what_it_may(
    tmp_path: Path, caller: str, path: str, status: int
) -> None:
    async with served(tmp_path) as (client, host):
        run = await put_in(host)
        await until(client, run, "waiting")
        method = "POST" if path else "GET"
        sent = await client.request(
            method, f"/runs/{run}{path}", json={} if path else None, headers=who(caller)
        )
        assert sent.status_code == status
        assert status == 200 or sent.headers["content-type"] == "application/problem+json"
        listed = (await client.get("/runs", headers=who(caller))).json()["runs"]
        assert bool(listed) is (caller != "shop")


async def test_what_the_policy_denies_a_caller_it_does_not_let_go_on(tmp_path: Path) -> None:
    rule = '[[policy.rules]]\naction = "deny"\ntool = "asks"\ncaller = "boss"\nreason = "not on Sunday"\n'
    async with served(tmp_path, rule + TOKENS) as (client, host):
        run = await put_in(host)
        await until(client, run, "waiting")
        refused = await client.post(f"/runs/{run}/approve", json={}, headers=who("boss"))
        assert (refused.status_code, refused.json()["code"]) == (403, "denied")
        assert "Sunday" in refused.json()["detail"]


@pytest.mark.parametrize(
    ("path", "sent", "status"),
    [
        ("/runs/none/approve", {"json": {}}, 404),
        ("/runs/none/approve", {"json": {"step": 1}}, 400),
        ("/runs/none/approve", {"json": {"by": "somebody else"}}, 400),
        ("/runs/none/approve", {"content": b"{}"}, 415),
        ("/runs/none/approve", {"json": {}, "headers": {"accept": "text/html"}}, 406),
        ("/runs/none/retry", {"json": {}}, 400),
    ],
)
async def test_what_does_not_fit_is_a_problem(
    tmp_path: Path, path: str, sent: dict[str, Any], status: int
) -> None:
    async with served(tmp_path) as (client, _):
        answer = await client.post(path, **sent)
        assert (answer.status_code, answer.headers["content-type"]) == (status, "application/problem+json")


async def test_a_host_that_nobody_has_run_anything_on_has_no_runs(tmp_path: Path) -> None:
    async with served(tmp_path) as (client, _):
        assert (await client.get("/runs")).json() == {"runs": []}
        assert (await client.get("/runs?state=lost")).status_code == 400
        assert not (tmp_path / "runs.sqlite3").exists()


async def test_without_workflows_there_are_no_runs_to_speak_of(api: httpx2.AsyncClient) -> None:
    assert (await api.get("/runs")).status_code == 404
    assert (await api.post("/runs/1/cancel", json={})).status_code == 404


async def test_every_answer_is_documented(api: httpx2.AsyncClient) -> None:
    document = (await api.get("/openapi.json")).json()
    approve = document["paths"]["/runs/{run}/approve"]["post"]
    assert set(approve["responses"]) >= {"200", "400", "403", "404", "409", "415"}
    assert approve["requestBody"]["content"]["application/json"]["schema"]["$ref"].endswith("/AnswerRequest")
    assert {"RunList", "RunDetails", "Question", "AnswerRequest"} <= set(document["components"]["schemas"])


async def test_an_answer_says_which_question_it_is_to(tmp_path: Path) -> None:
    async with served(tmp_path) as (client, host):
        run = await put_in(host)
        (question,) = (await until(client, run, "waiting"))["questions"]
        early = {"since": question["since"] - 1}
        for verb in ("approve", "refuse"):
            late = await client.post(f"/runs/{run}/{verb}", json=early, headers=who("boss"))
            assert (late.status_code, late.json()["code"]) == (409, "conflict")
        meant = {"since": question["since"]}
        assert (await client.post(f"/runs/{run[:6]}/approve", json=meant, headers=who(""))).status_code == 200
        await until(client, run, "completed")


async def test_asking_for_a_run_makes_no_file(tmp_path: Path) -> None:
    async with served(tmp_path) as (client, _):
        for method, path in (("GET", ""), ("POST", "/approve"), ("POST", "/cancel")):
            sent = await client.request(method, f"/runs/ab12{path}", json={} if path else None)
            assert (sent.status_code, sent.json()["code"]) == (404, "not-found")
        assert not (tmp_path / "runs.sqlite3").exists()
