"""A table of what changes between two schemas mean, and the promise of `compatible` put to the proof."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prowess.capability.canonical import canonical, plain
from prowess.capability.effect import contrast, worst
from prowess.capability.schema_change import compare_schemas

S: dict[str, Any] = {"type": "string"}
I: dict[str, Any] = {"type": "integer"}  # noqa: E741
N: dict[str, Any] = {"type": "null"}


def obj(*required: str, more: Any = ..., **properties: Any) -> dict[str, Any]:
    schema = {"type": "object", "properties": properties, "required": list(required)}
    return schema if more is ... else {**schema, "additionalProperties": more}


def refers(target: Any, **more: Any) -> dict[str, Any]:
    return {"$ref": "#/$defs/T", "$defs": {"T": target}, **more}


def tree(value: Any) -> dict[str, Any]:
    return refers({"type": "object", "properties": {"v": value, "next": {"$ref": "#/$defs/T"}}})


def kinds(*tags: str, **properties: Any) -> dict[str, Any]:
    return {"oneOf": [obj("kind", kind={"const": tag}, **properties) for tag in tags]}


B, C, U = "breaking", "compatible", "unknown"

# old, new, the worst effect, and a place and keyword that are among what is said
TABLE: list[tuple[str, Any, Any, str, tuple[str, str]]] = [
    ("optional property added", obj(a=S), obj(a=S, b=I), C, ("/properties/b", "")),
    ("required property added", obj(a=S), obj("b", a=S, b=I), B, ("", "required")),
    ("property becomes required", obj(a=S), obj("a", a=S), B, ("", "required")),
    ("property becomes optional", obj("a", a=S), obj(a=S), C, ("", "required")),
    ("property removed, open", obj(a=S, b=I), obj(a=S), C, ("/properties/b", "")),
    ("property removed, closed", obj(a=S, b=I, more=False), obj(a=S, more=False), B, ("/properties/b", "")),
    ("property added, closed", obj(a=S, more=False), obj(a=S, b=I, more=False), C, ("/properties/b", "")),
    ("property added, explicitly open", obj(more=True), obj(b=I, more=True), B, ("/properties/b", "")),
    ("property removed, rest of its type", obj(b=I, more=I), obj(more=I), C, ("/properties/b", "")),
    ("property removed, rest of another", obj(b=I, more=S), obj(more=S), B, ("/properties/b", "")),
    ("forbidden property forgotten", obj(b=False, more=False), obj(more=False), C, ("/properties/b", "")),
    ("closed", obj(a=S), obj(a=S, more=False), U, ("", "additionalProperties")),
    ("opened", obj(a=S, more=False), obj(a=S), C, ("/additionalProperties", "")),
    ("said to be open", obj(a=S), obj(a=S, more=True), C, ("", "additionalProperties")),
    ("no arguments, then one", {"type": "object"}, obj(a=S), C, ("/properties/a", "")),
    (
        "map, then a property",
        obj(m={"type": "object"}),
        obj(m=obj(a=S)),
        B,
        ("/properties/m/properties/a", ""),
    ),
    (
        "no objects, then a property",
        {"type": "string"},
        {"type": "string", **obj(a=S), **S},
        C,
        ("", "properties"),
    ),
    ("type narrowed", obj(a={"type": ["string", "null"]}), obj(a=S), B, ("/properties/a", "type")),
    ("type widened", obj(a=I), obj(a={"type": "number"}), C, ("/properties/a", "type")),
    ("type changed", obj(a=I), obj(a=S), B, ("/properties/a", "type")),
    (
        "type added over an enum of it",
        {"enum": ["a", 1]},
        {"enum": ["a", 1], "type": ["string", "integer"]},
        C,
        ("", "type"),
    ),
    (
        "type added over an enum of every kind",
        {"enum": [None, True, 0.5, {}, []]},
        {"enum": [None, True, 0.5, {}, []], "type": ["null", "boolean", "number", "object"]},
        B,
        ("", "type"),
    ),
    ("enum removed", {"enum": ["a"]}, {}, C, ("", "enum")),
    (
        "const within an enum and a type",
        {"type": "string", "const": "a"},
        {"type": "string", "enum": ["a"]},
        C,
        ("", "const"),
    ),
    ("type unknown", S, {"type": "text"}, U, ("", "type")),
    ("fraction is no type", S, {"type": "fraction"}, U, ("", "type")),
    ("enum value removed", {"enum": ["a", "b"]}, {"enum": ["a"]}, B, ("", "enum")),
    ("enum value added", {"enum": ["a"]}, {"enum": ["a", "b"]}, C, ("", "enum")),
    ("enum reordered", {"enum": ["a", "b"]}, {"enum": ["b", "a"]}, C, ("", "enum")),
    ("enum added", S, {"type": "string", "enum": ["a"]}, B, ("", "enum")),
    (
        "enum of all booleans",
        {"type": "boolean"},
        {"type": "boolean", "enum": [True, False]},
        C,
        ("", "enum"),
    ),
    ("enum of one boolean", {"type": "boolean"}, {"type": "boolean", "enum": [True]}, B, ("", "enum")),
    ("enum of null", N, {"enum": [None]}, C, ("", "enum")),
    ("const within enum", {"const": 1}, {"enum": [1.0, 2]}, C, ("", "enum")),
    ("enum and const", {"enum": [1, 2], "const": 1}, {"const": 1}, C, ("", "enum")),
    ("enum malformed", {"enum": ["a"]}, {"enum": "a"}, U, ("", "enum")),
    ("minimum raised", {"minimum": 1}, {"minimum": 2}, B, ("", "minimum")),
    ("minimum lowered", {"minimum": 2}, {"minimum": 1.5}, C, ("", "minimum")),
    ("minimum removed", {"minimum": 2}, {}, C, ("", "minimum")),
    ("minimum of what is no number", S, {"type": "string", "minimum": 2}, C, ("", "minimum")),
    ("minimum excluded", {"minimum": 1}, {"exclusiveMinimum": 1}, B, ("", "exclusiveMinimum")),
    ("maximum lowered", {"maximum": 2}, {"maximum": 1}, B, ("", "maximum")),
    ("maximum included", {"exclusiveMaximum": 2}, {"maximum": 2}, C, ("", "maximum")),
    (
        "bound malformed",
        {"minimum": 1, "exclusiveMinimum": True},
        {"minimum": 1},
        U,
        ("", "exclusiveMinimum"),
    ),
    ("multiple of a multiple", {"multipleOf": 4}, {"multipleOf": 2}, C, ("", "multipleOf")),
    ("multiple of another", {"multipleOf": 2}, {"multipleOf": 4}, B, ("", "multipleOf")),
    ("multiple added", I, {"type": "integer", "multipleOf": 4}, B, ("", "multipleOf")),
    ("multiple removed", {"multipleOf": 2}, {}, C, ("", "multipleOf")),
    ("multiple of a fraction", {"multipleOf": 0.2}, {"multipleOf": 0.1}, U, ("", "multipleOf")),
    ("longer at least", {"minLength": 1}, {"minLength": 2}, B, ("", "minLength")),
    ("not shorter than zero", {}, {"minLength": 0}, C, ("", "minLength")),
    ("shorter at most", {"maxLength": 2}, {"maxLength": 1}, B, ("", "maxLength")),
    ("length no longer bounded", {"maxLength": 2}, {}, C, ("", "maxLength")),
    ("pattern added", S, {"type": "string", "pattern": "^a"}, B, ("", "pattern")),
    ("pattern changed", {"pattern": "^b"}, {"pattern": "^a"}, U, ("", "pattern")),
    ("pattern removed", {"pattern": "^b"}, {}, C, ("", "pattern")),
    ("format added", S, {"type": "string", "format": "date"}, U, ("", "format")),
    ("format removed", {"format": "date"}, {}, C, ("", "format")),
    ("items unique", {}, {"uniqueItems": True}, B, ("", "uniqueItems")),
    ("items not unique", {"uniqueItems": True}, {"uniqueItems": False}, C, ("", "uniqueItems")),
    ("items uniquely malformed", {}, {"uniqueItems": 1}, U, ("", "uniqueItems")),
    ("dependent requirement added", {}, {"dependentRequired": {"a": ["b"]}}, B, ("", "dependentRequired")),
    (
        "dependent requirement eased",
        {"dependentRequired": {"a": ["b", "c"]}},
        {"dependentRequired": {"a": ["b"]}},
        C,
        ("", "dependentRequired"),
    ),
    ("dependent requirement malformed", {}, {"dependentRequired": []}, U, ("", "dependentRequired")),
    ("required malformed", {"required": []}, {"required": "a"}, U, ("", "required")),
    ("properties malformed", {}, {"properties": []}, U, ("", "properties")),
    ("property is no schema", obj(a=S), obj(a=3), U, ("/properties/a", "")),
    ("property is no schema and stays none", obj(a=3), obj(a=3, b=S), C, ("/properties/b", "")),
    (
        "alternatives beside a type that is asked for",
        S,
        {"type": "string", "anyOf": [{"minLength": 0}, N]},
        C,
        ("/anyOf/1", "anyOf"),
    ),
    ("property forbidden", obj(a=S), obj(a=False), B, ("/properties/a", "")),
    ("property allowed", obj(a=False), obj(a=True), C, ("/properties/a", "")),
    ("property is anything", obj(a=True), obj(a={}), C, ("", "")),
    ("items narrowed", {"items": {"type": "number"}}, {"items": I}, B, ("/items", "type")),
    ("items given", {"type": "array"}, {"type": "array", "items": S}, B, ("/items", "type")),
    ("first item given", {"items": S}, {"prefixItems": [S], "items": S}, C, ("", "")),
    ("first item narrowed", {"prefixItems": [{}, S]}, {"prefixItems": [I]}, B, ("/prefixItems/0", "type")),
    ("items in the old form", {"items": [S]}, {"items": S}, U, ("", "items")),
    (
        "pattern properties narrowed",
        {"patternProperties": {"^x": {}}},
        {"patternProperties": {"^x": S}},
        B,
        ("/patternProperties/^x", "type"),
    ),
    (
        "pattern properties added",
        {},
        {"patternProperties": {"^x": S}},
        U,
        ("/patternProperties/^x", "patternProperties"),
    ),
    (
        "pattern properties removed",
        {"patternProperties": {"^x": S}},
        {},
        C,
        ("/patternProperties/^x", "patternProperties"),
    ),
    (
        "property beside patterns",
        {"type": "object", "patternProperties": {"^x": S}},
        {"patternProperties": {"^x": S}, **obj(a=S)},
        U,
        ("/properties/a", ""),
    ),
    (
        "property left to patterns",
        {"patternProperties": {"^x": S}, **obj(a=S)},
        {"patternProperties": {"^x": S}},
        U,
        ("/properties/a", ""),
    ),
    (
        "null allowed",
        obj(a=S),
        obj(a={"anyOf": [S, N], "default": None}),
        C,
        ("/properties/a/anyOf/1", "anyOf"),
    ),
    ("null no longer allowed", obj(a={"anyOf": [S, N]}), obj(a=S), B, ("/properties/a/anyOf/1", "anyOf")),
    ("alternatives put into one", {"anyOf": [S, N]}, {"type": ["null", "string"]}, C, ("", "anyOf")),
    ("alternatives no longer asked for", {"anyOf": [S, N]}, {}, C, ("", "anyOf")),
    ("types put into alternatives", {"type": ["null", "string"]}, {"anyOf": [S, N]}, C, ("", "")),
    ("alternatives reordered", {"anyOf": [S, N]}, {"anyOf": [N, S]}, C, ("", "")),
    ("alternative narrowed", {"anyOf": [{}, N]}, {"anyOf": [I, N]}, B, ("/anyOf/0", "type")),
    ("alternative widened", {"anyOf": [I, N]}, {"anyOf": [{"type": "number"}, N]}, C, ("/anyOf/0", "type")),
    ("alternative removed", {"anyOf": [S, N, I]}, {"anyOf": [S, N]}, B, ("/anyOf/2", "anyOf")),
    (
        "alternative doubtful",
        {"anyOf": [S, N, {"pattern": "a", **S}]},
        {"anyOf": [{"pattern": "b", **S}, N]},
        B,
        ("/anyOf/0", "anyOf"),
    ),
    ("alternative that is all", {"anyOf": [True, False], **S}, {"anyOf": [S]}, C, ("", "type")),
    ("alternatives described", {"anyOf": [S]}, {"anyOf": [{**S, "title": "x"}]}, C, ("", "anyOf")),
    ("alternatives malformed", {"anyOf": [S]}, {"anyOf": []}, U, ("", "anyOf")),
    (
        "alternatives beside what all share",
        {"type": "object", "anyOf": [{"required": ["a"]}, {"required": ["b"]}]},
        {"type": ["object", "null"], "anyOf": [{"required": ["a"]}, {"required": ["b"]}]},
        C,
        ("", "type"),
    ),
    (
        "alternatives and their object described apart",
        {**obj(a=S, b=S), "anyOf": [{"properties": {"a": {}}, "required": ["a"]}, {"required": ["b"]}]},
        {**obj(a=S, b=S), "anyOf": [{"required": ["a"]}, {"required": ["b"]}, {"required": ["c"]}]},
        C,
        ("/anyOf/2", "anyOf"),
    ),
    (
        "alternative that is no schema",
        {"anyOf": [S, 5]},
        S,
        U,
        ("/anyOf/1", "anyOf"),
    ),
    (
        "condition added",
        {"allOf": [S, {"minLength": 1}]},
        {"allOf": [S, {"minLength": 1}, {"maxLength": 3}]},
        B,
        ("/allOf", "allOf"),
    ),
    ("condition removed", {"allOf": [S, {"minLength": 1}]}, {"allOf": [S]}, C, ("/allOf/1", "allOf")),
    (
        "one of three conditions removed",
        {"allOf": [S, {"minLength": 1}, {"maxLength": 3}]},
        {"allOf": [S, {"minLength": 1}]},
        C,
        ("/allOf/2", "allOf"),
    ),
    (
        "condition narrowed",
        {"allOf": [S, {"minLength": 1}]},
        {"allOf": [S, {"minLength": 2}]},
        B,
        ("/allOf/1", "minLength"),
    ),
    (
        "condition follows from another",
        {"allOf": [{"minLength": 3}, S]},
        {"allOf": [S, {"minLength": 2}]},
        C,
        ("/allOf/0", "minLength"),
    ),
    ("single condition written out", {"allOf": [S]}, S, C, ("", "")),
    (
        "single condition beside others",
        {"allOf": [obj(a=S)], **obj(b=S)},
        {**obj(b=S), "allOf": [obj(a=I)]},
        B,
        ("/allOf/0/properties/a", "type"),
    ),
    (
        "property named elsewhere",
        {"allOf": [obj(a=S), obj(b=S)]},
        {"allOf": [obj(a=S, b=I), obj(b=S)]},
        B,
        ("/allOf/0/properties/b", ""),
    ),
    (
        "the same conditions beside a change",
        {"allOf": [S, N], "minLength": 1},
        {"allOf": [S, N]},
        C,
        ("", "minLength"),
    ),
    ("exactly one, tagged, widened", kinds("a", "b"), kinds("a", "b", x=S), C, ("/oneOf/0/properties/x", "")),
    ("exactly one, tag removed", kinds("a", "b", "c"), kinds("a", "b"), B, ("/oneOf/2", "oneOf")),
    ("exactly one, told apart by type", {"oneOf": [S]}, {"oneOf": [S, N]}, C, ("/oneOf/1", "oneOf")),
    ("exactly one, not told apart", {"oneOf": [obj(a=S)]}, {"oneOf": [obj(a=S), obj(b=S)]}, U, ("", "oneOf")),
    ("exactly one, of unknown type", {"oneOf": [S]}, {"oneOf": [S, {"type": "x"}]}, U, ("", "oneOf")),
    ("exactly one, by reference", {"oneOf": [S]}, {"oneOf": [S, {"$ref": "#/$defs/no"}]}, U, ("", "oneOf")),
    ("exactly one, anything", {"oneOf": [S]}, {"oneOf": [S, True]}, U, ("", "oneOf")),
    (
        "exactly one beside any",
        {"oneOf": [S, N], "anyOf": [S, N]},
        {"oneOf": [S, N, I], "anyOf": [S, N, I]},
        C,
        ("/anyOf/2", "anyOf"),
    ),
    ("exactly one became any", {"oneOf": [S, N]}, {"anyOf": [S, N]}, C, ("", "")),
    ("negation removed", {"not": S}, {}, C, ("", "not")),
    ("negation added", {}, {"not": S}, U, ("", "not")),
    ("negation described", {"not": S}, {"not": {**S, "title": "x"}}, C, ("", "not")),
    (
        "negation of what a reference means",
        {"not": {"$ref": "#/$defs/T"}, "$defs": {"T": S}},
        {"not": {"$ref": "#/$defs/T"}, "$defs": {"T": I}},
        U,
        ("", "not"),
    ),
    ("condition changed", {"if": S, "then": {}}, {"if": S, "then": {"minLength": 1}}, U, ("", "then")),
    (
        "property beside a condition",
        {"if": {}, **obj(a=S)},
        {"if": {}, **obj(a=S, b=I)},
        B,
        ("/properties/b", ""),
    ),
    ("reference target narrowed", refers({}), refers(S), B, ("", "type")),
    ("reference written out", refers(S), S, C, ("", "")),
    ("reference beside a bound", refers(S, minLength=2), refers(S, minLength=1), C, ("", "minLength")),
    ("reference beside a condition", refers(S, allOf=[N]), refers(S, allOf=[{}, N]), C, ("", "")),
    ("reference beside a malformed condition", refers(S, allOf=3), refers(S, allOf=4), U, ("", "allOf")),
    (
        "reference beside a property",
        refers(obj(a=S), **obj(b=S)),
        refers(obj(a=I), **obj(b=S)),
        B,
        ("/allOf/0/properties/a", "type"),
    ),
    ("recursive, widened", tree(S), tree({"type": ["string", "null"]}), C, ("/properties/v", "type")),
    ("recursive, narrowed", tree({}), tree(S), B, ("/properties/v", "type")),
    ("reference to itself", {"$ref": "#"}, {"$ref": "#", "minLength": 1}, U, ("", "$ref")),
    (
        "reference to elsewhere",
        {"$ref": "https://a.example/x"},
        {"$ref": "https://b.example/x"},
        U,
        ("", "$ref"),
    ),
    (
        "reference to elsewhere kept",
        {"$ref": "https://a.example/x"},
        {"$ref": "https://a.example/x", "title": "t"},
        C,
        ("", "title"),
    ),
    ("reference that is no text", {"$ref": 1}, {"$ref": 2}, U, ("", "$ref")),
    ("reference into a list", {"$ref": "#/x/0", "x": [S]}, {"$ref": "#/x/0", "x": [I]}, B, ("", "type")),
    ("reference past a value", {"$ref": "#/x/0", "x": 1}, {"$ref": "#/x/0", "x": 2}, C, ("", "")),
    (
        "reference with escapes",
        {"$ref": "#/a~1b%25", "a/b%": S},
        {"$ref": "#/a~1b%25", "a/b%": I},
        B,
        ("", "type"),
    ),
    ("unused definition", {**S, "$defs": {"x": S}}, S, C, ("", "")),
    ("described", obj(a=S), obj(a={**S, "description": "x"}), C, ("/properties/a", "description")),
    ("extension keyword", obj(a=S), obj(a={**S, "x-mcp-header": "A"}), C, ("/properties/a", "x-mcp-header")),
    ("unknown keyword", S, {**S, "nullable": True}, U, ("", "nullable")),
    ("property named like a remark", obj(title=S), obj(title=I), B, ("/properties/title", "type")),
    ("dialect stated", S, {"$schema": "https://json-schema.org/draft/2020-12/schema", **S}, C, ("", "")),
    ("dialect changed", S, {"$schema": "http://json-schema.org/draft-07/schema#", **S}, U, ("", "")),
    ("dialect that is no text", {"$schema": 1, **S}, {"$schema": 1, **I}, U, ("", "")),
    (
        "anchors",
        {"$ref": "#x", "$defs": {"T": {"$anchor": "x"}}},
        {"$ref": "#x", "$defs": {"T": {"$anchor": "x", **S}}},
        U,
        ("", ""),
    ),
    (
        "unevaluated",
        {**obj(a=S, b=S), "unevaluatedProperties": False},
        {**obj(a=S), "unevaluatedProperties": False},
        U,
        ("/properties/b", ""),
    ),
    (
        "described beside unevaluated",
        {"unevaluatedItems": False},
        {"unevaluatedItems": False, "title": "x"},
        C,
        ("", "title"),
    ),
    (
        "narrowed and described beside unevaluated",
        {"unevaluatedItems": False},
        {"unevaluatedItems": False, "title": "x", **S},
        B,
        ("", "title"),
    ),
    (
        "opened beside unevaluated",
        obj(a={"unevaluatedProperties": False, **obj(more=True)}),
        obj(a={"unevaluatedProperties": False, **obj(), "title": "x"}),
        U,
        ("", ""),
    ),
    ("not a schema at all", 1, 2, U, ("", "")),
    ("no longer a schema", S, [], U, ("", "")),
]


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
