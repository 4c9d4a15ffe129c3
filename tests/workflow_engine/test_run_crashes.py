"""What a run does after its worker stopped: nothing twice, nothing lost; executed without the engine."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import Any

import pytest
from tests.workflow_engine.bench_of_runs import Desk, go

from prowess.errors import UsageError
from prowess.provider import ToolFailed
from prowess.workflow import records_runs as runs
from prowess.workflow.records_retrying import resumed, retried

TWO = "name: two\nsteps: [{id: look, skill: look}, {id: pay, skill: pay}]"


def shop(desk: Desk) -> None:
    desk.skill("look", {"price": 3})
    desk.skill("pay", lambda given: {"payment": len(desk.calls("pay"))}, safe=False)


def test_a_finished_step_never_runs_again(desk: Desk) -> None:
    desk.skill("look", {"price": 3})
    desk.skill(
        "pay",
        lambda given: ToolFailed(message="closed") if len(desk.calls("pay")) < 2 else "paid",
        safe=False,
    )
    run = desk.done(TWO)
    assert run.state == "failed"
    desk.database.now(lambda rows: resumed(rows, run))
    assert go(desk.carry(run.run)).output == "paid"
    assert [each.tool for each in desk.told.sent] == ["look", "pay", "pay"]


def test_a_step_that_may_be_done_twice_is_done_again_after_a_crash(desk: Desk) -> None:
    shop(desk)
    id = desk.put_in(TWO)
    desk.claim(id, "dead")  # it died before `look` was on record
    assert go(desk.carry(id)).state == "completed"


def test_a_step_that_may_have_acted_is_not_done_again_and_the_run_says_so(desk: Desk) -> None:
    shop(desk)
    id = desk.put_in(TWO)
    dead = desk.claim(id, "dead")
    desk.database.now(lambda rows: runs.begin(rows, dead, "pay", "call", "started", {"what": "desk/pay"}))
    run = go(desk.carry(id))
    assert run.state == "attention"
    assert run.error is not None and run.error["step"] == "pay" and "desk/pay" in run.error["message"]
    assert desk.calls("pay") == []


@pytest.mark.parametrize("again", [True, False])
def test_a_person_says_what_became_of_such_a_step(desk: Desk, again: bool) -> None:
    shop(desk)
    id = desk.put_in(TWO)
    dead = desk.claim(id, "dead")
    desk.database.now(lambda rows: runs.begin(rows, dead, "pay", "call", "started", {"what": "desk/pay"}))
    run = go(desk.carry(id))
    with pytest.raises(UsageError):
        desk.database.now(lambda rows: resumed(rows, run))
    result = None if again else {"value": {"payment": 77}}
    desk.database.now(lambda rows: resumed(rows, run, again=again, result=result))
    run = go(desk.carry(id))
    assert (run.state, run.output) == ("completed", {"payment": 1 if again else 77})
    assert len(desk.calls("pay")) == (1 if again else 0)


def test_a_worker_that_was_stopped_and_taken_over_pays_nothing_twice_and_its_result_counts(
    desk: Desk,
) -> None:
    begun, let_go = asyncio.Event(), asyncio.Event()

    async def pay(given: dict[str, Any]) -> Any:
        begun.set()
        await let_go.wait()
        return {"payment": 1}

    desk.skill("look", 1)
    desk.skill("pay", pay, safe=False)
    id = desk.put_in("name: three\nsteps: [{skill: look}, {id: pay, skill: pay}, {skill: look}]")

    async def woken() -> str:
        stopped = asyncio.ensure_future(desk.execution(id).to_the_end())
        await begun.wait()
        assert await desk.execution(id).to_the_end() == "attention"
        let_go.set()
        return await stopped

    assert go(woken()) == "superseded"
    assert desk.run(id).state == "attention"
    assert desk.steps(id)["pay"].state == "completed"
    run = desk.run(id)
    desk.database.now(lambda rows: resumed(rows, run))  # nothing is unknown any more
    assert go(desk.carry(id)).state == "completed"
    assert len(desk.calls("pay")) == 1


def test_a_run_that_is_cancelled_says_all_the_same_what_nobody_knows(desk: Desk) -> None:
    shop(desk)
    id = desk.put_in(TWO)
    dead = desk.claim(id, "dead")
    desk.database.now(lambda rows: runs.begin(rows, dead, "pay", "call", "started", {"what": "desk/pay"}))
    desk.database.now(lambda rows: runs.ask_to_cancel(rows, id))
    run = go(desk.carry(id))
    assert run.error is not None and (run.state, run.error["step"]) == ("attention", "pay")


def test_a_step_that_was_left_failed_on_purpose_is_not_done_again(desk: Desk) -> None:
    desk.skill("optional", lambda given: ToolFailed(message="no"), safe=False)
    desk.skill(
        "flaky", lambda given: ToolFailed(message="not yet") if len(desk.calls("flaky")) < 2 else "done"
    )
    run = desk.done(
        """
        name: partly
        steps:
          - {skill: optional, on_error: continue}
          - parallel: [[{id: inner, skill: flaky}]]
        """
    )
    assert run.state == "failed"
    desk.database.now(lambda rows: resumed(rows, run))
    assert go(desk.carry(run.run)).state == "completed"
    assert len(desk.calls("optional")) == 1


def test_a_worker_that_lost_the_run_before_it_called_does_not_call(desk: Desk) -> None:
    shop(desk)
    id = desk.put_in(TWO)

    async def late() -> str:
        mine = desk.execution(id)
        desk.claim(id, "other")
        return await mine.to_the_end()

    assert go(late()) == "superseded"
    assert desk.calls("pay") == []


def test_two_who_begin_the_same_step_at_once_are_told_apart_by_its_row(desk: Desk) -> None:
    id = desk.put_in(TWO)
    run = desk.claim(id)
    first, second = (
        desk.database.now(lambda rows: runs.begin(rows, run, "pay", "call", "started")) for _ in range(2)
    )
    assert (first, second) == (True, False)


def test_a_dead_workers_run_is_taken_over_by_one_of_many(desk: Desk) -> None:
    id = desk.put_in(TWO)
    dead = desk.claim(id, "dead")
    won = [
        desk.database.now(
            partial(runs.take_over, run=id, execution=dead.execution, dead="dead", executor=who)
        )
        for who in ("a", "b", "c")
    ]
    assert won == [True, False, False]


def test_a_retry_is_a_new_run_that_has_what_came_before_the_step(desk: Desk) -> None:
    shop(desk)
    run = desk.done(TWO)
    new = desk.database.now(lambda rows: retried(rows, run, "pay"))
    assert go(desk.carry(new.run)).output == {"payment": 2}
    assert len(desk.calls("look")) == 1
    assert desk.run(new.run).retry_of == run.run
    assert desk.run(run.run).output == {"payment": 1}


def test_the_share_of_completed_runs_is_counted_for_each_version(desk: Desk) -> None:
    shop(desk)
    desk.skill("break", lambda given: ToolFailed(message="no"))
    for _ in range(3):
        desk.done(TWO)
    desk.done("name: two\nversion: 2.0.0\nsteps: [{skill: break}]")
    desk.put_in(TWO)
    counted = {version: runs.completion(states) for _, version, states in desk.database.now(runs.rates)}
    assert counted == {"1.0.0": 1.0, "2.0.0": 0.0}
