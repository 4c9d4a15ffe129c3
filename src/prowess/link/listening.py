"""Hearing that what a server offers has changed, for as long as somebody wants to know.

MCP 2026-07-28, `subscriptions/listen`: one request that stays open and is opened again when it ends.
2025-11-25: notifications that come by themselves, and `resources/subscribe`. Either way the lists
concerned are asked for again, once for a burst, before anybody is told. Nothing is replayed by a
server, so whatever may have been missed is compared with what was known.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Mapping
from typing import Any

from mcp.shared.exceptions import MCPError
from mcp_types import METHOD_NOT_FOUND

from prowess.link.connection import Live
from prowess.link.era import LEGACY
from prowess.link.faults import Faulted
from prowess.link.survey import Survey, resurvey
from prowess.link.wire import Nobody, Wire
from prowess.provider import Change, ChangeKind

SETTLE_SECONDS = 0.02  # what is said within this time is one burst
SETTLE_MOST = 5.0  # a server that never comes to rest is asked this seldom in the end
CALM_SECONDS = 10.0  # a server that was quiet for so long is at rest again, whatever came before
CALM_TIMES = 4  # as is one that was quiet for so many times as long as it was made to wait
SURVEY_SECONDS = 30.0
BACKOFF_SECONDS = (0.1, 0.5, 2.0, 8.0, 30.0)  # before a stream is opened again; unanswered, no more often
STEADY_SECONDS = 60.0
OPENED = "notifications/subscriptions/acknowledged"
_LISTS: Mapping[str, ChangeKind] = {
    "notifications/tools/list_changed": "tools",
    "notifications/prompts/list_changed": "prompts",
    "notifications/resources/list_changed": "resources",
}
_FILTERS: Mapping[ChangeKind, str] = {
    "tools": "toolsListChanged",
    "prompts": "promptsListChanged",
    "resources": "resourcesListChanged",
}

Hear = Callable[[Change], None]


def next_pause(pause: float, quiet: float) -> float:
    """Seconds to wait before asking again, after a pause of `pause` and `quiet` seconds of quiet since.

    One that changes now and then is asked at once each time; one that never rests, ever more seldom.
    """
    if quiet >= min(CALM_TIMES * pause, CALM_SECONDS):
        return SETTLE_SECONDS
    return min(2 * pause, SETTLE_MOST)


class Listening(Nobody):
    """Who listens to one server, and what is done for them. It is the Receiver of the shared connection.

    `found` is told of every list that was asked for again, before those who listen are.
    """

    def __init__(self, server: str, found: Callable[[Live, Survey], None]) -> None:
        self._server = server
        self._found = found
        self._hearers: dict[object, tuple[Hear, frozenset[str]]] = {}
        self._live: Live | None = None
        self._known: Survey | None = None
        self._said: dict[ChangeKind, Wire] = {}  # the server says that these changed, and where it did
        self._missed: set[ChangeKind] = set()  # these may have changed
        self._news: dict[Change, None] = {}
        self._wake = asyncio.Event()
        self._work: asyncio.Task[None] | None = None
        self._stream: asyncio.Task[None] | None = None
        self._asked: tuple[Live, frozenset[str]] | None = None  # what the stream or the subscriptions are for
        self._ending: set[asyncio.Task[None]] = set()

    def listen(self, hear: Hear, resources: Collection[str]) -> Callable[[], None]:
        """Tell `hear` from now on; what comes back ends it."""
        who = object()
        self._hearers[who] = (hear, frozenset(resources))
        self._begin()

        def end() -> None:
            if self._hearers.pop(who, None) is not None:
                self._begin()

        return end

    # -- what the link says ------------------------------------------------------------------------

    def up(self, live: Live) -> None:
        """A connection is up. Its lists may differ from those of the one before."""
        if self._known is not None:
            for kind in sorted(self._known.differing(live.survey)):
                self._news[Change(server=self._server, kind=kind)] = None
        self._live, self._known = live, live.survey
        self._begin()

    def down(self) -> None:
        """There is no connection now."""
        self._live = None
        self._drop_stream()
        self._wake.set()

    async def close(self) -> None:
        """Do nothing more until there is a connection again; who listens is remembered."""
        self.down()
        self._retire(self._work)
        self._work = None
        if self._ending:
            await asyncio.wait(tuple(self._ending))

    # -- what the server says ------------------------------------------------------------------------

    def heard(self, wire: Wire, method: str, params: Mapping[str, Any]) -> None:
        """Something changed, at this connection's end; a process of its own has lists of its own."""
        kind = _LISTS.get(method)
        if kind is not None:
            self._said[kind] = wire  # also while nobody listens: who begins to wants to know
        elif method == "notifications/resources/updated" and isinstance(params.get("uri"), str):
            self._news[Change(server=self._server, kind="resource", uri=params["uri"])] = None
        if self._hearers:
            self._wake.set()
        else:
            self._news.clear()

    # -- work ----------------------------------------------------------------------------------------

    def _begin(self) -> None:
        """Look at what is to be done."""
        self._wake.set()
        wanted = self._hearers or self._asked is not None
        if wanted and self._live is not None and (self._work is None or self._work.done()):
            self._work = asyncio.get_running_loop().create_task(self._attend(), name=f"hear {self._server}")

    async def _attend(self) -> None:
        """While somebody listens: keep listening upstream, ask again for what changed, tell."""
        loop = asyncio.get_running_loop()
        pause, before = SETTLE_SECONDS, loop.time() - CALM_SECONDS
        while (live := self._live) is not None:
            self._wake.clear()
            await self._adjust(live)
            if not self._hearers:
                return
            if self._said or self._missed:
                await asyncio.sleep(pause := next_pause(pause, loop.time() - before))
                await self._ask_again(live)
                before = loop.time()
            self._tell()
            await self._wake.wait()

    async def _ask_again(self, live: Live) -> None:
        said, missed = dict(self._said), frozenset(self._missed)
        self._said.clear()
        self._missed.clear()
        again = known = self._known or live.survey
        where: dict[Wire, set[ChangeKind]] = {}
        for kind in said.keys() | missed:
            where.setdefault(said.get(kind, live.wire), set()).add(kind)
        try:
            for wire, kinds in where.items():
                again = await resurvey(wire, self._server, again, kinds, SURVEY_SECONDS)
        except (Faulted, TimeoutError):
            return  # the connection is going, or the next change may do better
        if self._live is not live:
            return
        self._known = again
        self._found(live, again)
        for kind in sorted(said.keys() | (missed & known.differing(again))):
            self._news[Change(server=self._server, kind=kind)] = None

    def _tell(self) -> None:
        news, self._news = tuple(self._news), {}
        for change in news:
            for hear, resources in tuple(self._hearers.values()):
                if change.kind != "resource" or _within(change.uri, resources):
                    hear(change)

    async def _adjust(self, live: Live) -> None:
        """Listen upstream to what is wanted now, and to nothing else."""
        wanted = frozenset(uri for _, uris in self._hearers.values() for uri in uris)
        if live.greeting.era == LEGACY:
            had = self._asked[1] if self._asked is not None and self._asked[0] is live else frozenset()
            self._asked = (live, wanted) if self._hearers else None
            await _subscribe(live, wanted - had, had - wanted)
        elif not self._hearers:
            self._drop_stream()
        elif self._asked is None or self._asked[0] is not live or self._asked[1] != wanted:
            self._drop_stream()
            self._asked = (live, wanted)
            if filter := _filter(live, wanted):
                self._stream = asyncio.get_running_loop().create_task(self._hold(live, filter))

    async def _hold(self, live: Live, filter: Mapping[str, Any]) -> None:
        """Keep one stream open, and open it again when it ends."""
        loop = asyncio.get_running_loop()
        fails = 0
        opened = False

        def hear(method: str, params: Mapping[str, Any]) -> None:
            nonlocal opened
            if method == OPENED:
                opened = True
                self._missed |= {kind for kind, name in _FILTERS.items() if name in filter}
                self._wake.set()
            else:
                self.heard(live.wire, method, params)

        while not live.wire.channel.ended.is_set():
            opened, begun = False, loop.time()
            try:
                await live.wire.stream("subscriptions/listen", {"notifications": filter}, hear)
            except MCPError as error:
                if error.code == METHOD_NOT_FOUND:
                    return
            except Faulted:
                pass  # whether the connection is over, the link finds out
            if not opened and fails >= len(BACKOFF_SECONDS):
                return
            fails = 0 if opened and loop.time() - begun >= STEADY_SECONDS else fails + 1
            await asyncio.sleep(BACKOFF_SECONDS[min(fails, len(BACKOFF_SECONDS)) - 1 if fails else 0])

    def _drop_stream(self) -> None:
        self._retire(self._stream)
        self._stream = self._asked = None

    def _retire(self, task: asyncio.Task[None] | None) -> None:
        """Cancel a task, and keep it until it is over."""
        if task is not None and not task.done():
            task.cancel()
            self._ending.add(task)
            task.add_done_callback(self._ending.discard)


def _filter(live: Live, resources: frozenset[str]) -> dict[str, Any]:
    """What to listen to: what the server declares that it tells."""
    declared = live.greeting.capabilities
    filter: dict[str, Any] = {
        name: True for kind, name in _FILTERS.items() if _declares(declared, kind, "listChanged")
    }
    if resources and _declares(declared, "resources", "subscribe"):
        filter["resourceSubscriptions"] = sorted(resources)
    return filter


async def _subscribe(live: Live, more: frozenset[str], less: frozenset[str]) -> None:
    """The older way to say which resources matter; a server that refuses one is not asked again."""
    if not _declares(live.greeting.capabilities, "resources", "subscribe"):
        return
    for method, uris in (("resources/subscribe", more), ("resources/unsubscribe", less)):
        for uri in sorted(uris):
            try:
                async with asyncio.timeout(SURVEY_SECONDS):
                    await live.wire.ask(method, {"uri": uri})
            except (MCPError, Faulted, TimeoutError):
                continue


def _declares(capabilities: Mapping[str, Any], name: str, what: str) -> bool:
    capability = capabilities.get(name)
    return isinstance(capability, dict) and capability.get(what) is True


def _within(uri: str, resources: frozenset[str]) -> bool:
    """Whether `uri` is one of `resources`, or below one: a server may name the part that changed."""
    return uri in resources or any(uri.startswith(each.rstrip("/") + "/") for each in resources)
