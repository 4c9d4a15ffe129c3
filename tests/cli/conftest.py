"""Packages and a way to run one command line in this process."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.commanding import Run, commanding

MANIFEST = {"$schema": "https://agent-plugins.org/schemas/1.0.0/plugin.schema.json", "name": "sample"}
SKILL = "---\nname: greet\ndescription: Greets a guest by name. Use when somebody arrives.\n---\nSay hello.\n"


@pytest.fixture
def prowess(capsys: pytest.CaptureFixture[str]) -> Run:
    return commanding(capsys)


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """A plugin without anything to report: one skill and no server."""
    root = tmp_path / "sample"
    (root / "skills" / "greet").mkdir(parents=True)
    (root / "plugin.json").write_text(json.dumps(MANIFEST))
    (root / "skills" / "greet" / "SKILL.md").write_text(SKILL)
    return root


@pytest.fixture
def servers(package: Path) -> Callable[[dict[str, Any]], None]:
    """Write the package's mcp.json."""

    def write(entries: dict[str, Any]) -> None:
        schema = "https://agent-plugins.org/schemas/1.0.0/mcp.schema.json"
        (package / "mcp.json").write_text(json.dumps({"$schema": schema, "mcpServers": entries}))

    return write
