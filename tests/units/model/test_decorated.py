"""What a decorated function's hints and docstring become, and what cannot be a unit."""

from __future__ import annotations

from typing import Any

import pytest
from tests.units.model.conftest import Units

from prowess import Answered, Refused, UsageError, unit
from prowess.units import docstring
from prowess.units.index import Index
from prowess.units.registry import Registry

HEAD = "from __future__ import annotations\nfrom prowess import UnitContext, unit\n"


def read(units: Units, code: str) -> Registry:
    units.write("tools.py", HEAD + code)
    registry = Registry([str(units.root)])
    registry.refresh()
    return registry


def tool(units: Units, code: str) -> dict[str, Any]:
    registry = read(units, code)
    assert registry.diagnostics == ()
    [found] = registry.tools
    return dict(found.wire)


def test_a_bare_decorator_takes_everything_from_the_function(units: Units) -> None:
    wire = tool(
        units,
        '''
@unit
async def add_numbers(a: int, b: int = 2) -> int:
    """Adds two
    numbers.

    More words that no model has to read.

    Args:
        a: The first,
            which is told on two lines.
        b (int): The other.

    Returns:
        The sum.
    """
    return a + b
''',
    )
    assert wire["name"] == "add_numbers"
    assert wire["description"] == "Adds two numbers."
    assert wire["inputSchema"] == {
        "type": "object",
        "properties": {
            "a": {"type": "integer", "description": "The first, which is told on two lines."},
            "b": {"type": "integer", "default": 2, "description": "The other."},
        },
        "required": ["a"],
        "additionalProperties": False,
    }
    assert wire["outputSchema"] == {
        "type": "object",
        "properties": {"result": {"type": "integer"}},
        "required": ["result"],
    }
    assert units.call("add_numbers", a=1) == Answered(
        value={"result": 3}, wire={"structuredContent": {"result": 3}}
    )


def test_types_of_python_come_as_themselves_and_go_as_json(units: Units) -> None:
    units.write(
        "tools.py",
        HEAD
        + """
from datetime import date, timedelta
from pydantic import BaseModel

class Night(BaseModel):
    day: date
    guests: tuple[str, ...] = ()

@unit
async def move_night(night: Night) -> Night:
    "Moves a night by a day."
    return Night(day=night.day + timedelta(days=1), guests=night.guests)
""",
    )
    match units.call("move_night", night={"day": "2026-02-28", "guests": ["Ada"]}):
        case Answered(value=value):
            assert value == {"day": "2026-03-01", "guests": ["Ada"]}
        case other:
            raise AssertionError(other)
    match units.call("move_night", night={"day": "never"}):
        case Refused(code="invalid-arguments", reason=reason):
            assert reason.startswith("night/day:")
        case other:
            raise AssertionError(other)


def test_names_that_pydantic_keeps_for_itself_are_parameters_like_others(units: Units) -> None:
    units.write(
        "tools.py",
        HEAD
        + "@unit\nasync def f(schema: str, copy: int, model_x: bool) -> dict:\n"
        + '    "F."\n    return dict(s=schema)\n',
    )
    match units.call("f", schema="s", copy=1, model_x=True):
        case Answered(value=value):
            assert value == {"s": "s"}
        case other:
            raise AssertionError(other)


@pytest.mark.parametrize("parameter", ["ctx", "ctx: UnitContext", "given: UnitContext"])
def test_the_context_is_given_and_never_asked_of_a_model(parameter: str, units: Units) -> None:
    name = parameter.partition(":")[0]
    head = f'@unit\nasync def keep(text: str, {parameter}) -> str:\n    "Keeps."\n'
    code = f'{head}    {name}.log("kept")\n    return text\n'
    assert set(tool(units, code)["inputSchema"]["properties"]) == {"text"}
    match units.call("keep", text="a"):
        case Answered(value=value):
            assert value == {"result": "a"}
        case other:
            raise AssertionError(other)


@pytest.mark.parametrize(
    "signature",
    ["a", "*a: int", "**a: int", "a: int, /", "a: Unknown", "a: Odd"],
    ids=["no hint", "any number", "any name", "by place only", "an unknown name", "no JSON"],
)
def test_a_signature_without_a_schema_is_told_with_its_line(signature: str, units: Units) -> None:
    registry = read(
        units,
        f'class Odd: ...\n\n@unit\nasync def odd({signature}) -> str:\n    "Odd."\n    return ""\n\n'
        '@unit\nasync def fine() -> str:\n    "Fine."\n    return ""\n',
    )
    [told] = registry.diagnostics
    assert (told.rule, str(told.place), told.subject) == ("unit-signature", "tools.py:5", "tools.py#odd")
    assert [each.name for each in registry.units] == ["fine"]


def test_a_function_that_is_not_async_is_no_unit(units: Units) -> None:
    registry = read(units, '@unit\ndef slow() -> str:\n    "Slow."\n    return ""\n')
    [told] = registry.diagnostics
    assert (told.rule, told.place.line) == ("unit-no-execute", 4)
    with pytest.raises(UsageError):
        unit(lambda: None)  # type: ignore[type-var]  # what a type checker sees, everybody else is told


def test_a_function_without_a_docstring_lacks_a_description(units: Units) -> None:
    registry = read(units, "@unit\nasync def f() -> str:\n    return ''\n")
    assert [each.rule for each in registry.diagnostics] == ["unit-required-field"]
    assert registry.units == ()


def test_a_script_that_holds_no_unit_is_never_run(units: Units) -> None:
    units.write("demo.py", "from prowess import unit\nraise SystemExit('ran')\n")
    registry = Registry([str(units.root)])
    registry.refresh()
    assert registry.diagnostics == ()


def test_a_decorated_file_is_imported_once_and_known_by_its_digest_afterwards(units: Units) -> None:
    mark = units.root / "imported"
    head = f'with open({str(mark)!r}, "a") as mark:\n    mark.write("x")\n'
    code = head + '@unit\nasync def f(a: int) -> int:\n    "F."\n    return a\n'
    first = read(units, code)
    again = Registry([str(units.root)])
    again.refresh()
    assert mark.read_text() == "x"
    assert again.units == first.units
    units.write("tools.py", HEAD + code.replace('"F."', '"G."'))
    again.refresh()
    assert mark.read_text() == "xx"
    assert [each.description for each in again.units] == ["G."]


def test_a_decorated_file_is_read_anew_when_a_neighbour_it_imports_changed(units: Units) -> None:
    units.write("shapes.py", "from typing import Literal\nSize = Literal['small']\n")
    code = '\nimport shapes\n@unit\nasync def f(a: shapes.Size) -> str:\n    "F."\n    return a\n'
    units.write("tools.py", HEAD.replace("from __future__ import annotations\n", "") + code)
    first = Registry([str(units.root)])
    first.refresh()
    units.write("shapes.py", "from typing import Literal\nSize = Literal['small', 'large']\n")
    again = Registry([str(units.root)])
    again.refresh()
    assert first.units[0].parameters["properties"]["a"] == {"const": "small", "type": "string"}
    assert again.units[0].parameters["properties"]["a"] == {"enum": ["small", "large"], "type": "string"}


def test_an_index_that_is_damaged_is_no_index(units: Units) -> None:
    index = Index(str(units.root))
    index.put("tools.py", "d", [], [{"said": {}, "line": 1}])
    index.save()
    assert Index(str(units.root)).get("tools.py", "d") == [{"said": {}, "line": 1}]
    assert Index(str(units.root)).get("tools.py", "other") is None
    with open(index._file, "w") as file:
        file.write('{"format": 1, "files": []')
    assert Index(str(units.root)).get("tools.py", "d") is None


@pytest.mark.parametrize(
    "text",
    [
        "Adds.\n\nArgs:\n    a: One.\n    b: Two\n        lines.\n\nReturns:\n    Sum: all.",
        "Adds.\n\nParameters\n----------\na : int\n    One.\nb\n    Two\n    lines.\n\n"
        "Returns\n-------\nint\n    Sum.",
        "Adds.\n\n:param a: One.\n:param int b: Two\n  lines.\n:returns: Sum.",
    ],
    ids=["google", "numpy", "sphinx"],
)
def test_parameters_are_described_in_any_of_three_ways(text: str) -> None:
    assert docstring.read(text) == ("Adds.", {"a": "One.", "b": "Two lines."})
