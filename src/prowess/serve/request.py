"""One request of a client, as the endpoint sees it, whatever brought it: stdio, HTTP, either era.

MCP 2026-07-28 calls a request that stands by itself; 2025-11-25 has sessions. Here they differ in
`era` and in what the peer can do. It does not know the SDK.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from prowess.provider import Caller, Peer

Era = Literal["modern", "legacy"]

# Where an HTTP front leaves who asks, in the ASGI scope's `state`; without it the caller is local.
CALLER_STATE = "prowess.caller"
# These the SDK answers: they need what only it has.
THEIRS = frozenset({"ping", "subscriptions/listen"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """What was asked. `params` are as sent, `_meta` included; `version` is the protocol's."""

    method: str
    caller: Caller
    peer: Peer
    era: Era
    version: str
    params: Mapping[str, Any] = field(default_factory=dict)

    @property
    def meta(self) -> Mapping[str, Any]:
        """The request's `_meta`."""
        meta = self.params.get("_meta")
        return meta if isinstance(meta, Mapping) else {}
