"""Capabilities and the offer of one server, kept as sent.

Each capability keeps the wire object of the protocol whole (`wire`), unknown members included, so
that a relay and a snapshot never lose what a server said. MCP 2026-07-28, `Tool`, `Prompt`,
`Resource`, `ResourceTemplate`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

Status = Literal["connected", "failed", "auth-required", "timed-out", "not-started"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Capability:
    """One thing a model or a person could use. `server` is the id in `mcp.json` (or a label of ours)."""

    server: str
    wire: Mapping[str, Any]

    @property
    def name(self) -> str:
        """The name on the wire."""
        return str(self.wire.get("name", ""))

    @property
    def description(self) -> str | None:
        """The description, if one was sent."""
        value = self.wire.get("description")
        return value if isinstance(value, str) else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Tool(Capability):
    """A tool; `inputSchema` is an object schema."""

    @property
    def input_schema(self) -> Mapping[str, Any]:
        """The tool's `inputSchema` as sent."""
        schema: Mapping[str, Any] = self.wire["inputSchema"]
        return schema


@dataclass(frozen=True, slots=True, kw_only=True)
class Prompt(Capability):
    """A prompt: for a person to start, never run by itself."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Resource(Capability):
    """A resource, identified by `uri`."""

    @property
    def uri(self) -> str:
        """The resource's URI as sent."""
        return str(self.wire.get("uri", ""))


@dataclass(frozen=True, slots=True, kw_only=True)
class ResourceTemplate(Capability):
    """A resource template (RFC 6570), identified by `uriTemplate`."""

    @property
    def uri_template(self) -> str:
        """The template as sent."""
        return str(self.wire.get("uriTemplate", ""))


@dataclass(frozen=True, slots=True, kw_only=True)
class Offer:
    """What one server offers now, or why it offers nothing.

    `type` is the declared transport. `reason` is fit to print (redacted, bounded) and empty when
    connected; `reason_code` is the same in one stable word (`exited`, `refused`, `spawn`, ...; the
    guide "Bring it up" lists them) that depends on no path, port or process id, so that a snapshot
    can hold it. `notes` tell what was
    tolerated: noise on stdout, an invalid tool left out, a cursor that looped. `caching` is, for each
    list method, how many milliseconds its answer may be kept and by whom (`public`, `private`);
    `capabilities` are the server's own, as it declared them.
    """

    id: str
    type: str
    status: Status
    reason: str = ""
    reason_code: str = ""
    tools: tuple[Tool, ...] = ()
    prompts: tuple[Prompt, ...] = ()
    resources: tuple[Resource, ...] = ()
    templates: tuple[ResourceTemplate, ...] = ()
    notes: tuple[str, ...] = ()
    server_info: Mapping[str, Any] | None = None
    instructions: str | None = None
    protocol: str = ""
    caching: Mapping[str, tuple[float, str]] = field(default_factory=dict)
    capabilities: Mapping[str, Any] = field(default_factory=dict)
