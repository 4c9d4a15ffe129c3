"""What a few trials say about a rate: intervals, bounds, and when a limit is kept, broken, or neither. Pure.

Intervals are Wilson's (1927), two-sided 95 %; they are what a report shows. A limit is decided by the
exact one-sided 95 % bounds of Clopper and Pearson (1934). The unit is the query: a query that was
asked several times adds the share of its runs, so hits may be fractions and never more than there
are queries. It does not know what is counted.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Literal, NamedTuple

ALPHA = 0.05
_Z = 1.959963984540054  # the normal quantile of 0.975
_HALVINGS = 60
_TERMS = 2_000  # of the continued fraction; a million trials take about a thousand
_TINY = 1e-300
_NOISE = 1e-9  # of a bound: 1 of 1 puts it at exactly 5 %, which shows nothing above that

Decision = Literal["pass", "fail", "inconclusive"]


class Interval(NamedTuple):
    """From `low` to `high`, both between 0 and 1."""

    low: float
    high: float


def wilson(hits: float, of: int) -> Interval:
    """The two-sided 95 % interval of the rate that `hits` of `of` come from; all of 0 to 1 for none."""
    if of <= 0:
        return Interval(0.0, 1.0)
    rate, square = hits / of, _Z * _Z
    middle = (rate + square / (2 * of)) / (1 + square / of)
    half = _Z / (1 + square / of) * math.sqrt(rate * (1 - rate) / of + square / (4 * of * of))
    low = 0.0 if hits <= 0 else max(0.0, middle - half)
    return Interval(low, 1.0 if hits >= of else min(1.0, middle + half))


def upper_bound(hits: float, of: int, alpha: float = ALPHA) -> float:
    """The rate above which `hits` or fewer would come out with a chance of at most `alpha`."""
    if hits >= of:
        return 1.0
    return _solved(lambda rate: _beta(of - hits, hits + 1, 1 - rate) > alpha)


def lower_bound(hits: float, of: int, alpha: float = ALPHA) -> float:
    """The rate below which `hits` or more would come out with a chance of at most `alpha`."""
    if hits <= 0:
        return 0.0
    return _solved(lambda rate: _beta(hits, of - hits + 1, rate) < alpha)


def needed(limit: float) -> int:
    """How many trials without a hit show a rate below `limit`, which is between 0 and 1."""
    return math.floor(math.log(ALPHA) / math.log1p(-limit)) + 1


def decide(hits: float, of: int, limit: float) -> Decision:
    """Whether the rate is below `limit`.

    `pass` when that is shown. `fail` when a rate above it is shown, or observed in so many trials that
    a rate of 0 would have passed. Anything else is `inconclusive`. 0 of 3 against 5 % is inconclusive,
    0 of 59 passes, 5 of 60 fails. A limit of 1 or more is kept by any rate.
    """
    if of <= 0:
        return "inconclusive"
    if limit >= 1 or upper_bound(hits, of) < limit:
        return "pass"
    if lower_bound(hits, of) > limit + _NOISE or (hits / of > limit and of >= needed(limit)):
        return "fail"
    return "inconclusive"


def mcnemar(broken: int, fixed: int) -> float:
    """The chance that of `broken + fixed` changes so many or more break something, if both are as likely.

    McNemar's test, exact and one-sided; 1 for no changes.
    """
    changes = broken + fixed
    return sum(math.comb(changes, each) for each in range(broken, changes + 1)) / (1 << changes)


def _solved(below: Callable[[float], bool]) -> float:
    """Where `below` turns from true to false between 0 and 1."""
    low, high = 0.0, 1.0
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        low, high = (middle, high) if below(middle) else (low, middle)
    return (low + high) / 2


def _beta(a: float, b: float, x: float) -> float:
    """The regularised incomplete beta function: its continued fraction, by Lentz's method."""
    if x <= 0:
        return 0.0
    front = math.exp(
        math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b) + a * math.log(x) + b * math.log1p(-x)
    )
    if x > (a + 1) / (a + b + 2):
        return 1 - front * _fraction(b, a, 1 - x) / b
    return front * _fraction(a, b, x) / a


def _fraction(a: float, b: float, x: float) -> float:
    above, below = 1.0, 1 / _away(1 - (a + b) * x / (a + 1))
    value = below
    m = 1
    while True:
        for step in (
            m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)),
            -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1)),
        ):
            below = 1 / _away(1 + step * below)
            above = _away(1 + step / above)
            value *= above * below
        if abs(above * below - 1) < 1e-14 or m == _TERMS:
            return value
        m += 1


def _away(value: float) -> float:
    """The value, kept away from 0."""
    return value if abs(value) > _TINY else _TINY
