"""A server that keeps something for a client's session does not sleep while the session lives."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from tests.bounds import bound

from prowess.capability.offer import Offer
from prowess.errors import RequestFailed
from prowess.host.asking import told
from prowess.host.sleeping import Sleeping
from prowess.provider import Answered, Caller, Invocation, MemoryProvider, Outcome, Provider
from prowess.store.offers import OfferMemory

pytestmark = pytest.mark.anyio


class Client:
    """A Peer with a session."""

    wants_progress = False

    def __init__(self, session: str) -> None:
        self.session = session
        self.capabilities: Mapping[str, Any] = {}

    async def progress(self, params: Mapping[str, Any]) -> None:
        return

    async def notify(self, method: str, params: Mapping[str, Any]) -> None:
        return

    async def ask(self, method: str, params: Mapping[str, Any]) -> Mapping[str, Any]:
        raise RequestFailed("nobody is asked", number=-32601)


class Keeping:
    """A server that keeps something for the sessions in `kept`."""

    label = "s"

    def __init__(self, *kept: str) -> None:
        self.kept = set(kept)
        self.told: list[tuple[str, str]] = []
        self.stopped = asyncio.Event()

    async def open(self) -> Offer:
        return self.offer()

    def offer(self) -> Offer:
        return Offer(id="s", type="stdio", status="connected")

    async def call(self, invocation: Invocation) -> Outcome:
        return Answered(value=invocation.tool)

    async def ask(self, method: str, params: Mapping[str, Any], **_: Any) -> Mapping[str, Any]:
        return {}

    async def tell(self, method: str, params: Mapping[str, Any], *, peer: Any) -> None:
        self.told.append((peer.session, method))

    def keeps(self, session: str) -> bool:
        return session in self.kept

    async def end_session(self, session: str) -> None:
        self.kept.discard(session)

    async def close(self) -> None:
        self.stopped.set()


async def sleeping(tmp_path: Path, server: Keeping) -> Sleeping:
    OfferMemory("known", folder=str(tmp_path)).put(server.offer())
    made = Sleeping(server, OfferMemory("known", folder=str(tmp_path)), idle=0.01)
    await made.open()
    return made


async def stops(server: Keeping) -> None:
    async with asyncio.timeout(bound(5)):
        await server.stopped.wait()


@pytest.mark.parametrize("way", ["call", "ask"])
async def test_it_stays_awake_for_the_session_and_sleeps_after_it(tmp_path: Path, way: str) -> None:
    kept, other = Keeping("one", "two"), Keeping()
    ours, theirs = await sleeping(tmp_path, kept), await sleeping(tmp_path, other)
    for session in ("one", "two", "one", "not kept"):
        for each in (ours, theirs):
            if way == "call":
                await each.call(Invocation(tool="a", peer=Client(session)))
            else:
                await each.ask("logging/setLevel", {}, peer=Client(session), caller=Caller())
    await stops(other)  # which came to rest later than ours would have
    assert not kept.stopped.is_set()
    await ours.end_session("one")
    assert ours.keeps("two")
    await ours.end_session("never there")
    await theirs.call(Invocation(tool="a"))
    other.stopped.clear()
    await stops(other)
    assert not kept.stopped.is_set()
    await ours.end_session("two")
    await stops(kept)
    for each in (ours, theirs):
        await each.close()


async def test_a_server_that_was_taken_down_keeps_nothing_for_anybody(tmp_path: Path) -> None:
    server = Keeping("one")
    ours = await sleeping(tmp_path, server)
    await ours.call(Invocation(tool="a", peer=Client("one")))
    await ours.close()
    assert not ours.keeps("one")
    server.stopped.clear()
    await ours.end_session("one")
    await ours.open()
    await ours.call(Invocation(tool="a"))
    await stops(server)
    await ours.close()


async def test_what_a_client_says_reaches_a_server_that_is_awake_and_starts_none(tmp_path: Path) -> None:
    server = Keeping("one")
    ours = await sleeping(tmp_path, server)
    providers: list[Provider] = [MemoryProvider("memory", {}), ours]
    await told(providers, "notifications/roots/list_changed", {}, peer=Client("one"))
    assert server.told == []
    await ours.call(Invocation(tool="a", peer=Client("one")))
    await told(providers, "notifications/roots/list_changed", {}, peer=Client("one"))
    assert server.told == [("one", "notifications/roots/list_changed")]
    await ours.close()
