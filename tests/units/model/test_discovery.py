"""Discovery: what counts as a unit, what is wrong with the others, and that one never hides another."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.units.model.conftest import ECHO, Units

from prowess.spec.diagnostics import Diagnostic, Place
from prowess.units.discovery import Found, discover, judge
from prowess.units.loading import Modules
from prowess.units.metadata import KINDS, read_unit
from prowess.units.model import Permissions
from prowess.units.registry import Registry
from prowess.units.scanning import holds_units

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=10,
)


def found(units: Units) -> Found:
    return discover([str(units.root)], Modules())


def titles(units: Units) -> list[str]:
    return sorted(each.unit.title for each in found(units).units)


def told(units: Units) -> list[tuple[str, str, str]]:
    return sorted((each.rule, str(each.place), each.subject) for each in found(units).diagnostics)


def test_a_folder_unit_is_not_imported_before_it_is_used(units: Units) -> None:
    units.unit("one", "one", "raise SystemExit('imported')")
    assert titles(units) == ["one@1.0.0"]
    assert told(units) == []


@pytest.mark.parametrize("folder", ["weather", "2.skill", "02_weather", "core/weather", "core/weather/1.4.2"])
def test_a_folder_may_be_called_anything(folder: str, units: Units) -> None:
    units.unit(folder, "query_weather", version="1.4.2")
    assert titles(units) == ["query_weather@1.4.2"]
    assert told(units) == []


def test_a_unit_stands_alone_at_the_root_too(units: Units) -> None:
    units.unit(".", "one")
    assert titles(units) == ["one@1.0.0"]
    assert told(units) == []


def test_versions_stand_side_by_side_in_folders_and_by_what_they_say(units: Units) -> None:
    units.unit("weather", "query_weather", version="1.0.0")
    units.unit("weather/1.4.2", "query_weather")
    units.unit("weather/2.0.0-rc.1", "query_weather")
    units.unit("other", "query_weather", version="1.5.0")
    assert titles(units) == [f"query_weather@{each}" for each in ("1.0.0", "1.4.2", "1.5.0", "2.0.0-rc.1")]


def test_folders_that_are_no_units_are_passed_over(units: Units) -> None:
    units.unit("one", "one")
    units.unit("one/data", "inner")
    units.unit(".hidden", "hidden")
    units.unit("tests", "tested")
    units.unit("a/b/c/d", "deep")
    assert titles(units) == ["one@1.0.0"]
    assert told(units) == []


def test_a_link_that_leads_out_is_told_and_not_followed(units: Units, tmp_path: Path) -> None:
    away = Units(tmp_path / "away")
    away.unit("one", "one")
    (units.root / "linked").symlink_to(away.root / "one")
    units.unit("two", "two")
    (units.root / "two" / "skill.py").unlink()
    (units.root / "two" / "skill.py").symlink_to(away.root / "one" / "skill.py")
    units.unit("three", "three")
    (units.root / "three" / "schema.json").unlink()
    (units.root / "three" / "schema.json").symlink_to(away.root / "one" / "schema.json")
    assert titles(units) == []
    assert told(units) == [
        ("unit-outside", "linked", "linked"),
        ("unit-outside", "three/schema.json", "three"),
        ("unit-outside", "two/skill.py", "two"),
    ]


def test_one_unit_reached_on_two_ways_is_one(units: Units) -> None:
    units.unit("one", "one")
    (units.root / "again").symlink_to(units.root / "one")
    assert titles(units) == ["one@1.0.0"]
    both = discover([str(units.root), str(units.root)], Modules())
    assert [each.unit.title for each in both.units] == ["one@1.0.0"]
    assert both.diagnostics == []


def test_a_clash_of_name_and_version_names_both_files_and_offers_neither(units: Units) -> None:
    units.unit("one", "same")
    units.unit("two", "same")
    units.unit("two/2.0.0", "same")
    units.unit("three", "other")
    assert titles(units) == ["other@1.0.0", "same@2.0.0"]
    clashes = found(units).diagnostics
    assert [each.rule for each in clashes] == ["unit-duplicate"] * 2
    for each in clashes:
        assert "one/schema.json" in each.message and "two/schema.json" in each.message


def test_a_clash_between_folders_and_functions_is_one_too(units: Units, tmp_path: Path) -> None:
    units.unit("one", "same")
    away = Units(tmp_path / "away")
    away.write(
        "tools.py",
        'from prowess import unit\n\n@unit\nasync def same() -> str:\n    "Same."\n    return ""\n',
    )
    result = discover([str(units.root), str(away.root)], Modules())
    assert result.units == []
    assert sorted(str(each.place) for each in result.diagnostics) == ["one/schema.json", "tools.py:3"]
    assert str(away.root) in result.diagnostics[0].message


def test_a_file_that_cannot_be_read_is_told(units: Units) -> None:
    units.unit("one", "one")
    (units.root / "one" / "schema.json").unlink()
    os.mkfifo(units.root / "one" / "schema.json")
    units.unit("two", "two")
    assert titles(units) == ["two@1.0.0"]
    assert told(units) == [("unit-unreadable", "one/schema.json", "one")]


def test_a_root_that_is_not_there_is_told_and_keeps_no_other_away(units: Units, tmp_path: Path) -> None:
    units.unit("one", "one")
    result = discover([str(tmp_path / "nowhere"), str(units.root)], Modules())
    assert len(result.failed) == 1
    assert [each.unit.title for each in result.units] == ["one@1.0.0"]


FAULTS = {
    "import nonsense_module": 3,
    "raise SystemExit(3)": 3,
    "value = {}['city']": 3,
    "def broken(": 3,
    "import client": 2,
}


@pytest.mark.parametrize("line", FAULTS)
def test_a_fault_at_import_has_its_file_and_line_in_the_unit(line: str, units: Units) -> None:
    units.unit("broken", "broken", f"import os\n\n{line}\n{ECHO}")
    units.write("broken/client.py", "\nraise ValueError('in a neighbour')\n")
    units.unit("fine", "fine")
    registry = Registry([str(units.root)])
    registry.refresh()
    [fault] = registry.load_all()
    file = "broken/client.py" if "client" in line else "broken/skill.py"
    assert (fault.rule, str(fault.place)) == ("unit-load-failed", f"{file}:{FAULTS[line]}")
    assert registry.runner(registry.unit("fine", "1.0.0")) is not None
    assert not [each for each in sys.modules if each.startswith("prowess_unit_") and "broken" in each]
    registry.close()


CLASSES = {
    "nothing": "x = 1",
    "sync": "class A:\n    def execute(self, params): return {}",
    "several": "class A:\n    async def execute(self, p): ...\nclass B:\n    async def execute(self, p): ...",
    "constructor": "class A:\n    def __init__(self): raise ValueError\n    async def execute(self, p): ...",
}


@pytest.mark.parametrize("which", CLASSES)
def test_a_file_without_one_class_to_make_is_told(which: str, units: Units) -> None:
    units.unit("one", "one", CLASSES[which])
    registry = Registry([str(units.root)])
    registry.refresh()
    [fault] = registry.load_all()
    assert fault.rule == ("unit-load-failed" if which == "constructor" else "unit-no-execute")
    assert fault.place.file == "one/skill.py"


def test_of_several_classes_the_one_with_the_units_name_runs(units: Units) -> None:
    code = """
    class Base:
        async def execute(self, params): return {"from": type(self).__name__}
    class Other(Base):
        name = "two"
    class Mine(Base):
        name = "one"
    """
    units.unit("one", "one", code)
    registry = Registry([str(units.root)])
    registry.refresh()
    assert registry.load_all() == []
    registry.close()


def test_judging_runs_nothing_and_sees_what_reading_can(units: Units) -> None:
    units.unit("one", "one", "raise SystemExit\n" + ECHO)
    units.unit("two", "two", "class Two(:\n    pass\n")
    units.write("tools.py", "raise SystemExit\nfrom prowess import unit\n@unit\nasync def f(): ...\n")
    result = judge(str(units.root))
    assert [each.unit.title for each in result.units] == ["one@1.0.0"]
    assert result.marked == 1
    assert [(each.rule, str(each.place)) for each in result.diagnostics] == [
        ("unit-syntax", "two/skill.py:1")
    ]


@pytest.mark.parametrize(
    ("files", "holds"),
    [
        (["weather/schema.json", "weather/skill.py"], True),
        (["2.skill/schema.json", "2.skill/2.skill.py"], True),
        (["weather/1.4.2/schema.json", "weather/1.4.2/skill.py"], True),
        (["schema.json", "skill.py"], True),
        (["weather/schema.json"], False),
        (["weather/skill.py"], False),
        (["tools.py"], False),
        (["units/tools.py"], False),
        (["plugin.json", "weather/schema.json", "weather/skill.py"], False),
    ],
)
def test_a_folder_of_units_is_told_by_names(files: list[str], holds: bool, tmp_path: Path) -> None:
    for each in files:
        (tmp_path / "it" / each).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "it" / each).write_text("")
    assert holds_units(str(tmp_path / "it")) is holds
    if (tmp_path / "it" / "units").is_dir():
        assert holds_units(str(tmp_path / "it" / "units"))


# -- metadata ------------------------------------------------------------------------------------------


def judged(**said: Any) -> tuple[Any, list[Diagnostic]]:
    whole = {"name": "one", "description": "Does one.", **said}
    return read_unit(whole, place=Place(file="one/schema.json"), subject="one")


@given(st.dictionaries(st.sampled_from(list(KINDS)) | st.text(max_size=8), JSON, max_size=6))
def test_any_object_is_judged_and_gives_a_unit_or_a_reason(said: dict[str, Any]) -> None:
    unit, diagnostics = read_unit(said, place=Place(file="schema.json"), subject="x")
    assert (unit is None) == any(each.reach.word == "entry" for each in diagnostics)


@pytest.mark.parametrize(
    ("said", "pointer"),
    [
        ({"timeout": 0}, "/timeout"),
        ({"timeout": True}, "/timeout"),
        ({"timeout": 2.5}, "/timeout"),
        ({"triggers": "weather"}, "/triggers"),
        ({"triggers": [1]}, "/triggers"),
        ({"idempotent": 1}, "/idempotent"),
        ({"core": "sometimes"}, "/core"),
        ({"examples": [1]}, "/examples"),
        ({"permissions": "network"}, "/permissions"),
        ({"permissions": {"hosts": "a.example"}}, "/permissions/hosts"),
    ],
)
def test_a_wrong_type_is_told_at_its_pointer(said: dict[str, Any], pointer: str) -> None:
    unit, [told] = judged(**said)
    assert unit is None
    assert (told.rule, told.place.pointer) == ("unit-field-type", pointer)


@pytest.mark.parametrize(
    ("said", "core"), [({}, False), ({"core": True}, True), ({"core": "core"}, True),
                       ({"tier": "core"}, True), ({"tier": "extended"}, False)],
)  # fmt: skip
def test_core_may_be_said_in_a_word(said: dict[str, Any], core: bool) -> None:
    unit, [] = judged(**said)
    assert unit.core is core


def test_permissions_are_lists_and_what_is_not_known_grants_nothing() -> None:
    unit, [told] = judged(permissions={"hosts": ["a.example"], "host": ["b.example"]})
    assert told.rule == "unit-permission-unknown"
    assert unit.permissions == Permissions(hosts=("a.example",))
    assert unit.permissions.network
    unit, [told] = judged(permissions=["network"])
    assert told.rule == "unit-permission-unknown"
    assert unit.permissions == Permissions() and not unit.permissions.network


@pytest.mark.parametrize(
    ("schema", "closed"),
    [
        ({}, True),
        ({"properties": {"a": {}}}, True),
        ({"type": "object", "additionalProperties": True}, False),
        ({"type": "object", "patternProperties": {"^x": {}}}, False),
        ({"$ref": "#/$defs/a", "$defs": {"a": {"type": "object"}}}, False),
    ],
)
def test_plain_parameters_take_no_other_names(schema: dict[str, Any], closed: bool) -> None:
    unit, [] = judged(parameters=schema)
    assert unit.parameters["type"] == "object"
    assert (unit.parameters.get("additionalProperties") is False) is closed
    assert json.loads(json.dumps(unit.parameters)) == unit.parameters
