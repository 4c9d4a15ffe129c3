"""The trigger library of an open Host: what it offers is chosen among, and cases lie beside what it is of.

Nothing is started for it. The file of a wording is that of a skill or of a unit in a folder; a server's
tool says what its server wrote, and has none.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from prowess.choose.searching import Findable
from prowess.evaluate.improving_files import UNITS, File, file_of
from prowess.evaluate.trigger_library import Library, library_at
from prowess.host import Host
from prowess.host.setup import Setup
from prowess.store.installed_opening import located


@dataclass(frozen=True, slots=True, kw_only=True)
class Among:
    """What a Host offers by the names that it has there, and the cases about it."""

    found: Mapping[str, Findable]
    library: Library


async def among_of(host: Host, setup: Setup, paths: Sequence[str]) -> Among:
    """What `host` offers now, with the cases beside `paths`, its plugins, skills and units.

    Raises NoCases where there are none, and UsageError and Unreadable for such as cannot be used.
    """
    found = (await host.searchable()).by_id
    roots = case_roots(host, setup, paths)
    return Among(found=found, library=await asyncio.to_thread(library_at, found, roots))


def case_roots(host: Host, setup: Setup, paths: Sequence[str]) -> tuple[str, ...]:
    """Where cases may lie, each place once."""
    places = [*map(located, paths), *(path for _, path in (*setup.plugins, *setup.skills))]
    places += [*setup.units.paths, *(each.source.root for each in host.local_skills)]
    return tuple({os.path.realpath(each): each for each in places}.values())


def wording_file(host: Host, setup: Setup, among: Among, id: str) -> File | None:
    """The file that says what `id` is; None for what no file of this Host's says."""
    of = among.found[id]
    if of.kind == "skill":
        for each in host.local_skills:
            if each.plugin == of.server and each.skill.name == of.document.name:
                return _skill_file(each.source.root, each.source.resolve(each.skill.path), each.skill.path)
        return None
    if of.kind != "unit":
        return None
    roots = [*setup.units.paths, *(os.path.join(path, UNITS) for _, path in setup.plugins)]
    return next(filter(None, (file_of(each, id, among.library) for each in roots)), None)


def _skill_file(root: str, real: str | None, path: str) -> File | None:
    if real is None or not os.path.isfile(real):
        return None
    return File(path=os.path.join(root, path), shown=path, unit=False)
