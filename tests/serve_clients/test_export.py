"""prowess export: the tools as definitions for a model, from what is live or from a snapshot."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tests.commanding import Run

ROOT = Path(__file__).resolve().parents[2]
UNITS = ROOT / "examples" / "units"
SNAPSHOT = ROOT / "examples" / "invoice-ops" / "fixtures" / "snapshot.json"


def unit(root: Path, name: str, **more: Any) -> None:
    (root / name).mkdir(parents=True)
    parameters = {"type": "object", "properties": {"city": {"type": "string", "description": "Which."}}}
    said = {"name": name, "description": f"Does {name}.", "parameters": parameters, **more}
    (root / name / "schema.json").write_text(json.dumps(said))
    (root / name / "skill.py").write_text(
        "class A:\n    async def execute(self, params, ctx):\n        return {}\n"
    )


@pytest.fixture
def units(tmp_path: Path) -> Path:
    unit(tmp_path / "units", "tide")
    unit(tmp_path / "units", "weather")
    return tmp_path / "units"


def name_in(form: str, definition: dict[str, Any]) -> str:
    name: str = definition["function"]["name"] if form == "openai" else definition["name"]
    return name


@pytest.mark.parametrize("form", ["openai", "anthropic", "gemini", "mcp"])
def test_what_is_live_is_defined_in_each_form(form: str, prowess: Run, units: Path) -> None:
    ran = prowess("export", units, "--format", form)
    assert ran.status == 0, ran.err
    found = json.loads(ran.out)
    assert [name_in(form, each) for each in found] == ["tide", "weather"]
    schema = {"openai": lambda d: d["function"]["parameters"], "anthropic": lambda d: d["input_schema"]}
    schema |= {"gemini": lambda d: d["parametersJsonSchema"], "mcp": lambda d: d["inputSchema"]}
    assert schema[form](found[0])["properties"]["city"]["type"] == "string"


@pytest.mark.parametrize("form", ["openai", "anthropic", "gemini", "mcp"])
def test_a_snapshot_gives_the_same_and_starts_nothing(
    form: str, prowess: Run, units: Path, tmp_path: Path
) -> None:
    frozen = tmp_path / "snapshot.json"
    assert prowess("snapshot", units, "--out", frozen).status == 0
    live = prowess("export", units, "--format", form).out
    (units / "tide" / "skill.py").unlink()
    ran = prowess("export", "--snapshot", frozen, "--format", form)
    assert ran.out == live and ran.err == ""


def test_with_several_servers_names_tell_them_apart(prowess: Run, tmp_path: Path) -> None:
    document = json.loads(SNAPSHOT.read_text())
    assert len(document["mcpServers"]) > 1
    ran = prowess("export", "--snapshot", SNAPSHOT, "--format", "mcp")
    [tool] = json.loads(ran.out)
    assert tool["name"] == f"{document['tools'][0]['server']}__query_invoices"
    assert "server" not in tool and tool["inputSchema"] == document["tools"][0]["inputSchema"]


def test_what_the_policy_denies_is_not_exported(prowess: Run, units: Path, tmp_path: Path) -> None:
    rule = '[[policy.rules]]\ntool = "tide"\naction = "deny"\n'
    (tmp_path / "prowess.toml").write_text(f'[units]\npaths = ["units"]\n{rule}')
    ran = prowess("export", tmp_path, "--format", "mcp")
    assert [each["name"] for each in json.loads(ran.out)] == ["weather"], ran.err


def test_a_file_is_written_whole(prowess: Run, units: Path, tmp_path: Path) -> None:
    out = tmp_path / "tools.json"
    ran = prowess("export", units, "--format", "openai", "--out", out)
    assert ran.status == 0 and ran.out == ""
    assert len(json.loads(out.read_text())) == 2
    assert prowess("export", units, "--format", "openai", "--out", tmp_path / "no" / "x").status == 2


def test_a_rejected_plugin_is_1(prowess: Run, tmp_path: Path) -> None:
    (tmp_path / "plugin.json").write_text("{")
    assert prowess("export", tmp_path, "--format", "mcp").status == 1


@pytest.mark.parametrize(
    "arguments",
    [
        ("--format", "mcp"),
        (".", "--snapshot", "x", "--format", "mcp"),
        (".",),
        (".", "--format", "yaml"),
        ("--snapshot", "nowhere.json", "--format", "mcp"),
        ("nowhere", "--format", "mcp"),
    ],
)
def test_a_question_that_is_wrong_is_2(arguments: tuple[str, ...], prowess: Run) -> None:
    assert prowess("export", *arguments).status == 2
