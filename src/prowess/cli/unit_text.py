"""One unit in words: what it takes, what it gives, what it may reach and what that does not mean."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from prowess.redact import printable
from prowess.units.model import Permissions, Unit
from prowess.units.privileges import words


def lines(unit: Unit, versions: Sequence[str]) -> Iterator[str]:
    """The lines of `prowess units show`."""
    yield f"{unit.title}  ({printable(unit.place, 300)})"
    yield f"  {printable(unit.description, 1_000)}"
    yield ""
    yield _field("versions", ", ".join(versions))
    yield _field("shown", "always (core)" if unit.core else "when it is found (extended)")
    yield _field("triggers", "; ".join(unit.triggers) or "none")
    yield _field("timeout", f"{unit.timeout_ms} ms")
    yield _field("repeatable", "yes (idempotent)" if unit.idempotent else "no: it is never tried twice")
    yield ""
    yield "takes"
    yield from _members(unit.parameters)
    yield "gives" if unit.returns is not None else "gives an object that is not described"
    if unit.returns is not None:
        yield from _members(unit.returns)
    yield "may reach"
    yield from _reach(unit.permissions)
    yield ""
    yield from words(unit)
    if unit.examples:
        yield ""
        yield "examples"
        for each in unit.examples[:10]:
            yield f"  {_json(each.get('input', {}))} -> {_json(each.get('output', each.get('error')))}"


def _field(name: str, value: str) -> str:
    return f"  {name:12}{printable(value, 500)}"


def _members(schema: Mapping[str, Any]) -> Iterator[str]:
    members = schema.get("properties", {})
    required = schema.get("required", [])
    if not members:
        yield "  nothing that is named"
    for name, member in members.items():
        said = member if isinstance(member, Mapping) else {}
        kind = said.get("type", "any")
        words = " or ".join(map(str, kind)) if isinstance(kind, list) else str(kind)
        needed = "" if name in required else ", may be left out"
        described = f": {said['description']}" if isinstance(said.get("description"), str) else ""
        yield f"  {printable(name, 80)} ({printable(words, 80)}{needed}){printable(described, 300)}"


def _reach(permissions: Permissions) -> Iterator[str]:
    yield _field("HTTP hosts", ", ".join(permissions.hosts) or "none")
    yield _field("addresses", ", ".join(permissions.addresses) or "no private ones")
    yield _field("secrets", ", ".join(permissions.secrets) or "none")
    yield _field("reads", ", ".join(["its own folder", *permissions.reads]))
    yield _field("writes", ", ".join(["its data directory", *permissions.writes]))


def _json(value: Any) -> str:
    return printable(json.dumps(value, ensure_ascii=False), 300)
