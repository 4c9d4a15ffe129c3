"""Changes on their way to clients: streams of the newer era, sessions of the older one.

MCP 2026-07-28, `subscriptions/listen`; 2025-11-25, `list_changed` and `resources/updated`. A Host is
listened to while the endpoint is open; a resource is followed at its servers while somebody does, once
for all that do. Nobody hears of a server that he may not reach.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from contextvars import ContextVar

from mcp.server.connection import Connection
from mcp.server.subscriptions import (
    InMemorySubscriptionBus,
    PromptsListChanged,
    ResourcesListChanged,
    ResourceUpdated,
    ServerEvent,
    ToolsListChanged,
)

from prowess.provider import Change
from prowess.serve.client import UPDATED
from prowess.serve.endpoint import Endpoint

End = Callable[[], None]
May = Callable[[str], bool]  # whether somebody may hear of a server


def _everything(server: str) -> bool:
    return True


# Who listens while a stream of the newer era begins; the SDK hands on no more than a function to call.
LISTENS: ContextVar[May] = ContextVar("listens", default=_everything)


class Bus(InMemorySubscriptionBus):
    """The SDK's, which tells a stream of those servers alone that its caller may reach."""

    _server = ""

    def subscribe(self, listener: Callable[[ServerEvent], None]) -> End:
        """Register `listener` for whoever LISTENS now."""
        may = LISTENS.get()

        def told(event: ServerEvent) -> None:
            if may(self._server):
                listener(event)

        return super().subscribe(told)

    async def tell(self, event: ServerEvent, server: str) -> None:
        """Publish what happened at `server`."""
        self._server = server  # everybody is told before anything else runs
        await self.publish(event)


class News:
    """Who hears of what. Everything is called on the event loop."""

    def __init__(self, endpoint: Endpoint) -> None:
        self._endpoint = endpoint
        self.bus = Bus()
        self._sessions: dict[Connection, dict[str, End]] = {}
        self._may: dict[Connection, May] = {}
        self._followers: dict[str, int] = {}
        self._ends: dict[str, list[End]] = {}
        self._telling: set[asyncio.Task[None]] = set()

    def begin_listening(self) -> End:
        """Hear of every change of a list until the returned function is called."""
        return self._endpoint.host.listen(self._hear)

    def begin(self, connection: Connection, may: May = _everything) -> None:
        """A session began; `may` says of which servers it may hear."""
        self._sessions.setdefault(connection, {})
        self._may[connection] = may

    def end(self, connection: Connection) -> None:
        """A session ended."""
        self._may.pop(connection, None)
        for end in self._sessions.pop(connection, {}).values():
            end()

    def follow(self, connection: Connection, uri: str) -> None:
        """A session wants to hear of one resource."""
        followed = self._sessions.setdefault(connection, {})
        if uri not in followed:
            followed[uri] = self.following([uri])

    def unfollow(self, connection: Connection, uri: str) -> None:
        """A session does not want to any more."""
        if (end := self._sessions.get(connection, {}).pop(uri, None)) is not None:
            end()

    def tells(self, connection: Connection, uri: str) -> bool:
        """Whether a session hears from here of what happens to the resource at `uri`."""
        return any(_within(uri, each) for each in self._sessions.get(connection, ()))

    def following(self, uris: Iterable[str]) -> End:
        """Follow resources at the servers that offer them, until the returned function is called."""
        followed = list(dict.fromkeys(uris))
        for known in followed:
            self._followers[known] = self._followers.get(known, 0) + 1
            if known not in self._ends:
                self._ends[known] = [
                    self._endpoint.host.listen(self._told(known, owner, uri), {owner: [uri]})
                    for owner, uri in self._endpoint.owners_of(known)
                ]

        def end() -> None:
            while followed:
                self._let_go(followed.pop())

        return end

    def _let_go(self, known: str) -> None:
        self._followers[known] -= 1
        if not self._followers[known]:
            del self._followers[known]
            for end in self._ends.pop(known):
                end()

    def _told(self, known: str, owner: str, uri: str) -> Callable[[Change], None]:
        def hear(change: Change) -> None:
            if change.kind == "resource" and change.server == owner and _within(change.uri, uri):
                part = known + change.uri.removeprefix(uri)
                self._tell(ResourceUpdated(uri=known), change.server, part)

        return hear

    def _hear(self, change: Change) -> None:
        event: ServerEvent
        match change.kind:
            case "tools":
                event = ToolsListChanged()
            case "prompts":
                event = PromptsListChanged()
            case "resources":
                event = ResourcesListChanged()
            case _:
                return
        self._tell(event, change.server)

    def _tell(self, event: ServerEvent, server: str, part: str = "") -> None:
        task = asyncio.get_running_loop().create_task(self._publish(event, server, part))
        self._telling.add(task)
        task.add_done_callback(self._telling.discard)

    async def _publish(self, event: ServerEvent, server: str, part: str) -> None:
        """Tell whoever may hear of it; `part` is what changed where a resource that is followed has parts."""
        await self.bus.tell(event, server)
        method, params, uri = _as_notification(event, part)
        for connection, followed in list(self._sessions.items()):
            if (uri is None or uri in followed) and self._may.get(connection, _everything)(server):
                await connection.notify(method, params)


def _within(uri: str, followed: str) -> bool:
    return uri == followed or uri.startswith(followed.rstrip("/") + "/")


def _as_notification(event: ServerEvent, part: str) -> tuple[str, dict[str, str] | None, str | None]:
    if isinstance(event, ResourceUpdated):
        return UPDATED, {"uri": part}, event.uri
    kind = {ToolsListChanged: "tools", PromptsListChanged: "prompts"}.get(type(event), "resources")
    return f"notifications/{kind}/list_changed", None, None
