"""The promise of `compatible`, put to the proof: what passes the old schema passes the new one."""

from __future__ import annotations

from itertools import product
from typing import Any

import jsonschema_rs
from hypothesis import given, settings
from hypothesis import strategies as st

from prowess.capability.effect import worst
from prowess.capability.schema_change import compare_schemas

SCALARS = st.none() | st.booleans() | st.integers(-3, 4) | st.sampled_from([0.5, 1.0, "", "a", "ab", "b"])
TYPES = st.sampled_from(["null", "boolean", "integer", "number", "string", "array", "object"])
NAMES = st.sampled_from("abc")
NUMBER, SIZE = st.integers(-2, 3), st.integers(0, 3)


def members(each: st.SearchStrategy[Any]) -> dict[str, st.SearchStrategy[Any]]:
    few = st.lists(each, min_size=1, max_size=3)
    return {
        "type": TYPES | st.lists(TYPES, min_size=1, max_size=3, unique=True),
        "enum": st.lists(SCALARS, min_size=1, max_size=4),
        "const": SCALARS,
        "minimum": NUMBER,
        "exclusiveMinimum": NUMBER,
        "maximum": NUMBER,
        "exclusiveMaximum": NUMBER,
        "multipleOf": st.integers(1, 4),
        "minLength": SIZE,
        "maxLength": SIZE,
        "pattern": st.sampled_from(["^a", "b$"]),
        "minItems": SIZE,
        "maxItems": SIZE,
        "uniqueItems": st.booleans(),
        "minProperties": SIZE,
        "maxProperties": SIZE,
        "required": st.lists(NAMES, max_size=2, unique=True),
        "dependentRequired": st.dictionaries(NAMES, st.lists(NAMES, max_size=2, unique=True), max_size=1),
        "properties": st.dictionaries(NAMES, each, max_size=3),
        "patternProperties": st.dictionaries(st.sampled_from(["^a", "^[bc]$"]), each, max_size=1),
        "additionalProperties": each,
        "items": each,
        "prefixItems": few,
        "anyOf": few,
        "oneOf": few,
        "allOf": few,
        "not": each,
        "if": each,
        "then": each,
        "contains": each,
        "propertyNames": each,
        "dependentSchemas": st.dictionaries(NAMES, each, max_size=1),
        "unevaluatedProperties": st.just(False),
        "title": st.sampled_from("xy"),
    }


@st.composite
def objects(draw: st.DrawFn, each: st.SearchStrategy[Any]) -> dict[str, Any]:
    """A schema of a few keywords, drawn evenly from all."""
    kinds = members(each)
    return {
        key: draw(kinds[key])
        for key in draw(st.lists(st.sampled_from(sorted(kinds)), max_size=3, unique=True))
    }


SMALL = st.booleans() | TYPES.map(lambda name: {"type": name})
PLAIN = st.recursive(SMALL, objects, max_leaves=6)
REFERS = st.sampled_from([{"$ref": "#/$defs/a"}, {"$ref": "#/$defs/b"}])
SCHEMAS = st.recursive(SMALL | REFERS, objects, max_leaves=6)

# Small values of every sort that the schemas speak of: enough to find most broken promises at once.
SENT: list[Any] = [None, True, False, -2, 0, 1, 2, 3, 0.5, 1.0, "", "a", "ab", "b", "aab", [], {}]
SENT += [list(items) for size in (1, 2) for items in product([None, 1, "a", {}, {"a": 1}], repeat=size)]
SENT += [[1, 1, 1], [{"a": "b"}, {"b": 1}]]
SENT += [
    {name: value for name, value in zip("abc", values, strict=True) if value is not ...}
    for values in product([..., None, 1, "a", {"b": 1}, {"a": "b"}, [1]], [..., 1, "a"], [..., 2, "b", {}])
]
SENT += [{"d": 1}, {"a": 1, "d": "b"}, {"a": {"a": {"a": 1}}}, {"b": {"a": 1}}, {"b": {"c": None, "a": "a"}}]


@st.composite
def turned(draw: st.DrawFn, schema: Any, depth: int = 3) -> Any:
    """A near relative of `schema`: something in it taken away, added or replaced."""
    what = draw(st.sampled_from(["other", "without", "with", *["inside"] * 3]))
    if what == "other" or not isinstance(schema, dict) or not schema or not depth:
        return draw(SCHEMAS)
    if what == "with":
        return {**schema, **draw(objects(SCHEMAS))}
    key = draw(st.sampled_from(sorted(schema)))
    if what == "without":
        return {each: schema[each] for each in schema if each != key}
    return {**schema, key: draw(_value(key, schema[key], depth))}


@st.composite
def _value(draw: st.DrawFn, key: str, value: Any, depth: int) -> Any:
    if key in ("anyOf", "allOf", "oneOf", "prefixItems"):
        at = draw(st.integers(0, len(value) - 1))
        return [*value[:at], draw(turned(value[at], depth - 1)), *value[at + 1 :]]
    if key in ("properties", "patternProperties", "dependentSchemas") and value:
        name = draw(st.sampled_from(sorted(value)))
        return {**value, name: draw(turned(value[name], depth - 1))}
    if key in ("items", "additionalProperties", "not", "if", "then", "contains", "propertyNames"):
        return draw(turned(value, depth - 1))
    return draw(members(SCHEMAS)[key]) if key != "$ref" else draw(REFERS)["$ref"]


@st.composite
def pairs(draw: st.DrawFn) -> tuple[Any, Any]:
    """Two documents, the second a near relative of the first, with definitions that may differ."""
    old = draw(objects(SCHEMAS))
    new = draw(turned(old))
    definitions = {"a": draw(PLAIN), "b": draw(PLAIN)}
    changed = {**definitions, "a": draw(PLAIN)} if draw(st.booleans()) else definitions
    return {**old, "$defs": definitions}, {**new, "$defs": changed} if isinstance(new, dict) else new


def walked(schema: Any, said: Any, *, root: bool = True) -> Any:
    """`schema` with `additionalProperties` written into each schema object that leaves them unsaid."""
    if isinstance(schema, list):
        return [walked(each, said, root=False) for each in schema]
    if not isinstance(schema, dict):
        return schema
    inner: dict[str, Any] = {}
    for key, value in schema.items():
        if key in ("properties", "patternProperties", "dependentSchemas", "$defs"):
            inner[key] = {name: walked(each, said, root=False) for name, each in value.items()}
        elif key in ("enum", "const", "required", "dependentRequired"):
            inner[key] = value
        else:
            inner[key] = walked(value, said, root=False)
    names_some = said or root or "properties" in schema
    return {"additionalProperties": said, **inner} if names_some else inner


def promised(old: Any, new: Any) -> bool:
    return worst(change.effect for change in compare_schemas(old, new)) == "compatible"


def refused(old: Any, new: Any, *known: Any) -> list[Any]:
    """What passes `old`, and `known` where given, and does not pass `new`."""
    before = [jsonschema_rs.validator_for(each) for each in (old, *known)]
    after = jsonschema_rs.validator_for(new)
    return [each for each in SENT if not after.is_valid(each) and all(one.is_valid(each) for one in before)]


@settings(max_examples=200)
@given(pairs())
def test_what_an_open_schema_let_through_passes_a_compatible_one(pair: tuple[Any, Any]) -> None:
    old, new = walked(pair[0], True), pair[1]
    assert not (promised(old, new) and refused(old, new)), compare_schemas(old, new)


@settings(max_examples=200)
@given(pairs())
def test_what_a_caller_sent_within_the_names_it_knew_passes_a_compatible_one(pair: tuple[Any, Any]) -> None:
    old, new = pair
    assert not (promised(old, new) and refused(old, new, walked(old, False))), compare_schemas(old, new)
