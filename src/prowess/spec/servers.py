"""`mcp.json` judged from its bytes; Agent Plugins 1.0.0, section 7.2.

The document's own faults disable MCP for the plugin and nothing else; a fault inside one entry
skips that server and no other.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from prowess.redact import printable
from prowess.spec import hints
from prowess.spec.diagnostics import Diagnostic, Place
from prowess.spec.entries import judge_entry
from prowess.spec.entry_place import FILE, EntryPlace
from prowess.spec.json_kinds import kind_name
from prowess.spec.model import Server
from prowess.spec.rules import report
from prowess.spec.strict_json import Document, Duplicate, Malformed, parse, pointer
from prowess.spec.versions import Version, Versions, for_mcp_schema

FIELDS = ("$schema", "mcpServers")


class ServersVerdict(NamedTuple):
    """The servers that were not skipped, sorted by id, and what was found."""

    servers: tuple[Server, ...] = ()
    diagnostics: tuple[Diagnostic, ...] = ()


def judge_servers(data: bytes, version: Version, versions: Versions) -> ServersVerdict:
    """The verdict on the bytes of `mcp.json` beside a manifest of `version`."""
    document = parse(data)
    if isinstance(document, Malformed):
        return ServersVerdict(diagnostics=(_malformed(document),))
    notes = [_byte_order_mark()] if document.byte_order_mark else []
    faults = list(_document_problems(document, version, versions))
    if faults:
        return ServersVerdict(diagnostics=(*notes, *faults))
    servers: list[Server] = []
    duplicates = _by_entry(document.duplicates)
    for identifier, entry in sorted(document.value["mcpServers"].items()):
        at = EntryPlace.named(identifier)
        server, found = judge_entry(at, entry, duplicates.get(identifier, []), version)
        notes.extend(found)
        if server is not None:
            servers.append(server)
    return ServersVerdict(servers=tuple(servers), diagnostics=tuple(notes))


def _by_entry(duplicates: tuple[Duplicate, ...]) -> dict[str, list[Duplicate]]:
    """The duplicates of each entry: its own name, or a key somewhere inside it."""
    found: dict[str, list[Duplicate]] = {}
    for each in duplicates:
        found.setdefault(str((*each.path, each.key)[1]), []).append(each)
    return found


def disabled(rule: str, message: str, *path: str, hint: str = "", line: int | None = None) -> Diagnostic:
    """A diagnostic that disables MCP for the plugin."""
    place = Place(file=FILE, line=line, pointer=pointer(*path) or None)
    return report(rule, place, message, hint=hint, subject=FILE)


def _malformed(fault: Malformed) -> Diagnostic:
    column = f" (column {fault.column})" if fault.column is not None else ""
    return disabled("mcp-malformed", f"not valid JSON: {printable(fault.reason)}{column}", line=fault.line)


def _byte_order_mark() -> Diagnostic:
    hint = "save the file as UTF-8 without it; some clients refuse it"
    message = "the file begins with a byte-order mark"
    return report("json-byte-order-mark", Place(file=FILE, line=1), message, hint=hint)


def _document_problems(document: Document, version: Version, versions: Versions) -> Iterator[Diagnostic]:
    value = document.value
    if not isinstance(value, dict):
        yield disabled("mcp-not-object", f"the document has to be an object and is {kind_name(value)}")
        return
    yield from (_twice(each) for each in document.duplicates if not each.path)
    for field in value:
        if field not in FIELDS:
            message = f"{printable(field, 80)} is no field of mcp.json"
            hint = "servers belong under mcpServers; nothing else but $schema may stand beside it"
            if field in hints.RUN_TIME_FIELDS:
                hint = hints.entry_field(field, "", [])
            yield disabled("mcp-unknown-field", message, field, hint=hint)
    yield from _schema_problems(value, version, versions)
    yield from _servers_problems(value)


def _twice(duplicate: Duplicate) -> Diagnostic:
    message = f"{printable(duplicate.key, 80)} stands more than once"
    return disabled("mcp-duplicate-field", message, duplicate.key, hint="keep one")


def _schema_problems(value: dict[str, Any], version: Version, versions: Versions) -> Iterator[Diagnostic]:
    declared = value.get("$schema")
    if not isinstance(declared, str) or not declared:
        message = "$schema is missing" if "$schema" not in value else "$schema has to be a non-empty string"
        yield disabled("mcp-required-field", message, hint=f'add "$schema": "{version.mcp_schema}"')
        return
    named = for_mcp_schema(declared, versions)
    hint = hints.schema(declared, version.mcp_schema, version.plugin_schema)
    if named is None:
        message = f"$schema {printable(declared, 120)} names no supported Agent Plugins version"
        yield disabled("mcp-unsupported-version", message, "$schema", hint=hint)
    elif named is not version:
        message = f"mcp.json is written for {named.version} and plugin.json for {version.version}"
        yield disabled("mcp-version-mismatch", message, "$schema", hint=hint)


def _servers_problems(value: dict[str, Any]) -> Iterator[Diagnostic]:
    if "mcpServers" not in value:
        hint = 'add "mcpServers": {}; it may be empty'
        yield disabled("mcp-required-field", "mcpServers is missing", hint=hint)
    elif not isinstance(value["mcpServers"], dict):
        message = f"mcpServers has to be an object and is {kind_name(value['mcpServers'])}"
        yield disabled("mcp-required-field", message, "mcpServers")
