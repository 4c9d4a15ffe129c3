"""The trigger cases at a path put to the ranking, without a command line and without starting a server."""

from __future__ import annotations

import os

from prowess.call.recording import no_sink
from prowess.choose.searching import Searchable
from prowess.evaluate.trials_gates import Aims
from prowess.evaluate.trials_report import Report
from prowess.evaluate.trigger_library import library_at
from prowess.evaluate.trigger_readiness import lexical_report
from prowess.host import Host
from prowess.host.packages import LocalSkill
from prowess.host.searching import Searchables
from prowess.host.setup import setup_of
from prowess.host.storing import Store
from prowess.host.unit_folders import LABEL as UNITS
from prowess.source.directory import DirectorySource
from prowess.source.skills_folder import judge_skills


async def offline_report(path: str, cases: str | None = None, aims: Aims | None = None) -> Report:
    """How the cases beside `path`, or those in the file `cases`, come out among what is there.

    Raises UsageError where there are none, and what opening a Host raises.
    """
    found = (await _searchable(path)).by_id
    library = library_at(found, [path], [] if cases is None else [cases])
    library.insist_on_tests()
    return await lexical_report(library, aims)


async def _searchable(path: str) -> Searchable:
    if _is_of_skills(path):
        source = DirectorySource(path)
        skills = [
            LocalSkill(name=each.name, plugin="", skill=each, source=source, profile="spec")
            for each in judge_skills(source).skills
        ]
        return await Searchables().of((), skills)
    only = [UNITS] if setup_of(path).units.paths else []
    async with Host.open(path, only=only, store=Store.in_memory(), sink=no_sink) as host:
        return await host.searchable()


def _is_of_skills(path: str) -> bool:
    """Whether it is a folder of skills without a manifest."""
    if not os.path.isdir(path) or any(
        os.path.lexists(os.path.join(path, each)) for each in ("plugin.json", "prowess.toml")
    ):
        return False
    return any(os.path.isfile(os.path.join(path, each, "SKILL.md")) for each in os.listdir(path))
