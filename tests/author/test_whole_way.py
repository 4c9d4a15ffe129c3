"""From nothing to a call by the command line alone, for each kind; and a packed unit under another client."""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from mcp import Client
from mcp.client.stdio import StdioServerParameters
from tests.bounds import bound
from tests.commanding import Run

NAMES = {"plugin": "word-tools", "skill": "count-words", "unit": "count_words", "content": "house-style"}


def used_tool(prowess: Run, package: str) -> None:
    ran = prowess("call", package, "count_words", "--arg", "text=one two three", "--json")
    assert (ran.status, ran.json["result"]) == (0, {"words": 3})


def used_skill(prowess: Run, package: str) -> None:
    ran = prowess("activate", package, "count-words")
    assert ran.status == 0
    assert "Answer in one sentence" in ran.out


def used_content(prowess: Run, package: str) -> None:
    """A resource is read: the first call of content, frozen and made again."""
    where = Path(os.environ["XDG_DATA_HOME"]).parent / "frozen"
    assert prowess("fixtures", package, "--out", where).status == 0
    assert json.loads((where / "index.json").read_text())["firstCall"]["outcome"] == "answered"
    ran = prowess("fixtures", "verify", package, "--out", where, "--json")
    assert (ran.status, ran.json["stages"][-1]) == (0, {"stage": "first-call", "faults": [], "skipped": ""})


USES: dict[str, Callable[[Run, str], None]] = {
    "plugin": used_tool,
    "skill": used_skill,
    "unit": used_tool,
    "content": used_content,
}


@pytest.mark.usefixtures("on_path")
@pytest.mark.parametrize("what", NAMES)
def test_new_check_fixtures_pack_add_snapshot_call(
    prowess: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    monkeypatch.chdir(tmp_path)
    name = NAMES[what]
    assert prowess("new", what, name).status == 0
    assert prowess("check", "--fail-on", "advice", name).status == 0
    assert prowess("fixtures", "verify", name).status == 0
    packed = prowess("pack", name, "--out", "dist", "--for", "claude-code,cursor,codex", "--json")
    assert packed.status == 0, packed.err
    archive = next(each for each in packed.json["archives"] if each.endswith(".zip"))
    offered = prowess("add", archive, "--scope", "user", "--json")
    assert offered.status == 1  # nobody is here to say yes
    added = prowess("add", archive, "--scope", "user", "--yes", offered.json["digest"], "--json")
    assert added.status == 0, added.err
    snapshot = prowess("snapshot", added.json["path"])
    assert snapshot.status == 0
    assert {each["status"] for each in snapshot.json["mcpServers"]} <= {"connected"}
    assert snapshot.json["tools"] or snapshot.json["skills"] or snapshot.json["prompts"]
    USES[what](prowess, added.json["path"])


@pytest.mark.usefixtures("on_path")
def test_a_packed_unit_starts_under_another_client_by_its_mcp_json_alone(
    prowess: Run, tmp_path: Path
) -> None:
    assert prowess("new", "unit", "count_words", "--in", tmp_path, "--no-fixtures").status == 0
    assert prowess("pack", tmp_path / "count_words", "--out", tmp_path / "dist").status == 0
    root = tmp_path / "dist" / "count-words"
    (entry,) = json.loads((root / "mcp.json").read_text())["mcpServers"].values()
    data = tmp_path / "data"
    data.mkdir()
    where = {"PLUGIN_ROOT": str(root), "PLUGIN_DATA": str(data)}
    parameters = StdioServerParameters(
        command=entry["command"],
        args=[_filled(each, where) for each in entry["args"]],
        env={**os.environ, **where},
        cwd=root,
    )

    async def used() -> tuple[str, Any]:
        async with Client(parameters, read_timeout_seconds=bound(20)) as client:
            (tool,) = (await client.list_tools()).tools
            answer = await client.call_tool(tool.name, {"text": "one two three"})
            return tool.name, answer.structured_content

    assert asyncio.run(used()) == ("count_words", {"words": 3})


def _filled(text: str, where: dict[str, str]) -> str:
    for name, value in where.items():
        text = text.replace(f"${{{name}}}", value)
    return text
