"""A table of what changes between two schemas mean, and the promise of `compatible` put to the proof."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.capability.schema_table import TABLE, I, N, S, obj

from prowess.capability.canonical import canonical, plain
from prowess.capability.effect import contrast, worst
from prowess.capability.schema_change import compare_schemas


@pytest.mark.parametrize(
    ("old", "new", "effect", "among"), [row[1:] for row in TABLE], ids=[row[0] for row in TABLE]
)
def test_a_change_is_found_and_its_effect_told(
    old: Any, new: Any, effect: str, among: tuple[str, str]
) -> None:
    changes = compare_schemas(old, new)
    assert worst(change.effect for change in changes) == effect, changes
    assert among in [(change.pointer, change.keyword) for change in changes]


DRAFT_7 = {"$schema": "http://json-schema.org/draft-07/schema#"}


def test_an_older_dialect_passes_over_what_it_does_not_know() -> None:
    old = {**DRAFT_7, "$ref": "#/definitions/T", "minLength": 1, "definitions": {"T": S}}
    assert worst(c.effect for c in compare_schemas(old, {**old, "minLength": 5})) == "compatible"
    assert worst(c.effect for c in compare_schemas({**DRAFT_7, **S}, {**DRAFT_7, **I})) == "breaking"
    items = {**DRAFT_7, "prefixItems": [S]}
    assert worst(c.effect for c in compare_schemas(items, {**DRAFT_7, "prefixItems": [I]})) == "compatible"


def test_an_older_dialect_puts_nothing_beside_a_reference() -> None:
    old = {
        **DRAFT_7,
        "definitions": {"T": S},
        **obj(a={"minLength": 1, "anyOf": [{"$ref": "#/definitions/T"}]}),
    }
    new = {
        **DRAFT_7,
        "definitions": {"T": I},
        **obj(a={"minLength": 1, "anyOf": [{"$ref": "#/definitions/T"}]}),
    }
    assert worst(c.effect for c in compare_schemas(old, new)) == "breaking"


@pytest.mark.parametrize(
    ("old", "new", "effect"),
    [
        (obj("a", a=S), obj(a=S), "breaking"),
        (obj(a=S), obj("a", a=S), "compatible"),
        (obj(a=S), obj(a=S, b=I), "compatible"),
        (obj(a=S, more=False), obj(a=S, b=I, more=False), "breaking"),
        (obj(a={"enum": [1]}), obj(a={"enum": [1, 2]}), "breaking"),
        (obj(a=S), obj(a={"anyOf": [S, N]}), "breaking"),
        (obj(a=False), obj(a=S), "breaking"),
    ],
)
def test_for_an_answer_the_question_is_turned_round(old: Any, new: Any, effect: str) -> None:
    assert worst(change.effect for change in compare_schemas(old, new, output=True)) == effect


def test_messages_speak_of_old_and_new_in_both_directions() -> None:
    for output in (False, True):
        added = compare_schemas(obj(a=S), obj(a=S, b=I), output=output)
        assert [change.message for change in added] == ['property "b" added']
        required = compare_schemas(obj(a=S), obj("a", a=S), output=output)
        assert [change.message for change in required] == ['"a" is now required']
        wider = compare_schemas(S, {"anyOf": [S, N]}, output=output)
        assert [change.message for change in wider] == ['alternative {"type":"null"} added']


def test_a_large_comparison_ends_and_says_so() -> None:
    def wide(leaf: dict[str, Any]) -> Any:
        schema: Any = leaf
        for _ in range(40):
            schema = {"anyOf": [schema, {"items": schema}]}
        return {"$defs": {"T": leaf}, "anyOf": [{"$ref": "#/$defs/T", "minLength": n} for n in range(60)]}

    changes = compare_schemas(wide(S), {**wide(I), "title": "x"})
    assert worst(change.effect for change in changes) in ("unknown", "breaking")

    doubled = {
        f"A{n}": obj(a={"$ref": f"#/$defs/A{n + 1}"}, b={"$ref": f"#/$defs/A{n + 1}"}) for n in range(30)
    }
    old, new = ({"$ref": "#/$defs/A0", "$defs": {**doubled, "A30": leaf}} for leaf in (I, {"type": "number"}))
    assert compare_schemas(old, new)[-1].message == "too large to compare whole"
    described = {**old, "$defs": {**doubled, "A30": {**I, "title": "x"}}}
    assert worst(change.effect for change in compare_schemas(old, described)) == "compatible"


def test_a_deep_comparison_ends_and_says_so() -> None:
    def deep(leaf: Any) -> Any:
        for _ in range(60):
            leaf = {"items": leaf}
        return leaf

    assert [change.message for change in compare_schemas(deep(S), deep(I))] == ["nested too deep to compare"]
    assert [change.effect for change in compare_schemas(deep(S), deep({**S, "title": "x"}))] == ["compatible"]


@pytest.mark.parametrize(
    ("old", "new", "shown"),
    [
        (["a", "b"], ["b", "c"], '"a" removed; "c" added'),
        (["a"], ["a", "b"], '"b" added'),
        (["a", "b"], ["b"], '"a" removed'),
        (["a", "b"], ["b", "a"], '["a","b"] -> ["b","a"]'),
        ("x", "y", '"x" -> "y"'),
        ("a" * 90 + "x", "a" * 90 + "y", "..." + "a" * 20 + 'x" -> ...' + "a" * 20 + 'y"'),
    ],
)
def test_two_values_are_shown_where_they_part(old: Any, new: Any, shown: str) -> None:
    assert contrast(old, new) == shown


VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-3, 3)
    | st.sampled_from([0.5, 2.0])
    | st.sampled_from(["a", "b", "#"]),
    lambda each: st.lists(each, max_size=3) | st.dictionaries(st.sampled_from("ab"), each, max_size=2),
    max_leaves=4,
)
KEYWORDS = [
    *("type", "enum", "const", "minimum", "exclusiveMaximum", "multipleOf", "minLength", "pattern", "format"),
    *("properties", "patternProperties", "additionalProperties", "required", "items", "prefixItems", "anyOf"),
    *(
        "oneOf",
        "allOf",
        "not",
        "if",
        "then",
        "contains",
        "dependentRequired",
        "$ref",
        "$defs",
        "$id",
        "$schema",
    ),
    *("title", "unevaluatedProperties", "other", "uniqueItems"),
]
JUNK = st.recursive(
    VALUES,
    lambda each: st.lists(each, max_size=3) | st.dictionaries(st.sampled_from(KEYWORDS), each, max_size=4),
    max_leaves=16,
)


@given(JUNK, JUNK, st.booleans())
def test_no_pair_of_values_stops_the_comparison(old: Any, new: Any, output: bool) -> None:
    changes = compare_schemas(old, new, output=output)
    assert (changes == ()) == (canonical(plain(old)) == canonical(plain(new)))
    assert changes == compare_schemas(old, new, output=output)
    assert all(change.message.isprintable() for change in changes)
    assert compare_schemas(old, old) == ()
