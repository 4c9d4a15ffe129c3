"""One entry of `mcpServers`, judged alone; Agent Plugins 1.0.0, section 7.2.1.

An entry states its `type` and matches that closed variant; the transport is never guessed from the
shape. Every problem is reported. Whether a path stays inside is asked later, in `loading.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from prowess.redact import printable
from prowess.spec import hints, http_fields, limits, stdio_fields
from prowess.spec.diagnostics import Diagnostic, Reach, first_of_each_reach
from prowess.spec.entry_place import EntryPlace
from prowess.spec.json_kinds import kind_name
from prowess.spec.model import HttpServer, Server, StdioServer
from prowess.spec.strict_json import Duplicate
from prowess.spec.versions import EntryKind, Version


def judge_entry(
    at: EntryPlace, value: Any, duplicates: list[Duplicate], version: Version
) -> tuple[Server | None, list[Diagnostic]]:
    """The server that `value` declares, or None when the entry is skipped, and what was found."""
    found = [_twice(at, each) for each in duplicates[:1]]
    if not isinstance(value, dict):
        message = f"a server has to be an object and is {kind_name(value)}"
        return None, [*found, at.report("server-not-object", message)]
    variant = value.get("type")
    if not isinstance(variant, str) or variant not in version.servers:
        return None, [*found, _no_variant(at, value, version)]
    problems = _problems(at, value, variant, version)
    found.extend(first_of_each_reach(problems, limits.ENTRY_PROBLEMS))
    if any(each.reach >= Reach.ENTRY for each in found):
        return None, found
    return _server(at.id, value, variant), found


def _twice(at: EntryPlace, duplicate: Duplicate) -> Diagnostic:
    whole = (*duplicate.path, duplicate.key)
    hint = "keep one; JSON readers differ on which one counts"
    if len(whole) == 2:
        message = "two servers have the same name"
        return at.report("server-duplicate", message, hint="give each its own name")
    message = f"{printable(duplicate.key, 80)} stands more than once in one object"
    return at.report("server-duplicate-field", message, *whole[2:], hint=hint)


def _no_variant(at: EntryPlace, value: dict[str, Any], version: Version) -> Diagnostic:
    if "type" not in value:
        hint = hints.missing_transport(value)
        return at.report("server-type-missing", "type is missing", hint=hint)
    written = value["type"]
    known = list(version.servers)
    if not isinstance(written, str):
        message = f"type has to be a string and is {kind_name(written)}"
        hint = f"write one of {', '.join(known)}"
        return at.report("server-type-unknown", message, "type", hint=hint)
    message = f"type {printable(written, 60)} is no transport of this version"
    return at.report("server-type-unknown", message, "type", hint=hints.transport(written, known))


def _problems(at: EntryPlace, value: dict[str, Any], variant: str, version: Version) -> Iterator[Diagnostic]:
    fields = version.servers[variant]
    for field in version.server_required[variant]:
        if field not in value:
            yield at.report("server-required-field", f"{field} is missing", hint=f"{variant} needs {field}")
    for field, each in value.items():
        if field not in fields:
            owners = [name for name, others in version.servers.items() if field in others]
            hint = hints.entry_field(field, variant, owners)
            message = f"{printable(field, 80)} is no field of a {variant} server"
            yield at.report("server-unknown-field", message, field, hint=hint)
        elif fields[field] != "type":
            yield from _CHECKS[fields[field]](at, field, each)


_CHECKS: dict[EntryKind, Callable[[EntryPlace, str, Any], Iterator[Diagnostic]]] = {
    "command": stdio_fields.command,
    "strings": stdio_fields.arguments,
    "environment": stdio_fields.environment,
    "directory": stdio_fields.directory,
    "url": http_fields.url,
    "headers": http_fields.headers,
}


def _server(identifier: str, value: dict[str, Any], variant: str) -> Server:
    if variant == "stdio":
        return StdioServer(
            id=identifier,
            command=value["command"],
            args=tuple(value.get("args", ())),
            env=value.get("env", {}),
            cwd=value.get("cwd"),
        )
    return HttpServer(
        id=identifier,
        type="sse" if variant == "sse" else "streamable-http",
        url=value["url"],
        headers=value.get("headers", {}),
    )
