"""The share of completed runs as a part of `prowess readiness`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tests.workflow_engine.projects import Project

from prowess.cli import main
from prowess.evaluate.workflow_readiness import Completion
from prowess.workflow import records_runs as runs
from prowess.workflow.definition import VERSION
from prowess.workflow.records import Run
from prowess.workflow.records_database import RunDatabase, Where


def recorded(folder: Path, **states: int) -> None:
    """So many runs of `hello` in each state."""
    database = RunDatabase(Where(file=str(folder / "runs.sqlite3")))
    ended = [state for state, count in states.items() for _ in range(count)]
    for number, state in enumerate(ended):
        run = Run(run=f"{number:04}", workflow="hello", version=VERSION, queue="default", state=state)  # type: ignore[arg-type]
        database.now(lambda rows, run=run: runs.add(rows, run))  # type: ignore[misc]
    database.close()


def judged(project: Project, capsys: pytest.CaptureFixture[str], *, units: bool = False) -> tuple[int, Any]:
    if not units:
        text = '[workflows]\npaths = ["workflows"]\nsqlite = "runs.sqlite3"\n'
        (project.folder / "prowess.toml").write_text(text)
    status = main(["readiness", str(project.folder / "prowess.toml"), "--json"])
    document = json.loads(capsys.readouterr().out)
    found = {each["workflow"].partition("@")[0]: each for each in document["workflows"]}
    return status, found["hello"]


@pytest.mark.parametrize(
    ("states", "answer", "status"),
    [
        ({}, "not measured", 0),
        ({"cancelled": 40, "waiting": 5}, "not measured", 0),
        ({"completed": 5}, "inconclusive", 0),
        ({"completed": 5, "failed": 1}, "inconclusive", 0),
        ({"failed": 5}, "missing", 1),
        ({"completed": 36, "failed": 4}, "pass", 0),
        ({"completed": 35, "failed": 3, "attention": 2}, "missing", 1),
    ],
)
def test_nine_of_ten_runs_have_completed(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    states: dict[str, int],
    answer: str,
    status: int,
) -> None:
    project = Project(tmp_path)
    if states:
        recorded(tmp_path, **states)
    found, of = judged(project, capsys)
    assert (of["completion"]["answer"], found) == (answer, status)


def test_looking_at_runs_that_there_are_not_makes_no_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    project = Project(tmp_path)
    judged(project, capsys)
    assert not (tmp_path / "runs.sqlite3").exists()


def test_units_and_workflows_are_told_of_together_and_one_unit_alone_by_itself(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    project = Project(tmp_path)
    recorded(tmp_path, failed=9)
    assert main(["readiness", str(tmp_path / "prowess.toml")]) == 1
    said = capsys.readouterr().out
    assert (
        "greet@" in said
        and "completion missing" in said.replace("  ", " ")
        and "0 of 9 runs completed" in said
    )
    assert main(["readiness", str(tmp_path / "prowess.toml"), "--unit", "greet"]) == 1
    assert "completion" not in capsys.readouterr().out
    assert project.folder.is_dir()


def test_exactly_as_much_as_is_wanted_passes() -> None:
    assert Completion(title="a@1", place="a.yaml", completed=27, of=30).answer == "pass"
