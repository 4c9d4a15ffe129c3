"""What a set of trials came to: rates with their intervals, gates, and a verdict. Pure values.

    recall          of positive cases, how many found who is expected: at ranks, within budgets of tokens
    false triggers  by stratum: near misses of a skill, positives of its siblings, what is nobody's
    gates           what was decided, one by one; the worst of those that count is the verdict

It does not know what the trials were put to, beyond a selector's identity.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from prowess.evaluate.cases import Completeness
from prowess.evaluate.selectors import Identity
from prowess.evaluate.statistics import Decision, Interval, wilson
from prowess.evaluate.trials import Trial

Verdict = Literal["pass", "fail", "inconclusive", "stale", "error"]
WORST: tuple[Verdict, ...] = ("error", "stale", "fail", "inconclusive", "pass")
StratumName = Literal["near-miss", "sibling", "unrelated"]
FORMAT = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Rate:
    """So many of so many queries; a query asked several times adds the share of its runs.

    `each` is how many chances of a hit one query holds where it is not one: the rate is per chance,
    its interval that of the queries.
    """

    hits: float
    of: int
    each: float = 1.0

    @property
    def rate(self) -> float | None:
        """Hits per chance; None where nothing was asked."""
        return self.hits / (self.of * self.each) if self.of else None

    @property
    def interval(self) -> Interval:
        """Wilson's, two-sided 95 %."""
        low, high = wilson(self.hits, self.of)
        return Interval(low / self.each, high / self.each)

    @property
    def percent(self) -> str:
        """`83 % (66 to 93 %)`, or `-`."""
        if self.rate is None:
            return "-"
        low, high = self.interval
        return f"{100 * self.rate:.0f} % ({100 * low:.0f} to {100 * high:.0f} %)"

    def to_dict(self) -> dict[str, Any]:
        """The JSON value."""
        rate = None if self.rate is None else round(self.rate, 4)
        low, high = self.interval
        interval = [round(low, 4), round(high, 4)] if self.of else None
        count = int(self.hits) if self.hits == int(self.hits) else round(self.hits, 3)
        return {"count": count, "of": self.of, "rate": rate, "interval": interval}


@dataclass(frozen=True, slots=True, kw_only=True)
class Stratum:
    """False triggers among one sort of negatives; `decision` is None where there are no such."""

    name: StratumName
    rate: Rate
    limit: float
    decision: Decision | None
    black_holes: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """The JSON value."""
        said = {**self.rate.to_dict(), "limit": self.limit, "verdict": self.decision or "not measured"}
        return said | ({"black_holes": list(self.black_holes)} if self.name == "sibling" else {})


@dataclass(frozen=True, slots=True, kw_only=True)
class SkillScore:
    """One capability. `hijacked` is how many of the others' positive cases it took; `precision` is of all
    cases that came to it, boundary cases aside, in the mix that the cases have.
    """

    id: str
    recall: Rate
    precision: Rate
    near_miss: Rate
    hijacked: Rate
    boundary: Rate
    abstained: Rate
    errors: int
    completeness: Completeness

    def to_dict(self) -> dict[str, Any]:
        """The JSON value."""
        rates = {
            name: getattr(self, name).to_dict()
            for name in ("recall", "precision", "near_miss", "hijacked", "boundary", "abstained")
        }
        counts = {name: getattr(self.completeness, name) for name in ("positive", "boundary", "negative")}
        complete = {**counts, "complete": self.completeness.complete}
        return {**rates, "errors": self.errors, "cases": complete}


@dataclass(frozen=True, slots=True, kw_only=True)
class Confusion:
    """A case that came out wrong: who was wanted, who came (None: nobody), in which share of runs."""

    case: str
    place: str
    utterance: str
    wanted: tuple[str, ...]
    got: str | None
    share: float

    def to_dict(self) -> dict[str, Any]:
        """The JSON value."""
        said = {"case": self.case, "place": self.place, "utterance": self.utterance}
        return said | {"wanted": list(self.wanted), "got": self.got, "share": round(self.share, 3)}


@dataclass(frozen=True, slots=True, kw_only=True)
class Gate:
    """One thing that was decided. What does not count is there to be read."""

    name: str
    verdict: Verdict
    detail: str
    counts: bool = True

    def to_dict(self) -> dict[str, Any]:
        """The JSON value."""
        return {"name": self.name, "verdict": self.verdict, "detail": self.detail, "counts": self.counts}


@dataclass(frozen=True, slots=True, kw_only=True)
class Failure:
    """One run that gave no answer."""

    case: str
    code: str
    message: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """All of it. `recall` is by rank and `recall_at_tokens` by budget, a Rate or None where the selector
    cannot tell; `positives` are the recall by language; `notes` are fit to print.
    """

    selector: Identity
    catalogue: str
    capabilities: int
    tokens: int
    trials: tuple[Trial, ...]
    recall: Mapping[int, Rate | None]
    recall_at_tokens: Mapping[int, Rate | None]
    by_language: Mapping[str, Rate]
    strata: tuple[Stratum, ...]
    skills: tuple[SkillScore, ...]
    confusions: tuple[Confusion, ...]
    abstained: Rate
    boundary: Rate
    failures: tuple[Failure, ...]
    flaky: tuple[str, ...]
    gates: tuple[Gate, ...]
    calls: int = 0
    spent: int = 0
    notes: tuple[str, ...] = field(default=())

    @property
    def verdict(self) -> Verdict:
        """The worst of the gates that count."""
        return worst(each.verdict for each in self.gates if each.counts)

    @property
    def answered(self) -> int:
        """How many cases were answered at least once."""
        return sum(each.answered for each in self.trials)

    def to_dict(self) -> dict[str, Any]:
        """The whole report as a JSON value."""
        return {
            "format": FORMAT,
            "selector": self.selector.name,
            "model": self.selector.model or None,
            "measures": self.selector.measures,
            "verdict": self.verdict,
            "cases": len(self.trials),
            "recall": _rates(self.recall),
            "recall_at_tokens": _rates(self.recall_at_tokens),
            "intervals": {
                "recall": _intervals(self.recall),
                "recall_at_tokens": _intervals(self.recall_at_tokens),
            },
            "recall_by_language": {name: each.to_dict() for name, each in self.by_language.items()},
            "false_triggers": {each.name: each.to_dict() for each in self.strata},
            "abstained": self.abstained.to_dict(),
            "boundary": self.boundary.to_dict(),
            "errors": [{"case": e.case, "code": e.code, "message": e.message} for e in self.failures],
            "flaky": list(self.flaky),
            "gates": [each.to_dict() for each in self.gates],
            "skills": {each.id: each.to_dict() for each in self.skills},
            "confusions": [each.to_dict() for each in self.confusions],
            "catalogue": {
                "capabilities": self.capabilities,
                "tokens": self.tokens,
                "digest": self.catalogue,
            },
            "spent": {"calls": self.calls, "tokens": self.spent},
            "notes": list(self.notes),
            "trials": [_trial(each) for each in self.trials],
        }


def worst(verdicts: Iterable[Verdict]) -> Verdict:
    """The worst of them; without any there is nothing to conclude."""
    return min(verdicts, key=WORST.index, default="inconclusive")


def _rates(by: Mapping[int, Rate | None]) -> dict[str, float | None]:
    return {str(at): None if each is None else each.to_dict()["rate"] for at, each in by.items()}


def _intervals(by: Mapping[int, Rate | None]) -> dict[str, list[float] | None]:
    return {str(at): None if each is None else each.to_dict()["interval"] for at, each in by.items()}


def _trial(trial: Trial) -> dict[str, Any]:
    first = [{"chosen": id, "runs": count} for id, count in trial.first.items()]
    said = {**trial.case.to_dict(), "place": trial.case.place, "chosen": first}
    said |= {"right": round(trial.right, 3) if trial.answered else None, "stale": trial.stale}
    return said | {"errors": [each.code for each in trial.failures]}
