"""The JSON Schema (2020-12) of a snapshot, as Prowess writes it: `prowess snapshot --schema`.

A format of ours; a change that an older reader would misread gets a new number. Capabilities are
open objects, because members that a server sends are kept.
"""

from __future__ import annotations

from typing import Any

from prowess.capability.snapshot import SCHEMA_ID

_TEXT = {"type": "string"}


def _object(
    members: dict[str, Any], optional: tuple[str, ...] = (), *, closed: bool = True
) -> dict[str, Any]:
    schema = {
        "type": "object",
        "properties": members,
        "required": [name for name in members if name not in optional],
    }
    return {**schema, "additionalProperties": False} if closed else schema


def _list(item: dict[str, Any]) -> dict[str, Any]:
    return {"type": "array", "items": item}


_SERVER = _object(
    {
        "id": _TEXT,
        "type": _TEXT,
        "status": {"enum": ["connected", "failed", "auth-required", "timed-out", "not-started"]},
        "reason": {"type": "string", "pattern": "^[a-z][a-z0-9-]*$"},
    },
    ("reason",),
) | {
    "if": {"properties": {"status": {"const": "connected"}}},
    "then": {"properties": {"reason": False}},
    "else": {"required": ["reason"]},
}

SNAPSHOT_SCHEMA: dict[str, Any] = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "$id": SCHEMA_ID,
    "title": "Capability snapshot",
    "description": "What an Agent Plugins package offers: what loaded, and what each server answered.",
    **_object(
        {
            "$schema": {"const": SCHEMA_ID},
            "plugin": _object({"name": _TEXT, "version": {"type": ["string", "null"]}, "spec": _TEXT}),
            "skills": _list(
                _object(
                    {
                        "name": _TEXT,
                        "description": _TEXT,
                        "path": _TEXT,
                        "loaded": {"enum": ["metadata", "body"]},
                    }
                )
            ),
            "mcpServers": _list(_SERVER),
            "tools": _list(
                _object(
                    {
                        "name": _TEXT,
                        "server": _TEXT,
                        "title": _TEXT,
                        "description": _TEXT,
                        "inputSchema": {"type": "object"},
                        "outputSchema": {"type": "object"},
                        "annotations": {"type": "object"},
                    },
                    ("title", "description", "outputSchema", "annotations"),
                    closed=False,
                )
            ),
            "prompts": _list(_object({"name": _TEXT, "server": _TEXT}, closed=False)),
            "resources": _list(_object({"server": _TEXT, "uri": _TEXT}, closed=False)),
            "resourceTemplates": _list(_object({"server": _TEXT, "uriTemplate": _TEXT}, closed=False)),
            "skipped": _list(_object({"what": _TEXT, "rule": _TEXT})),
        }
    ),
}
