"""What is different between two JSON values, place by place. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from prowess.capability.canonical import canonical

MAX_CHANGES = 1_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """One place (a JSON pointer) that was added, removed or changed, with the value before and after."""

    path: str
    kind: Literal["added", "removed", "changed"]
    before: Any = None
    after: Any = None


def changes(before: Any, after: Any) -> tuple[Change, ...]:
    """Every place that differs, in the order of `before`, what was added last; objects are entered."""
    found = []
    for change in _walk(before, after, ""):
        found.append(change)
        if len(found) == MAX_CHANGES:
            break
    return tuple(found)


def _walk(before: Any, after: Any, path: str) -> Iterator[Change]:
    if isinstance(before, Mapping) and isinstance(after, Mapping):
        yield from _members(before, after, path)
    elif canonical(before) != canonical(after):
        yield Change(path=path, kind="changed", before=before, after=after)


def _members(before: Mapping[str, Any], after: Mapping[str, Any], path: str) -> Iterator[Change]:
    for key in before:
        place = f"{path}/{str(key).replace('~', '~0').replace('/', '~1')}"
        if key in after:
            yield from _walk(before[key], after[key], place)
        else:
            yield Change(path=place, kind="removed", before=before[key])
    for key in after:
        if key not in before:
            place = f"{path}/{str(key).replace('~', '~0').replace('/', '~1')}"
            yield Change(path=place, kind="added", after=after[key])
