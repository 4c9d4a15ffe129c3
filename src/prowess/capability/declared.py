"""What a package can declare, compared with a snapshot.

A package says which plugin it is, which skills and which servers it has, and by being judged what of
it does not load. It cannot say whether a server is up or which tools it offers: those parts of a
snapshot are left out of the comparison. With only `plugin.json` or only `mcp.json` at hand, only
that part is compared.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from typing import Literal

from prowess.capability.drift import Drift, compare
from prowess.capability.snapshot import ServerEntry, SkippedEntry, Snapshot
from prowess.spec.model import Judgement

Part = Literal["plugin", "skills", "servers"]
PARTS: tuple[Part, ...] = ("plugin", "skills", "servers")


def compare_declared(
    judgement: Judgement,
    snapshot: Snapshot,
    *,
    parts: Collection[Part] = PARTS,
    package_is_new: bool = False,
) -> Drift:
    """What differs between a package and a snapshot, the package being the old side unless said otherwise.

    A rejected plugin raises PackageRejected.
    """
    package, frozen = declared_part(Snapshot.of(judgement), parts), declared_part(snapshot, parts)
    if "plugin" not in parts:
        package = replace(package, plugin=frozen.plugin)
    return compare(frozen, package) if package_is_new else compare(package, frozen)


def declared_part(snapshot: Snapshot, parts: Collection[Part] = PARTS) -> Snapshot:
    """`snapshot` with nothing but what a package declares in `parts`."""
    return Snapshot(
        plugin=snapshot.plugin,
        skills=tuple(replace(each, loaded="metadata") for each in snapshot.skills)
        if "skills" in parts
        else (),
        servers=tuple(_declared(each) for each in snapshot.servers) if "servers" in parts else (),
        skipped=tuple(each for each in snapshot.skipped if _part_of(each) in parts),
    )


def _declared(server: ServerEntry) -> ServerEntry:
    return ServerEntry(id=server.id, type=server.type, status="not-started", reason="not-started")


def _part_of(skipped: SkippedEntry) -> Part:
    return "servers" if skipped.what.startswith("mcp.json") else "skills"
