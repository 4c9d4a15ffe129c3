"""Packages to install, a directory to install them into, and a way to run one command line there."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from prowess.cli import main
from prowess.store.installed import Scope, project, user

SCHEMA = "https://agent-plugins.org/schemas/1.0.0/plugin.schema.json"
SERVERS = "https://agent-plugins.org/schemas/1.0.0/mcp.schema.json"
SKILL = "---\nname: {name}\ndescription: Greets a guest by name. Use when somebody {when}.\n---\nSay hello.\n"


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


class Package:
    """The files of a plugin on the disk, to be changed at will."""

    def __init__(self, root: Path, name: str = "sample") -> None:
        self.root = root
        self.name = name
        self.manifest(version="1.0.0")
        self.skill("greet")

    def manifest(self, **members: object) -> None:
        self.write("plugin.json", json.dumps({"$schema": SCHEMA, "name": self.name, **members}))

    def skill(self, name: str, when: str = "arrives") -> None:
        self.write(f"skills/{name}/SKILL.md", SKILL.format(name=name, when=when))

    def servers(self, **entries: dict[str, object]) -> None:
        self.write("mcp.json", json.dumps({"$schema": SERVERS, "mcpServers": entries}))

    def write(self, path: str, text: str | bytes, *, executable: bool = False) -> None:
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(text if isinstance(text, bytes) else text.encode())
        file.chmod(0o755 if executable else 0o644)


@pytest.fixture
def package(tmp_path: Path) -> Package:
    """A plugin with one skill and no server."""
    return Package(tmp_path / "source" / "sample")


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project, which is the current directory."""
    place = tmp_path / "project"
    place.mkdir()
    (place / "prowess.toml").write_text("format = 1\n")
    monkeypatch.chdir(place)
    return place


@pytest.fixture
def scope(here: Path) -> Scope:
    """What this project has installed."""
    return project(str(here))


@pytest.fixture
def own(home: Path) -> Scope:
    """What this user has installed."""
    return user()


@pytest.fixture
def prowess(capsys: pytest.CaptureFixture[str]) -> Run:
    def run(*arguments: object) -> Ran:
        capsys.readouterr()
        status = main([str(each) for each in arguments])
        captured = capsys.readouterr()
        assert "Traceback" not in captured.err
        assert "fault of prowess itself" not in captured.err
        return Ran(status=status, out=captured.out, err=captured.err)

    return run


@pytest.fixture
def add(prowess: Run) -> Run:
    """Look at a source, and install it by the digest that was shown."""

    def run(*arguments: object) -> Ran:
        shown = prowess("add", *arguments, "--json")
        if shown.status != 1 or "digest" not in shown.json:
            return shown
        return prowess("add", *arguments, "--json", "--yes", shown.json["digest"])

    return run


def tree(root: Path | str) -> dict[str, str]:
    """Everything below a directory, links not followed: kind, and the bytes of files."""
    found = {}
    for above, folders, names in os.walk(root):
        for name in [*folders, *names]:
            path = Path(above) / name
            if path.is_symlink():
                said = f"link {os.readlink(path)}"
            elif path.is_dir():
                said = "directory"
            else:
                said = f"file {path.read_bytes()!r}" if path.is_file() else "special"
            found[str(path.relative_to(root))] = said
    return found
