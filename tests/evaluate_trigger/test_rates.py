"""Statistics of a few trials."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prowess.evaluate.statistics import decide, lower_bound, mcnemar, needed, upper_bound, wilson


def binomial(at_most: int, of: int, rate: float) -> float:
    return sum(math.comb(of, k) * rate**k * (1 - rate) ** (of - k) for k in range(at_most + 1))


@pytest.mark.parametrize(
    ("hits", "of", "decision"),
    [
        (0, 3, "inconclusive"),
        (1, 1, "inconclusive"),
        (0, 58, "inconclusive"),
        (0, 59, "pass"),
        (1, 92, "inconclusive"),
        (1, 93, "pass"),
        (2, 124, "pass"),
        (3, 60, "inconclusive"),
        (5, 60, "fail"),
        (3, 3, "fail"),
        (2, 3, "fail"),
        (1, 3, "inconclusive"),
        (0, 0, "inconclusive"),
    ],
)
def test_five_percent_is_decided_by_how_much_was_tried(hits: int, of: int, decision: str) -> None:
    assert decide(hits, of, 0.05) == decision


def test_a_limit_that_no_rate_can_exceed_is_kept() -> None:
    assert decide(3, 3, 1.25) == "pass"


def test_as_many_trials_are_needed_as_make_nothing_found_enough() -> None:
    assert needed(0.05) == 59
    for limit in (0.5, 0.2, 0.05, 0.01):
        assert decide(0, needed(limit), limit) == "pass"
        assert decide(0, needed(limit) - 1, limit) == "inconclusive"


@pytest.mark.parametrize(
    ("hits", "of", "low", "high"),
    [(3, 3, 0.4385, 1.0), (0, 3, 0.0, 0.5615), (10, 10, 0.7225, 1.0), (5, 60, 0.0361, 0.1807)],
)
def test_wilson_intervals_are_the_published_ones(hits: int, of: int, low: float, high: float) -> None:
    assert wilson(hits, of) == pytest.approx((low, high), abs=2e-4)


def test_nothing_tried_says_nothing() -> None:
    assert wilson(0, 0) == (0.0, 1.0)


@given(st.integers(1, 60), st.data())
def test_exact_bounds_are_where_the_binomial_puts_them(of: int, data: st.DataObject) -> None:
    hits = data.draw(st.integers(0, of))
    high, low = upper_bound(hits, of), lower_bound(hits, of)
    if hits < of:
        assert binomial(hits, of, high) == pytest.approx(0.05, abs=1e-6)
    if hits:
        assert 1 - binomial(hits - 1, of, low) == pytest.approx(0.05, abs=1e-6)
    assert low <= hits / of <= high


@given(st.integers(1, 2_000), st.data())
def test_a_rate_lies_in_its_interval_and_more_hits_never_help(of: int, data: st.DataObject) -> None:
    hits = data.draw(st.floats(0, of))
    low, high = wilson(hits, of)
    assert 0 <= low <= high <= 1
    assert low - 1e-9 <= hits / of <= high + 1e-9
    order = ("pass", "inconclusive", "fail")
    more = data.draw(st.floats(hits, of))
    assert order.index(decide(hits, of, 0.05)) <= order.index(decide(more, of, 0.05))


def test_bounds_hold_for_a_million() -> None:
    assert upper_bound(50_000, 1_000_000) == pytest.approx(0.05036, abs=1e-5)
    assert lower_bound(0, 10) == 0.0
    assert upper_bound(10, 10) == 1.0


def test_mcnemar_counts_only_what_changed() -> None:
    assert mcnemar(6, 0) == pytest.approx(1 / 64)
    assert mcnemar(0, 0) == 1.0
    assert mcnemar(1, 1) == pytest.approx(0.75)
