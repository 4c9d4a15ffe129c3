"""Safe readings of arguments of the wrong type, and the unsafe ones that do not happen."""

from __future__ import annotations

from typing import Any

import pytest

from prowess.call.coercion import coerced
from prowess.call.schemas import Compiled, Schemas


def ready(rules: Any) -> Compiled:
    compiled = Schemas().compiled({"type": "object", "properties": {"x": rules}})
    assert isinstance(compiled, Compiled)
    return compiled


def read(rules: Any, value: Any) -> tuple[Any, list[str]]:
    given = {"x": value}
    arguments, done = coerced(ready(rules), given)
    assert given == {"x": value}, "what was given is not touched"
    return arguments["x"], [each.note for each in done]


@pytest.mark.parametrize(
    ("rules", "value", "wanted"),
    [
        ({"type": "integer"}, "5", 5),
        ({"type": "integer"}, "-5", -5),
        ({"type": "integer"}, "3.0", 3),
        ({"type": "number"}, "2.5", 2.5),
        ({"type": "number"}, "1e3", 1000.0),
        ({"type": "boolean"}, "true", True),
        ({"type": "boolean"}, "False", False),
        ({"type": "string"}, 5, "5"),
        ({"type": "object"}, '{"a": 1}', {"a": 1}),
        ({"type": "array"}, "[1, 2]", [1, 2]),
        ({"type": ["integer", "null"]}, "5", 5),
        ({"anyOf": [{"type": "integer"}, {"type": "null"}]}, "5", 5),
        ({"oneOf": [{"type": "boolean"}, {"type": "object", "required": ["a"]}]}, "true", True),
    ],
)
def test_a_safe_reading_is_done_and_reported(rules: Any, value: Any, wanted: Any) -> None:
    got, notes = read(rules, value)
    assert got == wanted
    assert type(got) is type(wanted)
    assert len(notes) == 1
    assert notes[0].startswith("`x`: ")
    assert " was read as " in notes[0]


@pytest.mark.parametrize(
    ("rules", "value"),
    [
        ({"type": "integer"}, ""),
        ({"type": "integer"}, "3.5"),
        ({"type": "integer"}, " 5"),
        ({"type": "integer"}, "05"),
        ({"type": "integer"}, "1" * 41),
        ({"type": "integer"}, "٣"),
        ({"type": "integer"}, True),
        ({"type": "integer"}, 3.5),
        ({"type": "number"}, "NaN"),
        ({"type": "number"}, "1e999"),
        ({"type": "number"}, "1e-400"),
        ({"type": "number"}, "0.12345678901234567890"),
        ({"type": "number"}, "2,5"),
        ({"type": "boolean"}, "yes"),
        ({"type": "boolean"}, 1),
        ({"type": "string"}, 2.5),
        ({"type": "string"}, True),
        ({"type": "string"}, None),
        ({"type": "string"}, 10**41),
        ({"type": "null"}, "null"),
        ({"type": "array"}, "a"),
        ({"type": "array"}, "{}"),
        ({"type": "array"}, 3),
        ({"type": "object"}, "{"),
        ({"minimum": 3}, 2),
        ({"anyOf": [{"const": 3}, {"type": "object", "properties": {"a": {"type": "integer"}}}]}, {"a": "x"}),
    ],
)
def test_what_is_not_safe_stays_as_it_is(rules: Any, value: Any) -> None:
    assert read(rules, value) == (value, [])


def test_what_fits_already_stays_as_it_is() -> None:
    assert read({"type": ["string", "integer"]}, "5") == ("5", [])


def test_what_a_reading_brings_to_light_is_read_too() -> None:
    rules = {"type": "object", "properties": {"list": {"type": "array", "items": {"type": "integer"}}}}
    got, notes = read(rules, '{"list": "[1, \\"2\\"]"}')
    assert got == {"list": [1, 2]}
    assert len(notes) == 3


def test_one_place_is_read_once_and_its_neighbours_stay() -> None:
    rules = {"type": "array", "items": {"allOf": [{"type": "integer"}, {"type": ["integer", "null"]}]}}
    got, notes = read(rules, [1, "2", 3])
    assert got == [1, 2, 3]
    assert notes == ["`x[1]`: the string `2` was read as the number `2`"]


def test_the_arguments_themselves_are_never_read_from_a_string() -> None:
    assert coerced(ready({}), "{}") == ("{}", ())


def test_a_value_too_deep_or_too_dear_is_left_alone() -> None:
    deep: Any = "5"
    for _ in range(70):
        deep = [deep]
    assert coerced(ready({"type": "integer"}), {"x": deep}) == ({"x": deep}, ())


def test_no_more_faults_are_read_than_are_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("prowess.call.coercion.MAX_FAULTS", 2)
    monkeypatch.setattr("prowess.call.coercion.MAX_PASSES", 1)
    got, notes = read({"type": "array", "items": {"type": "integer"}}, ["1", "2", "3"])
    assert got == [1, 2, "3"]
    assert len(notes) == 2


def test_the_report_is_redacted() -> None:
    hide = lambda text: text.replace("5", "#")  # noqa: E731
    _, done = coerced(ready({"type": "integer"}), {"x": "5"}, hide)
    assert done[0].note == "`x`: the string `#` was read as the number `5`"
