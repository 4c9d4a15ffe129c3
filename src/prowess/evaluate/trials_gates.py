"""What is decided on trials, gate by gate: errors, stale answers, recall, false triggers. Pure.

A limit on false triggers and one on recall are decided as `statistics.decide` says. A case without any
answer makes the verdict an error.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from prowess.evaluate.selectors import Identity
from prowess.evaluate.statistics import decide, needed
from prowess.evaluate.trials import Trial
from prowess.evaluate.trials_report import Gate, Rate, Stratum, Verdict

AT = (1, 5)
BUDGETS = (1_000, 2_000)
FALSE_TRIGGERS = 0.05
RECALL = 0.8
UNANSWERED = "none of them has an answer"


@dataclass(frozen=True, slots=True, kw_only=True)
class Aims:
    """What is measured, and what is wanted: recall of at least `recall`, false triggers below `false`."""

    at: tuple[int, ...] = AT
    budgets: tuple[int, ...] = BUDGETS
    recall: float = RECALL
    false: float = FALSE_TRIGGERS


def gates(
    trials: Sequence[Trial],
    positives: Sequence[Trial],
    identity: Identity,
    strata: Sequence[Stratum],
    aims: Aims,
) -> tuple[Gate, ...]:
    """What is decided on `trials`; `positives` are the answered positive ones among them."""
    return tuple(_gates(trials, positives, identity, strata, aims))


def _gates(
    trials: Sequence[Trial],
    positives: Sequence[Trial],
    identity: Identity,
    strata: Sequence[Stratum],
    aims: Aims,
) -> Iterator[Gate]:
    lost = [each for each in trials if not each.answered]
    if lost:
        code = lost[0].failures[0].code if lost[0].failures else "not asked"
        detail = f"{len(lost)} of {len(trials)} cases have no answer ({code}), and are part of no rate"
        yield Gate(name="errors", verdict="error", detail=detail)
    stale = sum(each.stale for each in trials)
    if stale:
        detail = f"{stale} of {len(trials)} answers were recorded for another catalogue; record them anew"
        yield Gate(name="recorded answers", verdict="stale", detail=detail)
    yield _recall_gate(trials, positives, identity, aims)
    measured = [each for each in strata if each.decision is not None]
    for each in measured:
        yield _false_gate(each, identity)
    if not measured:
        some = any(each.case.kind == "negative" for each in trials)
        detail = UNANSWERED if some else "there are no negative cases, and no siblings"
        yield Gate(name="false triggers", verdict="inconclusive", detail=detail)


def _recall_gate(trials: Sequence[Trial], positives: Sequence[Trial], identity: Identity, aims: Aims) -> Gate:
    """Of a shortlist at the last rank asked for, since a model sees all of it."""
    at = max(aims.at, default=1) if identity.kind == "shortlist" else 1
    rate = Rate(hits=sum(each.found_within(at) for each in positives), of=len(positives))
    name = f"{identity.measures} at {at}" if identity.kind == "shortlist" else identity.measures
    decision: Verdict = decide(rate.of - rate.hits, rate.of, 1 - aims.recall)
    detail = f"{_count(rate)} found, {rate.percent}; at least {100 * aims.recall:g} % are wanted"
    if not rate.of:
        some = any(each.case.kind == "positive" for each in trials)
        detail = UNANSWERED if some else "there are no positive cases"
    return Gate(name=name, verdict=decision, detail=detail + _too_few(decision, rate, 1 - aims.recall))


def _false_gate(stratum: Stratum, identity: Identity) -> Gate:
    """What a ranking puts first is not triggered yet, and is told as what it is."""
    rate, decision = stratum.rate, stratum.decision or "inconclusive"
    what = "ranked first" if identity.kind == "shortlist" else "triggered"
    what, per = ("taken by siblings", " each") if stratum.name == "sibling" else (what, "")
    detail = f"{_count(rate)} {what}, {rate.percent}{per}; below {100 * stratum.limit:g} % is wanted"
    if stratum.black_holes:
        detail += f"; {', '.join(stratum.black_holes[:5])} alone takes more than that of the others'"
    elif stratum.limit * rate.each < 1:
        detail += _too_few(decision, rate, stratum.limit * rate.each)
    if decision == "fail" and identity.kind == "shortlist":
        detail += "; a ranking seldom ranks nobody: ask a model, or decide on what changed (--baseline)"
    return Gate(name=f"false triggers, {stratum.name}", verdict=decision, detail=detail)


def _too_few(decision: Verdict, rate: Rate, limit: float) -> str:
    """How many it takes, where there are not as many."""
    least = needed(limit)
    return f"; it takes {least} to show it" if decision == "inconclusive" and rate.of < least else ""


def _count(rate: Rate) -> str:
    return f"{round(rate.hits, 2):g} of {rate.of}"
