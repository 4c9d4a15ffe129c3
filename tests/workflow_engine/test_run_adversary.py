"""Runs under attack: what was paid is not paid again, what was decided once stays decided, nothing leaks."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, TypeVar

import pytest
from tests.bounds import bound
from tests.workflow_engine.bench_of_runs import Desk, go
from tests.workflow_engine.projects import Project

from prowess import Answered, Caller, Host, Refused
from prowess.call.running import Asked
from prowess.cli import main
from prowess.errors import Conflict, UsageError
from prowess.provider import KEY_META, Lost, ToolFailed
from prowess.workflow import attending
from prowess.workflow import records_runs as runs
from prowess.workflow.attending import Attendant
from prowess.workflow.judging import judge
from prowess.workflow.provider import WorkflowProvider, id_of
from prowess.workflow.reading import read_workflow
from prowess.workflow.records_database import Rows, RunDatabase, Where

T = TypeVar("T")
BOSS = Attendant(principal="boss")
SECRET = "sk-ant-" + "api03-" + "A1b2C3d4E5f6G7h8" * 5
PAYS = """
name: pays
timeout: 1h
steps:
  - {id: pay, skill: pay, approve: "Pay?"}
  - {id: tell, skill: tell}
"""


def do(desk: Desk, work: Callable[[Rows], T]) -> T:
    return desk.database.now(work)


# -- what was paid


def test_a_retry_from_behind_a_step_that_may_have_acted_does_not_do_it_again(desk: Desk) -> None:
    desk.skill("pay", Lost(reason="gone"), safe=False)
    desk.skill("tell", "told")
    run = desk.done("name: pays\nsteps: [{id: pay, skill: pay}, {id: tell, skill: tell}]")
    assert run.state == "attention"
    with pytest.raises(Conflict):
        do(desk, lambda rows: attending.retry(rows, BOSS, run.run, "tell"))
    new = do(desk, lambda rows: attending.retry(rows, BOSS, run.run, "pay"))  # it is said by its name
    assert new.retry_of == run.run


def test_a_retry_keeps_what_failed_before_the_step_and_was_passed_over(desk: Desk) -> None:
    desk.skill("pay", Lost(reason="gone"), safe=False)
    desk.skill("tell", ToolFailed(message="no"))
    text = "name: pays\nsteps: [{id: pay, skill: pay, on_error: continue}, {id: tell, skill: tell}]"
    run = desk.done(text)
    assert run.state == "failed"
    new = do(desk, lambda rows: attending.retry(rows, BOSS, run.run, "tell"))
    go(desk.carry(new.run))
    assert [len(desk.calls(name)) for name in ("pay", "tell")] == [1, 2]


def test_a_retry_begins_no_later_than_where_the_run_stopped(desk: Desk) -> None:
    desk.skill("pay", ToolFailed(message="no"), safe=False)
    desk.skill("tell", "told")
    run = desk.done("name: pays\nsteps: [{id: pay, skill: pay}, {id: tell, skill: tell}]")
    with pytest.raises(Conflict) as caught:
        do(desk, lambda rows: attending.retry(rows, BOSS, run.run, "tell"))
    assert "pay" in caught.value.hint


def test_nothing_is_paid_after_the_time_of_a_run_though_it_was_approved_before(desk: Desk) -> None:
    desk.skill("pay", "paid", safe=False)
    run = desk.done(PAYS)
    do(desk, lambda rows: attending.approve(rows, BOSS, run.run))
    past = "UPDATE prowess_runs SET deadline = ? WHERE run = ?"
    do(desk, lambda rows: rows.write(past, (time.time() - 1, run.run)))
    run = go(desk.carry(run.run))
    assert run.error is not None
    assert (run.state, run.error["code"], desk.calls("pay")) == ("failed", "timed-out", [])


def test_nobody_says_yes_to_a_run_whose_time_is_over(desk: Desk) -> None:
    desk.skill("pay", "paid", safe=False)
    run = desk.done(PAYS)
    past = "UPDATE prowess_runs SET deadline = ? WHERE run = ?"
    do(desk, lambda rows: rows.write(past, (time.time() - 1, run.run)))
    with pytest.raises(Conflict):
        do(desk, lambda rows: attending.approve(rows, BOSS, run.run))
    assert desk.steps(run.run)["pay?approve"].state == "waiting"


# -- what is kept


@pytest.mark.parametrize("safe", [True, False])
@pytest.mark.parametrize("outcome", [ToolFailed(message=f"bad {SECRET}"), Lost(reason=f"bad {SECRET}")])
def test_a_secret_in_what_a_tool_complains_of_is_kept_nowhere(desk: Desk, outcome: Any, safe: bool) -> None:
    desk.skill("pay", outcome, safe=safe)
    run = desk.done("name: pays\nsteps: [{id: pay, skill: pay}]")
    assert run.state in ("failed", "attention")
    assert SECRET not in str(run.error)
    assert SECRET not in str(desk.steps(run.run))


# -- what is no workflow, and no name


@pytest.mark.parametrize(
    "text",
    [
        "name: turns\nsteps: [{skill: greet, params: {name: a}}, {workflow: turns}]",
        "name: turns\nsteps: [{id: one, skill: greet, params: {name: '{{one.result}}'}}]",
    ],
)
def test_what_cannot_run_is_not_put_in_where_nobody_knows_the_skills(tmp_path: Path, text: str) -> None:
    project = Project(tmp_path)
    project.workflow("turns", text)
    schedule = '[workflows.schedules.often]\nworkflow = "turns"\ncron = "* * * * *"'
    project.settings("", schedule)
    assert main(["run", "turns", "--config", str(tmp_path)]) == 2
    judged = judge(str(tmp_path), "workflows").diagnostics
    assert {each.rule for each in judged} & {"workflow-loop", "workflow-reference"}

    async def work(host: Host, provider: WorkflowProvider) -> None:
        await asyncio.to_thread(provider._scheduled, "often", "2026-01-01T00:00:00+00:00")
        assert await provider.database.run(runs.listed, look=True) == []

    project.go(work)


@pytest.mark.parametrize(
    "words",
    [
        ("show", "\udcff"),
        ("approve", "\udcff"),
        ("send", "\udcff", "news"),
        ("list", "--workflow", "\udcff"),
    ],
)
def test_half_a_character_in_a_name_is_an_error_of_who_typed_it(
    tmp_path: Path, words: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    project = Project(tmp_path)
    assert main(["run", "hello", "--input", '{"name": "Kim"}', "--config", str(tmp_path)]) == 0
    del project
    assert main(["runs", *words, "--config", str(tmp_path)]) == 2
    assert "a fault of prowess itself" not in capsys.readouterr().err


# -- the same key


def test_a_key_of_another_call_begins_nothing_and_shows_nothing_of_it(tmp_path: Path) -> None:
    project = Project(tmp_path)
    project.workflow("bye", "name: bye\nsteps: [{skill: greet, params: {name: bye}}]")
    kim = Caller(principal="kim")

    async def work(host: Host, provider: WorkflowProvider) -> None:
        async def call(name: str, given: Any, caller: Caller = kim) -> Any:
            asked = Asked(meta={KEY_META: "one"})
            return (await host.call_recorded(name, given, caller=caller, asked=asked)).outcome

        first = await call("hello", {"name": "Kim"})
        again = await call("hello", {"name": "Kim"})
        assert isinstance(first, Answered)
        assert isinstance(again, Answered)
        assert first.value["run"] == again.value["run"]
        for name, given in (("bye", {}), ("hello", {"name": "Lee"})):
            other = await call(name, given)
            assert isinstance(other, Refused), other
            assert other.code == "key-reused"
        lee = await call("hello", {"name": "Kim"}, Caller(principal="lee"))
        assert lee.value["run"] != first.value["run"]

    project.go(work)


def test_no_two_pairs_of_a_principal_and_a_key_mean_one_run() -> None:
    assert id_of("a\nb", "c") != id_of("a", "b\nc")
    assert id_of("\ud800", "c")


# -- two processes at one file


def test_a_process_that_looks_takes_no_file_away_from_one_that_works(desk: Desk) -> None:
    """What is written after another process closed the file is still there for a third."""
    id = desk.put_in(PAYS)  # opens it in this thread
    desk.skill("pay", "paid", safe=False)
    go(desk.carry(id))  # opens it in the database's own thread
    look = (
        "import sys\nfrom prowess.workflow import records_runs as runs\n"
        "from prowess.workflow.records_database import RunDatabase, Where\n"
        "kept = RunDatabase(Where(file=sys.argv[1]))\n"
        "print(kept.now(lambda rows: runs.get(rows, sys.argv[2]).state)); kept.close()"
    )

    def elsewhere() -> str:
        asked = [sys.executable, "-c", look, str(desk.file), id]
        done = subprocess.run(asked, check=True, capture_output=True, text=True, timeout=bound(30))
        return done.stdout.strip()

    assert elsewhere() == "waiting"
    do(desk, lambda rows: attending.cancel(rows, BOSS, id))
    assert elsewhere() == "cancelled"


# -- two sides at once, on a server, where they are at work at the same time


class Meanwhile:
    """A transaction in which something else is done, elsewhere, right before it first writes."""

    def __init__(self, rows: Rows, elsewhere: Callable[[], object]) -> None:
        self._rows = rows
        self._elsewhere: list[Callable[[], object]] = [elsewhere]

    def read(self, sql: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        return self._rows.read(sql, values)

    def write(self, sql: str, values: Sequence[Any] = ()) -> int:
        while self._elsewhere:
            self._elsewhere.pop()()
        return self._rows.write(sql, values)


@pytest.fixture
def on_server(tmp_path: Path, database_url: str) -> Any:
    desk = Desk(tmp_path, Where(url=database_url))
    other = RunDatabase(Where(url=database_url))
    desk.skill("pay", "paid", safe=False)
    desk.skill("tell", "told")
    yield desk, other
    other.close()
    desk.database.close()


@pytest.mark.slow
@pytest.mark.parametrize("first", ["refuse", "cancel"])
def test_of_two_decisions_at_once_one_holds_and_the_other_is_told(on_server: Any, first: str) -> None:
    desk, other = on_server
    run = desk.done(PAYS)

    def elsewhere() -> object:
        return other.now(lambda rows: getattr(attending, first)(rows, BOSS, run.run))

    with pytest.raises(Conflict):
        do(desk, lambda rows: attending.approve(Meanwhile(rows, elsewhere), BOSS, run.run))
    assert desk.steps(run.run)["pay?approve"].state == ("failed" if first == "refuse" else "waiting")
    assert desk.calls("pay") == []


@pytest.mark.slow
def test_a_run_that_begins_to_wait_while_it_is_cancelled_is_cancelled(on_server: Any) -> None:
    desk, other = on_server
    id = desk.put_in(PAYS)
    run = desk.claim(id)

    def parks() -> object:
        return other.now(lambda rows: runs.park(rows, run, run.news, None))

    cancelled = do(desk, lambda rows: attending.cancel(Meanwhile(rows, parks), BOSS, id))
    assert cancelled.state == "cancelled"
    assert desk.run(id).ended is not None


# -- numbers that are none


def test_a_number_without_end_is_refused_wherever_it_comes_from(
    desk: Desk, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    desk.skill("pay", Lost(reason="gone"), safe=False)
    id = desk.done("name: pays\nsteps: [{id: pay, skill: pay}]").run
    for value in (float("inf"), 10**5_000):
        with pytest.raises(UsageError):
            do(desk, lambda rows, value=value: attending.resume(rows, BOSS, id, result={"value": value}))  # type: ignore[misc]
    assert desk.run(id).state == "attention"
    (tmp_path / "of").mkdir()
    project = Project(tmp_path / "of")
    project.workflow("any", "name: any\nsteps: [{skill: greet, params: {name: a}}]")
    assert main(["run", "any", "--input", '{"n": 1e999}', "--config", str(project.folder)]) == 2
    assert "a fault of prowess itself" not in capsys.readouterr().err


def test_an_output_that_is_no_json_fails_the_run(desk: Desk) -> None:
    desk.skill("pay", lambda _: 1e308)
    run = desk.done("name: pays\nsteps: [{id: pay, skill: pay}]\noutput: {a: '{{pay.result * 10}}'}")
    assert run.error is not None
    assert (run.state, run.output) == ("failed", None)


def test_no_workflow_has_the_name_of_the_tool_that_reads_runs() -> None:
    read = read_workflow(b"name: workflow_status\nsteps: [{skill: greet}]", "w.yaml")
    assert read.workflow is None
    assert [each.rule for each in read.diagnostics] == ["workflow-field"]


# -- a question that is not the one that was read


def test_an_answer_to_one_question_is_not_one_to_the_next(desk: Desk) -> None:
    desk.skill("pay", "paid", safe=False)
    text = "name: twice\nsteps: [{id: one, skill: pay, approve: One?}, {id: two, skill: pay, approve: Two?}]"
    id = desk.done(text).run
    (first,) = do(desk, lambda rows: attending.attended(rows, BOSS, id)).questions
    do(desk, lambda rows: attending.approve(rows, BOSS, id, since=first.since))
    assert go(desk.carry(id)).state == "waiting"
    for answer in (attending.approve, attending.refuse):
        with pytest.raises(Conflict):
            do(desk, lambda rows, answer=answer: answer(rows, BOSS, id, since=first.since))  # type: ignore[misc]
    assert (desk.steps(id)["two?approve"].state, len(desk.calls("pay"))) == ("waiting", 1)


def test_what_fails_again_is_compensated_for_again(desk: Desk) -> None:
    desk.skill("pay", ToolFailed(message="no"), safe=False)
    desk.skill("free", "freed", safe=False)
    text = "name: undone\nsteps: [{id: pay, skill: pay, on_error: {compensate: {id: undo, skill: free}}}]"
    id = desk.done(text).run
    for times in (1, 2):
        assert [len(desk.calls(name)) for name in ("pay", "free")] == [times, times]
        do(desk, lambda rows: attending.resume(rows, BOSS, id))
        assert go(desk.carry(id)).state == "failed"


@pytest.mark.slow
@pytest.mark.parametrize("text", ["a\0b", "\ud800"])
def test_what_no_text_of_a_server_holds_is_an_error_of_who_said_it(on_server: Any, text: str) -> None:
    desk, _ = on_server
    for look in (
        lambda rows: attending.attended(rows, BOSS, text),
        lambda rows: attending.listed(rows, BOSS, workflow=text),
    ):
        with pytest.raises(UsageError):
            do(desk, look)
    assert do(desk, lambda rows: attending.listed(rows, BOSS)) == []


@pytest.mark.parametrize(("count", "state"), [(1_000, "waiting"), (3_000, "failed")])
def test_nobody_is_asked_what_cannot_be_shown_whole(desk: Desk, count: int, state: str) -> None:
    desk.skill("note", "\x1b" * count)
    desk.skill("pay", "paid", safe=False)
    text = "name: long\nsteps: [{id: a, skill: note}, {id: b, skill: pay, approve: '{{a.result}} Pay 1000?'}]"
    run = desk.done(text)
    assert run.state == state
    for each in do(desk, lambda rows: attending.attended(rows, BOSS, run.run)).questions:
        assert each.text.endswith("Pay 1000?")
        assert "\x1b" not in each.text
    assert run.error is None or run.error["code"] == "question-too-long"
