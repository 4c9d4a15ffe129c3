"""What a package may do, and what an update changes about that, as text and as JSON."""

from __future__ import annotations

import sys

from prowess.cli import screen
from prowess.redact import printable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from prowess.author.describing import Ability
    from prowess.author.installing import Prepared
    from prowess.store.lock import Installed

WIDE = 12
MOST_NAMES = 20  # files named one by one


def describe(ready: Prepared) -> None:
    """Everything that a person should know before saying yes."""
    one = ready.one
    size = sum(ready.sizes.values())
    title = f"{one.name} {printable(one.version, 60)}".rstrip()
    _line(f"{screen.paint(title, 'bold', sys.stdout)}, from {one.origin.words}")
    _line(f"  {len(one.files)} files, {size} bytes; its content is {one.digest}")
    if ready.before is None or not ready.before.is_trusted:
        if ready.before is not None:
            _line("  nobody agreed to what is installed")
        _line("  once it is used it")
        _abilities(ready.abilities)
    else:
        _difference(ready)
    for note in ready.notes[:MOST_NAMES]:
        _line(f"  note: {note}")


def _difference(ready: Prepared) -> None:
    difference = ready.difference
    if ready.is_same:
        _line("  this content is installed already")
        return
    for said, abilities in (("it may do more:", difference.gained), ("and no more:", difference.lost)):
        if abilities:
            _line(f"  {said}")
            _abilities(abilities)
    if not difference.gained:
        _line("  it may do nothing that it may not do now")
    for said, names in (
        ("added", difference.added),
        ("removed", difference.removed),
        ("changed", difference.changed),
    ):
        if names:
            more = f" and {len(names) - MOST_NAMES} more" if len(names) > MOST_NAMES else ""
            _line(f"  {said}: {', '.join(printable(each, 120) for each in names[:MOST_NAMES])}{more}")


def _abilities(abilities: Iterable[Ability]) -> None:
    none = True
    for each in abilities:
        none = False
        style = "red" if each.kind == "finding" else "cyan"
        kind = screen.paint(f"{printable(each.kind, 20):{WIDE}}", style, sys.stdout)
        _line(f"    {kind} {printable(each.subject, 120)} {printable(each.words, 1_100)}")
    if none:
        _line("    does nothing: no skill and no server of it loads")


def _line(text: str) -> None:
    screen.data(f"{text}\n")


def as_dict(ready: Prepared) -> dict[str, Any]:
    """The same as JSON."""
    difference = ready.difference
    return {
        **summary(ready.one, ready.scope.name),
        "abilities": [dict(each.plain) for each in ready.abilities],
        "bytes": sum(ready.sizes.values()),
        "notes": list(ready.notes),
        "asks": ready.must_ask,
        "before": {"version": ready.before.version, "digest": ready.before.digest} if ready.before else None,
        "difference": {
            "gained": [dict(each.plain) for each in difference.gained],
            "lost": [dict(each.plain) for each in difference.lost],
            "added": list(difference.added),
            "removed": list(difference.removed),
            "changed": list(difference.changed),
        },
    }


def summary(one: Installed, scope: str) -> dict[str, Any]:
    """What tells one installed package from another, as JSON."""
    origin = one.origin
    return {
        "name": one.name,
        "version": one.version,
        "scope": scope,
        "origin": {
            "kind": origin.kind,
            "place": origin.place,
            "ref": origin.ref,
            "commit": origin.commit,
            "subdirectory": origin.subdirectory,
        },
        "digest": one.digest,
        "files": len(one.files),
    }
