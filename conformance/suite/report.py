"""What a run came to, for people (a table and the reasons) and for programs (JSON)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from conformance.suite.legs import Outcome
from conformance.suite.results import Check, Scenario

HEADER = ("subject", "role", "revision", "scored", "checks", "failed", "warned", "known", "")

STALE = "passes now, or is not run any more: take it out of the expected failures"


def counted(outcome: Outcome, verdict: str) -> int:
    """How many checks of a leg went like that."""
    return sum(check.verdict == verdict for each in outcome.scenarios for check in each.checks)


def _row(outcome: Outcome) -> tuple[str, ...]:
    return (
        outcome.subject,
        outcome.leg.role,
        outcome.leg.version,
        f"{outcome.passed}/{outcome.scored}",
        str(counted(outcome, "SUCCESS")),
        str(counted(outcome, "FAILURE")),
        str(counted(outcome, "WARNING")),
        str(len(outcome.verdicts.known)),
        "as expected" if outcome.verdicts.holds else "NOT as expected",
    )


def table(outcomes: Sequence[Outcome]) -> str:
    """One line a leg."""
    rows = [HEADER, *(_row(each) for each in outcomes)]
    widths = [max(len(row[column]) for row in rows) for column in range(len(HEADER))]
    return "\n".join(
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows
    )


def reasons(outcomes: Sequence[Outcome]) -> list[str]:
    """One line for each thing that is not as expected, then for what is known of."""
    lines: list[str] = []
    known: list[str] = []
    again: list[str] = []
    for outcome in outcomes:
        where = f"{outcome.subject} {outcome.leg.role} {outcome.leg.version}"
        said = {f"{each.name}:{check.id}": check for each in outcome.scenarios for check in each.checks}
        lines += [f"{where}: {entry}: {_why(said.get(entry))}" for entry in outcome.verdicts.unexpected]
        lines += [f"{where}: {entry}: {STALE}" for entry in outcome.verdicts.stale]
        again += [f"{where}: {each}: failed at first and was run once more" for each in outcome.again]
        known += [f"{where}: known: {entry}: {why}" for entry, why in outcome.verdicts.known]
    return lines + again + known


def _why(check: Check | None) -> str:
    if check is None:
        return "was not run"
    return f"{check.verdict.lower()}: {' '.join(check.message.split())[:300] or 'no reason given'}"


def document(outcomes: Sequence[Outcome]) -> dict[str, Any]:
    """Everything, as one JSON object."""
    return {
        "ok": all(each.verdicts.holds for each in outcomes),
        "legs": [
            {
                "subject": each.subject,
                "role": each.leg.role,
                "revision": each.leg.version,
                "scored": each.scored,
                "passed": each.passed,
                "unexpected": list(each.verdicts.unexpected),
                "stale": list(each.verdicts.stale),
                "known": dict(each.verdicts.known),
                "again": list(each.again),
                "scenarios": [_scenario(scenario) for scenario in each.scenarios],
            }
            for each in outcomes
        ],
    }


def _scenario(scenario: Scenario) -> dict[str, Any]:
    return {
        "name": scenario.name,
        "scored": scenario.scored,
        "unscored_because": scenario.unscored_because,
        "failed": scenario.failed,
        "checks": [
            {"id": each.id, "verdict": each.verdict, "message": each.message} for each in scenario.checks
        ],
    }
