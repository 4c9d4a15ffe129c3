from __future__ import annotations

import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prowess.choose.bucket import BUCKETS, bucket, within

# Written down once; another number on any machine or version breaks every rollout that is under way.
KNOWN = {("alice", "query_weather@2.0.0"): 3_737, ("", ""): 3_820, ("zoë", "天気"): 4_018}


def test_the_buckets_are_the_same_for_good() -> None:
    assert {pair: bucket(*pair) for pair in KNOWN} == KNOWN


def test_another_process_with_another_hash_seed_finds_the_same_buckets() -> None:
    program = (
        "from prowess.choose.bucket import bucket; print([bucket(f'user-{n}', 's') for n in range(500)])"
    )
    told = {
        subprocess.run(
            [sys.executable, "-c", program],
            env={"PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            timeout=20,
            check=True,
        ).stdout.strip()
        for seed in ("1", "2")
    }
    assert told == {str([bucket(f"user-{number}", "s") for number in range(500)])}


@pytest.mark.parametrize("salt", ["query_weather@2.0.0", "send_mail@1.1.0", "x"])
def test_ten_percent_of_ten_thousand_keys_are_nine_to_eleven(salt: str) -> None:
    chosen = sum(within(f"user-{number}", salt, 10) for number in range(10_000))
    assert 900 <= chosen <= 1_100


def test_all_buckets_are_used_evenly() -> None:
    counts = [0] * 20
    for number in range(20_000):
        counts[bucket(str(number), "even") * 20 // BUCKETS] += 1
    expected = 1_000
    distance = sum((count - expected) ** 2 / expected for count in counts)
    assert distance < 43.8, "chi-squared with 19 degrees of freedom goes above that once in a thousand"


@given(st.text(max_size=30), st.text(max_size=30))
def test_any_text_has_a_bucket_within_bounds(key: str, salt: str) -> None:
    assert 0 <= bucket(key, salt) < BUCKETS
    assert bucket(key, salt) == bucket(key, salt)


def test_lone_surrogates_have_a_bucket() -> None:
    assert bucket("\ud800", "s") != bucket("\ud801", "s")


@given(st.text(max_size=30), st.text(max_size=30), st.floats(0, 100), st.floats(0, 100))
def test_who_is_in_stays_in_when_the_share_grows(key: str, salt: str, one: float, two: float) -> None:
    low, high = sorted((one, two))
    assert within(key, salt, high) or not within(key, salt, low)
    assert within(key, salt, 100) and not within(key, salt, 0)


def test_salts_draw_independent_groups() -> None:
    first = {number for number in range(10_000) if within(str(number), "a@2.0.0", 10)}
    second = {number for number in range(10_000) if within(str(number), "a@3.0.0", 10)}
    assert 60 <= len(first & second) <= 140, "a hundred of ten thousand are in both by chance"


def test_key_and_salt_cannot_be_shifted_into_each_other() -> None:
    assert len({bucket("abc", ""), bucket("bc", "a"), bucket("c", "ab"), bucket("", "abc")}) == 4
