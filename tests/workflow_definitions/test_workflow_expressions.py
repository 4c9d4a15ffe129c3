"""The expression language: values with their types, nothing beside, and nothing that a value can do."""

from __future__ import annotations

import json
import time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prowess.workflow.expressions import Expression, Reference
from prowess.workflow.faults import ExpressionFault
from prowess.workflow.functions import FUNCTIONS, LARGEST, MOST_TEXT
from prowess.workflow.language import LONGEST

SCOPE: dict[str, Any] = {
    "user": {"from": "Rome", "to": "Oslo", "in": 1, "items": ["a"], "a-b": 2},
    "flights": [{"price": 30, "seats": 2}, {"price": 10.5, "seats": 0}],
    "empty": [],
    "nothing": None,
    "yes": True,
    "no": False,
    "one": 1,
    "text": "Grüße",
    "numbers": [3, 1, 2],
}

GIVES: dict[str, Any] = {
    "1": 1,
    "-1.5": -1.5,
    "'a'": "a",
    '"a" "b"': "ab",
    "true": True,
    "False": False,
    "null": None,
    "None": None,
    "user.from": "Rome",
    "user['from']": "Rome",
    "user.in": 1,
    "user['a-b']": 2,
    "user.items": ["a"],
    "flights[0].price": 30,
    "flights[-1].price": 10.5,
    "flights.0.price": 30,
    "flights[one].seats": 0,
    "[1, user.to]": [1, "Oslo"],
    "{'a': one, 'b': [no]}": {"a": 1, "b": [False]},
    "1 + 2 * 3": 7,
    "7 / 2": 3.5,
    "7 // 2": 3,
    "7 % 4": 3,
    "-(1 + 1)": -2,
    "'a' + 'b'": "ab",
    "[1] + [2]": [1, 2],
    "one == 1.0": True,
    "one == yes": False,
    "one != '1'": True,
    "[1, {'a': null}] == [1.0, {'a': null}]": True,
    "{'a': 1} == {'a': true}": False,
    "'a' < 'b'": True,
    "flights[0].price >= 30": True,
    "1 in numbers": True,
    "yes in numbers": False,
    "'from' in user": True,
    "'rü' in text": True,
    "4 not in numbers": True,
    "yes and not no": True,
    "no or yes": True,
    "no and missing.member": False,
    "yes or missing": True,
    "1 if yes else 2": 1,
    "missing if no else 2": 2,
    "missing is defined": False,
    "user.nobody is not defined": True,
    "nothing is null": True,
    "one is not none": True,
    "user.nobody | default('x')": "x",
    "user.nobody.deeper[3] | default(0)": 0,
    "nothing | default(1)": None,
    "empty | first | default(null)": None,
    "numbers | length": 3,
    "text | length": 5,
    "user | length": 5,
    "text | upper": "GRÜSSE",
    "text | lower": "grüße",
    "' a ' | trim": "a",
    "numbers | join": "3,1,2",
    "[1, 'a', null] | join(' - ')": "1 - a - null",
    "numbers | first": 3,
    "numbers | last": 2,
    "numbers | min": 1,
    "numbers | max": 3,
    "numbers | sum": 6,
    "2.567 | round(2)": 2.57,
    "2.5 | round": 2,
    "'42' | number": 42,
    "' -1.5e3 ' | number": -1500.0,
    "42 | text": "42",
    "[1, 'ä'] | text": '[1,"ä"]',
    "{'a': 1} | keys": ["a"],
    "{'a': 1} | values": [1],
    "flights | pluck('price') | min": 10.5,
}


@pytest.mark.parametrize(("text", "value"), GIVES.items())
def test_an_expression_gives_a_value_with_its_type(text: str, value: Any) -> None:
    found = Expression(text=text).evaluate(SCOPE)
    assert found == value
    assert type(found) is type(value)


def test_every_function_is_tried_above() -> None:
    assert all(any(f"| {name}" in text for text in GIVES) for name in FUNCTIONS)


def test_a_name_gives_the_very_value_and_no_copy_or_reading_of_it() -> None:
    assert Expression(text="user").evaluate(SCOPE) is SCOPE["user"]


NOT_IN_THE_LANGUAGE = [
    "",
    "   ",
    "f()",
    "user.keys()",
    "'a'.join([])",
    "text.upper()",
    "1, 2",
    "(1, 2)",
    "1 2",
    "user.from; user",
    "a = 1",
    "2 ** 3",
    "+1",
    "'a' ~ 'b'",
    "numbers[0:1]",
    "1 if yes",
    "1 < 2 < 3",
    "x | attr('y')",
    "x | format(1)",
    "x | map('upper')",
    "x | join(d=1)",
    "x | join(*y)",
    "x | default",
    "x | length(1)",
    "x is callable",
    "x is sameas(1)",
    "x is divisibleby 2",
    "lambda: 1",
    "[x for x in y]",
    "{% if x %}",
    "x }} {{ y",
    "{{x}}",
    "{**x}",
    "'open",
    "a.",
    "a..b",
    "a[",
    "1e999",
    "\\",
    "a\x00b",
    "`a`",
    "a?b:c",
    "$a",
    "import os",
]


@pytest.mark.parametrize("text", NOT_IN_THE_LANGUAGE)
def test_what_is_not_in_the_language_is_refused_when_it_is_read(text: str) -> None:
    with pytest.raises(ExpressionFault) as raised:
        _ = Expression(text=text).tree
    assert raised.value.code == "syntax"


UNDEFINED = [
    "missing",
    "user.nobody",
    "user[0]",
    "flights[2]",
    "flights[-3]",
    "flights.price",
    "flights[true]",
    "text.upper",
    "text[0]",
    "one.real",
    "nothing.a",
    "numbers[0.0]",
    "empty | first",
    "empty | max",
    "flights | pluck('nobody')",
    "[missing]",
    "{'a': missing}",
    "missing == 1",
    "missing is null",
    "missing | length",
]


@pytest.mark.parametrize("text", UNDEFINED)
def test_what_is_not_there_is_a_fault(text: str) -> None:
    with pytest.raises(ExpressionFault) as raised:
        Expression(text=text).evaluate(SCOPE)
    assert raised.value.code == "undefined"


@pytest.mark.parametrize(
    "text",
    [
        *("1 < 'a'", "yes < no", "null < 1", "[1] < [2]", "1 in 2", "1 in 'a'", "1 in user"),
        *("'a' + 1", "yes + 1", "'a' * 3", "[1] * 3", "'%s' % 1", "user + user", "1 / 0", "1 // 0", "1 % 0"),
        *(
            "one and yes",
            "not one",
            "not ''",
            "yes and 1",
            "1 if 'a' else 2",
            "numbers or no",
            "-yes",
            "-'1'",
        ),
        *("one | length", "one | upper", "one | join", "numbers | join(1)", "user | first", "user | sum"),
        *("['a'] | sum", "[1, 'a'] | min", "[[1]] | max", "one | keys", "'a' | number", "'true' | number"),
        *("'NaN' | number", "'' | number", "null | number", "one | round('2')", "one | round(true)"),
        *("one | round(-1)", "numbers | pluck('a')", "{1: 2}"),
    ],
)
def test_kinds_are_not_mixed_up(text: str) -> None:
    with pytest.raises(ExpressionFault) as raised:
        Expression(text=text).evaluate(SCOPE)
    assert raised.value.code == "type"


ATTRIBUTES = ["__class__", "__init__", "__globals__", "mro", "format", "items", "_x", "keys", "real"]


@pytest.mark.parametrize("name", ATTRIBUTES)
@pytest.mark.parametrize("value", ["text", 1, 1.5, True, None, [1], {"a": 1}], ids=str)
def test_nothing_but_members_of_json_values_can_be_reached(name: str, value: Any) -> None:
    for text in (f"x.{name}", f"x['{name}']"):
        with pytest.raises(ExpressionFault) as raised:
            Expression(text=text).evaluate({"x": value})
        assert raised.value.code == "undefined"


@pytest.mark.parametrize("name", ATTRIBUTES)
def test_a_member_with_the_name_of_an_attribute_is_a_member(name: str) -> None:
    assert Expression(text=f"x.{name}").evaluate({"x": {name: "data"}}) == "data"


def test_a_missing_member_names_the_nearest_and_what_is_there() -> None:
    with pytest.raises(ExpressionFault) as near:
        Expression(text="user.form").evaluate(SCOPE)
    with pytest.raises(ExpressionFault) as far:
        Expression(text="flights[7]").evaluate(SCOPE)
    assert ("user.form" in near.value.message, "from" in near.value.hint) == (True, True)
    assert "2 items" in far.value.hint


@pytest.mark.parametrize(
    "text",
    [
        "a" * (LONGEST + 1),
        "(" * 500 + "1" + ")" * 500,
        "[" * 500 + "]" * 500,
        "not " * 400 + "yes",
        "-" * 900 + "1",
        "a" + ".b" * 900,
        "a" + "[0]" * 600,
        "1" + "+1" * 900,
        "1 if yes else " * 130 + "1",
        "[" + "1," * 900 + "1]",
        "x" + " | text" * 200,
    ],
    ids=lambda text: text[:12],
)
def test_an_expression_is_bounded_in_length_parts_and_depth(text: str) -> None:
    begun = time.monotonic()
    with pytest.raises(ExpressionFault) as raised:
        _ = Expression(text=text).tree
    assert raised.value.code == "limit"
    assert time.monotonic() - begun < 5


HUGE = "x" * (MOST_TEXT - 1)


@pytest.mark.parametrize(
    ("text", "scope"),
    [
        ("a + a", {"a": HUGE}),
        ("[a, a] | join", {"a": HUGE}),
        ("[a, a] | text", {"a": HUGE}),
        ("a | upper", {"a": "ß" * (MOST_TEXT - 1)}),
        ("a * a", {"a": 10**60}),
        ("a + 1", {"a": 10**5_000}),
        ("a / 2", {"a": LARGEST * 10}),
        ("a * 10", {"a": 1e308}),
        ("a | text", {"a": 10**5_000}),
        ("[a, a] | sum", {"a": LARGEST}),
    ],
)
def test_no_expression_makes_something_huge(text: str, scope: dict[str, Any]) -> None:
    with pytest.raises(ExpressionFault) as raised:
        Expression(text=text).evaluate(scope)
    assert raised.value.code == "limit"


def nested(depth: int) -> Any:
    value: Any = 1
    for _ in range(depth):
        value = [value]
    return value


@pytest.mark.parametrize("text", ["a == b", "[a] | text", "a in [b]"])
def test_values_nested_very_deep_are_a_fault_and_no_crash(text: str) -> None:
    with pytest.raises(ExpressionFault) as raised:
        Expression(text=text).evaluate({"a": nested(100_000), "b": nested(100_000)})
    assert raised.value.code == "limit"


def test_a_huge_value_passes_as_it_is() -> None:
    for value in (10**5_000, "y" * (MOST_TEXT * 2), nested(5_000)):
        assert Expression(text="a.b").evaluate({"a": {"b": value}}) is value


def test_what_an_expression_refers_to_is_known_without_running_it() -> None:
    found = list(Expression(text="steps[0].result[item.place].name + user.from | default(x)").references())
    assert found == [
        Reference(name="steps", keys=(0, "result"), whole=False),
        Reference(name="item", keys=("place",)),
        Reference(name="user", keys=("from",)),
        Reference(name="x"),
    ]


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)


@given(JSON)
def test_every_json_value_passes_unchanged_and_equals_itself(value: Any) -> None:
    assert Expression(text="a").evaluate({"a": value}) is value
    assert Expression(text="a == b").evaluate({"a": value, "b": json.loads(json.dumps(value))}) is True


PIECES = st.sampled_from(
    [
        "a",
        "b.c",
        "[",
        "]",
        "(",
        ")",
        "{",
        "}",
        "'x'",
        '"',
        ".",
        ",",
        ":",
        "|",
        "length",
        "default",
        "+",
        "-",
        "*",
        "/",
        "//",
        "%",
        "**",
        "==",
        "<",
        "in",
        "not",
        "and",
        "or",
        "if",
        "else",
        "is",
        "null",
        "1",
        "0.5",
    ]
)


@given(st.lists(PIECES, max_size=14).map(" ".join) | st.text(max_size=40), JSON, JSON)
def test_any_text_is_an_expression_or_a_fault_and_gives_a_value_or_a_fault(text: str, a: Any, b: Any) -> None:
    try:
        Expression(text=text).evaluate({"a": a, "b": {"c": b}})
    except ExpressionFault as fault:
        assert fault.code in ("syntax", "undefined", "type", "limit")
        assert fault.message.isprintable() and fault.hint.isprintable()
