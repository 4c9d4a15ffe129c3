"""Drift: what differs between two snapshots, and what of it breaks callers.

A capability is known by its server and its name (a resource by its URI); a rename is one removed
and one added. A Drift is empty exactly when the two snapshots hold the same JSON value. What a
changed member means is worked out in `change`, a changed schema in `schema_change`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from prowess.capability.change import Change, Members, changes_of
from prowess.capability.effect import Effect, worst
from prowess.capability.snapshot import Snapshot
from prowess.redact import printable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from prowess.capability.runtime_keys import RuntimeKey

# A thing's key, and which of several with the same key it is.
Key = tuple[tuple[str, ...], int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Drift:
    """Everything that differs, in the order of a snapshot, and run-time keys found in a package."""

    changes: tuple[Change, ...] = ()
    findings: tuple[RuntimeKey, ...] = ()

    @property
    def empty(self) -> bool:
        """Whether nothing differs and nothing was found."""
        return not self.changes and not self.findings

    @property
    def effect(self) -> Effect:
        """The worst of all changes."""
        return worst(change.effect for change in self.changes)

    def to_text(self) -> str:
        """One line a change; empty when nothing differs."""
        lines = [each.to_text() for each in self.changes] + [each.to_text() for each in self.findings]
        return "".join(f"{line}\n" for line in lines)

    def to_dict(self) -> dict[str, Any]:
        """The JSON value."""
        return {
            "empty": self.empty,
            "effect": self.effect,
            "changes": [change.to_dict() for change in self.changes],
            "findings": [finding.to_dict() for finding in self.findings],
        }


def compare(old: Snapshot, new: Snapshot) -> Drift:
    """What changed from `old` to `new`."""
    return Drift(changes=tuple(_changes(old.to_dict(), new.to_dict())))


def _by(*members: str) -> Callable[[Members], tuple[str, ...]]:
    return lambda thing: tuple(str(thing.get(member, "")) for member in members)


# part of the snapshot, what one of its things is called, its key
_PARTS = (
    ("skills", "skill", _by("name")),
    ("mcpServers", "server", _by("id")),
    ("tools", "tool", _by("server", "name")),
    ("prompts", "prompt", _by("server", "name")),
    ("resources", "resource", _by("server", "uri")),
    ("resourceTemplates", "template", _by("server", "uriTemplate")),
    ("skipped", "skipped", _by("what")),
)


def _changes(old: dict[str, Any], new: dict[str, Any]) -> Iterator[Change]:
    yield from changes_of("plugin", old["plugin"]["name"], old["plugin"], new["plugin"])
    for part, kind, key in _PARTS:
        yield from _things(kind, _keyed(old[part], key), _keyed(new[part], key))


def _keyed(things: Iterable[Members], key: Callable[[Members], tuple[str, ...]]) -> dict[Key, Members]:
    """Things by their key; a key that stands more than once (a server may do that) is numbered."""
    keyed: dict[Key, Members] = {}
    counts: dict[tuple[str, ...], int] = {}
    for thing in things:
        name = key(thing)
        counts[name] = counts.get(name, 0) + 1
        keyed[name, counts[name]] = thing
    return keyed


def _things(kind: str, old: dict[Key, Members], new: dict[Key, Members]) -> Iterator[Change]:
    for key in sorted(old.keys() | new.keys()):
        shown = "/".join(key[0])
        if key in old and key in new:
            yield from changes_of(kind, shown, old[key], new[key])
        elif key in new:
            message = printable(str(new[key].get("rule", ""))) if kind == "skipped" else ""
            yield Change(
                kind=kind, what="added", key=shown, effect="compatible", message=message, new=new[key]
            )
        else:
            # what no longer fails to load breaks nobody
            effect: Effect = "compatible" if kind == "skipped" else "breaking"
            yield Change(kind=kind, what="removed", key=shown, effect=effect, old=old[key])
