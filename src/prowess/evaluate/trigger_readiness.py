"""What readiness says of a unit's triggers: whether it has its cases, and whether they find it offline.

The units at a path are ranked among each other, as they are when nobody else is there. What is
measured is shortlist recall; near misses are told and decide nothing here, since a ranking seldom leaves
everybody alone.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from prowess.choose.searching import tool_findable
from prowess.evaluate.cases import completeness
from prowess.evaluate.selectors_lexical import Lexical
from prowess.evaluate.statistics import decide
from prowess.evaluate.trials_gates import RECALL, Aims
from prowess.evaluate.trials_report import Report, SkillScore
from prowess.evaluate.trials_running import Progress, run_trials
from prowess.evaluate.trials_scoring import score
from prowess.evaluate.trigger_library import Library, NoCases, library_at
from prowess.evaluate.twin_host import roots_of
from prowess.units.registry import Registry

SHORTLIST = 5  # ranks of a shortlist; among so few all would be on it, and only the first counts


@dataclass(frozen=True, slots=True, kw_only=True)
class Triggering:
    """The answer about one unit, with what was measured or is missing."""

    answer: Literal["pass", "missing", "not measured"]
    detail: str


NOT_MEASURED = Triggering(answer="not measured", detail="it has no trigger cases (evals/triggers.yaml)")


async def triggering(path: str) -> Mapping[str, Triggering]:
    """The answer about each unit at `path` that has cases, by name. Raises UsageError for faulty cases."""
    library = await asyncio.to_thread(_library, path)
    if library is None:
        return {}
    report = await lexical_report(library)
    return {each.id: _of(each, report) for each in report.skills if _has_cases(each)}


async def lexical_report(
    library: Library, aims: Aims | None = None, progress: Progress | None = None
) -> Report:
    """The report on a library's tests by the ranking that makes the shortlist."""
    selector, candidates = Lexical(), library.candidates
    trials = await run_trials(library.tests, candidates, selector, progress=progress)
    complete = completeness(library.cases, candidates.ids)
    return score(trials, candidates, selector.identity, aims, completeness=complete, notes=library.notes)


def _library(path: str) -> Library | None:
    roots = roots_of(path)
    registry = Registry(roots)
    try:
        registry.refresh()
        found = {each.name: tool_findable(each, each.name) for each in registry.tools}
    finally:
        registry.close()
    try:
        return library_at(found, dict.fromkeys([path, *roots]))
    except NoCases:
        return None


def _has_cases(of: SkillScore) -> bool:
    return bool(of.completeness.positive or of.completeness.boundary or of.completeness.negative)


def _of(skill: SkillScore, report: Report) -> Triggering:
    rank = SHORTLIST if report.capabilities > SHORTLIST else 1
    own = [e for e in report.trials if e.case.kind == "positive" and skill.id in e.case.expect]
    found = sum(each.found_within(rank) for each in own)
    near = skill.near_miss
    measured = f"shortlist recall at {rank}: {found:g} of {len(own)}"
    measured += f"; near misses ranked first: {near.hits:g} of {near.of}"
    if skill.completeness.missing:
        return Triggering(answer="missing", detail=f"{skill.completeness.missing} cases; {measured}")
    failed = decide(len(own) - found, len(own), 1 - RECALL) == "fail"
    return Triggering(answer="missing" if failed else "pass", detail=measured)
