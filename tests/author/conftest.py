"""A way to run one command line in this process, and small packages to work on."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from tests.commanding import Run, commanding

PLUGIN_SCHEMA = "https://agent-plugins.org/schemas/1.0.0/plugin.schema.json"
MCP_SCHEMA = "https://agent-plugins.org/schemas/1.0.0/mcp.schema.json"
# A token of a known kind, put together so that no file of ours holds one.
TOKEN = "ghp_" + "a1B2c3D4e5F6g7H8i9J0" * 2


@pytest.fixture
def prowess(capsys: pytest.CaptureFixture[str]) -> Run:
    return commanding(capsys)


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
