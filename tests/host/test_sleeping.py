"""A server that starts on first use, from what it offered last, and stops when idle."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Mapping
from pathlib import Path
from typing import Any

import pytest
from tests.bounds import bound

from prowess.capability.offer import Offer, Prompt, Tool
from prowess.host.sleeping import Sleeping
from prowess.provider import Answered, Caller, Change, Invocation, Outcome
from prowess.store.offers import OfferMemory

pytestmark = pytest.mark.anyio
SCHEMA = {"type": "object"}


def connected(*names: str, **more: Any) -> Offer:
    tools = tuple(Tool(server="s", wire={"name": name, "inputSchema": SCHEMA, "x": None}) for name in names)
    return Offer(id="s", type="stdio", status="connected", tools=tools, **more)


class Inner:
    """A server that counts its starts and stops."""

    label = "s"

    def __init__(self, offers: Offer) -> None:
        self.will_offer = offers
        self.now = Offer(id="s", type="stdio", status="not-started", reason="not opened yet")
        self.starts = self.stops = 0
        self.stopped = asyncio.Event()
        self.gate: asyncio.Event | None = None
        self.hearing: list[Callable[[Change], None]] = []
        self.ended: list[str] = []

    async def open(self) -> Offer:
        self.starts += 1
        if self.gate is not None:
            await self.gate.wait()
        self.now = self.will_offer
        return self.now

    def offer(self) -> Offer:
        return self.now

    async def call(self, invocation: Invocation) -> Outcome:
        return Answered(value=invocation.tool)

    async def ask(self, method: str, params: Mapping[str, Any], **_: Any) -> Mapping[str, Any]:
        return {"asked": method}

    def listen(self, hear: Callable[[Change], None], resources: Collection[str] = ()) -> Callable[[], None]:
        self.hearing.append(hear)
        return lambda: self.hearing.remove(hear)

    async def end_session(self, session: str) -> None:
        self.ended.append(session)

    async def close(self) -> None:
        self.stops += 1
        self.now = Offer(id="s", type="stdio", status="not-started", reason="closed")
        self.stopped.set()


def memory(tmp_path: Path) -> OfferMemory:
    return OfferMemory("identity", folder=str(tmp_path))


async def test_a_server_that_is_not_known_is_started_and_remembered(tmp_path: Path) -> None:
    inner = Inner(connected("a", protocol="2026-07-28", caching={"tools/list": (5, "public")}))
    server = Sleeping(inner, memory(tmp_path), idle=600)
    assert (await server.open()).status == "connected"
    await server.close()
    remembered = memory(tmp_path).get()
    assert remembered is not None
    assert remembered.tools == inner.will_offer.tools
    assert remembered.caching == {"tools/list": (5, "public")}
    assert remembered.protocol == "2026-07-28"
    assert remembered.status == "not-started"


async def test_a_known_server_answers_lists_without_a_start_and_starts_on_its_first_call(
    tmp_path: Path,
) -> None:
    memory(tmp_path).put(connected("a"))
    inner = Inner(connected("a"))
    server = Sleeping(inner, memory(tmp_path), idle=600)
    offer = await server.open()
    assert ([each.name for each in offer.tools], offer.status, inner.starts) == (["a"], "not-started", 0)
    assert await server.call(Invocation(tool="a")) == Answered(value="a")
    assert (inner.starts, server.offer().status) == (1, "connected")
    await server.close()


async def test_other_requests_start_it_too(tmp_path: Path) -> None:
    memory(tmp_path).put(connected("a"))
    inner = Inner(connected("a"))
    server = Sleeping(inner, memory(tmp_path), idle=600)
    await server.open()
    assert await server.ask("prompts/get", {}, caller=Caller()) == {"asked": "prompts/get"}
    assert inner.starts == 1
    await server.close()


async def test_callers_that_come_at_once_cause_one_start(tmp_path: Path) -> None:
    memory(tmp_path).put(connected("a"))
    inner = Inner(connected("a"))
    server = Sleeping(inner, memory(tmp_path), idle=600)
    await server.open()
    await asyncio.gather(*(server.call(Invocation(tool="a")) for _ in range(20)))
    assert inner.starts == 1
    await server.close()


async def test_a_caller_that_gives_up_does_not_stop_the_start_of_others(tmp_path: Path) -> None:
    memory(tmp_path).put(connected("a"))
    inner = Inner(connected("a"))
    inner.gate = asyncio.Event()
    server = Sleeping(inner, memory(tmp_path), idle=600)
    await server.open()
    first = asyncio.ensure_future(server.call(Invocation(tool="a")))
    second = asyncio.ensure_future(server.call(Invocation(tool="a")))
    await asyncio.sleep(0)
    first.cancel()
    await asyncio.wait({first})
    inner.gate.set()
    async with asyncio.timeout(bound(5)):
        assert await second == Answered(value="a")
    assert inner.starts == 1
    await server.close()


async def test_an_idle_server_is_stopped_and_its_lists_stay(tmp_path: Path) -> None:
    memory(tmp_path).put(connected("a"))
    inner = Inner(connected("a", "b"))
    server = Sleeping(inner, memory(tmp_path), idle=0.01)
    await server.open()
    await server.call(Invocation(tool="a"))
    async with asyncio.timeout(bound(5)):
        await inner.stopped.wait()
    assert [each.name for each in server.offer().tools] == ["a", "b"]
    assert server.offer().status == "not-started"
    assert await server.call(Invocation(tool="b")) == Answered(value="b")
    assert inner.starts == 2
    await server.close()


async def test_what_a_start_shows_to_be_different_is_told(tmp_path: Path) -> None:
    memory(tmp_path).put(connected("a"))
    prompts = (Prompt(server="s", wire={"name": "p"}),)
    inner = Inner(connected("b", prompts=prompts))
    server = Sleeping(inner, memory(tmp_path), idle=600)
    heard: list[Change] = []
    end = server.listen(heard.append)
    await server.open()
    await server.call(Invocation(tool="b"))
    end()
    assert [each.kind for each in heard] == ["tools", "prompts"]
    assert inner.hearing == []
    await server.close()


async def test_a_server_whose_resource_is_followed_is_started_and_stays(tmp_path: Path) -> None:
    memory(tmp_path).put(connected("a"))
    inner = Inner(connected("a"))
    inner.gate = asyncio.Event()
    inner.gate.set()
    server = Sleeping(inner, memory(tmp_path), idle=0.01)
    await server.open()
    end = server.listen(lambda change: None, ["a:1"])
    await server.call(Invocation(tool="a"))
    assert (inner.starts, inner.stops) == (1, 0)
    end()
    async with asyncio.timeout(bound(5)):
        await inner.stopped.wait()
    await server.close()


async def test_a_server_that_went_away_keeps_its_lists_and_says_why(tmp_path: Path) -> None:
    inner = Inner(connected("a"))
    server = Sleeping(inner, memory(tmp_path), idle=600)
    await server.open()
    inner.now = Offer(id="s", type="stdio", status="failed", reason="exited with 1", reason_code="exited")
    offer = server.offer()
    assert ([each.name for each in offer.tools], offer.status, offer.reason_code) == (
        ["a"],
        "failed",
        "exited",
    )
    await server.close()


async def test_the_end_of_a_session_is_handed_on(tmp_path: Path) -> None:
    inner = Inner(connected("a"))
    server = Sleeping(inner, memory(tmp_path), idle=600)
    await server.open()
    await server.end_session("x")
    assert inner.ended == ["x"]
    await server.close()


@pytest.mark.parametrize(
    "content", [b"", b"[]", b'{"format": 1}', b'{"format": 99}', b"\xff{", b"[" * 99_999]
)
def test_a_damaged_memory_counts_as_none(tmp_path: Path, content: bytes) -> None:
    memory(tmp_path).put(connected("a"))
    (file,) = tmp_path.iterdir()
    file.write_bytes(content)
    assert memory(tmp_path).get() is None


def test_only_this_user_may_read_what_is_remembered(tmp_path: Path) -> None:
    memory(tmp_path).put(connected("a"))
    (file,) = tmp_path.iterdir()
    assert file.stat().st_mode & 0o077 == 0


def test_an_offer_that_is_too_large_is_not_remembered(tmp_path: Path) -> None:
    memory(tmp_path).put(connected(*(f"tool-{number}-{'x' * 100}" for number in range(40_000))))
    assert memory(tmp_path).get() is None


def test_another_way_to_start_it_is_another_memory(tmp_path: Path) -> None:
    memory(tmp_path).put(connected("a"))
    assert OfferMemory("another", folder=str(tmp_path)).get() is None
