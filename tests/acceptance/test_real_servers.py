"""Mixed calls to real servers that fail in every way: one outcome and one record each, nothing twice."""

from __future__ import annotations

import asyncio
import random
import time
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from tests.acceptance.hurried import Hurried
from tests.acceptance.packages import arrived, entry, plugin
from tests.acceptance.servers.web_faults import serving

from prowess.call.limits import Limits
from prowess.call.policy import Policy
from prowess.call.running import CallResult
from prowess.host import Host
from prowess.provider import Caller
from prowess.store.database import Database
from prowess.store.remembered import CallRecord
from prowess.store.reports import Filter, calls

pytestmark = pytest.mark.anyio

SPEED = 20.0
TIMEOUT = 8.0  # of the hurried clock; 0.4 s of ours
SLACK = 4.0  # seconds of ours, for a machine that is busy with something else
ATTEMPTS = {"read": 3, "put": 3, "write": 1, "destroy": 1}
STDIO = ["", "delay", "hang", "fail", "error", "shape", "list", "empty", "noise"]
HTTP = ["", "delay", "hang", "fail", "shape", "list", "html", "half", "drop", "500", "503", "429"]
RARE = ["crash", "half"]  # the server is gone, and with it whatever else was under way

AT_ONCE = 24
LIMITS = Limits(breaker_failures=30, breaker_seconds=4.0)
Timed = tuple[CallResult, float]


def asked(number: int, chance: random.Random) -> tuple[str, str, dict[str, Any]]:
    """Server, tool and arguments of one call."""
    tool = chance.choice(list(ATTEMPTS))
    if chance.random() < 0.5:
        return "web", tool, {"call": number, "do": chance.choice(HTTP)}
    do = chance.choice(RARE) if chance.random() < 0.06 else chance.choice(STDIO)
    arguments: dict[str, Any] = {"call": number, "do": do}
    if chance.random() < 0.1:
        arguments["week"] = "2026-31"  # does not fit: nothing is sent
    return "ledger", tool, arguments


async def use(host: Host, number: int, chance: random.Random, places: asyncio.Semaphore) -> Timed:
    server, tool, arguments = asked(number, chance)
    caller = Caller(principal=f"p{number % 10}")
    async with places:
        began = time.monotonic()
        result = await host.call_recorded(tool, arguments, server=server, timeout=TIMEOUT, caller=caller)
        return result, time.monotonic() - began


async def mixed(place: Path, count: int) -> tuple[list[Timed], list[dict[str, Any]], tuple[CallRecord, ...]]:
    """`count` calls, many at a time: how each ended, what reached the servers, the records."""
    chance, log = random.Random(count), place / "arrived"
    with serving() as web:
        servers = {"ledger": entry(log), "web": {"type": "streamable-http", "url": web.url}}
        opened = Host.open(
            plugin(place / "books", servers),
            limits=LIMITS,
            policy=Policy(destructive="allow"),
            clock=Hurried(SPEED),
        )
        async with opened as host:
            places = asyncio.Semaphore(AT_ONCE)
            done = await asyncio.gather(*(use(host, number, chance, places) for number in range(count)))
        database = Database()
        kept = await database.run(lambda connection: calls(connection, Filter(), count * 2))
        database.close()
        return done, [*arrived(log), *web.arrived], kept


def insist(
    done: list[Timed], reached: list[dict[str, Any]], kept: tuple[CallRecord, ...], count: int
) -> None:
    assert len(done) == len(kept) == count
    assert {each.id: each.outcome for each in kept} == {each.record: each.word for each, _ in done}
    times = Counter((each["call"], each["tool"]) for each in reached)
    assert len({call for call, _ in times}) == len(times)
    assert all(number <= ATTEMPTS[tool] for (_, tool), number in times.items()), times.most_common(3)
    for result, seconds in done:
        assert seconds < TIMEOUT / SPEED + SLACK, result
        assert result.attempts <= 3
        assert (result.attempts == 0) <= (result.word == "refused")


async def test_a_hundred_mixed_calls_have_one_outcome_and_one_record_each(tmp_path: Path) -> None:
    done, reached, kept = await mixed(tmp_path, 100)
    insist(done, reached, kept, 100)
    assert {result.word for result, _ in done} == {"answered", "tool-failed", "timed-out", "lost", "refused"}


@pytest.mark.slow
@pytest.mark.timeout(300)
async def test_a_thousand_mixed_calls_have_one_outcome_and_one_record_each(tmp_path: Path) -> None:
    done, reached, kept = await mixed(tmp_path, 1_000)
    insist(done, reached, kept, 1_000)
    assert Counter(each["call"] for each in reached).most_common(1)[0][1] > 1, "nothing was ever tried again"


async def test_after_a_crash_the_tools_stay_known_and_the_next_call_brings_the_server_up(
    tmp_path: Path,
) -> None:
    async with Host.open(plugin(tmp_path / "books", {"ledger": entry()})) as host:
        names = [each.name for each in await host.tools()]
        assert (await host.call_recorded("write", {"do": "crash"})).word == "lost"
        assert [each.name for each in await host.tools()] == names
        assert (await host.call_recorded("write", {"call": 1})).word == "answered"
