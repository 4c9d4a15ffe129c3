"""Which Agent Plugins versions are supported, as tables; sections 5.2, 7.2.1 and 10.1.

A version is a row of data: its two schema identifiers, the fields of the manifest and of each
server variant, and the kind of each field. Supporting another version is adding a row. What a kind
means is code, in `manifest_fields.py` and `entries.py`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

ManifestKind = Literal["schema", "name", "string", "strings", "author", "extensions"]
EntryKind = Literal["type", "command", "strings", "environment", "directory", "url", "headers"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Version:
    """One supported version. Fields not listed as required are optional; nothing else is allowed."""

    version: str
    plugin_schema: str
    mcp_schema: str
    manifest: Mapping[str, ManifestKind]
    required: tuple[str, ...]
    author: frozenset[str]
    servers: Mapping[str, Mapping[str, EntryKind]]
    server_required: Mapping[str, tuple[str, ...]]


Versions = tuple[Version, ...]

_HTTP: Mapping[str, EntryKind] = {"type": "type", "url": "url", "headers": "headers"}

V1_0_0 = Version(
    version="1.0.0",
    plugin_schema="https://agent-plugins.org/schemas/1.0.0/plugin.schema.json",
    mcp_schema="https://agent-plugins.org/schemas/1.0.0/mcp.schema.json",
    manifest={
        "$schema": "schema",
        "name": "name",
        "version": "string",
        "description": "string",
        "author": "author",
        "homepage": "string",
        "repository": "string",
        "license": "string",
        "keywords": "strings",
        "extensions": "extensions",
    },
    required=("$schema", "name"),
    author=frozenset({"name", "email", "url"}),
    servers={
        "stdio": {
            "type": "type",
            "command": "command",
            "args": "strings",
            "env": "environment",
            "cwd": "directory",
        },
        "streamable-http": _HTTP,
        "sse": _HTTP,
    },
    server_required={"stdio": ("command",), "streamable-http": ("url",), "sse": ("url",)},
)

SUPPORTED: Versions = (V1_0_0,)
"""Newest last; the newest is the one that hints recommend."""


def for_plugin_schema(identifier: str, versions: Versions) -> Version | None:
    """The version whose manifest schema is exactly `identifier`; nothing is ever fetched (5.2)."""
    return next((each for each in versions if each.plugin_schema == identifier), None)


def for_mcp_schema(identifier: str, versions: Versions) -> Version | None:
    """The version whose `mcp.json` schema is exactly `identifier`."""
    return next((each for each in versions if each.mcp_schema == identifier), None)
