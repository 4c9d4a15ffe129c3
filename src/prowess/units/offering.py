"""A unit as the tool that clients see (MCP 2026-07-28, `Tool`), and what changed between two of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from prowess.capability.change import Change, changes_of
from prowess.capability.offer import Tool
from prowess.units.model import Unit

VERSION_META = "dev.prowess/version"
TIMEOUT_META = "dev.prowess/timeout"
TRIGGERS_META = "dev.prowess/triggers"
CORE_META = "dev.prowess/core"


def tool_of(unit: Unit, label: str) -> Tool:
    """The tool. Only what was declared is said: whether a unit reads only, nobody declared."""
    wire: dict[str, Any] = {
        "name": unit.name,
        "description": unit.description,
        "inputSchema": dict(unit.parameters),
    }
    if unit.returns is not None:
        wire["outputSchema"] = dict(unit.returns)
    wire["annotations"] = {"idempotentHint": unit.idempotent}
    wire["_meta"] = {
        VERSION_META: unit.version,
        TIMEOUT_META: unit.timeout_ms / 1_000,
        TRIGGERS_META: list(unit.triggers),
        CORE_META: unit.core,
    }
    return Tool(server=label, wire=wire)


def said_of(unit: Unit) -> dict[str, Any]:
    """A unit in the fields of a `schema.json`."""
    allowed = {
        name: list(getattr(unit.permissions, name))
        for name in ("hosts", "addresses", "secrets", "reads", "writes")
        if getattr(unit.permissions, name)
    }
    said: dict[str, Any] = {
        "name": unit.name,
        "description": unit.description,
        "triggers": list(unit.triggers),
        "parameters": dict(unit.parameters),
        "timeout": unit.timeout_ms,
        "idempotent": unit.idempotent,
        "version": unit.version,
        "permissions": allowed,
        "core": unit.core,
        "examples": [dict(each) for each in unit.examples],
    }
    return said if unit.returns is None else {**said, "returns": dict(unit.returns)}


def difference(
    old: Iterable[Unit], new: Iterable[Unit], rewritten: Iterable[Unit] = ()
) -> tuple[Change, ...]:
    """What a reload changed; `rewritten` are units whose code is another, whatever they say."""
    before = {(each.name, each.version): each for each in old}
    after = {(each.name, each.version): each for each in new}
    code = {(each.name, each.version) for each in rewritten}
    return tuple(_changes(before, after, code))


Units = Mapping[tuple[str, str], Unit]


def _changes(before: Units, after: Units, code: set[tuple[str, str]]) -> Iterator[Change]:
    for key in sorted(before.keys() | after.keys()):
        name = "@".join(key)
        if key not in before:
            yield Change(kind="unit", what="added", key=name, effect="compatible")
        elif key not in after:
            yield Change(kind="unit", what="removed", key=name, effect="breaking")
        else:
            yield from _between(name, before[key], after[key])
            if key in code:
                yield Change(kind="unit", what="changed", key=name, effect="unknown", field="code")


def _between(name: str, old: Unit, new: Unit) -> Iterator[Change]:
    for each in changes_of("tool", name, _as_tool(old), _as_tool(new)):
        yield Change(
            kind="unit", what=each.what, key=name, effect=each.effect, field=each.field,
            pointer=each.pointer, message=each.message, old=each.old, new=each.new,
        )  # fmt: skip


def _as_tool(unit: Unit) -> dict[str, Any]:
    """The members under the names that a tool gives them, so that a changed schema is understood."""
    said = said_of(unit)
    said["inputSchema"] = said.pop("parameters")
    if "returns" in said:
        said["outputSchema"] = said.pop("returns")
    return said
