"""One stream of messages, such as stdio, in the era that its client opens with.

MCP 2026-07-28 and 2025-11-25: the first request decides, once. A request that says its version opens
the newer era, everything else the older one; later claims of the other era are refused. It stands in
for the SDK's own loop, which hands each message on through two more queues; what an era's requests
mean is not known here.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from mcp.server.connection import Connection, NotifyOnlyOutbound
from mcp.server.runner import ServerRunner, aclose_shielded, serve_one
from mcp.shared.dispatcher import CallOptions
from mcp.shared.exceptions import MCPError, NoBackChannelError
from mcp.shared.inbound import InboundLadderRejection, classify_inbound_request
from mcp.shared.message import MessageMetadata
from mcp.shared.transport_context import TransportContext
from mcp_types import INVALID_REQUEST, PROTOCOL_VERSION_META_KEY, UNSUPPORTED_PROTOCOL_VERSION, RequestId
from mcp_types.version import LATEST_MODERN_VERSION, MODERN_PROTOCOL_VERSIONS

from prowess.link.dispatch import Dispatch, Handling
from prowess.serve.request import THEIRS, Era

if TYPE_CHECKING:
    from prowess.serve.protocol import ProtocolServer

EARLY_MOST = 8  # notifications that are kept until the first request
ONE_WAY = TransportContext(kind="jsonrpc", can_send_request=False)


class Streaming:
    """Everything that comes over one stream; `handshake` is the state of a session of the older era."""

    def __init__(self, server: ProtocolServer, incoming: Any, outgoing: Any, lifespan: Any) -> None:
        self._server = server
        self._lifespan = lifespan
        self._dispatch = Dispatch(incoming, outgoing, inline=frozenset({"initialize"}))
        self._outbound = NotifyOnlyOutbound(self._dispatch)
        self._session = Connection.for_loop(self._dispatch)
        self._older = ServerRunner(server, self._session, lifespan)
        self._era: Era | None = None
        self._early: list[tuple[Handling, str, Mapping[str, Any] | None]] = []

    async def run(self) -> None:
        """Serve until the stream ends."""
        try:
            await self._dispatch.run(self._asked, self._heard)
        finally:
            await aclose_shielded(self._session)

    async def _asked(self, context: Any, method: str, params: Mapping[str, Any] | None) -> dict[str, Any]:
        newer = method != "initialize" and _says_its_version(params)
        if self._era is None:
            self._era = "modern" if newer else "legacy"
            for early in self._early:
                await self._heard(*early)
        if self._era == "modern":
            return await self._newer(context, method, params)
        if newer:
            raise MCPError(
                INVALID_REQUEST, "this connection began with initialize; a request of 2026-07-28 has no place"
            )
        return await self._older.on_request(context, method, params)

    async def _newer(
        self, context: Handling, method: str, params: Mapping[str, Any] | None
    ) -> dict[str, Any]:
        if method == "initialize":
            raise _too_late(params)
        route = classify_inbound_request({"method": method, "params": params})
        if isinstance(route, InboundLadderRejection):
            raise MCPError(route.code, route.message, route.data)
        if method not in THEIRS:
            return await self._server.answered(OneWay(context), method, params or {}, route)
        connection = Connection.from_envelope(
            route.protocol_version, route.client_info, route.client_capabilities, outbound=self._outbound
        )
        return await serve_one(
            self._server,
            OneWay(context),
            method,
            params,
            connection=connection,
            lifespan_state=self._lifespan,
        )

    async def _heard(self, context: Any, method: str, params: Mapping[str, Any] | None) -> None:
        if self._era == "legacy":
            await self._older.on_notify(context, method, params)
        elif self._era == "modern":
            connection = Connection.from_envelope(LATEST_MODERN_VERSION, None, None, outbound=self._outbound)
            runner = ServerRunner(self._server, connection, self._lifespan)
            await runner.on_notify(OneWay(context), method, params)
        elif len(self._early) < EARLY_MOST:
            self._early.append((context, method, params))


class OneWay:
    """A request of the newer era: its client can be told, never asked."""

    __slots__ = ("_inner",)

    can_send_request = False
    transport = ONE_WAY

    def __init__(self, inner: Handling) -> None:
        self._inner = inner

    @property
    def request_id(self) -> RequestId | None:
        """The id of the request."""
        return self._inner.request_id

    @property
    def message_metadata(self) -> MessageMetadata:
        """What the transport said of it."""
        return self._inner.message_metadata

    @property
    def cancel_requested(self) -> Any:
        """Set once the client has taken the request back."""
        return self._inner.cancel_requested

    async def send_raw_request(
        self, method: str, params: Mapping[str, Any] | None, opts: CallOptions | None = None
    ) -> dict[str, Any]:
        """Raises NoBackChannelError."""
        raise NoBackChannelError(method)

    async def notify(
        self, method: str, params: Mapping[str, Any] | None, opts: CallOptions | None = None
    ) -> None:
        """Tell the client something that belongs to its request."""
        await self._inner.notify(method, params, opts)

    async def progress(self, progress: float, total: float | None = None, message: str | None = None) -> None:
        """Progress under the request's token, where it has one."""
        await self._inner.progress(progress, total, message)


def _says_its_version(params: Mapping[str, Any] | None) -> bool:
    meta = (params or {}).get("_meta")
    return isinstance(meta, Mapping) and PROTOCOL_VERSION_META_KEY in meta


def _too_late(params: Mapping[str, Any] | None) -> MCPError:
    asked = (params or {}).get("protocolVersion")
    data: dict[str, Any] = {"supported": list(MODERN_PROTOCOL_VERSIONS)}
    return MCPError(
        UNSUPPORTED_PROTOCOL_VERSION,
        "this connection speaks 2026-07-28; there is nothing to initialize",
        {**data, "requested": asked} if isinstance(asked, str) else data,
    )
