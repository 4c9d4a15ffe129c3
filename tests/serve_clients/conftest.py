"""One command line in this process, in a project of its own and with a home of its own."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from prowess.cli import main

MANIFEST = {"$schema": "https://agent-plugins.org/schemas/1.0.0/plugin.schema.json", "name": "sample"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Ran:
    """What came of one command line."""

    status: int
    out: str
    err: str


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
