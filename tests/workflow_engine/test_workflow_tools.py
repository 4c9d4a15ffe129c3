"""Workflows as tools of a Host, carried by the real engine over an SQLite file."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from tests.workflow_engine.projects import Project, until

from prowess import Answered, Caller, Host, Refused, ToolFailed
from prowess.call.running import Asked
from prowess.workflow import records_runs as runs
from prowess.workflow.provider import WorkflowProvider

pytest.importorskip("dbos")


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return Project(tmp_path)


async def begun(project: Project, number: int) -> None:
    """Wait until a unit is at work."""
    while ("begin", number) not in [each[:2] for each in project.worked()]:  # noqa: ASYNC110  # a file tells
        await asyncio.sleep(0.02)


class Listening:
    """A client that wants to hear of progress."""

    session = ""
    capabilities: Mapping[str, Any] = {}
    wants_progress = True

    def __init__(self) -> None:
        self.heard: list[Mapping[str, Any]] = []

    async def progress(self, params: Mapping[str, Any]) -> None:
        self.heard.append(params)

    async def notify(self, method: str, params: Mapping[str, Any]) -> None:
        raise AssertionError(method)

    async def ask(self, method: str, params: Mapping[str, Any]) -> Mapping[str, Any]:
        raise AssertionError(method)


def test_a_workflow_is_a_tool_that_gives_its_output_tells_its_progress_and_is_read_by_its_id(
    project: Project,
) -> None:
    project.workflow("newer", "name: hello\nversion: 2.0.0\nsteps: [{skill: greet, params: {name: two}}]")
    project.workflow("broken", "name: broken\nsteps: [{skill: nowhere}]")

    async def work(host: Host, provider: WorkflowProvider) -> None:
        tools = {each.name: each for each in await host.tools()}
        assert {"hello", "work", "workflow_status"} <= set(tools)
        found = await host.search("say hello to somebody who arrives")
        assert "hello" in str(found)
        peer = Listening()
        answer = await host.call_recorded(
            "hello", {"name": "Kim"}, version="1", asked=Asked(peer=peer, meta={"progressToken": 1})
        )
        assert isinstance(answer.outcome, Answered)
        said = answer.outcome.value
        assert (said["state"], said["output"]) == ("completed", "hello Kim")
        assert [each["progress"] for each in peer.heard][-1] == 1
        newest = await host.call("hello")
        assert isinstance(newest, Answered) and newest.value["workflow"] == "hello@2.0.0"

        status = await host.call("workflow_status", {"run": said["run"]})
        assert isinstance(status, Answered) and status.value == said
        other = await host.call("workflow_status", {"run": said["run"]}, caller=Caller(principal="eve"))
        assert isinstance(other, ToolFailed)

        wrong = await host.call("hello", {"nome": "Kim"}, version="1")
        assert isinstance(wrong, Refused) and wrong.code == "invalid-arguments"
        broken = await host.call("broken")
        assert isinstance(broken, Refused) and "workflow-unknown-skill" in broken.reason

        meta = {"dev.prowess/idempotency-key": "order 41"}
        same = [
            await host.call_recorded("hello", {"name": "Lee"}, version="1", asked=Asked(meta=meta))
            for _ in range(2)
        ]
        ids = {each.outcome.value["run"] for each in same}  # type: ignore[union-attr]  # answered
        assert len(ids) == 1

    project.go(work)


def test_a_run_that_takes_longer_is_answered_with_its_id_and_goes_on(project: Project) -> None:
    project.settings("answer_within = 0.3")
    project.workflow(
        "asks", "name: asks\nsteps: [{id: g, skill: greet, params: {name: Kim}, approve: 'Greet?'}]"
    )

    async def work(host: Host, provider: WorkflowProvider) -> None:
        long = await host.call("work", {"number": 1, "seconds": 1.0})
        assert isinstance(long, Answered) and long.value["state"] in ("queued", "running")
        asks = await host.call("asks")
        assert isinstance(asks, Answered)
        run = asks.value["run"]
        while "waits_for" not in asks.value:
            asks = await host.call("workflow_status", {"run": run})
            assert isinstance(asks, Answered)
        assert asks.value["waits_for"][0]["text"] == "Greet?"
        assert await provider.database.run(lambda rows: runs.answer(rows, run, "g?approve", True, "kim"))
        assert (await until(provider, run, "completed")).output == {"said": "hello Kim"}
        assert (await until(provider, long.value["run"], "completed")).output == "hello number 1"

        cancelled = await host.call("work", {"number": 2, "seconds": 0.6})
        assert isinstance(cancelled, Answered)
        id = cancelled.value["run"]
        await begun(project, 2)
        await provider.database.run(lambda rows: runs.ask_to_cancel(rows, id))
        assert (await until(provider, id, "cancelled")).error == {
            "code": "cancelled",
            "message": "cancelled",
            "step": "",
        }
        assert [each[0] for each in project.worked() if each[1] == 2] == ["begin", "end"]

    project.go(work)


def test_a_host_that_ends_gives_its_runs_back_and_another_one_goes_on(project: Project) -> None:
    project.settings("answer_within = 0.3")

    async def begin(host: Host, provider: WorkflowProvider) -> str:
        answer = await host.call("work", {"number": 1, "seconds": 0.8})
        assert isinstance(answer, Answered)
        await begun(project, 1)
        return str(answer.value["run"])

    async def end(host: Host, provider: WorkflowProvider) -> Any:
        await provider.work()
        return (await until(provider, given_back, "completed")).output

    given_back = project.go(begin)
    assert [each[0] for each in project.worked()] == ["begin", "end"]  # seen to its end, and on record
    assert project.go(end) == "hello number 1"
    assert [each[0] for each in project.worked()] == ["begin", "end"]


def test_a_host_whose_workflows_nobody_uses_has_no_engine(project: Project) -> None:
    async def work(host: Host, provider: WorkflowProvider) -> None:
        await host.tools()
        assert host.snapshot().to_json()

    project.go(work)
    assert not (project.folder / "runs.sqlite3").exists()


@pytest.mark.slow
def test_two_hosts_of_one_process_cannot_both_work(project: Project, tmp_path: Path) -> None:
    async def work(host: Host, provider: WorkflowProvider) -> str:
        await provider.work()
        async with project.opened() as other:
            answer = await asyncio.wait_for(other.call("hello", {"name": "Kim"}), 10)
        return str(getattr(answer, "code", ""))

    assert project.go(work) == "cannot-run"
