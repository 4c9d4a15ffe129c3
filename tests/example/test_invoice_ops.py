"""The example package: what it offers is what is frozen, and its two faults reach as far as they should."""

from __future__ import annotations

import asyncio
import filecmp
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest
from tests.example.conftest import PACKAGE, Copy

from prowess.host import Host
from prowess.provider import Answered, Invocation, ToolFailed
from prowess.source.judging import judge

FIXTURES = PACKAGE / "fixtures"
NEGATIVE = FIXTURES / "negative"
ARGUMENTS: dict[str, Any] = json.loads(
    (FIXTURES / "query_invoices.arguments.json").read_text(encoding="utf-8")
)


async def snapshots(*roots: Path) -> list[str]:
    """The snapshots of packages, all brought up together."""

    async def one(root: Path) -> str:
        async with Host.open(root) as host:
            return host.snapshot().to_json()

    return await asyncio.gather(*map(one, roots))


def frozen_tool() -> dict[str, Any]:
    tools = json.loads((FIXTURES / "snapshot.json").read_text(encoding="utf-8"))["tools"]
    assert [tool["name"] for tool in tools] == ["query_invoices"]
    tool: dict[str, Any] = tools[0]
    return tool


def test_the_snapshot_is_the_frozen_one_again_and_from_another_directory(
    copied: Copy, guides_port: int
) -> None:
    here, elsewhere = copied("here", guides_port), copied("else where", guides_port)
    frozen = (FIXTURES / "snapshot.json").read_text(encoding="utf-8")
    assert asyncio.run(snapshots(here, elsewhere)) == [frozen, frozen]
    assert asyncio.run(snapshots(here)) == [frozen]


def test_with_the_guides_down_it_is_the_other_frozen_one(copied: Copy, closed_port: int) -> None:
    here, elsewhere = copied("here", closed_port), copied("else where", closed_port)
    frozen = (FIXTURES / "snapshot.guides-down.json").read_text(encoding="utf-8")
    assert asyncio.run(snapshots(here, elsewhere)) == [frozen, frozen]


def test_the_two_frozen_snapshots_differ_in_the_guides_alone() -> None:
    up, down = (
        json.loads((FIXTURES / name).read_text(encoding="utf-8"))
        for name in ("snapshot.json", "snapshot.guides-down.json")
    )
    assert [server["status"] for server in up["mcpServers"]] == ["connected", "connected"]
    assert [server["status"] for server in down["mcpServers"]] == ["failed", "connected"]
    assert [up[part] for part in ("plugin", "skills", "tools")] == [
        down[part] for part in ("plugin", "skills", "tools")
    ]
    assert [len(up[part]) for part in ("prompts", "resources", "resourceTemplates")] == [1, 1, 1]
    assert [down[part] for part in ("prompts", "resources", "resourceTemplates")] == [[], [], []]


def test_the_arguments_fixture_fits_the_tools_input_schema() -> None:
    schema = frozen_tool()["inputSchema"]
    assert jsonschema_rs.is_valid(schema, ARGUMENTS)
    assert not jsonschema_rs.is_valid(schema, {**ARGUMENTS, "week": "2026-31"})
    assert not jsonschema_rs.is_valid(schema, {**ARGUMENTS, "status": "lost"})
    assert not jsonschema_rs.is_valid(schema, {})


def test_a_name_in_capitals_rejects_the_whole_package(package: Path) -> None:
    judgement = judge(str(NEGATIVE / "name-in-capitals"))
    assert judgement.plugin is None
    assert judgement.rejected is not None


def test_an_entry_without_type_costs_that_server_alone_and_the_other_answers(package: Path) -> None:
    async def use() -> tuple[Host, Any, Any]:
        async with Host.open(NEGATIVE / "entry-without-type") as host:
            tools = next(each for each in host._providers if each.label == "invoice-tools")
            good = await tools.call(Invocation(tool="query_invoices", arguments=ARGUMENTS))
            bad = await tools.call(Invocation(tool="query_invoices", arguments={"week": "2026-31"}))
            return host, good, bad

    host, good, bad = asyncio.run(use())
    assert [each.subject for each in host.judgement.skipped] == ["mcp.json#invoice-guides"]
    assert host.judgement.plugin is not None
    assert [skill.name for skill in host.judgement.plugin.skills] == ["write-weekly-summary"]
    assert isinstance(good, Answered)
    assert jsonschema_rs.is_valid(frozen_tool()["outputSchema"], good.value)
    assert [each["number"] for each in good.value["invoices"]] == ["INV-2026-0318"]
    assert isinstance(bad, ToolFailed)


@pytest.mark.parametrize(
    ("name", "changed"), [("name-in-capitals", "plugin.json"), ("entry-without-type", "mcp.json")]
)
def test_a_negative_fixture_differs_from_the_package_in_one_file(name: str, changed: str) -> None:
    skill = Path("skills", "write-weekly-summary")
    files = ["plugin.json", "mcp.json", skill / "SKILL.md", skill / "references" / "summary-format.md"]
    _, different, missing = filecmp.cmpfiles(PACKAGE, NEGATIVE / name, list(map(str, files)), shallow=False)
    assert (different, missing) == ([changed], [])


@pytest.mark.slow
@pytest.mark.timeout(240)
def test_the_demo_runs_to_its_end() -> None:
    demo = PACKAGE.parent / "demo.py"
    done = subprocess.run(
        [sys.executable, str(demo)], capture_output=True, text=True, timeout=200, check=False
    )
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
