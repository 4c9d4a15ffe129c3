"""A session for a client of the older era where the server keeps none.

A server of MCP 2026-07-28 alone knows neither `logging/setLevel` nor `resources/subscribe`: there the
level is part of each request, and who watches a resource listens. So the link remembers what such a
client set, and speaks for it in the newer way.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection, Mapping
from typing import Any

from mcp_types import LOG_LEVEL_META_KEY

from prowess.link.exchange import Outbox
from prowess.link.sessions import STATEFUL
from prowess.provider import Change, Peer

REMEMBERED_MAX = 1_000  # sessions; the one that was used longest ago is forgotten

Listen = Callable[[Callable[[Change], None], Collection[str]], Callable[[], None]]


class StandIn:
    """What one client set."""

    def __init__(self, listen: Listen) -> None:
        self._listen = listen
        self._level: Any = None
        self._ends: dict[str, Callable[[], None]] = {}
        self._outbox: Outbox | None = None

    @property
    def set(self) -> bool:
        """Whether there is anything to remember."""
        return self._level is not None or bool(self._ends)

    async def ask(
        self,
        method: str,
        params: Mapping[str, Any],
        peer: Peer,
        send: Callable[[Mapping[str, Any]], Awaitable[dict[str, Any]]],
    ) -> dict[str, Any]:
        """The result of a request; `send` sends params to the server."""
        if self._outbox is None or self._outbox.peer is not peer:
            self._outbox = Outbox(peer)
        if method in STATEFUL:
            self._set(method, params)
            return {}
        meta = params.get("_meta")
        if self._level is None or not isinstance(meta, Mapping | None):
            return await send(params)
        return await send({**params, "_meta": {LOG_LEVEL_META_KEY: self._level, **(meta or {})}})

    def _set(self, method: str, params: Mapping[str, Any]) -> None:
        uri = str(params.get("uri", ""))
        if method == "logging/setLevel":
            self._level = params.get("level")
        elif method == "resources/unsubscribe":
            self._ends.pop(uri, _nothing)()
        elif uri not in self._ends:
            self._ends[uri] = self._listen(self._hear, [uri])

    def _hear(self, change: Change) -> None:
        if change.kind == "resource" and self._outbox is not None:
            self._outbox.add("notifications/resources/updated", {"uri": change.uri})

    def end(self) -> None:
        """The client is gone."""
        while self._ends:
            self._ends.popitem()[1]()
        self.rest()

    def rest(self) -> None:
        """Say nothing more for now."""
        if self._outbox is not None:
            self._outbox.drop()


class StandIns:
    """What all clients of one link set, by session."""

    def __init__(self, listen: Listen) -> None:
        self._listen = listen
        self._known: dict[str, StandIn] = {}

    def of(self, peer: Peer) -> StandIn:
        """The one for this client."""
        found = self._known.pop(peer.session, None) or StandIn(self._listen)
        while len(self._known) >= REMEMBERED_MAX:
            self.end(next(iter(self._known)))
        self._known[peer.session] = found
        return found

    def keeps(self, session: str) -> bool:
        """Whether this client set anything."""
        return session in self._known and self._known[session].set

    def end(self, session: str) -> None:
        """This client is gone."""
        if (found := self._known.pop(session, None)) is not None:
            found.end()

    def rest(self) -> None:
        """Say nothing more for now; what the clients set stays."""
        for each in self._known.values():
            each.rest()


def _nothing() -> None:
    """There was no subscription."""
