"""What a model is told about arguments that do not fit."""

from __future__ import annotations

import time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.bounds import bound

from prowess.call.schema_cost import resolve
from prowess.call.schemas import Compiled, SchemaFault, Schemas
from prowess.call.validation import MAX_PROBLEMS, problems, undeclared
from prowess.call.wording import SAMPLES, recognised, shown
from prowess.provider import Problem

WEEK = {"type": "string", "pattern": "^[0-9]{4}-W[0-9]{2}$"}


def schema(required: list[str] | None = None, *, closed: bool = True, **properties: Any) -> dict[str, Any]:
    made = {"type": "object", "properties": properties, "required": required or []}
    return {**made, "additionalProperties": False} if closed else made


def only(found: tuple[Problem, ...]) -> Problem:
    assert len(found) == 1, found
    return found[0]


def hint(rules: Any, value: Any) -> str:
    return only(problems(schema(x=rules), {"x": value})).hint


def test_a_pattern_is_told_with_what_it_means_and_what_came() -> None:
    found = only(problems(schema(week=WEEK), {"week": "2026-31"}))
    assert found.hint == (
        "`week` must match `^[0-9]{4}-W[0-9]{2}$` (an ISO week such as 2026-W31); received `2026-31`"
    )
    assert (found.path, found.rule, found.received) == ("/week", "pattern", "`2026-31`")


def test_a_date_in_another_form_is_told_the_form() -> None:
    assert hint({"type": "string", "format": "date"}, "2024/01/01") == (
        "`x` must be YYYY-MM-DD; received `2024/01/01`"
    )


@pytest.mark.parametrize(
    ("form", "good", "bad"),
    [
        ("date", "2024-02-29", "2023-02-29"),
        ("date-time", "2024-01-01T00:00:00Z", "2024-01-01 00:00"),
        ("time", "10:00:00Z", "10 o'clock"),
        ("duration", "P1DT12H", "1d"),
        ("email", "a@example.com", "a at b"),
        ("hostname", "api.example.com", "-a-"),
        ("ipv4", "192.0.2.1", "1.2.3"),
        ("ipv6", "2001:db8::1", "2001:zz"),
        ("uri", "https://example.com", "example"),
        ("uri-reference", "../a", "::: "),
        ("uri-template", "/users/{id}", "/users/{id"),
        ("uuid", "123e4567-e89b-12d3-a456-426614174000", "12"),
        ("json-pointer", "/a", "a"),
        ("regex", "a+", "a("),
    ],
)
def test_a_format_is_enforced(form: str, good: str, bad: str) -> None:
    rules = {"type": "string", "format": form}
    assert problems(schema(x=rules), {"x": good}) == ()
    assert only(problems(schema(x=rules), {"x": bad})).rule == "format"


def test_an_unknown_format_asks_for_nothing() -> None:
    assert problems(schema(x={"format": "colour"}), {"x": "?"}) == ()


def test_an_unknown_parameter_names_the_nearest_known_one() -> None:
    found = only(problems(schema(week=WEEK), {"wek": "2026-W31"}))
    assert found.hint == "`wek` is not a parameter; did you mean `week`?"
    assert (found.path, found.rule, found.expected) == ("/wek", "additionalProperties", "`week`")


def test_an_unknown_parameter_with_nothing_near_names_all() -> None:
    assert only(problems(schema(week=WEEK, limit={}), {"zzz": 1})).hint.endswith("known are `week`, `limit`")


def test_a_tool_that_takes_nothing_says_so_of_every_name() -> None:
    found = problems({"type": "object", "additionalProperties": False}, {"b": 1, "a": 2})
    assert [each.hint for each in found] == [
        f"`{name}` is not a parameter; none is taken here" for name in "ab"
    ]
    assert {each.rule for each in found} == {"additionalProperties"}
    assert only(problems(schema(f={"additionalProperties": False}), {"f": {"a": 1}})).path == "/f/a"


def test_an_unknown_member_further_down_says_of_what() -> None:
    inner = schema(name={"type": "string"})
    found = only(problems(schema(filter=inner), {"filter": {"nam": "a"}}))
    assert (found.path, found.hint) == (
        "/filter/nam",
        "`nam` is not a member of `filter`; did you mean `name`?",
    )


def test_unevaluated_properties_are_unknown_parameters_too() -> None:
    rules = {"properties": {"week": {}}, "unevaluatedProperties": False}
    assert only(problems(rules, {"weak": 1})).rule == "unevaluatedProperties"


def test_a_missing_parameter_says_its_type_and_description() -> None:
    customer = {"type": "string", "description": "the customer's\n number"}
    found = only(problems(schema(["customer"], customer=customer), {}))
    assert found.hint == "`customer` is required and missing: a string: the customer's number"
    assert (found.path, found.rule, found.received) == ("/customer", "required", "nothing")


def test_a_missing_parameter_that_came_under_another_name_says_so() -> None:
    found = problems(schema(["customer"], closed=False, customer={"type": "string"}), {"custmer": "a"})
    assert only(found).hint.endswith("; `custmer` was given instead")


@pytest.mark.parametrize(
    ("rules", "meaning"),
    [
        ({"enum": ["a", "b"]}, "one of `a`, `b`"),
        ({"const": 3}, "`3`"),
        ({"type": "string", "format": "date"}, "a string, YYYY-MM-DD"),
        ({"format": "date"}, "YYYY-MM-DD"),
        ({"type": ["string", "null"]}, "a string or null"),
        ({"type": "object", "required": ["a"]}, "an object with `a`"),
        ({"type": "array"}, "an array"),
        (WEEK, "a string (an ISO week such as 2026-W31)"),
        ({**WEEK, "examples": ["2025-W01"]}, "a string (an ISO week such as 2025-W01)"),
        ({"type": "string", "examples": ["DE"]}, "a string (such as DE)"),
        ({"$ref": "#/$defs/n"}, "an integer: how many"),
        ({"$ref": "#/$defs/n", "description": "how many rows"}, "an integer: how many rows"),
        ({"$ref": "#/$defs/yes"}, "any value"),
        (True, "any value"),
        ({}, "any value"),
    ],
)
def test_what_is_missing_is_described_from_its_schema(rules: Any, meaning: str) -> None:
    definitions = {"n": {"type": "integer", "description": "how many"}, "yes": True}
    found = only(problems({**schema(["x"], x=rules), "$defs": definitions}, {}))
    assert found.expected == meaning


def test_a_missing_name_that_is_not_declared_can_be_any_value() -> None:
    assert only(problems({"required": ["x"]}, {})).expected == "any value"
    assert only(problems({"dependentRequired": {"a": ["b"]}}, {"a": 1})).path == "/b"


@pytest.mark.parametrize(
    ("rules", "value", "said"),
    [
        ({"type": "integer"}, "5", "must be an integer; received the string `5`"),
        ({"type": "string"}, 5, "must be a string; received the number `5`"),
        ({"type": "string"}, True, "must be a string; received `true`"),
        ({"type": "string"}, None, "must be a string; received null"),
        ({"type": "string"}, [], "must be a string; received an empty array"),
        ({"type": "string"}, [1], "must be a string; received an array of 1 item"),
        ({"type": "string"}, {}, "must be a string; received an empty object"),
        ({"type": "string"}, {"a": 1}, "must be a string; received an object with `a`"),
        ({"type": ["integer", "null"]}, "", "must be null or an integer; received an empty string"),
        (
            {"enum": ["open", "paid"]},
            "opn",
            "must be one of `open`, `paid`; received `opn`; did you mean `open`?",
        ),
        ({"enum": ["open", 3]}, 4, "must be one of `open`, `3`; received `4`"),
        ({"enum": list("abcdefghijklmn")}, "zz", " and 2 more; received `zz`"),
        ({"const": "x"}, "y", "must be `x`; received `y`"),
        ({"minimum": 3}, 2, "must be at least 3; received `2`"),
        ({"maximum": 3}, 4, "must be at most 3; received `4`"),
        ({"exclusiveMinimum": 3}, 3, "must be greater than 3; received `3`"),
        ({"exclusiveMaximum": 3}, 3, "must be less than 3; received `3`"),
        ({"multipleOf": 5}, 3, "must be a multiple of 5; received `3`"),
        ({"minLength": 3}, "ab", "must have at least 3 characters; received `ab` (2 characters)"),
        ({"minLength": 1}, "", "must have at least 1 character; received an empty string"),
        ({"maxLength": 1}, "ab", "must have at most 1 character; received `ab` (2 characters)"),
        ({"minItems": 2}, [1], "must have at least 2 items; received an array of 1 item"),
        ({"maxItems": 1}, [1, 2], "must have at most 1 item; received an array of 2 items"),
        ({"minProperties": 2}, {"a": 1}, "must have at least 2 properties; received an object with `a`"),
        ({"maxProperties": 0}, {"a": 1}, "must have at most 0 properties; received an object with `a`"),
        ({"uniqueItems": True}, [1, 1], "must hold no item twice; received an array of 2 items"),
        ({"contains": {"type": "integer"}}, ["a"], "must hold an item that is an integer; received"),
        ({"not": {"type": "integer"}}, 3, "must not be an integer; received `3`"),
        ({"not": True}, 3, "must not be any value; received `3`"),
        (False, 3, "must not be given; received `3`"),
        ({"prefixItems": [True], "unevaluatedItems": False}, [1, 2], "must hold no further items"),
        (
            {"pattern": "^(?!x)", "description": "anything but x"},
            "x",
            "must match `^(?!x)` (anything but x); received",
        ),
        ({"pattern": "^(?!x)"}, "x", "must match `^(?!x)`; received `x`"),
        ({"propertyNames": {"pattern": "^a"}}, {"b": 1}, "the name `b` in `x` must match `^a`"),
    ],
)
def test_every_keyword_has_its_sentence(rules: Any, value: Any, said: str) -> None:
    assert said in hint(rules, value)


def test_a_keyword_without_a_sentence_still_says_its_name() -> None:
    found = only(
        problems({"contentEncoding": "base64", "$schema": "http://json-schema.org/draft-07/schema#"}, "%")
    )
    assert found.hint == "the arguments must satisfy the schema's contentEncoding; received `%`"


def test_items_are_named_by_their_place() -> None:
    found = only(problems(schema(tags={"items": {"type": "string"}}), {"tags": ["a", 3]}))
    assert (found.path, found.hint) == ("/tags/1", "`tags[1]` must be a string; received the number `3`")


def test_a_name_with_a_slash_is_escaped_in_the_pointer() -> None:
    assert only(problems({"properties": {"a/b~c": {"type": "string"}}}, {"a/b~c": 1})).path == "/a~1b~0c"


def test_alternatives_are_listed_and_the_nearest_explained() -> None:
    rules = {
        "anyOf": [
            {"type": "string"},
            {"type": "object", "properties": {"a": {"type": "integer"}}, "required": ["a"]},
        ]
    }
    assert hint(rules, {"a": "s"}) == (
        "`x` must be a string; or an object with `a`; received an object with `a`. "
        "For the nearest alternative: `x.a` must be an integer; received the string `s`"
    )
    assert hint(rules, 3) == "`x` must be a string; or an object with `a`; received the number `3`"


def test_many_alternatives_are_cut() -> None:
    rules = {"oneOf": [{"const": number} for number in range(9)]}
    assert "or 3 other forms; received the number `9`" in hint(rules, 9)


def test_alternatives_behind_an_anchor_are_told() -> None:
    rules = {"$defs": {"a": {"$anchor": "a", "anyOf": [{"type": "string"}]}}, "$ref": "#a"}
    assert only(problems(rules, {})).hint.startswith(
        "the arguments must be a string; received an empty object"
    )


def test_fitting_two_alternatives_where_one_is_wanted_says_so() -> None:
    found = only(problems(schema(x={"oneOf": [{"type": "integer"}, {"minimum": 2}]}), {"x": 3}))
    assert found.rule == "oneOf"
    assert found.hint.endswith("it fits more than one")


def test_a_reference_inside_the_schema_works() -> None:
    rules = {**schema(n={"$ref": "#/$defs/n"}), "$defs": {"n": {"type": "integer", "minimum": 3}}}
    assert only(problems(rules, {"n": 2})).rule == "minimum"


def test_all_problems_come_at_once_in_the_order_of_their_places() -> None:
    rules = schema(["z"], a={"type": "string"}, b={"type": "integer"}, list={"items": {"type": "string"}})
    found = problems(rules, {"a": 1, "b": "x", "q": 1, "list": [1] * 11})
    assert [each.path for each in found][:2] == ["/a", "/b"]
    places = [each.path for each in found if each.path.startswith("/list")]
    assert places == [f"/list/{number}" for number in range(11)]
    assert [each.path for each in found][-2:] == ["/q", "/z"]


def test_more_problems_than_anybody_reads_are_counted() -> None:
    found = problems(schema(list={"items": {"type": "string"}}), {"list": list(range(100))})
    assert len(found) == MAX_PROBLEMS
    assert (found[-1].rule, found[-1].received) == ("more", "81 more")


def test_what_came_is_bounded_printable_and_redacted() -> None:
    rules = schema(x={"type": "integer"})
    assert len(hint({"type": "integer"}, "y" * 10_000)) < 200
    assert "\u202e" not in hint({"type": "integer"}, "a\u202eb")
    assert hint({"type": "integer"}, "a`b").endswith("`a'b`")
    found = only(problems(rules, {"x": "sk-secret"}, redact=lambda text: text.replace("sk-secret", "***")))
    assert found.hint == "`x` must be an integer; received the string `***`"


def test_the_value_of_a_field_that_is_secret_by_name_is_never_shown() -> None:
    found = only(problems(schema(password={"type": "string", "minLength": 30}), {"password": "hunter2"}))
    assert found.received == "***"
    assert "hunter2" not in repr(found)


def test_a_number_without_end_is_not_written_out() -> None:
    assert shown(10**5_000) == "`a number of thousands of digits`"


@pytest.mark.parametrize(
    ("rules", "code"),
    [
        ([], "schema-invalid"),
        ({"type": "objekt"}, "schema-invalid"),
        ({"$ref": "#/nothing"}, "schema-invalid"),
        ({"pattern": "("}, "schema-invalid"),
        ({"pattern": "(((a{1000}){1000}){1000})"}, "schema-invalid"),
        ({"$ref": "http://127.0.0.1:9/x"}, "schema-remote-reference"),
        ({"properties": {"a": {"$ref": "file:///etc/hostname"}}}, "schema-remote-reference"),
        ({"$schema": "https://example.com/mine"}, "schema-dialect"),
        ({"$schema": 3}, "schema-dialect"),
        ({"enum": ["x" * 1_000_001]}, "schema-too-large"),
        ({"allOf": [{} for _ in range(10_001)]}, "schema-too-large"),
    ],
)
def test_a_schema_that_cannot_judge_is_refused_with_a_code(rules: Any, code: str) -> None:
    assert only(problems(rules, {})).rule == code


def test_a_schema_too_deep_is_refused_without_recursion() -> None:
    deep: Any = {}
    for _ in range(10_000):
        deep = {"not": deep}
    assert only(problems(deep, {})).rule == "schema-too-large"


def test_a_value_too_deep_is_refused_without_recursion() -> None:
    deep: Any = []
    for _ in range(10_000):
        deep = [deep]
    assert only(problems({}, {"a": deep})).rule == "depth"


def test_compiled_schemas_are_found_again_by_identity_and_by_content() -> None:
    kept = Schemas()
    first, same = {"type": "object"}, {"type": "object"}
    made = kept.compiled(first)
    assert isinstance(made, Compiled)
    assert kept.compiled(first) is made
    assert kept.compiled(same) is made
    assert isinstance(kept.compiled({"type": 3}), SchemaFault)


def test_the_oldest_schema_is_forgotten_when_there_are_too_many(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("prowess.call.schemas.KEPT", 2)
    kept = Schemas()
    shapes = [{"maximum": number} for number in range(3)]
    first = kept.compiled(shapes[0])
    for each in shapes:
        kept.compiled(each)
    assert kept.compiled(shapes[0]) is not first


HOSTILE = {
    "$ref": "#/$defs/n",
    "$defs": {"n": {"oneOf": [{"properties": {"a": {"$ref": "#/$defs/n"}, "b": {"type": "integer"}}}] * 2}},
}


def nested(depth: int) -> Any:
    value: Any = {"b": "x"}
    for _ in range(depth):
        value = {"a": value}
    return value


def test_a_schema_that_doubles_with_every_level_is_not_explained_to_the_end() -> None:
    began = time.process_time()
    assert only(problems(HOSTILE, nested(40))).rule == "unexplained"
    assert time.process_time() - began < bound(2)
    assert only(problems(HOSTILE, nested(3))).rule == "oneOf"


def test_a_schema_that_doubles_in_place_is_not_explained_to_the_end() -> None:
    levels = {
        f"a{n}": {"anyOf": [{"$ref": f"#/$defs/a{n - 1}"}, {"$ref": f"#/$defs/a{n - 1}"}]}
        for n in range(1, 40)
    }
    rules = {"$ref": "#/$defs/a39", "$defs": {"a0": {"type": "integer"}, **levels}}
    assert only(problems(rules, "s")).rule == "schema-too-costly"


@pytest.mark.parametrize("kind", ["allOf", "anyOf", "oneOf"])
def test_a_schema_whose_members_double_with_every_level_is_refused(kind: str) -> None:
    def level(below: int) -> dict[str, Any]:
        return {"properties": {"a": {"$ref": f"#/$defs/a{below}"}}}

    levels = {f"a{n}": {kind: [level(n - 1), level(n - 1)]} for n in range(1, 50)}
    rules = {"$ref": "#/$defs/a49", "$defs": {"a0": {"type": "integer"}, **levels}}
    began = time.process_time()
    assert only(problems(rules, nested(48))).rule == "schema-too-costly"
    assert time.process_time() - began < bound(2)


def nested_definitions(levels: int, leaves: int) -> dict[str, Any]:
    made: dict[str, Any] = {"allOf": [{} for _ in range(leaves)]}
    for _ in range(levels):
        made = {"$defs": {"a": made}}
    return {**made, "anyOf": [{"$ref": "#" + "/$defs/a" * level} for level in range(1, levels)]}


@pytest.mark.parametrize(
    "rules",
    [
        {"$ref": "#/$defs/a", "$defs": {"a": {"$id": "https://example.com/a", "type": "object"}}},
        {
            "allOf": [{"$ref": f"#/$defs/a{n}"} for n in range(700)],
            "$defs": {f"a{n}": {} for n in range(700)},
        },
        nested_definitions(28, 9_900),
    ],
    ids=["a part with its own id", "very many definitions", "very much to look at"],
)
def test_a_schema_whose_work_cannot_be_told_is_refused(rules: Any) -> None:
    assert only(problems(rules, {})).rule == "schema-too-costly"


def test_a_schema_that_refers_to_itself_by_its_own_full_name_is_refused() -> None:
    rules = {"$id": "https://example.com/a", "properties": {"x": {"$ref": "https://example.com/a"}}}
    assert only(problems(rules, {})).rule == "schema-too-costly"


def test_a_schema_that_only_refers_to_itself_asks_for_nothing() -> None:
    assert problems({"$ref": "#"}, {}) == ()
    assert only(problems({"$ref": "#", "type": "object"}, 3)).rule == "unexplained"


def test_an_honest_recursive_schema_is_explained() -> None:
    tree = {
        "type": "object",
        "properties": {
            "name": {"type": "string"},
            "children": {"type": "array", "items": {"$ref": "#"}},
            "pair": {"prefixItems": [{"$ref": "#"}, True]},
        },
        "patternProperties": {"^x-": {"type": "string"}},
        "dependentSchemas": {"name": {"properties": {"x-a": True}}},
        "if": {"required": ["name"]},
    }
    found = problems(tree, {"children": [{"children": [{"name": 3}]}], "pair": [{"name": 4}]})
    assert {each.path for each in found} == {"/children/0/children/0/name", "/pair/0/name"}


def test_a_pattern_that_backtracks_without_end_is_stopped() -> None:
    rules = schema(x={"type": "string", "pattern": "^(a|aa)+(?=c)c(?<!ac)$"})
    began = time.process_time()
    assert problems(rules, {"x": "a" * 5_000 + "c"})
    assert time.process_time() - began < bound(5)


def test_a_reference_that_leads_nowhere_points_at_nothing() -> None:
    assert resolve({"a": [{"b": 3}]}, "#/a/0/b") == 3
    for reference in ("#/a/0/b/c", "#/a/1", "#/a/x", "#/z", "#name", "other"):
        assert resolve({"a": [{"b": 3}]}, reference) is None


def test_every_sample_is_told_apart_from_the_others() -> None:
    assert recognised("^[0-9]{4}-[0-9]{2}-[0-9]{2}$") == ("a date", "2026-07-31")
    assert recognised("^[A-Z]{3}$") == ("three capital letters", "EUR")
    assert recognised(".+") is None
    assert len({sample for _, sample in SAMPLES}) == len(SAMPLES)


def test_a_name_that_an_open_schema_does_not_declare_is_a_note() -> None:
    rules = schema(closed=False, week=WEEK)
    assert undeclared(rules, {"wek": 1}) == ("`wek` is not declared by the tool; did you mean `week`?",)
    assert undeclared(rules, {"zzzzz": 1}) == ("`zzzzz` is not declared by the tool; declared are `week`",)
    assert undeclared(rules, {"week": 1}) == ()
    assert undeclared({"properties": {"a": {}}, "additionalProperties": True}, {"b": 1}) == ()
    assert undeclared({}, {"b": 1}) == ()


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)
RICH = {
    "type": "object",
    "properties": {
        "week": WEEK,
        "n": {"type": "integer", "minimum": 0},
        "tags": {"type": "array", "items": {"enum": ["a", "b"]}, "uniqueItems": True},
        "who": {"oneOf": [{"type": "string", "format": "email"}, {"$ref": "#"}]},
    },
    "required": ["week"],
    "additionalProperties": False,
}


@given(
    value=st.dictionaries(
        st.sampled_from(["week", "n", "tags", "who", "wek"]) | st.text(), json_values, max_size=5
    )
)
def test_whatever_comes_the_problems_are_bounded_and_printable(value: dict[str, Any]) -> None:
    found = problems(RICH, value)
    assert len(found) <= MAX_PROBLEMS
    for each in found:
        assert each.hint.isprintable()
        assert len(each.hint) < 4_000
    assert bool(found) is not Schemas().compiled(RICH).validator.is_valid(value)  # type: ignore[union-attr]


@pytest.mark.parametrize("name", ["¹", "٣", "9" * 5_000])
def test_a_name_that_looks_like_a_number_is_a_name(name: str) -> None:
    found = problems({"type": "object", "additionalProperties": False}, {name: 1, "0": 2})
    assert len(found) == 2
