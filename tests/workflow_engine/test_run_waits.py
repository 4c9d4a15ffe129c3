"""Runs that wait: for a person, a time, an event; they hold no worker meanwhile."""

from __future__ import annotations

import asyncio
import time
from functools import partial

import pytest
from tests.workflow_engine.bench_of_runs import Desk, go

from prowess.workflow import records_runs as runs

APPROVED = """
    name: careful
    steps:
      - {id: price, skill: price}
      - {id: pay, skill: pay, approve: "Pay {{price.result}}?"}
"""


def shop(desk: Desk) -> None:
    desk.skill("price", 540)
    desk.skill("pay", "paid", safe=False)


def test_nothing_is_done_before_a_person_said_yes_and_no_worker_is_held(desk: Desk) -> None:
    shop(desk)
    run = desk.done(APPROVED)
    assert (run.state, run.owner, run.executor) == ("waiting", "", "")
    assert desk.steps(run.run)["pay?approve"].value == {"text": "Pay 540?"}
    assert desk.calls("pay") == []


def test_a_yes_puts_the_run_back_into_its_queue(desk: Desk) -> None:
    shop(desk)
    run = desk.done(APPROVED)
    assert desk.database.now(lambda rows: runs.answer(rows, run.run, "pay?approve", True, "kim"))
    assert desk.run(run.run).state == "queued"
    run = go(desk.carry(run.run))
    assert (run.state, run.output) == ("completed", "paid")
    assert len(desk.calls("price")) == 1


def test_a_no_fails_the_step(desk: Desk) -> None:
    shop(desk)
    run = desk.done(APPROVED)
    desk.database.now(lambda rows: runs.answer(rows, run.run, "pay?approve", False, "kim"))
    run = go(desk.carry(run.run))
    assert run.error is not None and (run.state, run.error["code"]) == ("failed", "not-approved")


def test_an_answer_counts_once(desk: Desk) -> None:
    shop(desk)
    run = desk.done(APPROVED)
    told = [
        desk.database.now(partial(runs.answer, run=run.run, step="pay?approve", approved=yes, by="kim"))
        for yes in (True, False)
    ]
    assert told == [True, False]


def test_an_answer_that_comes_while_the_run_is_being_left_is_not_missed(desk: Desk) -> None:
    shop(desk)
    id = desk.put_in(APPROVED)

    async def raced() -> str:
        mine = desk.execution(id)
        work = asyncio.ensure_future(mine.to_the_end())
        for _ in range(1_000):
            await asyncio.sleep(0.005)
            # Nobody tells this execution: it finds out when it leaves the run.
            answer = partial(runs.answer, run=id, step="pay?approve", approved=True, by="kim")
            if desk.database.now(answer):
                break
        return await work

    assert go(raced()) == "completed"


EVENT = "name: hears\nsteps: [{id: news, wait: {event: arrived}, timeout: 1h}]\noutput: '{{news.result}}'"


@pytest.mark.parametrize("before", [True, False])
def test_an_event_ends_the_wait_whether_it_came_before_or_after(desk: Desk, before: bool) -> None:
    id = desk.put_in(EVENT)
    if not before:
        assert go(desk.carry(id)).state == "waiting"
    assert desk.database.now(lambda rows: runs.send(rows, id, "arrived", {"gate": 4}, "e1"))
    assert go(desk.carry(id)).output == {"gate": 4}


def test_an_event_is_taken_once(desk: Desk) -> None:
    id = desk.put_in("name: twice\nsteps: [{wait: {event: a}}, {wait: {event: a}}]")
    for _ in range(2):
        desk.database.now(lambda rows: runs.send(rows, id, "a", 1, "the same id"))
    assert go(desk.carry(id)).state == "waiting"
    desk.database.now(lambda rows: runs.send(rows, id, "a", 2, "another"))
    assert go(desk.carry(id)).output == 2


def test_an_event_that_does_not_come_fails_the_step(desk: Desk) -> None:
    run = desk.done("name: hears\nsteps: [{wait: {event: never}, timeout: 50ms}]")
    assert run.error is not None and (run.state, run.error["code"]) == ("failed", "timed-out")


def test_a_short_time_is_waited_through(desk: Desk) -> None:
    began = time.monotonic()
    run = desk.done("name: short\nsteps: [{wait: 100ms}]")
    assert run.state == "completed"
    assert time.monotonic() - began >= 0.1


def test_a_long_time_is_waited_for_by_nobody_and_goes_on_where_it_was(desk: Desk) -> None:
    run = desk.done("name: long\nsteps: [{wait: 1h}]")
    assert run.state == "waiting" and run.wake is not None
    assert 3_500 < run.wake - time.time() <= 3_600
    until = desk.steps(run.run)["0"].value["until"]
    desk.database.now(lambda rows: rows.write("UPDATE prowess_runs SET wake = 1 WHERE run = ?", (run.run,)))
    assert desk.database.now(runs.wake_due) == 1
    assert go(desk.carry(run.run)).wake == until


def test_a_time_that_is_past_is_not_waited_for(desk: Desk) -> None:
    run = desk.done("name: past\nsteps: [{wait: {until: '2020-01-01T00:00:00Z'}}]")
    assert run.state == "completed"


def test_one_branch_waits_while_another_works(desk: Desk) -> None:
    desk.skill("work", "done")
    run = desk.done(
        """
        name: both
        steps:
          - parallel:
              person: [{skill: work, approve: "Go?"}]
              machine: [{skill: work}, {skill: work}]
        """
    )
    assert run.state == "waiting"
    assert sorted(key for key, row in desk.steps(run.run).items() if row.state == "completed") == [
        "0.machine.0",
        "0.machine.1",
    ]
    desk.database.now(lambda rows: runs.answer(rows, run.run, "0.person.0?approve", True, "kim"))
    assert go(desk.carry(run.run)).output == {"person": "done", "machine": "done"}
    assert len(desk.calls("work")) == 3


def test_a_run_that_waits_is_cancelled_at_once(desk: Desk) -> None:
    shop(desk)
    run = desk.done(APPROVED)
    assert desk.database.now(lambda rows: runs.ask_to_cancel(rows, run.run)) == "cancelled"
