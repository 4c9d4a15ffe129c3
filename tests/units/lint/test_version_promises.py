"""Two versions of a unit: what breaks callers without a new major number is an error."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.units.lint.conftest import CITY, linted, write

from prowess.spec.diagnostics import Reach
from prowess.units.compatibility import judge_against
from prowess.units.registry import Registry

DAYS = {"type": "integer", "minimum": 1, "maximum": 7, "description": "How many.", "examples": [1]}
BEFORE: dict[str, Any] = {"type": "object", "properties": {"city": CITY, "days": DAYS}, "required": ["city"]}
GIVES: dict[str, Any] = {
    "type": "object",
    "properties": {"sky": {"enum": ["clear", "grey"]}},
    "required": ["sky"],
}


def changed(**members: Any) -> dict[str, Any]:
    properties = {**BEFORE["properties"], **members}
    return {**BEFORE, "properties": {name: each for name, each in properties.items() if each is not None}}


BREAKS: dict[str, dict[str, Any]] = {
    "a parameter that is gone": {"parameters": changed(days=None)},
    "a new required one": {"parameters": {**changed(land=CITY), "required": ["city", "land"]}},
    "one that is required now": {"parameters": {**BEFORE, "required": ["city", "days"]}},
    "a narrower type": {"parameters": changed(days={**DAYS, "type": "integer", "maximum": 5})},
    "another type": {"parameters": changed(city={**CITY, "type": "integer", "examples": [1]})},
    "fewer words": {"parameters": changed(city={**CITY, "enum": ["Oslo"]})},
    "a result without what was promised": {"returns": {**GIVES, "required": []}},
    "a result nobody knows": {"returns": {**GIVES, "properties": {"sky": {"type": "string"}}}},
}
KEEPS: dict[str, dict[str, Any]] = {
    "a new parameter that may be left out": {"parameters": changed(land=CITY)},
    "a wider range": {"parameters": changed(days={**DAYS, "maximum": 14})},
    "other words about it": {"description": "Says what the weather will be in a city."},
}


def two(root: Path, old: str, new: str, **said: Any) -> list[tuple[str, Reach]]:
    before: dict[str, Any] = {"parameters": BEFORE, "returns": GIVES}
    write(root, f"weather/{old}", version=old, **before)
    write(root, f"weather/{new}", version=new, **{**before, **said})
    return [(each.rule, each.reach) for each in linted(root)]


@pytest.mark.parametrize("case", BREAKS)
@pytest.mark.parametrize(("old", "new"), [("1.4.2", "1.5.0"), ("1.4.2", "1.4.3"), ("0.3.0", "0.3.1")])
def test_a_break_without_a_major_number_is_an_error(tmp_path: Path, case: str, old: str, new: str) -> None:
    assert set(two(tmp_path, old, new, **BREAKS[case])) == {("lint-version-breaks", Reach.ENTRY)}


@pytest.mark.parametrize("case", BREAKS)
@pytest.mark.parametrize(("old", "new"), [("1.4.2", "2.0.0"), ("1.4.2", "2.0.0-rc.1"), ("0.3.0", "0.4.0")])
def test_a_new_major_number_may_break(tmp_path: Path, case: str, old: str, new: str) -> None:
    assert two(tmp_path, old, new, **BREAKS[case]) == []


@pytest.mark.parametrize("case", KEEPS)
def test_what_keeps_the_promise_is_left_alone(tmp_path: Path, case: str) -> None:
    assert two(tmp_path, "1.4.2", "1.5.0", **KEEPS[case]) == []


def test_a_parameter_is_gone_also_where_others_are_let_through(tmp_path: Path) -> None:
    loose = {**BEFORE, "additionalProperties": True}
    write(tmp_path, "weather/1.0.0", version="1.0.0", parameters=loose)
    write(
        tmp_path,
        "weather/1.1.0",
        version="1.1.0",
        parameters={**changed(days=None), "additionalProperties": True},
    )
    assert [each.rule for each in linted(tmp_path)] == ["lint-version-breaks"]


def test_each_version_is_compared_with_the_next(tmp_path: Path) -> None:
    for version, parameters in (("1.9.0", BEFORE), ("1.10.0", changed(days=None)), ("2.0.0", BEFORE)):
        write(tmp_path, f"weather/{version}", version=version, parameters=parameters)
    assert [each.subject for each in linted(tmp_path)] == ["query_weather@1.10.0"]


def test_a_version_that_was_released_otherwise_is_an_error(tmp_path: Path) -> None:
    write(tmp_path, "released/weather", parameters=BEFORE)
    write(tmp_path, "now/weather", parameters=changed(days=None))
    registries = [Registry([str(tmp_path / each)]) for each in ("now", "released")]
    for each in registries:
        each.refresh()
    assert [each.rule for each in judge_against(*(each.units for each in registries))] == [
        "lint-version-breaks"
    ]
