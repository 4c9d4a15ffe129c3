"""The repertoire on the MCP SDK's own low-level server, both eras, over HTTP and over stdio.

Handlers give back wire objects and the SDK writes them. List changes and updates of the watched
resource go to `subscriptions/listen` streams (2026-07-28) and to sessions (2025-11-25).
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Mapping
from typing import Any

import mcp_types as types
import uvicorn
from conformance.reference.asking import Client, Refused
from conformance.reference.contents import answer, text
from conformance.reference.repertoire import KEPT, Repertoire
from conformance.reference.sdk_client import SdkClient
from conformance.reference.sdk_events import Events
from conformance.reference.tools import PAUSE
from mcp.server import Server
from mcp.server.caching import CacheableMethod, CacheHint
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import NotificationOptions
from mcp.server.models import InitializationOptions
from mcp.server.session import ServerSession
from mcp.server.stdio import stdio_server
from mcp.server.subscriptions import (
    InMemorySubscriptionBus,
    ListenHandler,
    PromptsListChanged,
    ResourceUpdated,
    ServerEvent,
    ToolsListChanged,
)
from mcp.shared.exceptions import MCPError
from mcp_types.version import MODERN_PROTOCOL_VERSIONS

Context = ServerRequestContext[Any, Any]

# A client that is told to come back does so after this many milliseconds.
RETRY = 100

_CACHED: tuple[CacheableMethod, ...] = (
    "server/discover",
    "tools/list",
    "prompts/list",
    "resources/list",
    "resources/templates/list",
    "resources/read",
)

_RECONNECTION = {
    "name": "test_reconnection",
    "description": "Ends the stream of its call before it answers; the answer waits for who comes back",
    "inputSchema": {"type": "object", "properties": {}},
}


class Reference(Server[Any]):
    """The reference server: what its repertoire offers, nothing else."""

    def __init__(self) -> None:
        self._repertoire = Repertoire()
        self._bus = InMemorySubscriptionBus()
        self._sessions: dict[str, ServerSession] = {}
        self._subscribed: dict[str, set[str]] = {}
        self._sending: set[asyncio.Task[None]] = set()
        self._repertoire.listen(self._hear)
        kept = CacheHint(ttl_ms=KEPT, scope="public")
        super().__init__(
            "prowess-reference",
            version="1.0.0",
            instructions="Everything that the MCP conformance suite asks a server for.",
            cache_hints=dict.fromkeys(_CACHED, kept),
            get_tool_input_schema=self._repertoire.schema,
            on_subscriptions_listen=ListenHandler(self._bus),
        )
        self.middleware.clear()  # no tracing: nobody looks at the spans of a reference server
        self._register()

    def create_initialization_options(
        self,
        notification_options: NotificationOptions | None = None,
        experimental_capabilities: dict[str, dict[str, Any]] | None = None,
        extensions: dict[str, dict[str, Any]] | None = None,
    ) -> InitializationOptions:
        """Sessions are told of changed lists too."""
        told = NotificationOptions(prompts_changed=True, resources_changed=False, tools_changed=True)
        return super().create_initialization_options(told, experimental_capabilities, extensions)

    def _register(self) -> None:
        shown = self._repertoire
        paged = types.PaginatedRequestParams
        self._add("tools/list", paged, lambda _, __: {"tools": [*shown.tools(), _RECONNECTION]})
        self._add("prompts/list", paged, lambda _, __: {"prompts": shown.prompts()})
        self._add("resources/list", paged, lambda _, __: {"resources": shown.resources()})
        self._add("resources/templates/list", paged, lambda _, __: {"resourceTemplates": shown.templates()})
        self._add("resources/read", types.ReadResourceRequestParams, shown.read)
        self._add(
            "completion/complete", types.CompleteRequestParams, lambda params, _: shown.complete(params)
        )
        self._add("logging/setLevel", types.SetLevelRequestParams, shown.set_level)
        self._add("resources/subscribe", types.SubscribeRequestParams, self._subscribe)
        self._add("resources/unsubscribe", types.UnsubscribeRequestParams, self._unsubscribe)
        self._add_async("prompts/get", types.GetPromptRequestParams, shown.prompt)
        self.add_request_handler("tools/call", types.CallToolRequestParams, self._call)
        self.add_notification_handler(
            "notifications/initialized", types.NotificationParams, self._initialized
        )

    def _add(
        self,
        method: str,
        params_type: type[types.RequestParams],
        handler: Callable[[Mapping[str, Any], Client], dict[str, Any]],
    ) -> None:
        async def awaited(params: Mapping[str, Any], client: Client) -> dict[str, Any]:
            return handler(params, client)

        self._add_async(method, params_type, awaited)

    def _add_async(
        self,
        method: str,
        params_type: type[types.RequestParams],
        handler: Callable[[Mapping[str, Any], Client], Awaitable[dict[str, Any]]],
    ) -> None:
        async def handle(ctx: Context, _: Any) -> dict[str, Any]:
            return await _told(ctx, handler(ctx.params or {}, SdkClient(ctx)))

        self.add_request_handler(method, params_type, handle)

    async def _call(self, ctx: Context, _: Any) -> dict[str, Any]:
        params = ctx.params or {}
        if params.get("name") == _RECONNECTION["name"]:
            return await _told(ctx, _reconnection(ctx))
        return await _told(ctx, self._repertoire.call(params, SdkClient(ctx)))

    # -- sessions (2025-11-25) -----------------------------------------------------------------------

    async def _initialized(self, ctx: Context, _: Any) -> None:
        self._sessions[SdkClient(ctx).session] = ctx.session

    def _subscribe(self, params: Mapping[str, Any], client: Client) -> dict[str, Any]:
        self._subscribed.setdefault(client.session, set()).add(str(params["uri"]))
        return {}

    def _unsubscribe(self, params: Mapping[str, Any], client: Client) -> dict[str, Any]:
        self._subscribed.get(client.session, set()).discard(str(params["uri"]))
        return {}

    def _hear(self, kind: str, uri: str) -> None:
        """A change: to every listen stream, and to every session that has to know."""
        events: dict[str, ServerEvent] = {"tools": ToolsListChanged(), "prompts": PromptsListChanged()}
        self._later(self._bus.publish(events.get(kind) or ResourceUpdated(uri=uri)))
        for id, session in self._sessions.items():
            if kind == "tools":
                self._later(session.send_tool_list_changed())
            elif kind == "prompts":
                self._later(session.send_prompt_list_changed())
            elif uri in self._subscribed.get(id, ()):
                self._later(session.send_resource_updated(uri))

    def _later(self, sending: Coroutine[Any, Any, None]) -> None:
        """Send without waiting: a session that is gone, or does not read, holds up nobody."""

        async def sent() -> None:
            try:
                async with asyncio.timeout(5):
                    await sending
            except Exception:  # noqa: BLE001  boundary: one session's end is not another's
                pass

        task = asyncio.get_running_loop().create_task(sent())
        self._sending.add(task)
        task.add_done_callback(self._sending.discard)


async def _told(ctx: Context, answering: Awaitable[dict[str, Any]]) -> dict[str, Any]:
    """The answer as a whole result of its era, a refusal as the protocol's error."""
    try:
        result = await answering
    except Refused as refusal:
        raise MCPError(refusal.number, refusal.message, refusal.data) from refusal
    modern = ctx.protocol_version in MODERN_PROTOCOL_VERSIONS
    return {"resultType": "complete", **result} if modern else result


async def _reconnection(ctx: Context) -> dict[str, Any]:
    """End the stream of this call; the answer is kept with the events for a client that comes back."""
    if ctx.close_sse_stream is not None:
        await ctx.close_sse_stream()
    await asyncio.sleep(2 * PAUSE)
    return answer(text("This was waiting for you"))


async def over_stdio() -> None:
    """Serve until the client closes stdin."""
    server = Reference()
    async with stdio_server() as (read, write):
        await server.run(read, write, server.create_initialization_options())


async def over_http(port: int) -> None:
    """Serve on 127.0.0.1 at `/mcp` until a signal comes."""
    app = Reference().streamable_http_app(event_store=Events(), retry_interval=RETRY)
    # httptools takes white space around the value of a header for part of it; the suite sends some.
    config = uvicorn.Config(
        app, host="127.0.0.1", port=port, log_level="warning", timeout_graceful_shutdown=1, http="h11"
    )
    await uvicorn.Server(config).serve()
