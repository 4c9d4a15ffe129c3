"""One live connection, asked in raw JSON.

The SDK's session runs the receive loop and answers what a server asks of a client. Our own requests
go through the same dispatcher and come back as the server sent them, so that a field that this SDK
does not know is never lost and a result that its types reject still reaches the caller. MCP
2026-07-28 wants every request to carry its protocol version, client and capabilities.
"""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

from mcp.client.session import ClientSession
from mcp.shared.dispatcher import CallOptions
from mcp.shared.exceptions import MCPError
from mcp.shared.inbound import (
    MCP_METHOD_HEADER,
    MCP_NAME_HEADER,
    MCP_PROTOCOL_VERSION_HEADER,
    NAME_BEARING_METHODS,
    encode_header_value,
    mcp_param_headers,
    x_mcp_header_map,
)
from mcp.shared.jsonrpc_dispatcher import JSONRPCDispatcher
from mcp.shared.transport_context import TransportContext
from mcp_types import (
    CLIENT_CAPABILITIES_META_KEY,
    CLIENT_INFO_META_KEY,
    CONNECTION_CLOSED,
    INVALID_REQUEST,
    PARSE_ERROR,
    PROTOCOL_VERSION_META_KEY,
    DiscoverResult,
    Implementation,
    InitializeResult,
    ServerCapabilities,
)

from prowess import __version__
from prowess.link.channel import Channel
from prowess.link.era import LEGACY, MODERN
from prowess.link.faults import Faulted
from prowess.redact import printable

# The SDK logs with tracebacks what is a fault of the server's, and reported as one here. Without a
# handler of the application's own, Python would print that to stderr, and with it what a server said.
for _name in ("mcp", "client"):
    logging.getLogger(_name).addHandler(logging.NullHandler())

Value = TypeVar("Value")

CLIENT = Implementation(name="prowess", version=__version__)
CLIENT_INFO: dict[str, Any] = {"name": CLIENT.name, "version": CLIENT.version}
CAPABILITIES: dict[str, Any] = {}  # we serve no elicitation, sampling or roots
# How the SDK's HTTP transport begins its own errors about an answer.
_UNPARSED = ("Failed to parse JSON response", "Failed to parse SSE message")
_OTHER_KIND = "Unexpected content type:"
_UNCANCELLABLE = frozenset({"initialize", "server/discover"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Greeting:
    """What both sides agreed on, with the server's own words about itself."""

    era: str
    version: str
    capabilities: Mapping[str, Any] = field(default_factory=dict)
    server_info: Mapping[str, Any] | None = None
    instructions: str | None = None


class Wire:
    """A connection that requests can be sent on; any task may ask."""

    def __init__(
        self, channel: Channel, dispatcher: JSONRPCDispatcher[TransportContext], session: ClientSession
    ) -> None:
        self.channel = channel
        self.greeting: Greeting | None = None
        self._dispatcher = dispatcher
        self._session = session

    async def ask(
        self,
        method: str,
        params: Mapping[str, Any] | None = None,
        *,
        version: str | None = None,
        schema: Mapping[str, Any] | None = None,
    ) -> dict[str, Any]:
        """Send a request and give back its raw result; the caller bounds the time.

        `version` speaks 2026-07-28 before it is agreed on. `schema` is the input schema of the tool
        that is called. Raises MCPError for the server's own error and Faulted for everything else.
        """
        if not _sendable(params):
            raise Faulted("unsendable", "the arguments hold text that is not valid Unicode")
        prepared, options = self._stamped(method, dict(params or {}), version, schema)
        try:
            result: dict[str, Any] = await self._dispatcher.send_raw_request(method, prepared, options)
            return self._clean(result)
        except MCPError as error:
            fault = self.channel.fault(error.error.data)
            if fault is not None:
                raise Faulted.of(replace(fault, reason=self._clean(fault.reason))) from None
            if unreadable := _unreadable(error):
                raise Faulted("unreadable", self._clean(unreadable)) from None
            if error.code == CONNECTION_CLOSED and self._is_over(error.message):
                raise Faulted("lost", "the connection ended before an answer") from None
            raise MCPError(error.code, self._clean(error.message), self._clean(error.error.data)) from None
        except RuntimeError:  # the dispatcher is not running any more
            raise Faulted("lost", "the connection ended before an answer") from None

    def _clean(self, value: Value) -> Value:
        """Here, where everything passes that a server answers, it loses what was injected into it."""
        cleaned: Value = self.channel.show.clean(value)
        return cleaned

    def _is_over(self, message: str) -> bool:
        # A peer may use the SDK's code; the SDK's own words, or a channel that ended, tell them apart.
        return (
            self.channel.ended.is_set() or message == "Connection closed" or message.startswith("SSE stream")
        )

    async def adopt(self, greeting: Greeting) -> None:
        """Speak as agreed from now on."""
        self.greeting = greeting
        if greeting.era == MODERN:
            self._session.adopt(
                DiscoverResult(
                    supported_versions=[greeting.version],
                    capabilities=ServerCapabilities(),
                    ttl_ms=0,
                    cache_scope="private",
                )
            )
            return
        self._session.adopt(
            InitializeResult(
                protocol_version=greeting.version,
                capabilities=ServerCapabilities(),
                server_info=Implementation(name="", version=""),
            )
        )
        _, options = self._stamped("notifications/initialized", {}, None, None)
        await self._dispatcher.notify("notifications/initialized", None, options)

    def _stamped(
        self, method: str, params: dict[str, Any], version: str | None, schema: Mapping[str, Any] | None
    ) -> tuple[dict[str, Any], CallOptions]:
        options: CallOptions = {}
        if method in _UNCANCELLABLE:
            options["cancel_on_abandon"] = False
        greeting = self.greeting
        if version is None and greeting is not None and greeting.era == LEGACY:
            options["headers"] = {MCP_PROTOCOL_VERSION_HEADER: greeting.version}
        modern = version or (greeting.version if greeting is not None and greeting.era == MODERN else None)
        if modern is not None:
            params["_meta"] = {
                **(params.get("_meta") or {}),
                PROTOCOL_VERSION_META_KEY: modern,
                CLIENT_INFO_META_KEY: CLIENT_INFO,
                CLIENT_CAPABILITIES_META_KEY: CAPABILITIES,
            }
            options["headers"] = _modern_headers(method, params, modern, schema)
        return params, options


def _sendable(value: Any) -> bool:
    """Whether every text in it can be written as UTF-8: half a character cannot, and breaks a transport."""
    if isinstance(value, str):
        try:
            return value.isascii() or bool(value.encode())
        except UnicodeEncodeError:
            return False
    if isinstance(value, Mapping):
        return all(_sendable(key) and _sendable(each) for key, each in value.items())
    if isinstance(value, list | tuple):
        return all(map(_sendable, value))
    return True


def _unreadable(error: MCPError) -> str:
    """What is said in place of the SDK's words for an answer that it could not read; those quote it."""
    if error.code == CONNECTION_CLOSED and error.message.startswith("SSE stream failed"):
        return "the answer cannot be read, or is over the size limit"
    if error.code == PARSE_ERROR and error.message.startswith(_UNPARSED):
        return "the answer is not a JSON-RPC message that can be read"
    if error.code == INVALID_REQUEST and error.message.startswith(_OTHER_KIND):
        kind = printable(error.message.removeprefix(_OTHER_KIND).partition(";")[0].strip(), 80)
        return f"the answer is no JSON-RPC, but {kind or 'nothing'}"
    return ""


def _modern_headers(
    method: str, params: Mapping[str, Any], version: str, schema: Mapping[str, Any] | None
) -> dict[str, str]:
    headers = {MCP_PROTOCOL_VERSION_HEADER: version, MCP_METHOD_HEADER: method}
    name = params.get(NAME_BEARING_METHODS.get(method, ""))
    if isinstance(name, str):
        headers[MCP_NAME_HEADER] = encode_header_value(name)
    if method == "tools/call" and schema is not None:
        headers.update(mcp_param_headers(x_mcp_header_map(schema), params.get("arguments") or {}))
    return headers


@asynccontextmanager
async def connected(channel: Channel) -> AsyncIterator[Wire]:
    """Enter `channel` and run a session on it; entered and left by one task."""
    async with channel as (incoming, outgoing):
        dispatcher: JSONRPCDispatcher[TransportContext] = JSONRPCDispatcher(incoming, outgoing)
        async with ClientSession(dispatcher=dispatcher, client_info=CLIENT) as session:
            yield Wire(channel, dispatcher, session)
