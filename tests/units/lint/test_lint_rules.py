"""What a model reads of a unit: name, description, triggers, parameters."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.units.lint.conftest import CITY, Linted, linted

from prowess.spec.diagnostics import Reach


def with_city(**said: Any) -> dict[str, Any]:
    return {"type": "object", "properties": {"city": said}}


def test_a_good_unit_has_nothing_to_be_told(told: Linted) -> None:
    assert told() == []


@pytest.mark.parametrize(
    ("rule", "said"),
    [
        ("lint-name", {"name": "weather"}),
        ("lint-name", {"name": "queryWeather"}),
        ("lint-name", {"name": "query-weather"}),
        ("lint-name", {"name": "query_the_weather_now"}),
        ("lint-name", {"name": "weather_query"}),
        ("lint-description", {"description": "Weather."}),
        ("lint-description", {"description": "Says the weather. Ask it for cities."}),
        ("lint-description", {"description": "说明天气。需要城市名。"}),
        ("lint-trigger", {"triggers": ["weather today", "What is the weather?"]}),
        ("lint-trigger", {"triggers": ["use this when somebody asks"]}),
        ("lint-trigger", {"triggers": ["one two three four five six seven eight nine"]}),
        ("lint-parameter-description", {"parameters": with_city(type="string", example="Oslo")}),
        ("lint-parameter-description", {"parameters": with_city(**{**CITY, "description": " "})}),
        ("lint-parameter-example", {"parameters": with_city(type="string", description="Where.")}),
        ("lint-parameter-example", {"parameters": with_city(**{**CITY, "examples": []})}),
    ],
)
def test_a_poor_unit_is_given_one_piece_of_advice(told: Linted, rule: str, said: dict[str, Any]) -> None:
    assert [(each.rule, each.reach) for each in told(**said)] == [(rule, Reach.ADVICE)]


@pytest.mark.parametrize(
    "said",
    [
        {"name": "search_web_pages"},
        {"name": "get_2fa_code"},
        {"description": "Converts amounts, e.g. 12.50 EUR, at the rate of the U.S. central bank."},
        {"description": "说明一个城市现在的天气。"},
        {"triggers": ["what is the weather", "天气"]},
        {"parameters": with_city(type="string", description="Where.", example="Oslo")},
        {"parameters": {"type": "object", "properties": {}}},
    ],
)
def test_a_unit_that_is_well_written_is_left_alone(told: Linted, said: dict[str, Any]) -> None:
    assert told(**said) == []


def test_what_a_reference_says_counts_for_the_parameter(told: Linted) -> None:
    parameters = {
        "type": "object",
        "properties": {"city": {"$ref": "#/$defs/City"}},
        "$defs": {"City": {"type": "string", "description": "Where.", "example": "Oslo"}},
    }
    assert told(parameters=parameters) == []


def test_a_reference_to_itself_ends(told: Linted) -> None:
    parameters = {"type": "object", "properties": {"city": {"$ref": "#/properties/city"}}}
    assert {each.rule for each in told(parameters=parameters)} >= {"lint-parameter-description"}


def test_a_decorated_function_is_told_at_its_line(tmp_path: Path) -> None:
    (tmp_path / "tools.py").write_text(
        "import prowess\n\n\n@prowess.unit\nasync def weather(city: str) -> str:\n"
        '    "Says what the weather is in a city now."\n    return open(city).read()\n'
    )
    told = {(each.rule, each.place.line) for each in linted(tmp_path)}
    assert told == {
        ("lint-name", 4),
        ("lint-parameter-description", 4),
        ("lint-parameter-example", 4),
        ("lint-free-text", 7),
    }
