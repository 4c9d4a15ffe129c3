"""Requirement to test and test to requirement, both enforced."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from tests.requirements.ids import REQUIREMENTS
from tests.requirements.markers import named

LIST = Path(__file__).resolve().parents[3] / "shared" / "spec" / "agent-plugins-requirements.md"


def test_every_requirement_is_named_by_a_test() -> None:
    unproven = sorted(set(REQUIREMENTS) - set(named("req")))
    assert not unproven, f"no test carries @pytest.mark.req for {unproven}"


def test_no_test_names_an_unknown_requirement() -> None:
    unknown = {each: places for each, places in named("req").items() if each not in REQUIREMENTS}
    assert not unknown, f"not in tests/requirements/ids.py: {unknown}"


def test_the_list_is_the_one_it_was_taken_from() -> None:
    if not LIST.is_file():
        pytest.skip("the list that the ids were taken from is not beside this checkout")
    given = re.findall(r"^\| (AP-[0-9.]+-[0-9]+) \|", LIST.read_text(encoding="utf-8"), flags=re.MULTILINE)
    assert sorted(REQUIREMENTS) == sorted(given)


def test_a_marker_is_found_wherever_it_stands(tmp_path: Path) -> None:
    (tmp_path / "test_some.py").write_text(
        "import pytest\n"
        "pytestmark = pytest.mark.req('A')\n"
        "@pytest.mark.req('B', 'C')\n"
        "@pytest.mark.parametrize('x', [pytest.param(1, marks=pytest.mark.req('D'))])\n"
        "def test_it(x): ...\n"
    )
    assert named("req", tmp_path) == {
        "A": ["test_some.py:2"],
        "B": ["test_some.py:3"],
        "C": ["test_some.py:3"],
        "D": ["test_some.py:4"],
    }


@pytest.mark.parametrize("arguments", ["", "SOME_ID", "'A', *MORE", "id='A'"])
def test_an_id_that_is_not_written_out_is_an_error(arguments: str, tmp_path: Path) -> None:
    (tmp_path / "test_some.py").write_text(f"import pytest\npytestmark = pytest.mark.req({arguments})\n")
    with pytest.raises(ValueError, match=r"test_some\.py:2"):
        named("req", tmp_path)
