"""Every field of `[workflows]`, shown at work."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from tests.workflow_engine.projects import Project, until

from prowess import Answered, Caller, Host
from prowess.errors import UsageError
from prowess.host.config import load_config
from prowess.workflow import records_runs as runs
from prowess.workflow.provider import WorkflowProvider

pytest.importorskip("dbos")


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return Project(tmp_path)


async def put_in(provider: WorkflowProvider, name: str, count: int, seconds: float = 0.3) -> list[str]:
    workflow = next(each for each in provider.workflows if each.name == name)
    begun = [
        await provider.start(workflow, {"number": number, "seconds": seconds}, caller=Caller())
        for number in range(count)
    ]
    return [each.run for each in begun]


async def all_done(provider: WorkflowProvider, ids: list[str]) -> None:
    for each in ids:
        await until(provider, each, "completed")


@pytest.mark.field("workflows.paths", "workflows.sqlite")
def test_workflows_are_those_of_the_paths_and_runs_are_kept_in_the_file(project: Project) -> None:
    (project.folder / "workflows" / "work.yaml").rename(project.folder / "elsewhere.yaml")

    project.settings("work = false\nanswer_within = 0.1")

    async def work(host: Host, provider: WorkflowProvider) -> list[str]:
        await host.call("hello", {"name": "Kim"})
        return [each.title for each in provider.workflows]

    assert project.go(work) == ["hello@1.0.0"]
    assert (project.folder / "runs.sqlite3").stat().st_mode & 0o077 == 0


@pytest.mark.slow
@pytest.mark.field("workflows.postgres")
def test_runs_are_kept_in_postgres(
    project: Project, database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RUNS_URL", database_url)
    project.settings(kept='postgres = { env = "RUNS_URL" }')

    async def work(host: Host, provider: WorkflowProvider) -> Any:
        return await host.call("hello", {"name": "Kim"})

    answer = project.go(work)
    assert isinstance(answer, Answered) and answer.value["output"] == "hello Kim"
    import psycopg

    with psycopg.connect(database_url) as connection:
        assert connection.execute("SELECT workflow, state FROM prowess_runs").fetchall() == [
            ("hello", "completed")
        ]


@pytest.mark.field("workflows.work", "workflows.answer_within")
def test_a_process_that_does_not_work_only_puts_runs_in(project: Project) -> None:
    project.settings("work = false\nanswer_within = 0.2")

    async def work(host: Host, provider: WorkflowProvider) -> Any:
        return await asyncio.wait_for(host.call("hello", {"name": "Kim"}), 5)

    answer = project.go(work)
    assert isinstance(answer, Answered) and answer.value["state"] == "queued"


@pytest.mark.slow
@pytest.mark.field(
    "workflows.queues.*.workflows", "workflows.queues.*.concurrency", "workflows.queues.*.per_worker"
)
@pytest.mark.parametrize("setting", ["concurrency", "per_worker"])
def test_a_queue_bounds_how_many_of_its_runs_are_under_way(project: Project, setting: str) -> None:
    project.settings(tables=f'[workflows.queues.slow]\nworkflows = ["wor*"]\n{setting} = 2')

    async def work(host: Host, provider: WorkflowProvider) -> None:
        ids = await put_in(provider, "work", 5, 0.2)
        await all_done(provider, ids)
        queues = {each.queue for each in await provider.database.run(runs.listed, look=True)}
        assert queues == {"slow"}

    project.go(work)
    assert project.most_at_once() == 2


@pytest.mark.slow
@pytest.mark.field(
    "workflows.schedules.*.workflow",
    "workflows.schedules.*.cron",
    "workflows.schedules.*.timezone",
    "workflows.schedules.*.input",
)
def test_a_schedule_starts_runs_once_for_each_of_its_moments(project: Project) -> None:
    project.settings(
        tables='[workflows.schedules.often]\nworkflow = "hello@1"\ncron = "* * * * * *"\n'
        """timezone = "Asia/Tokyo"\ninput = '{"name": "night"}'"""
    )

    async def work(host: Host, provider: WorkflowProvider) -> None:
        await provider.work()
        while True:
            found = await provider.database.run(runs.listed, look=True)
            done = [each for each in found if each.state == "completed"]
            if len(done) >= 2:
                break
            await asyncio.sleep(0.05)
        assert {(each.output, each.principal) for each in done} == {("hello night", "schedule:often")}
        from dbos import DBOS

        assert [each["cron_timezone"] for each in await asyncio.to_thread(DBOS.list_schedules)] == [
            "Asia/Tokyo"
        ]

    project.go(work)


@pytest.mark.slow
@pytest.mark.field("workflows.dead_after")
def test_a_worker_that_is_dead_for_so_long_is_taken_over(project: Project) -> None:
    project.settings("dead_after = 1")
    code = f"""
import asyncio, os
from prowess import Caller, Host
async def main():
    async with Host.open({str(project.folder)!r}) as host:
        provider = host.workflows
        workflow = next(each for each in provider.workflows if each.name == "work")
        await provider.start(workflow, {{"number": 1, "seconds": 30}}, caller=Caller(), id="lost")
        while not os.path.exists({str(project.folder / "units" / "worked.txt")!r}):
            await asyncio.sleep(0.01)
        os.kill(os.getpid(), 9)
asyncio.run(main())
"""
    assert subprocess.run([sys.executable, "-c", code], timeout=60).returncode == -9

    async def work(host: Host, provider: WorkflowProvider) -> Any:
        await provider.work()
        return (await until(provider, "lost", "attention")).error

    error = project.go(work)
    assert error["step"] == "one" and "units/toil" in error["message"]
    assert len(project.worked()) == 1


@pytest.mark.parametrize(
    "settings",
    [
        "answer_within = 0",
        "dead_after = 0.5",
        'postgres = { env = "URL" }',
        "[workflows.queues.A]",
        "[workflows.queues.a]\nconcurrency = 0",
        "[workflows.queues.a]\nconcurrency = 1\nper_worker = 2",
        '[workflows.schedules.a]\nworkflow = "x"\ncron = "soon"',
        '[workflows.schedules.a]\nworkflow = "x"\ncron = "0 3 * * *"\ntimezone = "Nowhere"',
        '[workflows.schedules.a]\nworkflow = "x"\ncron = "0 3 * * *"\ninput = "[]"',
    ],
)
def test_what_cannot_be_meant_is_an_error_of_the_file(project: Project, settings: str) -> None:
    project.settings(settings)
    with pytest.raises(UsageError):
        load_config(str(project.folder / "prowess.toml"))
