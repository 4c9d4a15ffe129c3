"""Packages and a way to run one command line in this process."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from prowess.cli import main

MANIFEST = {"$schema": "https://agent-plugins.org/schemas/1.0.0/plugin.schema.json", "name": "sample"}
SKILL = "---\nname: greet\ndescription: Greets a guest by name. Use when somebody arrives.\n---\nSay hello.\n"


@dataclass(frozen=True, slots=True, kw_only=True)
class Ran:
    """What came of one command line."""

    status: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """stdout as JSON."""
        return json.loads(self.out)


Run = Callable[..., Ran]


@pytest.fixture
def prowess(capsys: pytest.CaptureFixture[str]) -> Run:
    def run(*arguments: object) -> Ran:
        capsys.readouterr()
        status = main([str(each) for each in arguments])
        captured = capsys.readouterr()
        assert "Traceback" not in captured.err
        return Ran(status=status, out=captured.out, err=captured.err)

    return run


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
