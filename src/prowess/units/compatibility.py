"""What a version of a unit promises to whoever calls the one before (SU version; SemVer 2.0.0, 8).

Within one major version, what could be sent still can be, and what comes back is still understood.
Below 1.0.0 the minor number counts as the major one. Versions are compared each with the next.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any

from prowess.choose.versions import ordered, parse
from prowess.redact import printable
from prowess.spec.diagnostics import Diagnostic, Place
from prowess.spec.rules import report
from prowess.units.model import Unit

RULE = "lint-version-breaks"


def judge_versions(units: Sequence[Unit]) -> list[Diagnostic]:
    """Every promise that a version breaks without a new major number."""
    by_name: dict[str, dict[str, Unit]] = {}
    for unit in units:
        by_name.setdefault(unit.name, {})[unit.version] = unit
    found: list[Diagnostic] = []
    for versions in by_name.values():
        for old, new in pairwise(ordered(versions)):
            found += judge_change(versions[old], versions[new])
    return found


def judge_against(units: Sequence[Unit], released: Sequence[Unit]) -> list[Diagnostic]:
    """The same, with what was released: each name's newest version here and the newest one there."""
    before, now = _newest(released), _newest(units)
    return [each for name in now if name in before for each in judge_change(before[name], now[name])]


def _newest(units: Iterable[Unit]) -> dict[str, Unit]:
    by_name: dict[str, dict[str, Unit]] = {}
    for unit in units:
        by_name.setdefault(unit.name, {})[unit.version] = unit
    return {name: versions[ordered(versions)[-1]] for name, versions in by_name.items()}


def judge_change(old: Unit, new: Unit) -> list[Diagnostic]:
    """What `new` breaks for callers of `old`, unless its number says that it may."""
    if promise(old.version) != promise(new.version):
        return []
    return [_told(new, old, message) for message in dict.fromkeys(_broken(old, new))]


def promise(version: str) -> tuple[int, ...]:
    """The part of a version that stays the same as long as nothing breaks."""
    read = parse(version)
    return (read.major,) if read.major else (0, read.minor)


def _broken(old: Unit, new: Unit) -> Iterator[str]:
    from prowess.capability.schema_change import compare_schemas

    before, after = _members(old.parameters), _members(new.parameters)
    removed = [name for name in before if name not in after]
    for name in removed:
        yield f"parameter {printable(name, 80)} is gone"
    gone = {f"/properties/{name.replace('~', '~0').replace('/', '~1')}" for name in removed}
    for change in compare_schemas(dict(old.parameters), dict(new.parameters)):
        if change.effect == "breaking" and change.pointer not in gone:
            yield f"parameters{printable(change.pointer, 200)}: {change.message}"
    if old.returns is None:
        return
    if new.returns is None:
        yield "returns: what comes back is not described any more"
        return
    for change in compare_schemas(dict(old.returns), dict(new.returns), output=True):
        if change.effect == "breaking":
            yield f"returns{printable(change.pointer, 200)}: {change.message}"


def _members(schema: Mapping[str, Any]) -> Mapping[str, Any]:
    members = schema.get("properties", {})
    return members if isinstance(members, Mapping) else {}


def _told(new: Unit, old: Unit, message: str) -> Diagnostic:
    same = old.version == new.version
    than = f"another {old.title} that was released" if same else old.title
    read = parse(old.version)
    next_one = f"{read.major + 1}.0.0" if read.major else f"0.{read.minor + 1}.0"
    hint = f"call it {next_one}, or keep what was promised"
    place = Place(file=new.place)
    if new.form == "function":
        file, _, line = new.place.rpartition(":")
        place = Place(file=file, line=int(line))
    return report(
        RULE, place, f"{new.title} breaks who calls {than}: {message}", hint=hint, subject=new.title
    )
