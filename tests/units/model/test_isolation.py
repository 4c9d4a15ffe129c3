"""Units are imported apart: their modules, their names, their output, their faults."""

from __future__ import annotations

import sys
from typing import Any

import pytest
from tests.units.model.conftest import Units, run

from prowess import Answered, Refused, SkillUnit
from prowess.errors import UsageError
from prowess.provider import Invocation

USING = """
{importing}

class Using:
    async def execute(self, params: dict) -> dict:
        return {{"sky": {using}}}
"""


def value(outcome: Any) -> Any:
    match outcome:
        case Answered(value=value):
            return value
        case other:
            raise AssertionError(other)


@pytest.mark.parametrize(
    ("importing", "using"),
    [
        ("from client import SKY", "SKY"),
        ("import client", "client.SKY"),
        ("from .client import SKY", "SKY"),
        ("from . import client", "client.SKY"),
        ("import parts.deep", "parts.deep.SKY"),
        ("from parts import deep", "deep.SKY"),
        ("from parts.deep import SKY", "SKY"),
        ("", "__import__('client').SKY"),
    ],
)
def test_a_unit_imports_what_stands_beside_it(importing: str, using: str, units: Units) -> None:
    for name in ("one", "two"):
        units.unit(name, name, USING.format(importing=importing, using=using))
        units.write(f"{name}/client.py", f"SKY = {name!r}")
        units.write(f"{name}/parts/__init__.py", "")
        units.write(f"{name}/parts/deep.py", "from client import SKY\n")
    before = set(sys.modules)

    async def work() -> None:
        provider = units.provider()
        await provider.open()
        for name in ("one", "two"):
            assert value(await provider.call(Invocation(tool=name))) == {"sky": name}
        new = set(sys.modules) - before
        assert {
            each.partition(".")[0] for each in new if not each.startswith("prowess")
        } <= sys.stdlib_module_names
        await provider.close()

    run(work())
    assert not [each for each in set(sys.modules) - before if each.startswith("prowess_unit_")]


def test_an_import_in_the_middle_of_a_call_finds_the_neighbour_too(units: Units) -> None:
    code = """
    class Late:
        async def execute(self, params):
            import client
            return {"sky": client.SKY}
    """
    units.unit("one", "one", code)
    units.write("one/client.py", "SKY = 1")
    assert value(units.call("one")) == {"sky": 1}


def test_the_standard_library_is_never_hidden_by_a_neighbour(units: Units) -> None:
    units.unit("one", "one", USING.format(importing="import json", using="json.dumps([1])"))
    units.write("one/json.py", "raise SystemExit")
    assert value(units.call("one")) == {"sky": "[1]"}


@pytest.mark.parametrize(
    "importing", ["from skills.base import Skill", "import skills.base as b\nSkill = b.Skill",
                  "from skills import base\nSkill = base.Skill", "from prowess import SkillUnit as Skill"],
)  # fmt: skip
def test_the_base_class_is_found_while_a_unit_loads(importing: str, units: Units) -> None:
    code = f"""{importing}
class Mine(Skill):
    async def execute(self, params):
        self.ctx.log("ran")
        return {{"base": Skill.__name__}}
"""
    units.unit("one", "one", code)
    assert value(units.call("one")) == {"base": "SkillUnit"}
    assert "skills" not in sys.modules and "skills.base" not in sys.modules


@pytest.mark.parametrize(
    ("answer", "words"),
    [("False", "refuses"), ('"there are no such days"', "no such days")],
)
def test_the_check_of_an_inherited_class_refuses_before_execute(
    answer: str, words: str, units: Units
) -> None:
    code = f"""from skills.base import Skill
class Mine(Skill):
    def validate(self, params):
        return {answer}
    async def execute(self, params):
        raise RuntimeError("executed")
"""
    units.unit("one", "one", code)
    match units.call("one"):
        case Refused(code="invalid-arguments", reason=reason):
            assert words in reason
        case other:
            raise AssertionError(other)


def test_the_check_may_be_async_and_say_nothing(units: Units) -> None:
    code = """
    from skills.base import Skill
    class Mine(Skill):
        async def validate(self, params):
            self.seen = params
        async def execute(self, params):
            return {"seen": self.seen}
    """
    units.unit("one", "one", code)
    assert value(units.call("one", city="Oslo")) == {"seen": {"city": "Oslo"}}


def test_outside_of_a_call_there_is_no_context() -> None:
    with pytest.raises(UsageError):
        SkillUnit().ctx  # noqa: B018
    with pytest.raises(UsageError):
        run(SkillUnit().execute({}))
    assert SkillUnit().validate({}) is True


def test_what_a_unit_prints_goes_to_stderr(units: Units, capsys: pytest.CaptureFixture[str]) -> None:
    units.unit("one", "one", 'print("at import")\n' + USING.format(importing="", using='print("in call")'))
    assert value(units.call("one")) == {"sky": None}
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err == "at import\nin call\n"


def test_dataclasses_with_text_for_types_work_in_a_unit(units: Units) -> None:
    code = """
    from __future__ import annotations
    from dataclasses import asdict, dataclass

    @dataclass
    class Sky:
        colour: str = "grey"

    class Mine:
        async def execute(self, params):
            return asdict(Sky())
    """
    units.unit("one", "one", code)
    assert value(units.call("one")) == {"colour": "grey"}


def test_no_bytecode_is_left_in_the_folder(units: Units) -> None:
    units.unit("one", "one", USING.format(importing="import client", using="client.SKY"))
    units.write("one/client.py", "SKY = 1")
    units.call("one")
    assert not list(units.root.rglob("__pycache__"))
