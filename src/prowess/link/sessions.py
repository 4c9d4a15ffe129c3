"""A connection of its own for each client that keeps a session.

MCP 2025-11-25: what a client declares at `initialize`, the level that it sets for logging and the
resources that it subscribes to belong to its session, and a server may ask it (sampling, elicitation,
roots). So such a client gets a session at the server too, greeted with its own capabilities when it is
first needed; what the server asks and says on it is handed on raw. What a client set is set again
when its connection had to be made anew.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from typing import Any

from mcp.shared.exceptions import MCPError
from mcp_types import INTERNAL_ERROR

from prowess.errors import ConnectionFailed, ProwessError, RequestFailed
from prowess.link.connection import Ending, Live
from prowess.link.exchange import Exchange, Outbox
from prowess.link.handshake import greet_for
from prowess.link.line import Line
from prowess.link.questions import Questions
from prowess.link.survey import Survey
from prowess.link.wire import Wire
from prowess.provider import Peer

SESSIONS_MAX = 64  # connections; the idle one that was used longest ago makes room
Changed = Callable[[Wire, str, Mapping[str, Any]], None]

STATEFUL = frozenset({"logging/setLevel", "resources/subscribe", "resources/unsubscribe"})
# How a connection fails that the server did not want, rather than could not have.
UNWANTED = frozenset(
    {
        "protocol",
        "timeout",
        "disconnected",
        "exited",
        "closed",
        "http-400",
        "http-404",
        "http-405",
        "http-501",
    }
)


class Session:
    """One client's connection, and what it set there."""

    def __init__(self, peer: Peer, line: Callable[[Session], Line], changed: Changed | None = None) -> None:
        self.peer = peer  # the last one that asked
        self._changed = changed
        self.ending: Ending | None = None
        self._capabilities = dict(peer.capabilities)
        self._kept: dict[tuple[str, str], Mapping[str, Any]] = {}
        self._outbox: Outbox | None = None
        self.questions = Questions()
        self.line = line(self)

    async def ask(
        self,
        method: str,
        params: Mapping[str, Any],
        schema: Callable[[], Mapping[str, Any] | None],
        peer: Peer,
    ) -> dict[str, Any]:
        """The raw result, as `Line.ask`."""
        result = await self.line.ask(method, params, schema=schema, peer=peer)
        self._keep(method, params)
        return result

    def _keep(self, method: str, params: Mapping[str, Any]) -> None:
        """Remember what has to be said again on a new connection."""
        uri = str(params.get("uri", ""))
        if method == "resources/unsubscribe":
            self._kept.pop(("resources/subscribe", uri), None)
        elif method in STATEFUL:
            self._kept[method, uri] = params

    async def arrive(self, wire: Wire, era: str | None, deadline: float) -> Live:
        """Be up on a new connection."""
        greeting = await greet_for(wire, self._capabilities)
        for (method, _), params in list(self._kept.items()):
            try:
                await wire.ask(method, params)
            except MCPError:
                continue  # the resource is gone; the client sees that when it reads it
        return Live(wire=wire, greeting=greeting, survey=Survey())

    def tell(self, news: Live | Ending) -> None:
        """Remember how the connection is."""
        self.ending = news if isinstance(news, Ending) else None

    def heard(self, wire: Wire, method: str, params: Mapping[str, Any]) -> None:
        """Hand a notification on to the client."""
        if self._changed is not None:
            self._changed(wire, method, params)
        latest = wire.latest()
        if latest is not None:
            latest.add(method, params)
            return
        if self._outbox is None or self._outbox.peer is not self.peer:
            self._outbox = Outbox(self.peer)
        self._outbox.add(method, params)

    async def asked(
        self, wire: Wire, method: str, params: Mapping[str, Any], exchange: Exchange | None
    ) -> Mapping[str, Any]:
        """Hand a request on to the client, during the request that it belongs to."""
        exchange = exchange or wire.latest()
        if exchange is not None:
            await exchange.emptied()
        elif method == "ping":
            return {}
        peer = exchange.peer if exchange is not None and exchange.peer is not None else self.peer
        try:
            with self.questions.asked(params) as sent:
                return await peer.ask(method, sent)
        except RequestFailed as error:
            raise MCPError(error.number, error.message, error.data) from None
        except ProwessError as error:
            raise MCPError(INTERNAL_ERROR, error.message) from None

    async def close(self) -> None:
        """End the session at the server."""
        try:
            await self.line.keeper.stop()
        finally:
            if self._outbox is not None:
                self._outbox.drop()


class Sessions:
    """The sessions of one link. `line` makes the connections of a new one.

    `changed` hears what is said on them, where a connection is a process of its own: what changes there
    changes nowhere else.
    """

    def __init__(self, line: Callable[[Session], Line], changed: Changed | None = None) -> None:
        self._line = line
        self._changed = changed
        self._sessions: dict[str, Session] = {}  # the one used last is the last
        self._going: set[asyncio.Task[None]] = set()

    def get(self, peer: Peer) -> Session | None:
        """The session of `peer`, if it has one, which is used by this."""
        session = self._sessions.pop(peer.session, None)
        if session is not None:
            session.peer = peer
            session.line.keeper.start()
            self._sessions[peer.session] = session
        return session

    def find(self, name: str) -> Session | None:
        """The session of this name, if there is one."""
        return self._sessions.get(name)

    def add(self, peer: Peer) -> Session:
        """A session for `peer`. Raises ConnectionFailed when there are too many at work already."""
        if len(self._sessions) >= SESSIONS_MAX:
            idle = next((name for name, each in self._sessions.items() if not each.line.asking), None)
            if idle is None:
                raise ConnectionFailed(f"{SESSIONS_MAX} sessions are at work at this server; try again later")
            self.forget(idle)
        session = self._sessions[peer.session] = Session(peer, self._line, self._changed)
        session.line.keeper.start()
        return session

    def forget(self, name: str) -> asyncio.Task[None] | None:
        """End a session; the task that does so, if there is such a session."""
        session = self._sessions.pop(name, None)
        if session is None:
            return None
        task = asyncio.get_running_loop().create_task(session.close())
        self._going.add(task)
        task.add_done_callback(self._going.discard)
        return task

    async def rest(self) -> None:
        """End every connection. What a client set stays, for its next request may open one again."""
        await asyncio.gather(*(each.close() for each in tuple(self._sessions.values())))
        if self._going:
            await asyncio.wait(tuple(self._going))


def unwanted(session: Session) -> bool:
    """Whether the server did not take the session: it may know the newer era only."""
    return session.ending is not None and session.ending.code in UNWANTED
