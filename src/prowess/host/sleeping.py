"""A server that is started when it is first used, and stopped when nobody has used it for a while.

Its lists are those of the last time, so that an endpoint of many servers answers at once and pays for
those that are used. What a start shows to be different is told as a change. The lists are believed
only until then: a call of a tool that is gone is refused by the server itself.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Collection, Mapping
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any, Protocol

from prowess.capability.offer import Offer
from prowess.provider import Caller, Change, ChangeKind, Invocation, Outcome, Peer, Provider

ASLEEP = "starts when it is first used"
KINDS: tuple[tuple[ChangeKind, str], ...] = (
    ("tools", "tools"),
    ("prompts", "prompts"),
    ("resources", "resources"),
    ("resources", "templates"),
)


class Memory(Protocol):
    """Where the last offer is kept."""

    def get(self) -> Offer | None:
        """The last offer, if it is known."""
        ...

    def put(self, offer: Offer) -> None:
        """Remember this one."""
        ...


class Sleeping:
    """A Provider around another. `idle` is the seconds without use after which it is stopped."""

    def __init__(self, inner: Provider, memory: Memory, *, idle: float) -> None:
        self._inner = inner
        self._memory = memory
        self._idle = idle
        self._last: Offer | None = None
        self._awake = False
        self._turn = asyncio.Lock()
        self._using = 0
        self._waking: asyncio.Task[None] | None = None
        self._rest: asyncio.TimerHandle | None = None
        self._going: asyncio.Task[None] | None = None
        self._hearing: dict[object, Callable[[Change], None]] = {}
        self._sessions: set[str] = set()  # it is kept awake for these

    @property
    def label(self) -> str:
        """The server's id."""
        return self._inner.label

    def offer(self) -> Offer:
        """What is on offer: of a server that sleeps or is down for the moment, what it offered last."""
        now = self._inner.offer()
        if now.status == "connected":
            self._last = now
        elif self._last is not None and self._awake:  # it went away, and the next use brings it up again
            return replace(self._last, status=now.status, reason=now.reason, reason_code=now.reason_code)
        elif self._last is not None:
            return replace(self._last, status="not-started", reason=ASLEEP)
        return now

    async def open(self) -> Offer:
        """Remember what it offered last; one that is not known is started and asked."""
        self._last = self._memory.get()
        if self._last is None:
            async with self._used():
                pass
        return self.offer()

    async def close(self) -> None:
        """Take it down for good."""
        self._stop_clock()
        for task in (self._waking, self._going):
            if task is not None and not task.done():
                task.cancel()
                await asyncio.wait({task})
        self._awake = False
        self._last = None
        self._using -= len(self._sessions)
        self._sessions.clear()
        await self._inner.close()

    async def call(self, invocation: Invocation) -> Outcome:
        """Use a tool; the server is started first where it sleeps, within the call's own time."""
        async with self._used(invocation.peer):
            return await self._inner.call(invocation)

    async def ask(
        self,
        method: str,
        params: Mapping[str, Any],
        *,
        peer: Peer | None = None,
        caller: Caller | None = None,
        timeout: float = 60.0,
    ) -> Mapping[str, Any]:
        """Ask the server; it is started first where it sleeps."""
        inner: Any = self._inner
        async with self._used(peer):
            result: Mapping[str, Any] = await inner.ask(
                method, params, peer=peer, caller=caller or Caller(), timeout=timeout
            )
            return result

    async def end_session(self, session: str) -> None:
        """A client's session is over."""
        inner: Any = self._inner
        await inner.end_session(session)
        if session in self._sessions:
            self._sessions.discard(session)
            self._unused()

    async def tell(self, method: str, params: Mapping[str, Any], *, peer: Peer) -> None:
        """A client's notification; a server that sleeps keeps nothing for anybody, and is not told."""
        inner: Any = self._inner
        if self._awake:
            await inner.tell(method, params, peer=peer)

    def keeps(self, session: str) -> bool:
        """Whether something is kept for a client's session."""
        return session in self._sessions

    def listen(self, hear: Callable[[Change], None], resources: Collection[str] = ()) -> Callable[[], None]:
        """Tell of changes, also of those that a start shows. Whose resources are followed does not sleep."""
        token = object()
        inner: Any = self._inner
        end_inner = inner.listen(hear, resources)
        self._hearing[token] = hear
        following = bool(resources)
        if following:
            self._using += 1
            self._stop_clock()
            self._go(self._wake())

        def end() -> None:
            if self._hearing.pop(token, None) is not None:
                end_inner()
                if following:
                    self._unused()

        return end

    # -- waking and sleeping -----------------------------------------------------------------------

    @asynccontextmanager
    async def _used(self, peer: Peer | None = None) -> AsyncIterator[None]:
        self._using += 1
        self._stop_clock()
        try:
            await self._wake()
            yield
        finally:
            if peer is not None and peer.session:
                self._hold(peer.session)
            self._unused()

    def _hold(self, session: str) -> None:
        """Stay awake for a session that the server keeps something for, until the session ends."""
        inner: Any = self._inner
        keeps = getattr(inner, "keeps", None)
        if keeps is not None and session not in self._sessions and keeps(session):
            self._sessions.add(session)
            self._using += 1

    def _unused(self) -> None:
        self._using -= 1
        if self._using == 0 and self._awake:
            self._rest_soon()

    def _rest_soon(self) -> None:
        self._stop_clock()
        self._rest = asyncio.get_running_loop().call_later(self._idle, self._tired)

    def _stop_clock(self) -> None:
        if self._rest is not None:
            self._rest.cancel()
            self._rest = None

    async def _wake(self) -> None:
        """Start it. Whoever waits for that may give up; the start goes on for the others."""
        if self._awake:
            return
        if self._waking is None or self._waking.done():
            self._waking = asyncio.get_running_loop().create_task(self._start(), name=f"waking {self.label}")
        await asyncio.shield(self._waking)

    async def _start(self) -> None:
        async with self._turn:
            before = self._last
            offer = await self._inner.open()
            self._awake = True
            if offer.status == "connected":
                self._last = offer
                self._memory.put(offer)
                self._tell(before, offer)
        if not self._using:
            self._rest_soon()

    def _tell(self, before: Offer | None, now: Offer) -> None:
        """Say what a start showed to be different from what was remembered."""
        if before is None:
            return
        for kind in dict.fromkeys(kind for kind, name in KINDS if _wires(before, name) != _wires(now, name)):
            for hear in list(self._hearing.values()):
                hear(Change(server=self.label, kind=kind))

    def _tired(self) -> None:
        self._rest = None
        self._go(self._sleep())

    async def _sleep(self) -> None:
        async with self._turn:
            if self._using or not self._awake:
                return
            if (offer := self.offer()).status == "connected":
                self._memory.put(offer)
            self._awake = False
            await self._inner.close()

    def _go(self, work: Any) -> None:
        previous = self._going

        async def after() -> None:
            if previous is not None:
                await asyncio.wait({previous})
            await work

        self._going = asyncio.get_running_loop().create_task(after(), name=f"sleeping {self.label}")


def _wires(offer: Offer, name: str) -> list[Any]:
    return [each.wire for each in getattr(offer, name)]
