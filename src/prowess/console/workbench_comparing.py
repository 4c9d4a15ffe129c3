"""Two pasted texts compared: their structure, what kinds of documents they are, and what that means.

Two snapshots are compared as `prowess diff` compares them, in its words; so are a snapshot and one document
of a package, in what that document declares. Run-time keys in a package are told wherever they are found.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass

from prowess.capability.drift import Drift
from prowess.capability.drift import compare as drift_of
from prowess.capability.runtime_keys import RuntimeKey
from prowess.capability.snapshot import Snapshot
from prowess.console.workbench_diff import (
    FILES,
    Difference,
    DocumentKind,
    What,
    differences,
    kind_of,
    written_back,
)
from prowess.console.workbench_formatting import Told, told
from prowess.console.workbench_json import Fault, Node, Remark, parse
from prowess.errors import ProwessError
from prowess.spec.versions import SUPPORTED

MOST = 100  # lines of a drift
BLANK = json.dumps({"$schema": SUPPORTED[-1].plugin_schema, "name": "pasted"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Compared:
    """What came of it. With a fault in a text there is nothing else; `drift` are lines of `prowess diff`."""

    old_fault: Told | None = None
    new_fault: Told | None = None
    old_kind: DocumentKind = "other"
    new_kind: DocumentKind = "other"
    told: tuple[Difference, ...] = ()
    counts: Mapping[What, int] | None = None
    total: int = 0
    written_back: tuple[RuntimeKey, ...] = ()
    drift: tuple[str, ...] | None = None
    drift_total: int = 0
    drift_problem: str = ""


def compare(old: str, new: str) -> Compared:
    """What differs from `old` to `new`."""
    before, after = parse(old), parse(new)
    if isinstance(before, Fault) or isinstance(after, Fault):
        return Compared(old_fault=_fault(old, before), new_fault=_fault(new, after))
    found = differences(before, after)
    kinds = kind_of(before), kind_of(after)
    drift, problem = None, ""
    try:
        drift = _drift(old, new, *kinds)
    except ProwessError as error:
        problem = error.message
    lines = None if drift is None else [each.to_text() for each in drift.changes]
    return Compared(
        old_kind=kinds[0],
        new_kind=kinds[1],
        told=tuple(found.told),
        counts=found.counts,
        total=found.total,
        written_back=(*written_back(before), *written_back(after)),
        drift=None if lines is None else tuple(lines[:MOST]),
        drift_total=len(lines or ()),
        drift_problem=problem,
    )


def _fault(text: str, found: Node | Fault) -> Told | None:
    return told(text, Remark(found.code, found.at)) if isinstance(found, Fault) else None


def _drift(old: str, new: str, old_kind: DocumentKind, new_kind: DocumentKind) -> Drift | None:
    """The drift where at least one side is a snapshot and the other can be compared with it."""
    if old_kind == new_kind == "snapshot":
        return drift_of(Snapshot.from_json(old, source="old"), Snapshot.from_json(new, source="new"))
    if old_kind == "snapshot" and new_kind in FILES:
        return _declared(new, new_kind, Snapshot.from_json(old, source="old"), package_is_new=True)
    if new_kind == "snapshot" and old_kind in FILES:
        return _declared(old, old_kind, Snapshot.from_json(new, source="new"), package_is_new=False)
    return None


def _declared(text: str, kind: DocumentKind, snapshot: Snapshot, *, package_is_new: bool) -> Drift:
    from prowess.capability.declared import compare_declared
    from prowess.source.judging import judge
    from prowess.source.memory import MemorySource

    judgement = judge(MemorySource({"plugin.json": BLANK, FILES[kind]: text}))
    part = "plugin" if kind == "plugin" else "servers"
    return compare_declared(judgement, snapshot, parts=(part,), package_is_new=package_is_new)  # type: ignore[arg-type]
