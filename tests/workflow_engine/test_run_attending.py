"""Attending to runs: who sees them, who answers, and what is said when it cannot be."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import pytest
from tests.workflow_engine.bench_of_runs import Desk, go

from prowess.errors import Ambiguous, Conflict, NotAllowed, NotFound, UsageError
from prowess.workflow import attending
from prowess.workflow import records_runs as runs
from prowess.workflow.attending import Attendant, Sight
from prowess.workflow.records_database import Rows, Where

T = TypeVar("T")
ASKS = """
name: asks
steps:
  - {id: pay, skill: pay, params: {}, approve: "Pay \u202e12?"}
"""
BOTH = """
name: both
steps:
  - id: side
    parallel:
      - - {id: one, skill: pay, params: {}, approve: "One?"}
      - - {id: two, skill: pay, params: {}, approve: "Two?"}
"""
BOSS = Attendant(principal="boss")


def seeing(sight: Sight, principal: str = "robot", against: str = "") -> Attendant:
    return Attendant(principal=principal, sight=lambda _: sight, against=lambda _: against)


@pytest.fixture
def paid(desk: Desk) -> Desk:
    desk.skill("pay", {"paid": 12}, safe=False)
    return desk


def waiting(desk: Desk, text: str = ASKS) -> str:
    id = desk.put_in(text)
    assert go(desk.carry(id)).state == "waiting"
    return id


def do(desk: Desk, work: Callable[[Rows], T]) -> T:
    return desk.database.now(work)


def test_what_waits_is_listed_with_its_question_which_is_fit_to_be_shown(paid: Desk) -> None:
    id, other = waiting(paid), paid.put_in(ASKS)
    (only,) = do(paid, lambda rows: attending.listed(rows, BOSS, asking=True))
    assert (only.run.run, [each.step for each in only.questions]) == (id, ["pay"])
    assert "\u202e" not in only.questions[0].text
    listed = do(paid, lambda rows: attending.listed(rows, BOSS))
    assert {each.run.run: len(each.questions) for each in listed} == {id: 1, other: 0}


@pytest.mark.parametrize(("answer", "state", "calls"), [("approve", "completed", 1), ("refuse", "failed", 0)])
def test_an_answer_is_kept_with_who_gave_it_and_the_run_goes_on(
    paid: Desk, answer: str, state: str, calls: int
) -> None:
    id = waiting(paid)
    do(paid, lambda rows: getattr(attending, answer)(rows, BOSS, id[:8]))
    assert "boss" in str(paid.steps(id)["pay?approve"].value)
    assert go(paid.carry(id)).state == state
    assert len(paid.calls("pay")) == calls


def test_the_second_answer_comes_too_late(paid: Desk) -> None:
    id = waiting(paid)
    do(paid, lambda rows: attending.approve(rows, BOSS, id))
    with pytest.raises(Conflict):
        do(paid, lambda rows: attending.refuse(rows, BOSS, id))
    assert paid.steps(id)["pay?approve"].state == "completed"


def test_where_several_steps_wait_it_has_to_be_said_which(paid: Desk) -> None:
    id = waiting(paid, BOTH)
    with pytest.raises(Ambiguous) as caught:
        do(paid, lambda rows: attending.approve(rows, BOSS, id))
    assert "one, two" in caught.value.hint
    assert do(paid, lambda rows: attending.approve(rows, BOSS, id, "two")).text == "Two?"
    assert do(paid, lambda rows: attending.refuse(rows, BOSS, id, "one?approve")).step == "one"


def test_nothing_of_a_run_that_is_over_waits(paid: Desk) -> None:
    id = waiting(paid)
    do(paid, lambda rows: attending.cancel(rows, BOSS, id))
    assert do(paid, lambda rows: attending.attended(rows, BOSS, id)).questions == ()
    with pytest.raises(Conflict):
        do(paid, lambda rows: attending.approve(rows, BOSS, id))
    with pytest.raises(Conflict):
        do(paid, lambda rows: attending.cancel(rows, BOSS, id))


def test_a_run_out_of_sight_does_not_exist(paid: Desk) -> None:
    id = waiting(paid)  # of the principal `local`
    for who in (seeing("none", "local"), seeing("own")):
        assert do(paid, lambda rows, who=who: attending.listed(rows, who)) == []  # type: ignore[misc]
        with pytest.raises(NotFound):
            do(paid, lambda rows, who=who: attending.approve(rows, who, id))  # type: ignore[misc]


def test_whoever_began_a_run_sees_it_and_may_cancel_it_but_decides_nothing(paid: Desk) -> None:
    id, who = waiting(paid), seeing("own", "local")
    assert [each.run.run for each in do(paid, lambda rows: attending.listed(rows, who))] == [id]
    with pytest.raises(NotFound):  # of beginnings it could learn of others
        do(paid, lambda rows: attending.attended(rows, who, id[:8]))
    for act in (attending.approve, attending.refuse, attending.resume):
        with pytest.raises(NotAllowed):
            do(paid, lambda rows, act=act: act(rows, who, id))  # type: ignore[misc]
    with pytest.raises(NotAllowed):
        do(paid, lambda rows: attending.retry(rows, who, id, "pay"))
    assert do(paid, lambda rows: attending.cancel(rows, who, id)).state == "cancelled"


def test_what_the_policy_is_against_is_not_done(paid: Desk) -> None:
    id, who = waiting(paid), seeing("all", against="no payments on Sunday")
    with pytest.raises(NotAllowed) as caught:
        do(paid, lambda rows: attending.cancel(rows, who, id))
    assert "Sunday" in caught.value.message
    assert do(paid, lambda rows: attending.attended(rows, who, id)).questions


def test_only_some_workflows_are_decided_on_and_of_the_others_own_runs_are_seen(paid: Desk) -> None:
    asks, both = waiting(paid), waiting(paid, BOTH)
    who = Attendant(principal="robot", sight=lambda name: "all" if name == "asks" else "own")
    assert [each.run.run for each in do(paid, lambda rows: attending.listed(rows, who))] == [asks]
    do(paid, lambda rows: rows.write("UPDATE prowess_runs SET principal = 'robot' WHERE run = ?", (both,)))
    found = do(paid, lambda rows: attending.listed(rows, who))
    assert {each.run.run for each in found} == {asks, both}


def test_a_run_goes_on_and_is_begun_again_from_a_step(paid: Desk) -> None:
    id = waiting(paid)
    with pytest.raises(Conflict):
        do(paid, lambda rows: attending.resume(rows, BOSS, id))
    with pytest.raises(Conflict):
        do(paid, lambda rows: attending.retry(rows, BOSS, id, "pay"))
    do(paid, lambda rows: attending.cancel(rows, BOSS, id))
    assert do(paid, lambda rows: attending.resume(rows, BOSS, id)).state == "queued"
    do(paid, lambda rows: attending.cancel(rows, BOSS, id))
    new = do(paid, lambda rows: attending.retry(rows, BOSS, id, "pay"))
    assert (new.retry_of, do(paid, lambda rows: runs.get(rows, new.run)) is not None) == (id, True)


def test_the_beginning_of_several_ids_means_none(paid: Desk) -> None:
    for id in ("ab01", "ab02"):
        paid.put_in(ASKS, id=id)
    with pytest.raises(UsageError):
        do(paid, lambda rows: attending.attended(rows, BOSS, "ab"))


@pytest.mark.slow
def test_what_is_seen_and_answered_is_the_same_on_postgres(tmp_path: Path, database_url: str) -> None:
    desk = Desk(tmp_path, Where(url=database_url))
    desk.skill("pay", {"paid": 12}, safe=False)
    try:
        id = desk.put_in(ASKS)
        assert go(desk.carry(id)).state == "waiting"
        for who, count in ((BOSS, 1), (seeing("own", "local"), 1), (seeing("own"), 0), (seeing("none"), 0)):
            found = do(desk, lambda rows, who=who: attending.listed(rows, who, asking=True))  # type: ignore[misc]
            assert len(found) == count
        do(desk, lambda rows: attending.approve(rows, BOSS, id[:8]))
        assert go(desk.carry(id)).state == "completed"
    finally:
        desk.database.close()
