"""Arguments made from a tool's schema are ones that it accepts, or there are none."""

from __future__ import annotations

from typing import Any

import jsonschema_rs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from prowess.author.fixtures_examples import example_of


def of(**members: Any) -> dict[str, Any]:
    return {"type": "object", "properties": members, "required": list(members), "additionalProperties": False}


SCHEMAS = [
    {"type": "object"},
    of(a={"type": "string"}, b={"type": "integer"}, c={"type": "boolean"}, d={"type": "null"}),
    of(a={"type": "string", "minLength": 12, "maxLength": 14}),
    of(a={"type": "integer", "exclusiveMinimum": 7, "multipleOf": 5}),
    of(a={"type": "number", "maximum": -0.5}),
    of(a={"type": "integer", "maximum": -3, "multipleOf": 2}),
    of(a={"type": "number", "minimum": 0.5, "maximum": 0.75}),
    of(a={"type": "string", "format": "date"}, b={"type": "string", "format": "email"}),
    of(a={"type": "string", "pattern": "^[0-9]{4}-W[0-9]{2}$"}),
    of(a={"enum": ["x", "y"]}, c={"type": ["null", "string"]}),
    of(a={"type": "array", "minItems": 2, "items": {"type": "integer"}}),
    of(a={"type": "array", "prefixItems": [{"const": 1}], "minItems": 2, "items": {"type": "string"}}),
    of(a={"type": "object", "required": ["b"], "properties": {"b": {"type": "string"}}}),
    of(a={"anyOf": [{"type": "integer"}, {"type": "string"}]}),
    of(a={"allOf": [{"type": "object", "required": ["x"]}, {"properties": {"x": {"type": "integer"}}}]}),
    {**of(a={"$ref": "#/$defs/one"}), "$defs": {"one": {"type": "integer", "minimum": 3}}},
    {"type": "object", "required": ["free"]},
]


@pytest.mark.parametrize("schema", SCHEMAS, ids=range(len(SCHEMAS)))
def test_the_least_that_is_valid_is_made(schema: dict[str, Any]) -> None:
    example = example_of(schema)
    assert example is not None
    assert jsonschema_rs.is_valid(schema, example.arguments)
    assert example.origin == "made"


def test_what_the_author_shows_comes_first() -> None:
    schema = of(city={"type": "string", "examples": ["Oslo"]}) | {"examples": [{"city": "Bergen"}]}
    unit = example_of(schema, ({"city": "Lima"},))
    assert unit is not None
    assert (unit.origin, unit.arguments) == ("unit", {"city": "Lima"})
    whole = example_of(schema)
    assert whole is not None
    assert (whole.origin, whole.arguments) == ("schema", {"city": "Bergen"})
    member = example_of(of(city={"type": "string", "examples": ["Oslo"]}))
    assert member is not None
    assert (member.origin, member.arguments) == ("schema", {"city": "Oslo"})


def test_a_value_that_is_the_only_one_is_taken() -> None:
    example = example_of(of(a={"const": 4}, b={"type": "string", "default": "x"}))
    assert example is not None
    assert example.arguments == {"a": 4, "b": "x"}


def test_an_example_that_does_not_fit_is_passed_over() -> None:
    example = example_of(of(city={"type": "string", "examples": [5]}), ({"town": "x"},))
    assert example is None or jsonschema_rs.is_valid(of(city={"type": "string"}), example.arguments)


@pytest.mark.parametrize(
    "schema",
    [
        {"type": "array"},
        {"type": "nonsense"},
        {"$ref": "https://example.com/schema"},
        of(a={"type": "string", "pattern": "^[QX]{17}$"}),
        of(a={"type": "integer", "minimum": 3, "maximum": 1}),
        {"type": "object", "required": ["a"], "properties": {"a": False}},
    ],
)
def test_where_nothing_fits_there_is_no_example(schema: dict[str, Any]) -> None:
    assert example_of(schema) is None


def test_a_schema_that_leads_to_itself_comes_to_an_end() -> None:
    schema = {**of(a={"$ref": "#"}), "required": ["a"]}
    assert example_of(schema) is None


LEAVES: st.SearchStrategy[Any] = st.sampled_from(
    [
        *({"type": kind} for kind in ("string", "integer", "number", "boolean", "null", "array", "object")),
        *({"minimum": 2}, {"maxLength": 1, "type": "string"}, {"pattern": "^a"}, {"format": "uuid"}),
        *({"$ref": "#/$defs/x"}, {"$ref": "#"}, {"enum": []}, {"examples": [1]}, True, False, {"items": []}),
    ]
)
NESTED = st.recursive(
    LEAVES,
    lambda inner: st.fixed_dictionaries(
        {},
        optional={
            "properties": st.dictionaries(st.sampled_from("ab"), inner, max_size=2),
            "required": st.lists(st.sampled_from("ab"), max_size=2),
            "allOf": st.lists(inner, max_size=2),
            "anyOf": st.lists(inner, max_size=2),
            "items": inner,
            "minItems": st.integers(min_value=0, max_value=3),
        },
    ),
    max_leaves=6,
)


@given(NESTED)
def test_whatever_the_schema_an_example_is_accepted_by_it(schema: Any) -> None:
    whole = schema if isinstance(schema, dict) else {"not": {}}
    example = example_of(whole)
    assert example is None or jsonschema_rs.is_valid(whole, example.arguments)
