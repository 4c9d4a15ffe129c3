"""`prowess workflow check` and `picture`, from the command line."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from tests.workflow_definitions.conftest import FLIGHT

from prowess.capability.offer import Offer, Tool
from prowess.capability.snapshot import Snapshot
from prowess.cli import main
from prowess.cli.workflow import MORE
from prowess.spec.model import Judgement, Manifest, Plugin
from prowess.workflow.functions import FUNCTIONS

EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / "units"
TAKES = {"type": "object", "properties": {"from": {"type": "string"}}}
UNIT = {"name": "search_flights", "description": "Finds flights.", "parameters": TAKES}


@dataclass(frozen=True, slots=True, kw_only=True)
class Ran:
    status: int
    out: str
    err: str

    @property
    def rules(self) -> set[str]:
        """The rules in a report of JSON."""
        return {each["rule"] for place in json.loads(self.out)["places"] for each in place["diagnostics"]}


Run = Callable[..., Ran]


@pytest.fixture
def prowess(capsys: pytest.CaptureFixture[str]) -> Run:
    def run(*arguments: object) -> Ran:
        capsys.readouterr()
        status = main(["workflow", *(str(each) for each in arguments)])
        captured = capsys.readouterr()
        assert "Traceback" not in captured.err
        return Ran(status=status, out=captured.out, err=captured.err)

    return run


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A folder with one workflow and one of its units."""
    (tmp_path / "workflows").mkdir()
    (tmp_path / "workflows" / "flight.yaml").write_text(FLIGHT, encoding="utf-8")
    unit = tmp_path / "units" / "search_flights"
    unit.mkdir(parents=True)
    (unit / "schema.json").write_text(json.dumps(UNIT))
    (unit / "skill.py").write_text("async def execute(arguments, ctx):\n    return {}\n")
    return tmp_path


def test_the_example_passes_with_the_units_of_its_project(prowess: Run) -> None:
    ran = prowess("check", EXAMPLE, "--fail-on", "note")
    assert ran.status == 0
    assert "mail_weather@1.0.0 (2 steps)" in ran.out
    assert "not judged" not in ran.err


def test_skills_are_those_of_the_units_beside(prowess: Run, project: Path) -> None:
    ran = prowess("check", project, "--json")
    assert ran.status == 1
    assert ran.rules == {"workflow-unknown-skill", "workflow-unknown-parameter"}


@pytest.mark.parametrize("target", ["", "workflows", "workflows/flight.yaml"])
def test_a_path_is_a_project_a_folder_or_a_file(prowess: Run, project: Path, target: str) -> None:
    ran = prowess("check", project / target, "--json")
    assert json.loads(ran.out)["places"][0]["workflows"] == ["book_flight@1.0.0"]
    assert ran.rules == {"workflow-unknown-skill", "workflow-unknown-parameter"}


def test_without_skills_that_is_said_and_the_rest_is_judged(prowess: Run, tmp_path: Path) -> None:
    file = tmp_path / "flight.yaml"
    file.write_text(FLIGHT.replace("steps[0].result", "steps[2].result"), encoding="utf-8")
    ran = prowess("check", file, "--json")
    assert (ran.status, ran.rules) == (1, {"workflow-reference"})
    assert "not judged" in ran.err


def test_a_snapshot_says_which_tools_there_are(prowess: Run, tmp_path: Path) -> None:
    file = tmp_path / "flight.yaml"
    file.write_text("name: it\nsteps: [{skill: pay, params: {order: 1, x: 2}}, {skill: bank/pay}]")
    wire = {"name": "pay", "inputSchema": {"properties": {"order": {}}, "additionalProperties": False}}
    offer = Offer(id="bank", type="stdio", status="connected", tools=(Tool(server="bank", wire=wire),))
    judgement = Judgement(
        plugin=Plugin(manifest=Manifest(name="it", spec="1.0.0")), diagnostics=(), profile="spec"
    )
    snapshot = tmp_path / "tools.json"
    snapshot.write_text(Snapshot.of(judgement, [offer]).to_json())
    ran = prowess("check", file, "--skills", snapshot, "--json")
    assert (ran.status, ran.rules, ran.err) == (1, {"workflow-unknown-parameter"}, "")


def test_skills_that_are_said_count_instead_of_those_beside(prowess: Run, project: Path) -> None:
    ran = prowess("check", project, "--skills", EXAMPLE, "--json")
    assert ran.rules == {"workflow-unknown-skill"}


def test_a_project_with_plugins_is_told_to_take_a_snapshot(prowess: Run, project: Path) -> None:
    plugin = project / "plugin"
    plugin.mkdir()
    (plugin / "plugin.json").write_text("{}")
    (project / "prowess.toml").write_text('[plugins]\nmine = "plugin"\n[units]\npaths = ["units"]\n')
    ran = prowess("check", project)
    assert ran.status == 0
    assert "snapshot" in ran.err and "not judged" in ran.err


def test_a_workflow_that_others_run_is_found_beside_it(prowess: Run, tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text("name: a\nsteps: [{workflow: b, params: {x: 1}}]")
    (tmp_path / "b.yaml").write_text("name: b\ninput: {properties: {y: {}}}\nsteps: [{skill: query_weather}]")
    ran = prowess("check", tmp_path / "a.yaml", "--skills", EXAMPLE, "--json")
    assert ran.rules == {"workflow-unknown-parameter"}


def test_a_note_makes_the_answer_no_only_when_asked(prowess: Run, tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text("name: a\nsteps: [{skill: b, when: false}]")
    assert prowess("check", tmp_path).status == 0
    ran = prowess("check", tmp_path, "--fail-on", "note")
    assert ran.status == 1
    assert "workflow-dead-step" in ran.out and "1 note" in ran.out


def test_each_path_is_reported(prowess: Run, project: Path) -> None:
    ran = prowess("check", project, EXAMPLE)
    assert ran.status == 1
    assert "book_flight@1.0.0 (4 steps)" in ran.out and "mail_weather@1.0.0 (2 steps)" in ran.out


@pytest.mark.parametrize("name", ["nothing", "notes.txt", "empty"])
def test_a_path_without_workflows_cannot_be_answered(prowess: Run, tmp_path: Path, name: str) -> None:
    (tmp_path / "notes.txt").write_text("a")
    (tmp_path / "empty").mkdir()
    for action in ("check", "picture"):
        assert prowess(action, tmp_path / name).status == 2


def test_the_help_lists_every_function() -> None:
    assert set(FUNCTIONS) <= set(MORE.replace(".", "").split())


def test_a_picture_is_printed_as_text_and_as_json(prowess: Run, project: Path) -> None:
    ran = prowess("picture", project)
    assert ran.status == 0 and ran.out.startswith("flowchart TD\n")
    document: dict[str, Any] = json.loads(prowess("picture", project, "--json").out)
    assert document["mermaid"] == ran.out


def test_of_several_workflows_one_is_named(prowess: Run, project: Path) -> None:
    (project / "workflows" / "other.yaml").write_text("name: other\nsteps: [{skill: b}]")
    assert prowess("picture", project).status == 2
    assert "search_flights" in prowess("picture", project, "--name", "book_flight@1.0.0").out
    assert prowess("picture", project, "--name", "other").status == 0
    assert prowess("picture", project, "--name", "nobody").status == 2


def test_a_workflow_that_is_wrong_is_not_drawn_and_says_why(prowess: Run, tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text("name: a\nsteps: []")
    ran = prowess("picture", tmp_path)
    assert ran.status == 2 and "workflow-field" in ran.err


@pytest.mark.parametrize(
    "arguments",
    [("check", "--name", "a"), ("picture", "--skills", "b"), ("picture", "another"), ("run",)],
)
def test_an_option_that_would_do_nothing_is_refused(
    prowess: Run, project: Path, arguments: tuple[str, ...]
) -> None:
    assert prowess(arguments[0], project, *arguments[1:]).status == 2
