"""A server on the SDK's low-level Server over streamable HTTP, both eras, on a thread of its own.

Its tool `do` tells, asks and changes as its argument says.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import mcp_types as types
import uvicorn
from mcp.server import Server
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import NotificationOptions
from mcp.server.models import InitializationOptions
from mcp.server.session import ServerSession
from mcp.server.streamable_http import EventCallback, EventId, EventMessage, EventStore, StreamId
from mcp.server.subscriptions import InMemorySubscriptionBus, ListenHandler, ResourceUpdated, ToolsListChanged

Context = ServerRequestContext[Any, Any]


class Events(EventStore):
    """Keeps every event, for those who come back for the rest of a stream."""

    def __init__(self) -> None:
        self._kept: list[tuple[StreamId, types.JSONRPCMessage | None]] = []

    async def store_event(self, stream_id: StreamId, message: types.JSONRPCMessage | None) -> EventId:
        """Keep it; its number is its id."""
        self._kept.append((stream_id, message))
        return str(len(self._kept) - 1)

    async def replay_events_after(
        self, last_event_id: EventId, send_callback: EventCallback
    ) -> StreamId | None:
        """Send what came after it on the same stream."""
        stream = self._kept[int(last_event_id)][0]
        for number, (other, message) in list(enumerate(self._kept))[int(last_event_id) + 1 :]:
            if other == stream and message is not None:
                await send_callback(EventMessage(message, str(number)))
        return stream


class Shelf(Server[Any]):
    """Holds a tool and a resource; `tools` may grow."""

    def __init__(self) -> None:
        self.tools = ["do"]
        self.began = threading.Event()
        self.cancelled = threading.Event()
        self.sessions: list[ServerSession] = []
        self._bus = InMemorySubscriptionBus()
        super().__init__("shelf", version="1", on_subscriptions_listen=ListenHandler(self._bus))
        self.middleware.clear()
        self.add_request_handler("tools/list", types.PaginatedRequestParams, self._list)
        self.add_request_handler("tools/call", types.CallToolRequestParams, self._call)
        self.add_request_handler("resources/list", types.PaginatedRequestParams, self._resources)
        self.add_request_handler("resources/subscribe", types.SubscribeRequestParams, self._subscribe)
        self.add_notification_handler("notifications/initialized", types.NotificationParams, self._greeted)

    def create_initialization_options(
        self,
        notification_options: NotificationOptions | None = None,
        experimental_capabilities: dict[str, dict[str, Any]] | None = None,
        extensions: dict[str, dict[str, Any]] | None = None,
    ) -> InitializationOptions:
        """Sessions are told of changes too."""
        told = NotificationOptions(tools_changed=True, resources_changed=True)
        return super().create_initialization_options(told, experimental_capabilities, extensions)

    async def _greeted(self, ctx: Context, _: Any) -> None:
        self.sessions.append(ctx.session)

    async def _list(self, ctx: Context, _: Any) -> dict[str, Any]:
        return _whole(ctx, tools=[{"name": each, "inputSchema": {"type": "object"}} for each in self.tools])

    async def _resources(self, ctx: Context, _: Any) -> dict[str, Any]:
        return _whole(ctx, resources=[{"uri": "shelf://a", "name": "a"}])

    async def _subscribe(self, ctx: Context, _: Any) -> dict[str, Any]:
        return {}

    async def _call(self, ctx: Context, _: Any) -> dict[str, Any]:
        arguments: Mapping[str, Any] = (ctx.params or {}).get("arguments", {})
        what, value = arguments.get("what"), {}
        if what == "tell":
            for number in range(5):
                await ctx.session.report_progress(number, 9, "on")
                params = types.LoggingMessageNotificationParams(level="info", data={"of": arguments["of"]})
                said = types.LoggingMessageNotification(params=params)
                await ctx.session.send_notification(said, related_request_id=ctx.request_id)
        if what == "ask":
            schema: types.ElicitRequestedSchema = {"type": "object", "properties": {}}
            answer = await ctx.session.elicit_form("who?", schema, related_request_id=ctx.request_id)
            value = answer.model_dump(by_alias=True, exclude_none=True)
        if what == "add":
            self.tools.append(arguments["name"])
            await self._bus.publish(ToolsListChanged())
            for session in self.sessions:
                await session.send_tool_list_changed()
        if what == "touch":
            await self._bus.publish(ResourceUpdated(uri="shelf://a"))
            for session in self.sessions:
                await session.send_resource_updated("shelf://a")
        if what == "part" and ctx.close_sse_stream is not None:
            await ctx.close_sse_stream()
        if what == "hang":
            self.began.set()
            try:
                await asyncio.sleep(60)
            finally:
                self.cancelled.set()
        return _whole(ctx, content=[], structuredContent=value)


def _whole(ctx: Context, **result: Any) -> dict[str, Any]:
    """A complete result of the era of the request."""
    modern = ctx.protocol_version >= "2026"
    hints = {"ttlMs": 0, "cacheScope": "private"} if modern and "content" not in result else {}
    return {**result, **({"resultType": "complete"} if modern else {}), **hints}


class _Quiet(uvicorn.Server):
    def install_signal_handlers(self) -> None:
        """Signals are the test's."""


@contextmanager
def shelf(**options: Any) -> Iterator[tuple[Shelf, str]]:
    """Serve until the block ends; gives the server and its URL."""
    server = Shelf()
    app = server.streamable_http_app(**options)
    config = uvicorn.Config(app, port=0, log_level="error", timeout_graceful_shutdown=1, lifespan="on")
    serving = _Quiet(config)
    thread = threading.Thread(target=serving.run, daemon=True)
    thread.start()
    try:
        while not serving.started and thread.is_alive():
            thread.join(0.01)
        port = serving.servers[0].sockets[0].getsockname()[1]
        yield server, f"http://127.0.0.1:{port}/mcp"
    finally:
        serving.should_exit = True
        thread.join(timeout=10)
