"""Workflows on their way: checked in a package, frozen, packed, and run by what is packed."""

from __future__ import annotations

import asyncio
import json
import os
from pathlib import Path
from typing import Any

import pytest
from mcp import Client
from mcp.client.stdio import StdioServerParameters
from tests.bounds import bound
from tests.commanding import Run

from prowess.workflow.recognising import file_of_runs, holds_workflows

MANIFEST = {"$schema": "https://agent-plugins.org/schemas/1.0.0/plugin.schema.json", "name": "sample"}
GOOD = "name: good\nsteps: [{id: one, skill: greet}]\n"
FORWARD = """
name: forward
steps:
  - {id: one, skill: greet, params: {name: '{{two.result}}'}}
  - {id: two, skill: greet}
"""


def write(root: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    return root


def found(prowess: Run, root: Path, status: int) -> list[tuple[str, str]]:
    ran = prowess("check", root, "--json")
    assert ran.status == status, ran.out + ran.err
    return [(each["file"], each["rule"]) for each in ran.json["packages"][0]["diagnostics"]]


@pytest.mark.parametrize("folder", ["workflows", "dev.prowess/workflows"])
def test_each_workflow_of_a_package_is_judged_and_a_bad_one_hides_no_other(
    prowess: Run, tmp_path: Path, folder: str
) -> None:
    files = {
        f"{folder}/good.yaml": GOOD,
        f"{folder}/forward.yaml": FORWARD,
        f"{folder}/none.yaml": "name: [\n",
    }
    root = write(tmp_path / "sample", {"plugin.json": json.dumps(MANIFEST), **files})
    assert found(prowess, root, 1) == [
        (f"{folder}/none.yaml", "workflow-yaml"),
        (f"{folder}/forward.yaml", "workflow-reference"),
    ]
    (root / folder / "none.yaml").unlink()
    (root / folder / "forward.yaml").unlink()
    assert found(prowess, root, 0) == []


def test_the_workflows_folder_of_something_else_is_nobodys_business(prowess: Run, tmp_path: Path) -> None:
    ci = "on: push\njobs:\n  test:\n    steps: [{run: make}]\n"
    root = write(tmp_path / "sample", {"plugin.json": json.dumps(MANIFEST), "workflows/ci.yaml": ci})
    assert found(prowess, root, 0) == []


def test_a_folder_of_workflows_is_checked_by_itself(prowess: Run, tmp_path: Path) -> None:
    root = write(tmp_path / "mine", {"good.yaml": GOOD, "forward.yml": FORWARD})
    ran = prowess("check", root)
    assert ran.status == 1
    assert "2 workflows load" in ran.out
    assert prowess("check", root, "--json").json["packages"][0]["workflows"] == 2


@pytest.mark.parametrize(
    ("files", "answer"),
    [
        ({"a.yaml": GOOD}, True),
        ({"a.yml": "{name: a, steps: [{skill: b}]}"}, True),
        ({"a.yaml": "jobs:\n  steps: []\n"}, False),
        ({"a.txt": GOOD}, False),
        ({".a.yaml": GOOD}, False),
        ({"a.yaml": GOOD, "prowess.toml": ""}, False),
        ({"a.yaml/b.yaml": GOOD}, False),
        ({}, False),
    ],
)
def test_a_folder_of_workflows_is_known_by_its_steps(
    tmp_path: Path, files: dict[str, str], answer: bool
) -> None:
    assert holds_workflows(str(write(tmp_path, files))) is answer
    assert not holds_workflows(str(tmp_path / "missing"))


def test_runs_of_two_folders_are_never_kept_together(tmp_path: Path) -> None:
    one, two = (file_of_runs(str(tmp_path / each), {}) for each in ("one", "two"))
    assert one != two
    assert file_of_runs(str(tmp_path), {"PLUGIN_DATA": "/data"}) == "/data/workflows.sqlite3"


def test_a_faulty_workflow_is_not_packed(prowess: Run, tmp_path: Path) -> None:
    project = write(tmp_path / "mine", {"workflows/good.yaml": GOOD, "workflows/forward.yaml": FORWARD})
    ran = prowess("pack", project, "--out", tmp_path / "dist")
    assert ran.status == 1
    assert "workflow-reference" in ran.err
    assert not (tmp_path / "dist").exists()


@pytest.mark.usefixtures("on_path")
def test_a_new_workflow_is_checked_frozen_packed_and_added(
    prowess: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    made = prowess("new", "workflow", "measure_text")
    assert (made.status, "note:" in made.err) == (0, False)
    assert prowess("check", "--fail-on", "advice", "measure_text").status == 0
    assert prowess("fixtures", "verify", "measure_text").status == 0
    packed = prowess("pack", "measure_text", "--out", "dist", "--json")
    assert packed.status == 0, packed.err
    assert not [each for each in packed.json["notes"] if "workflow" in each]
    snapshot = prowess("snapshot", "dist/measure-text")
    assert [each["name"] for each in snapshot.json["tools"]] == ["measure_text", "workflow_status"]


@pytest.mark.usefixtures("on_path")
def test_a_packed_workflow_runs_under_another_client_with_the_units_beside_it(
    prowess: Run, tmp_path: Path
) -> None:
    project = tmp_path / "word-tools"
    (tmp_path / "made").mkdir()
    for what, name in (("unit", "count_words"), ("workflow", "measure_text")):
        made = prowess("new", what, name, "--in", tmp_path / "made", "--no-fixtures")
        assert made.status == 0, made.err
    (project / "units").mkdir(parents=True)
    (tmp_path / "made" / "count_words").rename(project / "units" / "count_words")
    (tmp_path / "made" / "measure_text").rename(project / "workflows")
    assert prowess("pack", project, "--out", tmp_path / "dist").status == 0
    root, data = tmp_path / "dist" / "word-tools", tmp_path / "data"
    data.mkdir()
    (entry,) = json.loads((root / "mcp.json").read_text())["mcpServers"].values()
    where = {"PLUGIN_ROOT": str(root), "PLUGIN_DATA": str(data)}
    parameters = StdioServerParameters(
        command=entry["command"],
        args=[each.replace("${PLUGIN_ROOT}", str(root)) for each in entry["args"]],
        env={**os.environ, **where},
        cwd=root,
    )

    async def used() -> Any:
        async with Client(parameters, read_timeout_seconds=bound(30)) as client:
            names = {each.name for each in (await client.list_tools()).tools}
            assert names == {"count_words", "measure_text", "workflow_status"}
            return (await client.call_tool("measure_text", {"text": "one two three"})).structured_content

    answer = asyncio.run(used())
    assert (answer["state"], answer["output"]) == ("completed", {"words": 3})
    assert (data / "workflows.sqlite3").exists()
