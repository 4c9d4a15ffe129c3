from __future__ import annotations

import json
import sys
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prowess.capability.canonical import MAX_DEPTH, canonical, digest, plain

SCALARS = st.none() | st.booleans() | st.integers() | st.floats() | st.text(st.characters())
JSON = st.recursive(
    SCALARS,
    lambda each: st.lists(each, max_size=4) | st.dictionaries(st.text(st.characters()), each, max_size=4),
    max_leaves=12,
)


def shuffled(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: shuffled(value[key]) for key in reversed(list(value))}
    return [shuffled(item) for item in value] if isinstance(value, list) else value


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, "null"),
        (True, "true"),
        (1, "1"),
        (1.0, "1"),
        (-0.0, "0"),
        (2**60, str(2**60)),
        (0.1, "0.1"),
        (-1.5e-5, "-0.000015"),
        (1e-6, "0.000001"),
        (1e-7, "1e-7"),
        (1.25e-9, "1.25e-9"),
        (1e20, "100000000000000000000"),
        (1e21, "1e+21"),
        (123456789.125, "123456789.125"),
        ("é\ud800", '"é\\ud800"'),
        ({"b": [1, {}], "a": ""}, '{"a":"","b":[1,{}]}'),
        ({"\U00010000": 1, "\uffff": 2}, '{"\U00010000":1,"\uffff":2}'),
    ],
)
def test_every_value_has_one_text(value: Any, text: str) -> None:
    assert canonical(value) == text


@given(JSON)
def test_key_order_changes_neither_text_nor_digest(value: Any) -> None:
    value = plain(value)
    assert canonical(value) == canonical(shuffled(value))
    assert digest(value) == digest(shuffled(value))


@given(JSON)
def test_whatever_was_sent_can_be_written_and_read_back(value: Any) -> None:
    kept = plain(value)
    text = canonical(kept)
    text.encode()
    assert canonical(json.loads(text)) == text
    assert plain(kept) == kept


def test_numbers_that_no_file_can_hold_become_the_largest_or_null() -> None:
    most = sys.float_info.max
    sent = [float("inf"), float("-inf"), float("nan"), 10**5000, -(10**5000)]
    assert plain(sent) == [most, -most, None, most, -most]


def test_what_nests_without_end_is_cut() -> None:
    deep: list[Any] = []
    for _ in range(5 * MAX_DEPTH):
        deep = [deep]
    assert canonical(plain(deep)) == "[" * MAX_DEPTH + "null" + "]" * MAX_DEPTH


def test_halves_of_a_surrogate_pair_are_joined() -> None:
    assert plain("\ud83d\ude00 \ud83d") == "\U0001f600 \ud83d"


def test_keys_and_values_that_are_no_json_become_text() -> None:
    assert plain({1: (2, b"x")}) == {"1": [2, "b'x'"]}


def test_redaction_sees_every_string() -> None:
    assert plain({"k-pw": ["pw", 1]}, lambda text: text.replace("pw", "***")) == {"k-***": ["***", 1]}


def test_a_digest_names_its_algorithm() -> None:
    assert digest({}) == "sha256:44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a"
