"""Faults of a value listed within a bound of time and memory, whatever the value and the schema."""

from __future__ import annotations

import time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.bounds import bound

from prowess.call.coercion import coerced
from prowess.call.listing import MAX_STEPS, faults, listable
from prowess.call.schemas import Compiled, Schemas
from prowess.call.validation import MAX_PROBLEMS, problems

BOUND = 5.0  # seconds, on a slow machine that does other things; unbounded, these take minutes or all memory


def of(schema: Any) -> dict[str, Any]:
    return {"type": "object", "properties": {"a": schema}}


def compiled(schema: Any) -> Compiled:
    made = Schemas().compiled(schema)
    assert isinstance(made, Compiled)
    return made


MANY: dict[str, Any] = {f"name{number}": {} for number in range(300)}
CHOICES = {"enum": [f"choice {number}" * 5 for number in range(5_000)]}
BRANCHES = {"anyOf": [of({"const": number}) for number in range(200)]}


@pytest.mark.parametrize(
    ("schema", "value"),
    [
        (of({"type": "array", "items": {"type": "integer"}}), {"a": ["x"] * 200_000}),
        (
            {"type": "object", "properties": MANY, "additionalProperties": False},
            {f"nam{n}x": 1 for n in range(60_000)},
        ),
        (of({"type": "array", "items": CHOICES}), {"a": ["choice 4"] * 50_000}),
        (of({"type": "array", "items": BRANCHES}), {"a": [{"a": -1}] * 20_000}),
        (
            {"type": "object", "required": [f"r{n}" for n in range(3_000)]},
            {f"x{n}": 1 for n in range(3_000)},
        ),
        (
            {"type": "object", "properties": {"a" * 5_000: {}}, "additionalProperties": False},
            {"a" * 400_000: 1},
        ),
        (of({"items": {"$ref": "#"}, "$ref": "#", "const": None}), {"a": [[[]]]}),
    ],
    ids=["items", "names", "choices", "alternatives", "missing", "a long name", "itself"],
)
def test_what_is_wrong_with_a_large_value_is_told_in_bounded_time(schema: Any, value: Any) -> None:
    ready = compiled(schema)
    began = time.monotonic()
    told = problems(schema, value)
    coerced(ready, value)
    assert time.monotonic() - began < bound(BOUND)
    assert 0 < len(told) <= MAX_PROBLEMS
    assert sum(len(each.hint) for each in told) < 100_000


def test_only_the_beginning_of_a_large_value_is_looked_at_and_that_is_said() -> None:
    schema = {
        "type": "object",
        "required": ["B"],
        "properties": {"a": {"type": "array", "minItems": 99_999, "items": {"type": "integer"}}},
    }
    told = problems(schema, {"a": ["x"] * 99_999})
    assert ("/a/0", "type") in [(each.path, each.rule) for each in told]
    assert ("/B", "required") in [(each.path, each.rule) for each in told]
    assert told[-1].rule == "more"
    assert "minItems" not in [each.rule for each in told], "there are enough; only the beginning has fewer"


PARTS = st.recursive(
    st.sampled_from([1, "x", None]),
    lambda inner: st.lists(inner, max_size=6) | st.dictionaries(st.sampled_from("abcd"), inner, max_size=4),
    max_leaves=30,
)
SCHEMAS = st.recursive(
    st.sampled_from([{"type": "integer"}, {"enum": ["x"]}, {"minItems": 2}, {"required": ["a", "d"]}, {}]),
    lambda inner: st.fixed_dictionaries(
        {},
        optional={
            "items": inner,
            "properties": st.dictionaries(st.sampled_from("abc"), inner, max_size=3),
            "additionalProperties": st.just(False) | inner,
            "maxItems": st.integers(0, 4),
            "minProperties": st.integers(0, 3),
            "contains": inner,
            "required": st.just(["b"]),
        },
    ),
    max_leaves=8,
)


@given(schema=SCHEMAS, value=PARTS)
def test_a_fault_of_the_beginning_is_one_of_the_whole(schema: Any, value: Any) -> None:
    ready = compiled(schema)
    every = {(tuple(each.instance_path), each.kind.name) for each in ready.validator.iter_errors(value)}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("prowess.call.listing.listable", lambda schema, part: part is not value)
        found, _, whole = faults(ready, value)
    assert whole is False
    assert {(tuple(each.instance_path), each.kind.name) for each in found} <= every


@given(schema=SCHEMAS, value=PARTS)
def test_there_are_never_more_faults_than_were_counted(schema: Any, value: Any) -> None:
    ready = compiled(schema)
    number = sum(1 for _ in ready.validator.iter_errors(value))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("prowess.call.listing.MAX_STEPS", number - 1)
        assert not (number and listable(schema, value))
    assert number < MAX_STEPS
