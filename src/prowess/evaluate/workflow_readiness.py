"""What readiness says of workflows: the share of their runs that completed, for each version, on record.

Cancelled runs do not count, and neither do those that go on. What was recorded of a version whose
definition is gone decides nothing. Nothing is run.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from prowess.evaluate.statistics import decide, needed
from prowess.workflow.provider import found_in, where_of
from prowess.workflow.queues import WorkflowsSection
from prowess.workflow.records import OVER
from prowess.workflow.records_database import RunDatabase
from prowess.workflow.records_runs import rates

NOT_COMPLETED = 0.1  # of the runs of a version, at most


@dataclass(frozen=True, slots=True, kw_only=True)
class Completion:
    """How many of the runs of a workflow's version that are over completed."""

    title: str
    place: str
    completed: int = 0
    of: int = 0

    @property
    def answer(self) -> str:
        """`pass` or `missing`; `inconclusive` with too few runs, `not measured` without any."""
        if not self.of:
            return "not measured"
        if decide(self.of - self.completed, self.of, NOT_COMPLETED) == "fail":
            return "missing"
        return "inconclusive" if self.of < needed(NOT_COMPLETED) else "pass"

    @property
    def detail(self) -> str:
        """What was counted, and what it is held against."""
        if not self.of:
            return "no run of it is over"
        share = f"{self.completed / self.of:.1%}, {1 - NOT_COMPLETED:.0%} wanted"
        told = f"{self.completed} of {self.of} runs completed ({share})"
        few = f"; it takes {needed(NOT_COMPLETED)} to tell" if self.answer == "inconclusive" else ""
        return told + few

    @property
    def ok(self) -> bool:
        """Whether nothing that was measured is missing."""
        return self.answer != "missing"

    def to_dict(self) -> dict[str, Any]:
        """The JSON value."""
        share = self.completed / self.of if self.of else None
        said = {"answer": self.answer, "detail": self.detail, "share": share, "runs": self.of}
        return {"workflow": self.title, "place": self.place, "ready": self.ok, "completion": said}


def completions(section: WorkflowsSection) -> tuple[Completion, ...]:
    """Every version of every workflow of a `[workflows]` table. Raises NotFound and StoreFailed."""
    counted = _counted(section)
    return tuple(
        Completion(
            title=each.title,
            place=each.file,
            completed=counted.get((each.name, each.version), {}).get("completed", 0),
            of=sum(
                counted.get((each.name, each.version), {}).get(state, 0)
                for state in OVER
                if state != "cancelled"
            ),
        )
        for each in found_in(section.paths).workflows
    )


def _counted(section: WorkflowsSection) -> Mapping[tuple[str, str], Mapping[str, int]]:
    database = RunDatabase(where_of(section))
    try:
        found = database.now(rates, look=True) if database.exists() else []
    finally:
        database.close()
    return {(name, version): states for name, version, states in found}
