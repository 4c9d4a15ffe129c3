"""What each unit still lacks before it is released: examples, coverage, documentation, trigger tests.

Of workflows it is the share of runs that completed.

What cannot be measured here is said to be `not measured` and decides nothing.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import Any, Literal

from prowess.evaluate.checks import Kind, UnitReport, UnitReports
from prowess.evaluate.trigger_readiness import NOT_MEASURED, Triggering, triggering
from prowess.evaluate.unit_tests import run_tests
from prowess.evaluate.workflow_readiness import Completion, completions
from prowess.host.setup import setup_of
from prowess.redact import printable
from prowess.spec.diagnostics import Diagnostic, Reach
from prowess.units.compatibility import judge_versions
from prowess.units.lint import docs_of, lint_unit

COVERED = 80.0  # percent of the statements of the unit's file

Answer = Literal["pass", "missing", "not measured"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Point:
    """One thing that a unit is to have; `detail` says what is missing, or what was measured."""

    name: str
    answer: Answer
    detail: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Readiness:
    """One version of a unit, point by point."""

    title: str
    place: str
    points: tuple[Point, ...]

    @property
    def ok(self) -> bool:
        """Whether nothing that was measured is missing."""
        return all(each.answer != "missing" for each in self.points)

    def to_dict(self) -> dict[str, Any]:
        """The JSON value."""
        points = {each.name: {"answer": each.answer, "detail": each.detail} for each in self.points}
        return {"unit": self.title, "place": self.place, "ready": self.ok, "points": points}


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """Every unit and workflow at one path; `broken` keeps others from being units at all."""

    units: tuple[Readiness, ...]
    workflows: tuple[Completion, ...] = ()
    broken: tuple[Diagnostic, ...] = ()

    @property
    def ok(self) -> bool:
        """Whether there is something, and all of it is ready."""
        return self.tried > 0 and not self.broken and self.ready == self.tried

    @property
    def tried(self) -> int:
        """How many units and workflows there are."""
        return len(self.units) + len(self.workflows)

    @property
    def ready(self) -> int:
        """How many of them are ready."""
        return sum(each.ok for each in self.units) + sum(each.ok for each in self.workflows)


async def readiness(path: str, *, only: str | None = None, live: bool = False) -> Report:
    """Try every unit at `path` and sum up, and look up how its workflows ran unless `only` one unit is meant.

    Raises as `run_tests`; StoreFailed where the records of runs cannot be read.
    """
    setup = setup_of(path)
    of_runs = bool(setup.workflows.paths) and only is None
    if of_runs and not setup.units.paths:
        return Report(units=(), workflows=await asyncio.to_thread(completions, setup.workflows))
    # What runs of a unit's file is only seen in threads that begin afterwards, so this is first.
    tested = await run_tests(path, only=only, live=live)
    found = await triggering(path)
    ran = await asyncio.to_thread(completions, setup.workflows) if of_runs else ()
    units = tuple(_ready(each, tested, found.get(each.unit.name, NOT_MEASURED)) for each in tested.units)
    return Report(units=units, workflows=ran, broken=tested.broken)


def _ready(report: UnitReport, tested: UnitReports, triggers: Triggering) -> Readiness:
    unit = report.unit
    points = (
        _examples(report),
        _checks("schemas", report, "schema"),
        _checks("faults", report, "fault"),
        _coverage(report),
        _docs(report),
        _lint(report, tested),
        Point(name="triggers", answer=triggers.answer, detail=triggers.detail),
    )
    return Readiness(title=unit.title, place=unit.place, points=points)


def _examples(report: UnitReport) -> Point:
    said = [each for each in report.unit.examples if "output" in each or "error" in each]
    if not said:
        return Point(name="examples", answer="missing", detail="no example says what it comes to")
    return _checks("examples", report, "example", "load")


def _checks(name: str, report: UnitReport, *kinds: Kind) -> Point:
    found = [each for each in report.checks if each.kind in kinds]
    for each in found:
        if each.status != "ok":
            return Point(name=name, answer="missing", detail=f"{each.name}: {each.detail}")
    counted = f"{len(found)} tried" if found else "it asks nothing outside" if name == "faults" else ""
    return Point(name=name, answer="pass", detail=counted)


def _coverage(report: UnitReport) -> Point:
    if report.coverage is None:
        return Point(name="coverage", answer="missing", detail="it does not load")
    percent = report.coverage.percent
    if percent >= COVERED:
        return Point(name="coverage", answer="pass", detail=f"{percent:.0f} %")
    lines = report.coverage.missing_words()
    detail = f"{percent:.0f} % of {COVERED:.0f} %; not run: {printable(lines, 200)}"
    return Point(name="coverage", answer="missing", detail=detail)


def _docs(report: UnitReport) -> Point:
    told = docs_of(report.unit)
    if not report.unit.triggers:
        return Point(name="docs", answer="missing", detail="it has no triggers")
    if told:
        more = f" (and {len(told) - 1} more)" if len(told) > 1 else ""
        return Point(name="docs", answer="missing", detail=f"{told[0].message}{more}")
    return Point(name="docs", answer="pass")


def _lint(report: UnitReport, tested: UnitReports) -> Point:
    """Warnings and errors; advice about words is a matter of docs."""
    promises = judge_versions([each.unit for each in tested.units if each.unit.name == report.unit.name])
    told = [*lint_unit(report.unit), *(each for each in promises if each.subject == report.unit.title)]
    for each in told:
        if each.reach >= Reach.NOTE:
            return Point(name="lint", answer="missing", detail=f"{each.place}: {each.message}")
    return Point(name="lint", answer="pass")
