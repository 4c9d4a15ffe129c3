"""A form made from a schema: its fields, what they are read as, and arguments written back into them."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.console.offering import INVOICES

from prowess.console.capabilities_fields import MOST_CHOICES, MOST_FIELDS, Shape, pointer, shape_of
from prowess.console.capabilities_filling import Filled, read_fields, read_raw
from prowess.console.forms import Form
from prowess.provider import Problem

NAME = "x"


def one(schema: Any, *, required: bool = False, defs: Any = None) -> Any:
    """The one field of a schema."""
    needed = [NAME] if required else []
    shape = shape_of({"properties": {NAME: schema}, "required": needed, "$defs": defs})
    (found,) = shape.fields
    return found


def read(shape: Shape, *pairs: tuple[str, str]) -> Filled:
    return read_fields(Form(fields=pairs, confirmed=False), shape)


@pytest.mark.parametrize(
    ("schema", "kind"),
    [
        ({"type": "string"}, "text"),
        ({"type": ["string", "null"]}, "text"),
        ({"anyOf": [{"type": "integer"}, {"type": "null"}]}, "integer"),
        ({"$ref": "#/$defs/a"}, "number"),
        ({"$ref": "#/$defs/gone"}, "json"),
        ({"$ref": "#/$defs/round"}, "json"),
        ({"type": "string", "maxLength": 2_000}, "long"),
        ({"type": "string", "contentMediaType": "text/markdown"}, "long"),
        ({"type": "string", "default": "a\nb"}, "long"),
        ({"type": "boolean"}, "choice"),
        ({"const": {"a": 1}}, "choice"),
        ({"enum": [1, "1", None]}, "choice"),
        ({"oneOf": [{"const": 1, "title": "One"}, {"const": 2}]}, "choice"),
        ({"enum": list(range(MOST_CHOICES + 1))}, "json"),
        ({"type": "array", "items": {"type": "string"}}, "list"),
        ({"items": {"type": "integer"}}, "list"),
        ({"type": "array", "items": {"enum": ["a"]}}, "choices"),
        ({"type": "array", "items": {"type": "object"}}, "json"),
        ({"type": "array"}, "json"),
        ({"type": "array", "prefixItems": [{}], "items": {"type": "string"}}, "json"),
        ({"properties": {"a": {"type": "string"}}}, "group"),
        ({"type": "object"}, "json"),
        ({"type": "object", "properties": {"a": {}}, "additionalProperties": {"type": "string"}}, "json"),
        ({"type": "object", "properties": {"a": {}}, "oneOf": []}, "json"),
        ({"type": "object", "properties": {"a\u202e": {"type": "string"}, "b": {}}}, "json"),
        ({"type": ["string", "integer"]}, "json"),
        ({"anyOf": [{"type": "string"}, {"type": "integer"}]}, "json"),
        ({}, "json"),
        (True, "json"),
        ("nonsense", "json"),
    ],
)
def test_each_schema_gets_the_kind_of_field_that_can_hold_it(schema: Any, kind: str) -> None:
    defs = {"a": {"type": "number"}, "round": {"$ref": "#/$defs/round"}}
    assert one(schema, defs=defs).kind == kind


def test_what_a_schema_says_stands_beside_its_field() -> None:
    said = {
        "type": "integer",
        "title": "Weeks",
        "description": "How many",
        "minimum": 1,
        "maximum": 5,
        "examples": [2, 3],
        "default": 4,
    }
    found = one(said, required=True)
    assert (found.title, found.about, found.required, found.default) == ("Weeks", "How many", True, 4)
    assert found.examples == ("2", "3")
    assert found.bounds == (("at least {value}", "1"), ("at most {value}", "5"))


@pytest.mark.parametrize(
    ("format", "input"),
    [("date", "date"), ("email", "email"), ("uri", "url"), ("date-time", "text"), (7, "text")],
)
def test_a_format_helps_to_type_it(format: Any, input: str) -> None:
    found = one({"type": "string", "format": format})
    assert found.input == input
    assert (found.placeholder != "") is (format == "date-time")


def test_a_group_that_is_too_deep_is_json() -> None:
    schema: Any = {"type": "string"}
    for _ in range(6):
        schema = {"type": "object", "properties": {"a": schema}}
    found, depth = one(schema), 1
    while found.kind == "group":
        (found,), depth = found.members, depth + 1
    assert (found.kind, depth) == ("json", 4)


def test_no_form_is_endless_and_what_is_left_is_named() -> None:
    shape = shape_of({"properties": {f"p{n}": {"type": "string"} for n in range(MOST_FIELDS + 3)}})
    assert len(shape.fields) == MOST_FIELDS
    assert len(shape.left) == 3


def test_names_that_cannot_be_seen_are_left_for_json() -> None:
    shape = shape_of({"properties": {"a\u202eb": {}, "": {}, "x" * 200: {}, "fine": {}}})
    assert [each.path for each in shape.fields] == [("fine",)]
    assert set(shape.left) == {"a\u202eb", "", "x" * 200}


@pytest.mark.parametrize(
    "schema", [None, [], {"properties": 3}, {"properties": {"a": {"$ref": 3}}, "required": 1}]
)
def test_a_schema_that_is_none_makes_no_fault(schema: Any) -> None:
    assert len(shape_of(schema).fields) <= 1


def test_fields_are_read_as_what_they_are_for() -> None:
    shape = shape_of(INVOICES)
    filled = read(
        shape,
        ("/week", "2026-W31"),
        ("/limit", "5"),
        ("/share", "0.5"),
        ("/state", "3"),
        ("/late", "false"),
        ("/version", '"v1"'),
        ("/tags", "a\r\n\r\n b "),
        ("/months", "1\r\n2"),
        ("/currencies", '"EUR"'),
        ("/currencies", '"CHF"'),
        ("/note", "one\r\ntwo"),
        ("/buyer/name", "Ann"),
        ("/buyer/years", "3"),
        ("/filter", '{"a": "b"}'),
        ("/area", ""),
    )
    assert filled.problems == []
    assert filled.arguments == {
        "week": "2026-W31",
        "limit": 5,
        "share": 0.5,
        "state": 3,
        "late": False,
        "version": "v1",
        "tags": ["a", " b "],
        "months": [1, 2],
        "currencies": ["EUR", "CHF"],
        "note": "one\ntwo",
        "buyer": {"name": "Ann", "years": 3},
        "filter": {"a": "b"},
    }


def test_what_is_empty_is_left_out_unless_it_is_a_required_list_or_group() -> None:
    shape = shape_of(
        {
            "properties": {
                "a": {"type": "string"},
                "b": {"type": "array", "items": {"type": "string"}},
                "c": {"type": "object", "properties": {"d": {"type": "string"}}},
                "e": {"type": "array", "items": {"enum": [1]}},
                "f": {"type": "array", "items": {"enum": [1]}},
            },
            "required": ["a", "b", "c", "e"],
        }
    )
    assert read(shape, ("/a", "  ")).arguments == {"b": [], "c": {}, "e": []}


@pytest.mark.parametrize("typed", ["abc", "1e999", "NaN", "0x1", "--1", "1" * 5_000])
def test_a_number_that_is_none_is_handed_on_as_it_was_typed(typed: str) -> None:
    assert read(shape_of({"properties": {NAME: {"type": "integer"}}}), ("/x", typed)).arguments == {
        NAME: typed
    }


def test_a_choice_that_was_not_offered_stays_text() -> None:
    assert read(shape_of({"properties": {NAME: {"enum": [1]}}}), ("/x", "2")).arguments == {NAME: "2"}


def test_json_that_is_none_is_told_with_its_line_and_kept() -> None:
    filled = read(shape_of({"properties": {NAME: {"type": "object"}}}), ("/x", '{"a":\r\n 1,}'))
    assert [(each.path, each.rule) for each in filled.problems] == [("/x", "json")]
    assert "line 2" in filled.problems[0].hint
    assert filled.text(filled.shape.fields[0]) == '{"a":\n 1,}'
    assert filled.arguments == {}


def test_all_arguments_as_json() -> None:
    def raw(text: str) -> Filled:
        return read_raw(Form(fields=(("arguments", text),), confirmed=False), Shape())

    assert raw('{"a": [1]}').arguments == {"a": [1]}
    assert raw(" ").arguments == {}
    assert raw("[1]").arguments == [1]
    assert [each.rule for each in raw('{"a": NaN}').problems] == ["json"]
    assert raw("{").raw() == "{"


def test_arguments_that_no_field_shows_are_noticed() -> None:
    shape = shape_of({"properties": {NAME: {"type": "string"}}})
    assert Filled(shape=shape, arguments={"other": 1}).beside
    assert not Filled(shape=shape, arguments={NAME: 1}).beside
    assert not Filled(shape=shape).beside


def test_a_problem_is_shown_at_the_nearest_field_above_it() -> None:
    shape = shape_of(INVOICES)
    found = [
        Problem(path=path, rule="r", expected="e", received="r", hint=path)
        for path in ("/tags/1", "/buyer", "/buyer/name", "/nowhere", "")
    ]
    filled = Filled(shape=shape, arguments={}, problems=found)
    fields = {each.pointer: each for each in shape.every()}
    assert [filled.place(each) for each in found] == [
        fields["/tags"],
        fields["/buyer"],
        fields["/buyer/name"],
        None,
        None,
    ]
    assert [each.hint for each in filled.wrong(fields["/buyer"])] == ["/buyer"]
    assert [each.hint for each in filled.wrong(fields["/buyer/name"])] == ["/buyer/name"]


def test_a_pointer_escapes_what_divides_it() -> None:
    assert pointer(("a/b", "c~d")) == "/a~1b/c~0d"


def sent(filled: Filled) -> list[tuple[str, str]]:
    """What a browser would send of a form as it stands."""
    pairs = []
    for each in filled.shape.every():
        if each.kind in ("choice", "choices"):
            pairs += [(each.pointer, key) for key in sorted(filled.chosen(each))]
        elif each.kind != "group":
            pairs.append((each.pointer, filled.text(each).replace("\n", "\r\n")))
    return pairs


TEXT = st.text(st.characters(categories=["L", "N"]), min_size=1, max_size=8)
ARGUMENTS = st.fixed_dictionaries(
    {"week": TEXT, "version": st.just("v1")},
    optional={
        "limit": st.integers(),
        "share": st.floats(allow_nan=False, allow_infinity=False, min_value=1, max_value=9),
        "state": st.sampled_from(["open", "paid", 3]),
        "late": st.booleans(),
        "tags": st.lists(TEXT, min_size=1),
        "months": st.lists(st.integers(), min_size=1),
        "currencies": st.lists(st.sampled_from(["CHF", "EUR"]), min_size=1, unique=True).map(sorted),
        "buyer": st.fixed_dictionaries({"name": TEXT}, optional={"years": st.integers()}),
        "filter": st.dictionaries(TEXT, TEXT),
    },
)


@settings(max_examples=60, deadline=None)
@given(ARGUMENTS)
def test_arguments_that_were_written_into_fields_are_read_back_the_same(arguments: dict[str, Any]) -> None:
    shape = shape_of(INVOICES)
    again = read(shape, *sent(Filled(shape=shape, arguments=arguments)))
    assert (again.arguments, again.problems) == (arguments, [])


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                [
                    "type",
                    "enum",
                    "const",
                    "properties",
                    "required",
                    "items",
                    "anyOf",
                    "$ref",
                    "default",
                    "title",
                    "a",
                ]
            )
            | st.text(max_size=3),
            inner,
            max_size=4,
        )
    ),
    max_leaves=25,
)


@settings(max_examples=150, deadline=None)
@given(JSON, JSON)
def test_whatever_schema_and_arguments_are_there_is_a_form(schema: Any, arguments: Any) -> None:
    shape = shape_of({"properties": {"a": schema, "b": {"properties": schema}}, "$defs": schema})
    for filled in (Filled(shape=shape), Filled(shape=shape, arguments=arguments)):
        read(shape, *sent(filled))
        assert isinstance(filled.raw(), str)
        assert isinstance(filled.beside, bool)
