"""Our own JSON Schemas (2020-12) of what an author writes, made from the tables that judge it.

Agent Plugins 1.0.0, sections 5 (manifest) and 7.2 (MCP servers); skill units; workflows. They say what a
schema can say: an editor completes by them, and whatever they refuse is refused by `prowess check` too.
What only a reader of the whole package can tell (paths, URLs, headers) is `spec/`. They are kept equal to
the published schemas by tests that run both on the same documents; no copy of those is shipped.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from prowess.errors import NotFound
from prowess.redact import printable
from prowess.spec.placeholders import DATA_PLACEHOLDER, RESERVED, ROOT_PLACEHOLDER
from prowess.spec.versions import SUPPORTED, EntryKind, ManifestKind, Version

DIALECT = "https://json-schema.org/draft/2020-12/schema"
NAMES = ("plugin", "mcp", "snapshot", "unit", "workflow")

Schema = dict[str, Any]

_TEXT: Schema = {"type": "string"}
_TEXTS: Schema = {"type": "array", "items": _TEXT}
_FILLED: Schema = {"type": "string", "minLength": 1}


def schema_of(name: str) -> Schema:
    """The schema called `plugin`, `mcp`, `snapshot`, `unit` or `workflow`; NotFound for another name."""
    made = _MAKERS.get(name)
    if made is None:
        raise NotFound(f"there is no schema {printable(name, 60)}", hint=f"one of {', '.join(NAMES)}")
    return made()


def titled(name: str, title: str, body: Mapping[str, Any]) -> Schema:
    """A whole schema document of ours: dialect, identity, title, and what it says."""
    return {"$schema": DIALECT, "$id": f"urn:prowess:schema:{name}:1", "title": title, **body}


# -- plugin.json


def plugin_schema(version: Version = SUPPORTED[-1]) -> Schema:
    """What `plugin.json` may hold (AP 5.2 to 5.5, 8.1)."""
    kinds: dict[ManifestKind, Schema] = {
        "schema": {"const": version.plugin_schema},
        "name": _name(),
        "string": _TEXT,
        "strings": _TEXTS,
        "author": _closed(dict.fromkeys(sorted(version.author), _TEXT)),
        "extensions": {"type": "object", "additionalProperties": {"type": "object"}},
    }
    fields = {field: kinds[kind] for field, kind in version.manifest.items()}
    return titled(
        "plugin", f"plugin.json, Agent Plugins {version.version}", _closed(fields, version.required)
    )


def _name() -> Schema:
    return {
        "type": "string",
        "minLength": 1,
        "maxLength": 64,
        "pattern": "^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$",
        "not": {"pattern": r"--|\.\."},
    }


# -- mcp.json


def mcp_schema(version: Version = SUPPORTED[-1]) -> Schema:
    """What `mcp.json` may hold: each entry is one variant, told by its `type` (AP 7.2.1)."""
    variants = [_variant(kind, version) for kind in version.servers]
    server = {"type": "object", "required": ["type"], "oneOf": variants}
    fields: dict[str, Schema] = {
        "$schema": {"const": version.mcp_schema},
        "mcpServers": {"type": "object", "additionalProperties": server},
    }
    return titled("mcp", f"mcp.json, Agent Plugins {version.version}", _closed(fields, tuple(fields)))


def _variant(kind: str, version: Version) -> Schema:
    fields = {
        field: {"const": kind} if each == "type" else _ENTRY_FIELDS[each]
        for field, each in version.servers[kind].items()
    }
    return {"title": kind, **_closed(fields, ("type", *version.server_required[kind]))}


def _cwd_pattern() -> str:
    placeholders = "|".join(rf"\$\{{{each[2:-1]}\}}" for each in (ROOT_PLACEHOLDER, DATA_PLACEHOLDER))
    return rf"^(\./|({placeholders})(/|$))"


_ENTRY_FIELDS: dict[EntryKind, Schema] = {
    "command": _FILLED,
    "strings": _TEXTS,
    "environment": {
        "type": "object",
        "propertyNames": {"not": {"enum": sorted(RESERVED)}},
        "additionalProperties": _TEXT,
    },
    "directory": {"type": "string", "pattern": _cwd_pattern()},
    "url": _FILLED,
    "headers": {"type": "object", "additionalProperties": _TEXT},
}


def _closed(fields: Mapping[str, Schema], required: tuple[str, ...] = ()) -> Schema:
    said: Schema = {"type": "object", "properties": dict(fields), "additionalProperties": False}
    return {**said, "required": list(required)} if required else said


def _snapshot_schema() -> Schema:
    from prowess.capability.schema import SNAPSHOT_SCHEMA

    return SNAPSHOT_SCHEMA


def _unit_schema() -> Schema:
    from prowess.author.schemas_of_units import unit_schema

    return unit_schema()


def _workflow_schema() -> Schema:
    from prowess.author.schemas_of_workflows import workflow_schema

    return workflow_schema()


_MAKERS: dict[str, Callable[[], Schema]] = {
    "plugin": plugin_schema,
    "mcp": mcp_schema,
    "snapshot": _snapshot_schema,
    "unit": _unit_schema,
    "workflow": _workflow_schema,
}
