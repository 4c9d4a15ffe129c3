"""A folder and a decorated function that say the same are the same: schema, behaviour, refusals."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tests.units.model.conftest import Units, run

from prowess import Answered, Host, Refused, ToolFailed
from prowess.host.storing import Store
from prowess.units.registry import Registry

FUNCTION = """
from typing import Annotated, Literal
from typing_extensions import TypedDict
from pydantic import Field
from prowess import unit

class Weather(TypedDict):
    city: str
    sky: Literal["clear", "grey"]

@unit(triggers=["weather today"], timeout=2500, idempotent=True, version="1.4.2", core=True,
      permissions={"hosts": ["api.example.com"], "secrets": ["KEY"]},
      examples=[{"input": {"city": "Oslo"}, "output": {"city": "Oslo", "sky": "grey"}}])
async def query_weather(city: Annotated[str, Field(description="Where.", min_length=1, examples=["Oslo"])],
                        days: Annotated[int, Field(description="How many.", ge=1, le=7)] = 1) -> Weather:
    "Says what the weather is in a city."
    if city == "Nowhere":
        raise ValueError("there is no such city")
    return {"city": city, "sky": "grey" if days < 3 else "clear"}
"""

SCHEMA: dict[str, Any] = {
    "name": "query_weather",
    "description": "Says what the weather is in a city.",
    "triggers": ["weather today"],
    "parameters": {
        "type": "object",
        "properties": {
            "city": {"type": "string", "minLength": 1, "description": "Where.", "examples": ["Oslo"]},
            "days": {"type": "integer", "minimum": 1, "maximum": 7, "default": 1, "description": "How many."},
        },
        "required": ["city"],
    },
    "returns": {
        "type": "object",
        "properties": {"city": {"type": "string"}, "sky": {"enum": ["clear", "grey"], "type": "string"}},
        "required": ["city", "sky"],
    },
    "timeout": 2500,
    "idempotent": True,
    "version": "1.4.2",
    "permissions": {"hosts": ["api.example.com"], "secrets": ["KEY"]},
    "core": True,
    "examples": [{"input": {"city": "Oslo"}, "output": {"city": "Oslo", "sky": "grey"}}],
}

CLASS = """
class Weather:
    async def execute(self, params: dict) -> dict:
        if params["city"] == "Nowhere":
            raise ValueError("there is no such city")
        return {"city": params["city"], "sky": "grey" if params.get("days", 1) < 3 else "clear"}
"""

INHERITED = "from skills.base import Skill\n" + CLASS.replace("class Weather:", "class Weather(Skill):")

FORMS = ("function", "class", "inherited")


@pytest.fixture(params=FORMS)
def form(request: pytest.FixtureRequest, units: Units) -> Units:
    return written(units, request.param)


def written(units: Units, form: str) -> Units:
    if form == "function":
        units.write("weather.py", FUNCTION)
    else:
        units.write("weather/schema.json", json.dumps(SCHEMA))
        units.write("weather/skill.py", CLASS if form == "class" else INHERITED)
    return units


def offered(root: Path) -> dict[str, Any]:
    registry = Registry([str(root)])
    registry.refresh()
    assert registry.diagnostics == ()
    [tool] = registry.tools
    registry.close()
    return dict(tool.wire)


def test_both_forms_give_the_same_tool(tmp_path: Path) -> None:
    wires = [offered(written(Units(tmp_path / form), form).root) for form in FORMS]
    assert wires[0] == wires[1] == wires[2]
    assert wires[0]["annotations"] == {"idempotentHint": True}
    assert wires[0]["_meta"] == {
        "dev.prowess/version": "1.4.2",
        "dev.prowess/timeout": 2.5,
        "dev.prowess/triggers": ["weather today"],
        "dev.prowess/core": True,
    }
    assert wires[0]["outputSchema"] == SCHEMA["returns"]
    assert wires[0]["inputSchema"] == {**SCHEMA["parameters"], "additionalProperties": False}


def test_both_forms_give_the_same_unit(tmp_path: Path) -> None:
    found = []
    for form in FORMS:
        registry = Registry([str(written(Units(tmp_path / form), form).root)])
        registry.refresh()
        [unit] = registry.units
        found.append((unit.permissions, unit.examples, unit.timeout_ms, unit.core, unit.triggers, unit.title))
        registry.close()
    assert found[0] == found[1] == found[2]


def test_both_forms_answer_alike(form: Units) -> None:
    async def work() -> None:
        async with Host.open(form.root, store=Store.in_memory()) as host:
            assert await host.call("query_weather", {"city": "Oslo", "days": 4}) == Answered(
                value={"city": "Oslo", "sky": "clear"},
                wire={"structuredContent": {"city": "Oslo", "sky": "clear"}},
            )
            match await host.call("query_weather", {"days": 9, "town": "Oslo"}):
                case Refused(code="invalid-arguments", problems=problems):
                    assert [(each.path, each.rule) for each in problems] == [
                        ("/city", "required"),
                        ("/days", "maximum"),
                        ("/town", "additionalProperties"),
                    ]
                case other:
                    raise AssertionError(other)
            match await host.call("query_weather", {"city": "Nowhere"}):
                case ToolFailed(message=message, transient=False):
                    assert message == "ValueError: there is no such city"
                case other:
                    raise AssertionError(other)

    run(work())


def test_a_result_that_does_not_fit_returns_is_noted(units: Units) -> None:
    units.write("weather/schema.json", json.dumps(SCHEMA))
    units.write("weather/skill.py", CLASS.replace('"grey" if', '"pink" if'))

    async def work() -> tuple[str, ...]:
        async with Host.open(units.root, store=Store.in_memory()) as host:
            result = await host.call_recorded("query_weather", {"city": "Oslo"})
            assert isinstance(result.outcome, Answered)
            return result.notes

    [note] = run(work())
    assert "sky" in note


def test_the_decorator_leaves_the_function_as_it_was() -> None:
    from prowess import unit

    @unit(version="2.0.0")
    async def add(a: int, b: int = 2) -> int:
        """Adds."""
        return a + b

    assert run(add(1)) == 3
    assert run(add(1, b=5)) == 6
    assert add.__name__ == "add"
