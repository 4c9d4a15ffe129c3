"""One command line in this process, in a project of its own and with a home of its own."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.commanding import Run, commanding

MANIFEST = {"$schema": "https://agent-plugins.org/schemas/1.0.0/plugin.schema.json", "name": "sample"}


@pytest.fixture
def prowess(capsys: pytest.CaptureFixture[str]) -> Run:
    return commanding(capsys)


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current directory, with a plugin in it; the user's home is next to it."""
    root = tmp_path / "project"
    (root / "tools" / "invoice ops").mkdir(parents=True)
    (root / "tools" / "invoice ops" / "plugin.json").write_text(json.dumps(MANIFEST))
    monkeypatch.chdir(root)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    for name in ("CLAUDE_CONFIG_DIR", "CODEX_HOME", "APPDATA"):
        monkeypatch.delenv(name, raising=False)
    return root


@pytest.fixture
def user(tmp_path: Path) -> Path:
    """The user's home."""
    return tmp_path / "home"
