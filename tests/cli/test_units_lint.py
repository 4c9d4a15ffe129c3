"""`prowess units lint` and `prowess new unit` on the command line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tests.commanding import Run


@pytest.fixture
def units(tmp_path: Path, prowess: Run) -> Path:
    folder = tmp_path / "units"
    folder.mkdir()
    assert prowess("new", "unit", "count_words", "--in", folder).status == 0
    return folder


def change(file: Path, **said: Any) -> None:
    file.write_text(json.dumps({**json.loads(file.read_text()), **said}))


@pytest.mark.parametrize("form", ["folder", "function"])
def test_a_new_unit_passes_lint_tests_and_readiness_at_once(tmp_path: Path, prowess: Run, form: str) -> None:
    written = prowess("new", "unit", "tell_news", "--in", tmp_path, "--form", form, "--json")
    assert written.status == 0
    path = tmp_path if form == "folder" else tmp_path / "tell_news.py"
    assert all(Path(each).is_file() for each in written.json["files"])
    linted = prowess("units", "lint", path, "--json", "--fail-on", "advice")
    assert (linted.status, linted.json["diagnostics"]) == (0, [])
    assert linted.json["units"] == ["tell_news@0.1.0"]
    assert prowess("test", path).status == 0
    assert prowess("readiness", path).status == 0
    called = prowess("call", path, "tell_news", "--arg", "text=one two")
    assert (called.status, called.json) == (0, {"words": 2})


@pytest.mark.parametrize("there", ["file", "folder", "link"])
def test_what_is_there_is_never_overwritten(tmp_path: Path, prowess: Run, there: str) -> None:
    form, place = (
        ("folder", tmp_path / "tell_news") if there == "folder" else ("function", tmp_path / "tell_news.py")
    )
    if there == "folder":
        place.mkdir()
        (place / "mine").write_text("mine")
    elif there == "file":
        place.write_text("mine")
    else:
        place.symlink_to(tmp_path / "nowhere")
    before = sorted(tmp_path.rglob("*"))
    assert prowess("new", "unit", "tell_news", "--in", tmp_path, "--form", form).status == 2
    assert sorted(tmp_path.rglob("*")) == before
    assert there != "file" or place.read_text() == "mine"


@pytest.mark.parametrize("name", ["", "Tell", "tell-news", "../tell", "class", "9_lives", "tell_", "a" * 65])
def test_a_name_that_will_not_do_writes_nothing(tmp_path: Path, prowess: Run, name: str) -> None:
    assert prowess("new", "unit", name, "--in", tmp_path).status == 2
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_is_not_there_is_not_made(tmp_path: Path, prowess: Run) -> None:
    assert prowess("new", "unit", "tell_news", "--in", tmp_path / "no").status == 2


def test_advice_is_told_and_fails_only_when_it_is_to(units: Path, prowess: Run) -> None:
    change(units / "count_words" / "schema.json", triggers=["Use this when words are to be counted."])
    ran = prowess("units", "lint", units)
    assert ran.status == 0
    assert "lint-trigger" in ran.out
    assert prowess("units", "lint", units, "--fail-on", "advice").status == 1
    assert prowess("units", "lint", units, "--fail-on", "note").status == 0


def test_a_unit_that_does_not_load_is_a_no(units: Path, prowess: Run) -> None:
    (units / "count_words" / "skill.py").write_text("def (")
    ran = prowess("units", "lint", units, "--json")
    assert ran.status == 1
    assert "unit-syntax" in {each["rule"] for each in ran.json["diagnostics"]}


def test_what_was_released_is_compared_with(units: Path, tmp_path: Path, prowess: Run) -> None:
    released = tmp_path / "released"
    released.mkdir()
    assert prowess("new", "unit", "count_words", "--in", released).status == 0
    assert prowess("units", "lint", units, "--against", released).status == 0
    change(
        units / "count_words" / "schema.json", parameters={"type": "object", "properties": {}}, examples=[]
    )
    ran = prowess("units", "lint", units, "--against", released, "--json")
    assert ran.status == 1
    assert {each["rule"] for each in ran.json["diagnostics"]} == {"lint-version-breaks"}
    change(units / "count_words" / "schema.json", version="0.2.0")
    assert prowess("units", "lint", units, "--against", released).status == 0


def test_one_unit_alone_can_be_asked_for(units: Path, prowess: Run) -> None:
    assert prowess("new", "unit", "news", "--in", units).status == 0
    assert prowess("units", "lint", units, "count_words", "--fail-on", "advice").status == 0
    assert prowess("units", "lint", units, "news", "--fail-on", "advice").status == 1
    assert prowess("units", "lint", units, "no_such").status == 2


# -- test and readiness


def test_a_failing_example_is_a_no_in_text_and_json(units: Path, prowess: Run) -> None:
    example = {"input": {"text": "one"}, "output": {"words": 2}}
    change(units / "count_words" / "schema.json", examples=[example])
    ran = prowess("test", units)
    assert ran.status == 1
    assert "expected" in ran.out
    document = prowess("test", units, "--json").json
    assert document["ok"] is False
    assert [each["status"] for each in document["units"][0]["checks"] if each["kind"] == "example"] == [
        "failed"
    ]
    assert prowess("test", units, "--unit", "count_words@0.1.0").status == 1
    assert prowess("test", units, "--unit", "other").status == 2


def test_readiness_says_what_is_missing(units: Path, prowess: Run) -> None:
    change(units / "count_words" / "schema.json", examples=[])
    ran = prowess("readiness", units, "--json")
    assert ran.status == 1
    points = ran.json["units"][0]["points"]
    assert {name for name, each in points.items() if each["answer"] == "missing"} == {"examples", "coverage"}
    assert points["triggers"]["answer"] == "pass"
    assert "0 of 1 ready" in prowess("readiness", units).out


@pytest.mark.parametrize("verb", [["test"], ["readiness"], ["units", "lint"]])
def test_a_path_without_units_cannot_be_answered(package: Path, prowess: Run, verb: list[str]) -> None:
    assert prowess(*verb, package).status == 2
    assert prowess(*verb, package / "no").status == 2
