"""Guard rails over real records: the file is changed, the reason kept, once for any number of processes."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from random import Random
from typing import Any

import pytest

from prowess.provider import Caller
from prowess.store.database import Database
from prowess.store.records import Records
from prowess.store.remembered import CallRecord, OutcomeWord
from prowess.store.rollouts import history
from prowess.units.guarding import GuardRails, compared
from prowess.units.rollout import Rollout
from prowess.units.rollout_file import change, read_rollouts
from prowess.units.router import Router

UNIT = "query_weather"
VERSIONS = ("1.4.2", "2.0.0")
_numbers = count(1)

TEXT = """\
format = 1

[units.query_weather]
stable = "1.4.2"
canary = "2.0.0"
percent = 10
since = 2001-01-01T00:00:00Z
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "rollout.toml"
    path.write_text(TEXT)
    return path


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    opened = Database(str(tmp_path / "state" / "prowess.sqlite3"))
    yield opened
    opened.close()


def record(version: str, outcome: OutcomeWord = "answered", **changes: Any) -> CallRecord:
    number = next(_numbers)
    values: dict[str, Any] = {
        "id": f"{number:032x}",
        "tool": UNIT,
        "server": "units",
        "version": version,
        "outcome": outcome,
        "code": "",
        "attempts": 1,
        "duration_ms": 10.0 + number % 7,
        "argument_bytes": 2,
        "result_bytes": 2,
        "principal": "local",
        "conversation": "",
        "skill": "",
        "trace_id": f"{number:032x}",
        "started": 1_700_000_000.0 + number,
    }
    return CallRecord(**{**values, **changes})


async def kept(database: Database, *records: CallRecord) -> None:
    for each in records:
        await Records(database).commit(each)


def mixed(*, canaries: int, failing: int, seed: int = 1, **changes: Any) -> list[CallRecord]:
    """One canary call in four; `failing` of a hundred canary calls fail, and one of a hundred others."""
    random = Random(seed).random
    made: list[CallRecord] = []
    for _ in range(canaries):
        made += [record("1.4.2", "tool-failed" if random() < 0.01 else "answered") for _ in range(3)]
        made.append(record("2.0.0", "timed-out" if random() * 100 < failing else "answered", **changes))
    return made


def now(file: Path) -> Rollout:
    return (read_rollouts(str(file)) or {})[UNIT]


class Heard:
    """What a guard reports."""

    def __init__(self) -> None:
        self.events: list[tuple[str, dict[str, Any]]] = []

    def __call__(self, event: str, /, **fields: Any) -> None:
        self.events.append((event, fields))

    @property
    def names(self) -> list[str]:
        return [event for event, _ in self.events]


def guarded(file: Path, database: Database, heard: Heard | None = None) -> tuple[Router, GuardRails]:
    told = heard or Heard()
    router = Router(str(file), report=told)
    return router, GuardRails(router, database, report=told)


def look(rails: GuardRails) -> dict[str, Any]:
    return asyncio.run(rails.look())


def test_a_failing_canary_is_rolled_back_and_the_reason_is_kept(file: Path, database: Database) -> None:
    heard = Heard()
    router, rails = guarded(file, database, heard)
    asyncio.run(kept(database, *mixed(canaries=100, failing=20)))
    assert look(rails)[UNIT].rail == "errors"
    said = now(file)
    assert (said.percent, said.canary, said.stable) == (0, "2.0.0", "1.4.2")
    assert "fails more often" in said.reason and "of 100 calls" in said.reason
    assert heard.names == ["rollout-changed", "rollout-rolled-back"]
    (change_kept,) = database.now(lambda connection: history(connection, str(file)))
    assert (change_kept.action, change_kept.who, change_kept.reason) == ("rollback", "guard", said.reason)
    assert change_kept.evidence["errors"]["canary"]["calls"] == 100
    got = {router(UNIT, VERSIONS, "", Caller(principal=str(each))) for each in range(200)}
    assert got == {"1.4.2"}
    assert look(rails) == {}, "and that is all"


def test_a_canary_as_good_as_stable_goes_on(file: Path, database: Database) -> None:
    _, rails = guarded(file, database)
    asyncio.run(kept(database, *mixed(canaries=150, failing=1)))
    assert look(rails) == {}
    assert now(file).percent == 10


def test_a_slow_canary_is_halted_and_nobody_loses_it(file: Path, database: Database) -> None:
    heard = Heard()
    router, rails = guarded(file, database, heard)
    asyncio.run(kept(database, *mixed(canaries=100, failing=0, duration_ms=60.0)))
    assert look(rails)[UNIT].rail == "latency"
    assert (now(file).percent, now(file).halted) == (10, True)
    assert "slower" in now(file).reason
    assert heard.names[-1] == "rollout-halted"
    assert look(rails) == {}, "halted once is enough"
    asyncio.run(kept(database, *mixed(canaries=100, failing=50, duration_ms=60.0)))
    assert look(rails)[UNIT].rail == "errors", "what is halted is watched all the same"
    assert (now(file).percent, now(file).halted) == (0, False)
    assert router.rollouts[UNIT].percent == 0


def test_calls_that_never_reached_the_unit_say_nothing(file: Path, database: Database) -> None:
    _, rails = guarded(file, database)
    refused = [record("2.0.0", "refused", code="invalid-arguments") for _ in range(200)]
    elsewhere = [record("2.0.0", "lost", server="another") for _ in range(200)]
    before = [record("2.0.0", "lost", started=900_000_000.0) for _ in range(200)]
    asyncio.run(kept(database, *refused, *elsewhere, *before, *mixed(canaries=60, failing=0)))
    assert look(rails) == {}
    found = database.now(lambda connection: compared(connection, "units", UNIT, now(file)))
    assert (found.errors.canary_calls, found.errors.canary_bad) == (60, 0)


def test_records_are_read_once_however_often_it_looks(file: Path, database: Database) -> None:
    _, rails = guarded(file, database)
    for each in mixed(canaries=120, failing=1):
        asyncio.run(kept(database, each))
        look(rails)
    comparison = rails._readings[UNIT].comparison
    whole = database.now(lambda connection: compared(connection, "units", UNIT, now(file)))
    assert comparison.told() == whole.told()
    assert whole.errors.canary_calls == 120


def test_records_are_read_in_stretches_and_the_others_passed_over_once(
    file: Path, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("prowess.store.rollouts.AT_ONCE", 7)
    _, rails = guarded(file, database)
    early = [record("2.0.0", "lost", started=1.0) for _ in range(40)]
    others = [record("2.0.0", tool="another") for _ in range(40)]
    asyncio.run(kept(database, *early, *mixed(canaries=30, failing=1), *others))
    look(rails)
    reading = rails._readings[UNIT]
    assert (reading.comparison.errors.canary_calls, reading.after) == (30, 40 + 120 + 40)


def test_a_larger_share_goes_on_with_what_is_known_and_another_canary_begins_anew(
    file: Path, database: Database
) -> None:
    _, rails = guarded(file, database)
    asyncio.run(kept(database, *mixed(canaries=40, failing=0)))
    look(rails)
    asyncio.run(change(str(file), UNIT, lambda _: {"percent": 50}))
    look(rails)
    assert rails._readings[UNIT].comparison.errors.canary_calls == 40
    asyncio.run(change(str(file), UNIT, lambda _: {"since": time.time()}))
    look(rails)
    assert rails._readings[UNIT].comparison.errors.canary_calls == 0


def test_a_rollback_never_undoes_what_somebody_settled_meanwhile(file: Path, database: Database) -> None:
    router, rails = guarded(file, database)
    asyncio.run(kept(database, *mixed(canaries=100, failing=50)))
    rollout = now(file)

    async def late() -> bool:
        breach = await rails._judged(database, UNIT, rollout)
        assert breach is not None
        await change(str(file), UNIT, lambda _: {"stable": "1.4.3"})
        return await rails._stopped(database, UNIT, breach)

    assert asyncio.run(late()) is False
    assert (now(file).stable, now(file).percent) == ("1.4.3", 10)
    assert router.rollouts[UNIT].stable == "1.4.3"


def test_many_guards_record_one_rollback(file: Path, database: Database) -> None:
    guards = [guarded(file, database)[1] for _ in range(5)]
    asyncio.run(kept(database, *mixed(canaries=100, failing=50)))

    async def all_of_them() -> list[dict[str, Any]]:
        return await asyncio.gather(*(each.look() for each in guards))

    acted = asyncio.run(all_of_them())
    assert sum(map(bool, acted)) == 1
    assert len(database.now(lambda connection: history(connection, str(file)))) == 1
    assert all(each._router.rollouts[UNIT].percent == 0 for each in guards)


def test_a_file_that_cannot_be_written_does_not_keep_a_bad_canary(file: Path, database: Database) -> None:
    heard = Heard()
    router, rails = guarded(file, database, heard)
    asyncio.run(kept(database, *mixed(canaries=100, failing=50)))
    lock = file.with_name(".rollout.toml.lock")
    lock.mkdir()  # also root cannot open that for writing
    assert look(rails)[UNIT].rail == "errors"
    assert now(file).percent == 10
    assert router.rollouts[UNIT].percent == 0
    assert heard.events[-1][0] == "rollout-rolled-back" and "unwritten" in heard.events[-1][1]
    assert look(rails) == {}
    lock.rmdir()
    asyncio.run(change(str(file), UNIT, lambda _: {"percent": 20}))
    router.look()
    assert router.rollouts[UNIT].percent == 20, "what somebody writes afterwards counts"


def test_records_that_cannot_be_read_are_reported_and_the_guard_goes_on(file: Path, tmp_path: Path) -> None:
    heard = Heard()
    damaged = tmp_path / "damaged.sqlite3"
    damaged.write_bytes(b"no database" * 100)
    database = Database(str(damaged))
    _, rails = guarded(file, database, heard)

    async def begun() -> None:
        await rails.begin()
        await rails.end()
        await rails.end()

    asyncio.run(begun())
    assert heard.names == ["rollout-unguarded"]
    database.close()


def test_while_it_serves_a_bad_canary_is_stopped_before_200_calls(file: Path, database: Database) -> None:
    """Calls as fast as they can be recorded, the guard beside them in the same loop."""
    router, rails = guarded(file, database)
    random = Random(7).random

    async def serve() -> tuple[int, int]:
        await rails.begin()
        canaries = 0
        try:
            for number in range(20_000):
                version = router(UNIT, VERSIONS, "", Caller(principal=f"user-{number}"))
                canaries += version == "2.0.0"
                bad = random() < (0.2 if version == "2.0.0" else 0.01)
                await kept(database, record(version, "tool-failed" if bad else "answered"))
                await asyncio.sleep(0)
                if not router.rollouts[UNIT].running:
                    return number, canaries
        finally:
            await rails.end()
        return -1, canaries

    calls, canaries = asyncio.run(asyncio.wait_for(serve(), 30))
    assert calls > 0, "never stopped"
    assert canaries < 200


FOLLOWER = """
import sys, time
from prowess.units.router import Router
router = Router(sys.argv[1])
print("ready", flush=True)
begun = time.monotonic()
while router.rollouts["query_weather"].percent and time.monotonic() - begun < 20:
    time.sleep(0.02)
    if time.monotonic() >= router._next:
        router.look()
print(router.rollouts["query_weather"].percent, flush=True)
"""


def test_another_process_follows_a_rollback_within_two_seconds(file: Path, database: Database) -> None:
    os.utime(file, (1_700_000_000, 1_700_000_000))
    follower = subprocess.Popen(
        [sys.executable, "-c", FOLLOWER, str(file)], stdout=subprocess.PIPE, text=True
    )
    try:
        assert follower.stdout is not None
        assert follower.stdout.readline() == "ready\n"
        _, rails = guarded(file, database)
        asyncio.run(kept(database, *mixed(canaries=100, failing=50)))
        look(rails)
        stopped = time.monotonic()
        assert follower.stdout.readline() == "0.0\n"
        assert time.monotonic() - stopped < 2
    finally:
        follower.kill()
        follower.communicate()
