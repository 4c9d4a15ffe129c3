"""`token_counts.json` holds texts of ours and what `o200k_base` makes of each, counted once and recorded."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.bounds import bound

from prowess.choose.estimate import Counter, tokens

RECORDED = json.loads(Path(__file__).with_name("token_counts.json").read_text(encoding="utf-8"))
NEARLY_ALL_LATIN = {"en", "markdown", "code", "json", "xml", "fr", "numbers"}


@pytest.mark.parametrize("case", RECORDED, ids=lambda case: f"{case['kind']}-{case['tokens']}")
def test_the_estimate_is_near_what_a_vocabulary_counts(case: dict[str, Any]) -> None:
    near = 0.15 if case["kind"] in NEARLY_ALL_LATIN else 0.35
    assert tokens(case["text"]) == pytest.approx(case["tokens"], rel=near)


def test_over_all_recorded_texts_it_is_within_a_tenth() -> None:
    assert sum(tokens(each["text"]) for each in RECORDED) == pytest.approx(
        sum(each["tokens"] for each in RECORDED), rel=0.1
    )


def test_nothing_is_no_token_and_anything_is_one() -> None:
    assert tokens("") == 0
    assert tokens("a") == 1


@pytest.mark.parametrize(
    "piece", ["a", "!", "_", " ", "\n", "A", "9", "漢", "ก", "🎉", "é", "\u200b", "\ud800"]
)
def test_no_filling_is_for_free(piece: str) -> None:
    """A text that is all one character fits no vocabulary; a definition cannot hide its size with it."""
    assert tokens(piece * 10_000) >= 10_000 / 64


def test_a_large_text_takes_no_time() -> None:
    began = time.process_time()
    tokens("word " * 100_000 + "漢" * 100_000 + " " * 100_000)
    assert time.process_time() - began < bound(5)


def test_a_text_that_fits_no_budget_is_counted_by_its_beginning() -> None:
    piece = "unpaid invoices of a week, "
    counted = tokens(piece * 8_000)
    assert tokens(piece * 80_000) == pytest.approx(10 * counted, rel=0.01)
    assert tokens(" " * 10_000_000 + "x") > 100_000


@given(st.text(max_size=200), st.text(max_size=200))
def test_more_text_is_never_fewer_tokens(text: str, more: str) -> None:
    assert 0 <= tokens(text) <= tokens(text + " " + more) + 1


def test_the_estimate_is_a_counter_like_any_other() -> None:
    counter: Counter = tokens
    assert counter("two words") == 2
