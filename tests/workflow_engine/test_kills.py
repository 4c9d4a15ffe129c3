"""kill -9 and SIGSTOP of real workers over the flights example: nothing lost, nothing paid twice."""

from __future__ import annotations

import json
import signal
import time
from functools import partial
from typing import Any

import pytest
from bench.workflow_kills import agency, judged, killed

from prowess.workflow.records_database import Rows

pytest.importorskip("dbos")


def test_a_worker_is_killed_and_another_one_goes_on() -> None:
    result = killed(1, each=3, longest=1.0, seed=3)
    assert not result.wrong
    assert result.states.total() == 3


@pytest.mark.slow
@pytest.mark.timeout(400)
def test_twenty_kills_on_sqlite_lose_nothing_and_pay_nothing_twice() -> None:
    result = killed(20)
    assert not result.wrong
    assert result.states.total() == 40


@pytest.mark.slow
@pytest.mark.timeout(400)
def test_twenty_kills_of_two_workers_on_postgres_lose_nothing_and_pay_nothing_twice(
    database_url: str,
) -> None:
    result = killed(20, url=database_url, workers=2)
    assert not result.wrong
    assert result.states.total() == 40


@pytest.mark.slow
@pytest.mark.timeout(120)
def test_a_worker_that_was_stopped_and_woken_pays_nothing_twice() -> None:
    with agency(delay=1.0) as here:
        first = here.spawn()
        here.ready(first)
        id = here.put_in()
        until = time.monotonic() + 30
        while not here.paid():
            assert time.monotonic() < until
            time.sleep(0.01)
        first.send_signal(signal.SIGSTOP)
        second = here.spawn()
        here.ready(second)
        here.drained([id])
        assert here.run(id).state == "attention"
        first.send_signal(signal.SIGCONT)
        while here.steps(id)["3"].state != "completed":  # its answer came after all, and counts
            assert time.monotonic() < until + 60
            time.sleep(0.05)
        assert here.paid().total() == 1
        assert not judged(here, 0, [id]).wrong


def test_the_payment_service_is_told_the_key_of_the_step() -> None:
    with agency() as here:
        here.ready(here.spawn())
        id = here.put_in()
        here.drained([id])
        (asked,) = map(json.loads, (here.folder / "payments.jsonl").read_text().splitlines())
        assert here.run(id).state == "completed"
        assert asked["key"] == f"{id}:3"


def kept_of(rows: Rows, run: str) -> Any:
    """All that is kept of a run, but for times and owners."""
    steps = "SELECT step, kind, state, value FROM prowess_run_steps WHERE run = ? ORDER BY step"
    whole = "SELECT state, definition, input, output, error FROM prowess_runs WHERE run = ?"
    return rows.read(steps, (run,)), rows.read(whole, (run,))


@pytest.mark.slow
@pytest.mark.timeout(120)
def test_the_same_definition_gives_the_same_bytes_on_sqlite_and_postgres(database_url: str) -> None:
    kept = []
    for url in ("", database_url):
        with agency(url, delay=0) as here:
            here.ready(here.spawn())
            id = here.put_in()
            here.drained([id])
            kept.append(here.database.now(partial(kept_of, run=id), look=True))
    assert kept[0] == kept[1]
