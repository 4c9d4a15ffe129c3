"""A canary against the stable version: success rates with their intervals, the guard rails, a verdict.

The intervals are Wilson's, two-sided 95 %, as reports of trials show them; whether a canary is stopped is
decided by the guard rails' own test, which may be looked at after every call.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from prowess.evaluate.statistics import Interval, wilson
from prowess.units.evidence import Evidence
from prowess.units.judging import Comparison
from prowess.units.rollout import Rollout

WIDTH, HEIGHT, LEFT, RIGHT = 480.0, 96.0, 8.0, 472.0
ROW_HEIGHT, FIRST_ROW, AXIS = 28.0, 22.0, 72.0
_FLOORS = (0.99, 0.95, 0.9, 0.8, 0.5)  # where the axis may begin, so that what matters can be seen


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """What is to be said of a canary. `words` are a text to translate with `values`."""

    kind: Literal["good", "warn", "bad", "off"]
    words: str
    reason: str = ""
    calls: int = 0
    of: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Side:
    """One version: what it did, and where its rate and interval lie in the drawing."""

    role: Literal["stable", "canary"]
    version: str
    calls: int
    bad: int
    rate: float | None
    interval: Interval
    y: float
    low: float
    high: float
    at: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Intervals:
    """Both versions on one axis of success rates from `floor` to 1."""

    sides: tuple[Side, ...]
    floor: float
    ticks: tuple[tuple[float, str], ...]
    width: float = WIDTH
    height: float = HEIGHT
    axis: float = AXIS


@dataclass(frozen=True, slots=True, kw_only=True)
class Rail:
    """One guard rail: what it counts, on both sides, and how likely that is of a canary that is no worse."""

    name: Literal["failed", "slow"]
    canary: tuple[int, int]
    stable: tuple[int, int]
    p: float
    above_ms: float | None = None


def verdict_of(rollout: Rollout, comparison: Comparison | None) -> Verdict:
    """What is to be said of a rollout, the most urgent first."""
    if not rollout.canary:
        return Verdict(kind="off", words="No canary")
    if not rollout.running:
        return Verdict(kind="off", words="Nobody gets the canary", reason=rollout.reason)
    if rollout.halted:
        return Verdict(kind="bad", words="Halted: the share may not be raised", reason=rollout.reason)
    if comparison is None:
        return Verdict(kind="warn", words="No calls yet", of=rollout.guard.min_calls)
    breach = comparison.breach()
    if breach is not None:
        return Verdict(kind="bad", words="A guard rail is crossed", reason=breach.reason)
    fewest = min(comparison.errors.canary_calls, comparison.errors.stable_calls)
    if fewest < rollout.guard.min_calls:
        return Verdict(kind="warn", words="Too early to tell", calls=fewest, of=rollout.guard.min_calls)
    return Verdict(kind="good", words="No worse than stable so far")


def rails(comparison: Comparison) -> tuple[Rail, ...]:
    """What both guard rails see."""
    slow = comparison.latency
    return (
        _rail("failed", comparison.errors, None),
        _rail("slow", slow.evidence, slow.above or None),
    )


def _rail(name: Literal["failed", "slow"], seen: Evidence, above: float | None) -> Rail:
    return Rail(
        name=name,
        canary=(seen.canary_bad, seen.canary_calls),
        stable=(seen.stable_bad, seen.stable_calls),
        p=seen.p_value,
        above_ms=above,
    )


def intervals(rollout: Rollout, comparison: Comparison) -> Intervals:
    """The success rates of both versions, drawn."""
    seen = comparison.errors
    counts = (
        ("stable", rollout.stable, seen.stable_calls, seen.stable_bad),
        ("canary", rollout.canary, seen.canary_calls, seen.canary_bad),
    )
    found = [wilson(calls - bad, calls) for _, _, calls, bad in counts]
    lowest = min(each.low for each in found)
    floor = next((each for each in _FLOORS if lowest >= each), 0.0)
    sides = []
    for at, ((role, version, calls, bad), interval) in enumerate(zip(counts, found, strict=True)):
        rate = (calls - bad) / calls if calls else None
        sides.append(
            Side(
                role="stable" if role == "stable" else "canary",
                version=version,
                calls=calls,
                bad=bad,
                rate=rate,
                interval=interval,
                y=FIRST_ROW + at * ROW_HEIGHT,
                low=_place(interval.low, floor),
                high=_place(interval.high, floor),
                at=_place(0.0 if rate is None else rate, floor),
            )
        )
    ticks = tuple(
        (_place(floor + (1 - floor) * part / 4, floor), f"{(floor + (1 - floor) * part / 4) * 100:.4g} %")
        for part in range(5)
    )
    return Intervals(sides=tuple(sides), floor=floor, ticks=ticks)


def _place(rate: float, floor: float) -> float:
    return round(LEFT + (RIGHT - LEFT) * (max(rate, floor) - floor) / (1 - floor), 2)
