"""A way to run one command line in this process, and small packages to work on."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from prowess.cli import main

PLUGIN_SCHEMA = "https://agent-plugins.org/schemas/1.0.0/plugin.schema.json"
MCP_SCHEMA = "https://agent-plugins.org/schemas/1.0.0/mcp.schema.json"
# A token of a known kind, put together so that no file of ours holds one.
TOKEN = "ghp_" + "a1B2c3D4e5F6g7H8i9J0" * 2


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


def write_tree(root: Path, files: Mapping[str, str | bytes | dict[str, Any]]) -> Path:
    """Files below `root`: text, bytes, or a value that is written as JSON."""
    for path, content in files.items():
        file = root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        if isinstance(content, bytes):
            file.write_bytes(content)
        else:
            file.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
    return root


def tree_of(root: Path) -> dict[str, bytes]:
    """Every file below `root` by its path."""
    return {
        each.relative_to(root).as_posix(): each.read_bytes()
        for each in sorted(root.rglob("*"))
        if each.is_file()
    }


@pytest.fixture
def on_path(monkeypatch: pytest.MonkeyPatch) -> None:
    """`prowess` is found by its name alone, as where it is installed."""
    monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
