"""The sequential test under simulation: fast enough to run every time, with seeds so that it repeats."""

from __future__ import annotations

from math import exp
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prowess.units.evidence import Evidence, Slowness
from prowess.units.judging import Comparison
from prowess.units.rollout import Guard, Rollout

SEEDS = range(50)
ROLLOUT = Rollout(stable="1.4.2", canary="2.0.0", percent=10)


def stopped_at(
    seed: int,
    canary: float,
    stable: float,
    *,
    share: float = 0.1,
    most: int = 5_000,
    rollout: Rollout = ROLLOUT,
    slower: float = 1.0,
) -> int | None:
    """At which of the canary's calls a guard rail is crossed, looked at after each of them."""
    random = Random(seed).random
    normal = Random(seed).lognormvariate
    comparison, calls = Comparison(rollout), 0
    while calls < most:
        to_canary = random() < share
        failed = random() < (canary if to_canary else stable)
        time = normal(3, 0.5) * (slower if to_canary else 1)
        calls += to_canary
        comparison.add("2.0.0" if to_canary else "1.4.2", "tool-failed" if failed else "answered", time)
        if to_canary and comparison.breach() is not None:
            return calls
    return None


@pytest.mark.parametrize("share", [0.02, 0.1, 0.5])
def test_a_canary_that_fails_a_fifth_is_stopped_before_200_calls_in_every_seed(share: float) -> None:
    at = [stopped_at(seed, 0.2, 0.01, share=share, most=200) for seed in SEEDS]
    assert all(each is not None and each < 200 for each in at)


@pytest.mark.parametrize("share", [0.5, pytest.param(0.1, marks=pytest.mark.slow)])
def test_a_canary_like_stable_is_stopped_in_one_seed_of_fifty_at_most(share: float) -> None:
    at = [stopped_at(seed, 0.01, 0.01, share=share) for seed in SEEDS]
    assert sum(each is not None for each in at) <= 1


def test_failing_often_is_no_fault_where_stable_fails_as_often() -> None:
    at = [stopped_at(seed, 0.3, 0.3, share=0.3, most=1_000) for seed in SEEDS]
    assert sum(each is not None for each in at) <= 1


def test_a_better_canary_is_left_alone() -> None:
    assert [stopped_at(seed, 0.01, 0.2, most=300) for seed in range(20)] == [None] * 20


def test_a_canary_of_twice_the_time_is_halted() -> None:
    at = [stopped_at(seed, 0, 0, slower=2.5, most=300) for seed in range(20)]
    assert None not in at


def test_a_rail_that_is_off_stops_nothing() -> None:
    off = Rollout(stable="1.4.2", canary="2.0.0", percent=10, guard=Guard(errors="off", latency="off"))
    assert stopped_at(1, 1.0, 0.0, slower=9, most=300, rollout=off) is None


def test_nothing_is_stopped_before_the_minimum_of_calls() -> None:
    patient = Rollout(stable="1.4.2", canary="2.0.0", percent=10, guard=Guard(min_calls=120))
    at = [stopped_at(seed, 1.0, 0.0, most=300, rollout=patient) for seed in range(10)]
    assert all(each is not None and 120 <= each < 140 for each in at)


def test_a_difference_below_the_tolerance_is_left_alone() -> None:
    tolerant = Rollout(stable="1.4.2", canary="2.0.0", percent=10, guard=Guard(tolerance=70, latency="off"))
    assert [stopped_at(seed, 0.3, 0.01, most=400, rollout=tolerant) for seed in range(10)] == [None] * 10


def test_a_guard_that_may_be_wrong_more_often_is_quicker() -> None:
    def median(false_alarm: float) -> int:
        guard = Guard(false_alarm=false_alarm, min_calls=1, latency="off")
        rollout = Rollout(stable="1.4.2", canary="2.0.0", percent=10, guard=guard)
        return sorted(stopped_at(seed, 0.2, 0.01, rollout=rollout) or 9_999 for seed in range(21))[10]

    assert median(0.2) < median(1e-6)


def test_what_is_slow_is_given_or_learnt_from_the_first_stable_calls() -> None:
    learnt = Slowness(factor=2)
    for number in range(Slowness.LEARNED_FROM):
        learnt.add(canary=False, milliseconds=number + 1.0)
        learnt.add(canary=True, milliseconds=10_000)
    assert learnt.above == 90, "nine of ten needed 45 ms"
    assert learnt.evidence.canary_calls <= 1, "calls before the bound is known are not compared"
    told = Slowness(factor=2, given=5)
    told.add(canary=False, milliseconds=4)
    told.add(canary=True, milliseconds=6)
    assert (told.evidence.stable_bad, told.evidence.canary_bad) == (0, 1)


@given(st.integers(1, 6), st.integers(1, 6), st.floats(0.01, 0.99), st.integers(0, 40), st.integers(0, 40))
def test_no_wager_is_better_than_even_while_both_versions_are_alike(
    canary: int, stable: int, rate: float, canary_bad: int, stable_bad: int
) -> None:
    """The expectation of one block over everything that may come, worked out in full."""
    expected = 0.0
    for bad in range(canary + 1):
        for other in range(stable + 1):
            evidence = Evidence()
            evidence.canary_calls, evidence.canary_bad = 40 + canary, canary_bad + bad
            evidence.stable_calls, evidence.stable_bad = 40 + stable, stable_bad + other
            evidence._settle(canary, bad, stable, other)
            chance = choose(canary, bad) * rate**bad * (1 - rate) ** (canary - bad)
            chance *= choose(stable, other) * rate**other * (1 - rate) ** (stable - other)
            expected += chance * exp(evidence.wealth)
    assert expected <= 1 + 1e-9


def choose(calls: int, bad: int) -> int:
    from math import comb

    return comb(calls, bad)


@given(st.lists(st.tuples(st.booleans(), st.booleans()), max_size=300))
def test_the_numbers_add_up_whatever_comes(calls: list[tuple[bool, bool]]) -> None:
    evidence = Evidence()
    for canary, bad in calls:
        evidence.add(canary=canary, bad=bad)
    assert evidence.canary_calls + evidence.stable_calls == len(calls)
    assert evidence.canary_bad + evidence.stable_bad == sum(bad for _, bad in calls)
    assert 0 < evidence.p_value <= 1
    assert 0 <= evidence.canary_rate <= 1 and 0 <= evidence.stable_rate <= 1
