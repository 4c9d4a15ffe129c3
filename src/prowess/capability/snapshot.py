"""The Snapshot: the frozen, ordered list of what a package offers.

It holds what Agent Plugins 1.0.0 lets a client load (section 11) and what each server answered
(MCP 2026-07-28, tools, prompts, resources, resource templates). It is a format of ours, described by
`capability/schema.py`, and no instance of the plugin schema. The same offers give the same bytes:
everything is sorted, what a server says is kept as the JSON value that was sent (keys sorted, list
order as sent), and nothing of ours depends on time, directory, port or process. It does not know
how servers are reached.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

from prowess.capability.canonical import Redact, canonical, escape_surrogates, plain
from prowess.capability.offer import Capability, Offer, Prompt, Resource, ResourceTemplate, Status, Tool
from prowess.spec.model import Judgement, Plugin

FORMAT = 1
SCHEMA_PREFIX = "urn:prowess:schema:snapshot:"
SCHEMA_ID = f"{SCHEMA_PREFIX}{FORMAT}"

# The first keys of a capability, in this order; other keys that a server sends follow, sorted.
WIRE_ORDER = (
    *("name", "server", "uri", "uriTemplate", "title", "description", "mimeType"),
    *("arguments", "inputSchema", "outputSchema", "annotations"),
)

# What stands as reason where an offer gives no stable word of its own.
_REASONS: dict[Status, str] = {
    "connected": "",
    "failed": "failed",
    "auth-required": "auth",
    "timed-out": "timeout",
    "not-started": "not-started",
}
_CODE = re.compile(r"[a-z][a-z0-9-]{0,63}")

# Characters that are valid in JSON and can mislead the eye or a terminal: C1 controls, marks that
# reverse or hide text, tag characters. They are written as escapes; the value is the same.
_DECEPTIVE = re.compile(
    "[\x7f-\x9f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060\u2066-\u2069\ufeff\U000e0000-\U000e007f]"
)

Wired = TypeVar("Wired", bound=Capability)


@dataclass(frozen=True, slots=True, kw_only=True)
class PluginEntry:
    """Which plugin: its name, its own version if it states one, the Agent Plugins version."""

    name: str
    version: str | None
    spec: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SkillEntry:
    """One skill; `loaded` says how much of it was in memory when the snapshot was taken."""

    name: str
    description: str
    path: str
    loaded: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerEntry:
    """One valid server of `mcp.json`; `reason` is a stable word, empty when connected."""

    id: str
    type: str
    status: str
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class SkippedEntry:
    """What did not load (`skills/x`, `mcp.json#server`, `skills`, `mcp.json`) and the rule that says so."""

    what: str
    rule: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Snapshot:
    """The frozen, ordered list of what a package offers; two of them subtract to a Drift."""

    plugin: PluginEntry
    skills: tuple[SkillEntry, ...] = ()
    servers: tuple[ServerEntry, ...] = ()
    tools: tuple[Tool, ...] = ()
    prompts: tuple[Prompt, ...] = ()
    resources: tuple[Resource, ...] = ()
    templates: tuple[ResourceTemplate, ...] = ()
    skipped: tuple[SkippedEntry, ...] = ()

    @classmethod
    def of(
        cls, judgement: Judgement, offers: Iterable[Offer] = (), *, redactor: Redact | None = None
    ) -> Snapshot:
        """What `judgement` loaded and `offers` offer. A server without an offer is not started.

        `redactor` sees every string that a server sent, so that an injected credential that comes
        back is masked. A rejected plugin raises PackageRejected.
        """
        plugin = judgement.accepted
        by_id = {offer.id: offer for offer in offers}
        up = [offer for offer in by_id.values() if offer.status == "connected"]
        return cls(
            plugin=PluginEntry(
                name=plugin.manifest.name, version=plugin.manifest.version, spec=plugin.manifest.spec
            ),
            skills=_skills(plugin),
            servers=_servers(plugin, by_id),
            tools=_wired((_with_schema(each) for offer in up for each in offer.tools), redactor),
            prompts=_wired((each for offer in up for each in offer.prompts), redactor),
            resources=_wired((each for offer in up for each in offer.resources), redactor),
            templates=_wired((each for offer in up for each in offer.templates), redactor),
            skipped=tuple(SkippedEntry(what=each.subject, rule=each.rule) for each in judgement.skipped),
        )

    @classmethod
    def from_json(cls, text: str, *, source: str) -> Snapshot:
        """A snapshot read back; `source` names the text in the UsageError that a wrong shape raises."""
        from prowess.capability.snapshot_reading import read_snapshot

        return read_snapshot(text, source)

    def to_dict(self) -> dict[str, Any]:
        """The JSON value, keys in the order of the file."""
        return {
            "$schema": SCHEMA_ID,
            "plugin": {"name": self.plugin.name, "version": self.plugin.version, "spec": self.plugin.spec},
            "skills": [
                {"name": s.name, "description": s.description, "path": s.path, "loaded": s.loaded}
                for s in self.skills
            ],
            "mcpServers": [_server_dict(server) for server in self.servers],
            "tools": [wire_dict(tool) for tool in self.tools],
            "prompts": [wire_dict(prompt) for prompt in self.prompts],
            "resources": [wire_dict(resource) for resource in self.resources],
            "resourceTemplates": [wire_dict(template) for template in self.templates],
            "skipped": [{"what": each.what, "rule": each.rule} for each in self.skipped],
        }

    def to_json(self) -> str:
        """The file: two spaces, readable in any script, a newline at the end, always encodable."""
        text = json.dumps(self.to_dict(), indent=2, ensure_ascii=False)
        return escape_surrogates(_DECEPTIVE.sub(_escape, text)) + "\n"


def _skills(plugin: Plugin) -> tuple[SkillEntry, ...]:
    entries = [
        SkillEntry(name=s.name, description=plain(s.description), path=plain(s.path), loaded=s.loaded)
        for s in plugin.skills
    ]
    return tuple(sorted(entries, key=lambda entry: (entry.name, entry.path)))


def _servers(plugin: Plugin, offers: Mapping[str, Offer]) -> tuple[ServerEntry, ...]:
    """One entry for each declared server, with its declared type, and for each other offer."""
    types = {offer.id: offer.type for offer in offers.values()} | {
        each.id: each.type for each in plugin.servers
    }
    entries = []
    for id in sorted(types):
        status = offers[id].status if id in offers else "not-started"
        reason = _reason(offers[id]) if id in offers else _REASONS[status]
        entries.append(ServerEntry(id=id, type=types[id], status=status, reason=reason))
    return tuple(entries)


def _reason(offer: Offer) -> str:
    """The offer's reason as a stable word; free text may hold a path or a port and never gets here."""
    if offer.status == "connected" or not _CODE.fullmatch(offer.reason_code):
        return _REASONS[offer.status]
    return offer.reason_code


def _with_schema(tool: Tool) -> Tool:
    """`tool` with an object for `inputSchema`: one that declares nothing where none was sent."""
    if isinstance(tool.wire.get("inputSchema"), Mapping):
        return tool
    return Tool(server=tool.server, wire={**tool.wire, "inputSchema": {"type": "object"}})


def _wired(capabilities: Iterable[Wired], redactor: Redact | None) -> tuple[Wired, ...]:
    """Capabilities with plain wire objects, sorted by server, identity and content."""
    kept = [type(each)(server=each.server, wire=_given(plain(each.wire, redactor))) for each in capabilities]
    return tuple(sorted(kept, key=lambda each: (each.server, identity(each), canonical(wire_dict(each)))))


def _given(wire: dict[str, Any]) -> dict[str, Any]:
    """`wire` without its null members: in MCP null says no more than absence."""
    return {key: value for key, value in wire.items() if value is not None}


def identity(capability: Capability) -> str:
    """What tells a capability from others of its server: a URI, a template, else the name."""
    if isinstance(capability, Resource):
        return capability.uri
    if isinstance(capability, ResourceTemplate):
        return capability.uri_template
    return capability.name


def wire_dict(capability: Capability) -> dict[str, Any]:
    """The wire object with our `server` in it, which replaces a member of that name."""
    named = {**capability.wire, "server": capability.server}
    first = {key: named[key] for key in WIRE_ORDER if key in named}
    return first | {key: named[key] for key in sorted(named)}


def _server_dict(server: ServerEntry) -> dict[str, str]:
    entry = {"id": server.id, "type": server.type, "status": server.status}
    return {**entry, "reason": server.reason} if server.reason else entry


def _escape(found: re.Match[str]) -> str:
    units = found[0].encode("utf-16-be")
    return "".join(f"\\u{units[at]:02x}{units[at + 1]:02x}" for at in range(0, len(units), 2))
