"""What `prowess new` writes: it passes check without advice, and overwrites nothing."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.author.conftest import tree_of, write_tree
from tests.commanding import Run

from prowess.evaluate.cases import completeness
from prowess.evaluate.cases_reading import read_cases
from prowess.workflow.reading import read_workflow

NAMES = {
    "plugin": "word-tools",
    "skill": "count-words",
    "unit": "count_words",
    "content": "house-style",
    "workflow": "measure_text",
}


def new(prowess: Run, what: str, folder: Path, *more: str) -> Path:
    ran = prowess("new", what, NAMES[what], "--in", folder, "--no-fixtures", *more)
    assert ran.status == 0, ran.err
    return folder / NAMES[what]


@pytest.mark.parametrize("what", NAMES)
def test_what_is_new_passes_check_with_nothing_to_report(prowess: Run, tmp_path: Path, what: str) -> None:
    ran = prowess("check", "--fail-on", "advice", new(prowess, what, tmp_path), "--json")
    assert ran.status == 0
    assert ran.json["packages"][0]["diagnostics"] == []


@pytest.mark.parametrize("what", ["plugin", "skill", "unit", "workflow"])
def test_trigger_cases_are_there_three_of_each_kind(prowess: Run, tmp_path: Path, what: str) -> None:
    file = new(prowess, what, tmp_path) / "evals" / "triggers.yaml"
    cases = read_cases(file.read_bytes(), "evals/triggers.yaml")
    assert completeness(cases, [NAMES[what]])[NAMES[what]].complete


def test_a_new_plugin_without_a_tool_is_a_skill_alone(prowess: Run, tmp_path: Path) -> None:
    root = new(prowess, "plugin", tmp_path, "--no-tool")
    assert not (root / "mcp.json").exists()
    assert prowess("check", "--fail-on", "advice", root).status == 0


def test_the_skill_of_a_new_plugin_leads_to_its_tool(prowess: Run, tmp_path: Path) -> None:
    root = new(prowess, "plugin", tmp_path)
    assert "`count_words`" in (root / "skills" / "word-tools" / "SKILL.md").read_text()
    entry = json.loads((root / "mcp.json").read_text())["mcpServers"]["word-tools"]
    assert entry["args"][:2] == ["serve", "${PLUGIN_ROOT}/dev.prowess/units"]


def test_a_new_workflow_is_one_that_the_reader_takes(prowess: Run, tmp_path: Path) -> None:
    file = new(prowess, "workflow", tmp_path) / "measure_text.yaml"
    read = read_workflow(file.read_bytes(), file.name)
    assert read.workflow is not None, read.diagnostics
    assert read.workflow.name == "measure_text"
    assert prowess("schema", "workflow", file).status == 0
    assert prowess("workflow", "check", "--fail-on", "note", file.parent).status == 0


def test_a_new_unit_as_a_function_is_one_file(prowess: Run, tmp_path: Path) -> None:
    ran = prowess("new", "unit", "count_words", "--in", tmp_path, "--form", "function", "--json")
    assert [Path(each).name for each in ran.json["files"]] == ["count_words.py"]
    assert prowess("units", "lint", tmp_path / "count_words.py").status == 0


@pytest.mark.parametrize("what", NAMES)
def test_nothing_that_is_there_is_overwritten(prowess: Run, tmp_path: Path, what: str) -> None:
    write_tree(tmp_path / NAMES[what], {"mine.txt": "mine"})
    assert prowess("new", what, NAMES[what], "--in", tmp_path).status == 2
    assert tree_of(tmp_path) == {f"{NAMES[what]}/mine.txt": b"mine"}


@pytest.mark.parametrize(
    ("what", "name"),
    [
        *(("plugin", each) for each in ["Word", "a--b", "", "../x", "x" * 65, "a_b"]),
        *(("skill", each) for each in ["Word", "a_b", "-a", "..", "a/b"]),
        *(("unit", each) for each in ["Word", "a-b", "class", "1a", "../x"]),
        *(("content", each) for each in ["Word", "..", "a b"]),
        *(("workflow", each) for each in ["a-b", "", "../x"]),
    ],
)
def test_a_name_that_will_not_do_writes_nothing(prowess: Run, tmp_path: Path, what: str, name: str) -> None:
    folder = tmp_path / "inside"
    folder.mkdir()
    assert prowess("new", what, "--in", folder, "--", name).status == 2
    assert list(tmp_path.rglob("*")) == [folder]


@pytest.mark.parametrize(
    "arguments",
    [
        ["skill", "a", "--form", "function"],
        ["unit", "a_b", "--no-tool"],
        ["skill", "a", "--in", "missing"],
        ["nonsense", "a"],
    ],
)
def test_what_does_not_go_together_is_an_error(
    prowess: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert prowess("new", *arguments).status == 2
    assert list(tmp_path.iterdir()) == []


def test_a_single_skill_is_checked_by_itself(prowess: Run, tmp_path: Path) -> None:
    root = new(prowess, "skill", tmp_path)
    write_tree(tmp_path, {"other/SKILL.md": "no frontmatter"})
    assert prowess("check", root).status == 0
    (root / "SKILL.md").write_text("---\nname: other\ndescription: Is elsewhere. Use never.\n---\n")
    ran = prowess("check", root, "--json")
    diagnostic = ran.json["packages"][0]["diagnostics"][0]
    assert (ran.status, diagnostic["rule"], diagnostic["file"]) == (1, "skill-name-directory", "SKILL.md")
