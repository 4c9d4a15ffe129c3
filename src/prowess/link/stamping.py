"""What each request carries of its own: version, client, capabilities, headers.

MCP 2026-07-28 says all of it with each request and, over HTTP, in headers too; 2025-11-25 says it once
and then only its version in a header. It sends nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from mcp.shared.dispatcher import CallOptions
from mcp.shared.inbound import (
    MCP_METHOD_HEADER,
    MCP_NAME_HEADER,
    MCP_PROTOCOL_VERSION_HEADER,
    NAME_BEARING_METHODS,
    encode_header_value,
    mcp_param_headers,
    x_mcp_header_map,
)
from mcp_types import CLIENT_CAPABILITIES_META_KEY, CLIENT_INFO_META_KEY, PROTOCOL_VERSION_META_KEY

from prowess import __version__
from prowess.link.era import LEGACY, MODERN
from prowess.link.exchange import TOKEN, Exchange
from prowess.link.faults import Faulted

CLIENT_INFO: dict[str, Any] = {"name": "prowess", "version": __version__}
CAPABILITIES: dict[str, Any] = {}  # we serve no elicitation, sampling or roots of our own
_UNCANCELLABLE = frozenset({"initialize", "server/discover"})
# What is ours to say in a request of the newer era, and has no meaning in one of the older.
_OURS = frozenset({PROTOCOL_VERSION_META_KEY, CLIENT_INFO_META_KEY, CLIENT_CAPABILITIES_META_KEY, TOKEN})


@dataclass(frozen=True, slots=True, kw_only=True)
class Greeting:
    """What both sides agreed on, with the server's own words about itself."""

    era: str
    version: str
    capabilities: Mapping[str, Any] = field(default_factory=dict)
    server_info: Mapping[str, Any] | None = None
    instructions: str | None = None


def stamped(
    greeting: Greeting | None,
    method: str,
    params: dict[str, Any],
    exchange: Exchange,
    *,
    version: str | None = None,
    schema: Mapping[str, Any] | None = None,
    headed: bool = True,
) -> tuple[dict[str, Any], CallOptions]:
    """`params` as they are sent, and how. `version` speaks 2026-07-28 before it is agreed on.
    There are headers only where the transport is `headed`.

    Raises Faulted for what cannot be sent.
    """
    peer = exchange.peer
    if not (sendable(params) and (peer is None or sendable(peer.capabilities))):
        raise Faulted("unsendable", "the arguments hold text that is not valid Unicode")
    options: CallOptions = {}
    if method in _UNCANCELLABLE:
        options["cancel_on_abandon"] = False
    if headed and version is None and greeting is not None and greeting.era == LEGACY:
        options["headers"] = {MCP_PROTOCOL_VERSION_HEADER: greeting.version}
    modern = version or (greeting.version if greeting is not None and greeting.era == MODERN else None)
    meta = _carried(params)
    if modern is not None:
        meta[PROTOCOL_VERSION_META_KEY] = modern
        meta[CLIENT_INFO_META_KEY] = CLIENT_INFO
        meta[CLIENT_CAPABILITIES_META_KEY] = CAPABILITIES if peer is None else peer.capabilities
        if headed:
            options["headers"] = _modern_headers(method, params, modern, schema)
    if peer is not None and peer.wants_progress:
        meta[TOKEN] = exchange.number
    if meta:
        params["_meta"] = meta
    return params, options


def _carried(params: Mapping[str, Any]) -> dict[str, Any]:
    """What of a caller's `_meta` goes on to the server."""
    meta = params.get("_meta")
    if meta is None:
        return {}
    if not isinstance(meta, Mapping):
        raise Faulted("unsendable", "_meta is not an object")
    return {name: each for name, each in meta.items() if name not in _OURS}


def sendable(value: Any) -> bool:
    """Whether every text in it can be written as UTF-8: half a character cannot, and breaks a transport."""
    if isinstance(value, str):
        try:
            return value.isascii() or bool(value.encode())
        except UnicodeEncodeError:
            return False
    if isinstance(value, Mapping):
        return all(sendable(key) and sendable(each) for key, each in value.items())
    if isinstance(value, list | tuple):
        return all(map(sendable, value))
    return True


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
