"""One difference between two snapshots, and what a changed member of a thing means to callers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from prowess.capability.canonical import canonical
from prowess.capability.effect import IN_WORDS, Effect, contrast, excerpt
from prowess.redact import printable

What = Literal["added", "removed", "changed"]
Members = Mapping[str, Any]

_SIGNS: dict[What, str] = {"added": "+", "removed": "-", "changed": "~"}

# Members whose change says more than other words would: callers rely on the first, and may on the others.
_BREAKING = frozenset({("plugin", "name")})
_MAY_BREAK = frozenset(
    {
        ("plugin", "spec"),
        ("server", "type"),
        ("tool", "annotations"),  # what a host does without asking hangs on these hints
        ("resource", "mimeType"),
        ("template", "mimeType"),
    }
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """One difference.

    `kind` is the sort of thing (tool, skill, ...), `key` tells which (`server/name`), `field` which
    of its members, `pointer` where in that member. `old` and `new` are the values, null where absent.
    """

    kind: str
    what: What
    key: str
    effect: Effect
    field: str = ""
    pointer: str = ""
    message: str = ""
    old: Any = None
    new: Any = None

    def to_text(self) -> str:
        """One printable line."""
        line = f"{_SIGNS[self.what]} {self.kind} {printable(self.key)}"
        if self.field:
            line += f" {printable(self.field + self.pointer)}"
        if self.message:
            line += f": {self.message}"
        return f"{line} ({IN_WORDS[self.effect]})"

    def to_dict(self) -> dict[str, Any]:
        """The JSON value."""
        return {
            "kind": self.kind,
            "change": self.what,
            "key": self.key,
            "field": self.field,
            "pointer": self.pointer,
            "effect": self.effect,
            "message": self.message,
            "old": self.old,
            "new": self.new,
        }


def changes_of(kind: str, key: str, old: Members, new: Members) -> Iterator[Change]:
    """What changed in one thing, member by member."""
    status_changed = kind == "server" and old.get("status") != new.get("status")
    if status_changed:
        yield _status(key, old, new)
    for name in [*old, *(each for each in new if each not in old)]:
        if status_changed and name in ("status", "reason"):
            continue
        before, after = old.get(name, ...), new.get(name, ...)
        if before is ... or after is ... or canonical(before) != canonical(after):
            yield from _member(kind, key, name, before, after)


def _member(kind: str, key: str, name: str, old: Any, new: Any) -> Iterator[Change]:
    if (kind, name) == ("tool", "inputSchema"):
        yield from _schema(kind, key, name, old, new)
    elif (kind, name) == ("tool", "outputSchema") and old is not ... and new is not ...:
        yield from _schema(kind, key, name, old, new, output=True)
    elif (kind, name) == ("prompt", "arguments"):
        yield from _arguments(kind, key, name, old, new)
    else:
        yield _plain_change(kind, key, name, old, new, _effect(kind, name, new))


def _status(key: str, old: Members, new: Members) -> Change:
    """A server's new status, and the reason that comes with it, in one."""
    before, after, reason = old.get("status"), new.get("status"), new.get("reason")
    told = f", {printable(str(reason))}" if reason else ""
    effect: Effect = "compatible" if after == "connected" else "breaking"
    return Change(
        kind="server",
        what="changed",
        key=key,
        field="status",
        effect=effect,
        message=contrast(before, after) + told,
        old=before,
        new=after,
    )


def _effect(kind: str, name: str, new: Any) -> Effect:
    if (kind, name) in _BREAKING or (name == "outputSchema" and new is ...):
        return "breaking"
    return "unknown" if (kind, name) in _MAY_BREAK else "compatible"


def _plain_change(kind: str, key: str, name: str, old: Any, new: Any, effect: Effect) -> Change:
    if old is ...:
        message = f"added: {excerpt(new)}"
    else:
        message = f"removed: {excerpt(old)}" if new is ... else contrast(old, new)
    return Change(
        kind=kind,
        what="changed",
        key=key,
        field=name,
        effect=effect,
        message=message,
        old=None if old is ... else old,
        new=None if new is ... else new,
    )


def _schema(kind: str, key: str, name: str, old: Any, new: Any, *, output: bool = False) -> Iterator[Change]:
    from prowess.capability.schema_change import compare_schemas  # on use: `diff` starts sooner without it

    for each in compare_schemas(old, new, output=output):
        yield Change(
            kind=kind,
            what="changed",
            key=key,
            field=name,
            pointer=each.pointer,
            effect=each.effect,
            message=each.message,
            old=each.old,
            new=each.new,
        )


def _arguments(kind: str, key: str, name: str, old: Any, new: Any) -> Iterator[Change]:
    """A prompt's arguments are compared as the properties of an object that takes no others."""
    before, after = _as_schema(old), _as_schema(new)
    if before is None or after is None:
        yield _plain_change(kind, key, name, old, new, "unknown")
        return
    found = list(_schema(kind, key, name, before, after))
    yield from found or [_plain_change(kind, key, name, old, new, "compatible")]


def _as_schema(arguments: Any) -> dict[str, Any] | None:
    listed = [] if arguments is ... else arguments
    properties: dict[str, Any] = {}
    required = []
    for each in listed if isinstance(listed, list) else [None]:
        if not isinstance(each, dict) or not isinstance(each.get("name"), str):
            return None
        properties[each["name"]] = {
            member: each[member] for member in ("title", "description") if member in each
        }
        if each.get("required") is True:
            required.append(each["name"])
    return {
        "type": "object",
        "properties": properties,
        "required": sorted(required),
        "additionalProperties": False,
    }
