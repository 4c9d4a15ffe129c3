"""A place to work in, a home, a server with knowledge and a tool, and one command line in this process."""

from __future__ import annotations

import json
import select
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from prowess.cli import main

SERVER = Path(__file__).resolve().parent / "servers" / "desk.py"
TEXTS = {
    "refunds": "# Refunds\n\nA refund is given within the return period.\nA team lead approves large ones.\n",
    "prices": "Chair: $120.00\nTable: $340.00\nLamp: $45.50\n",
    "letter": "Dear customer, we are sorry.",
}
START_SECONDS = 30


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


@dataclass(frozen=True, slots=True, kw_only=True)
class Desk:
    """The server: its URL, the command that starts it over stdio, and the file that its texts are in."""

    url: str
    command: str
    file: Path

    def says(self, **texts: str) -> None:
        """Change what it says from now on."""
        self.file.write_text(json.dumps({**TEXTS, **texts}), encoding="utf-8")


@pytest.fixture
def prowess(capsys: pytest.CaptureFixture[str]) -> Run:
    def run(*arguments: object) -> Ran:
        capsys.readouterr()
        status = main([str(each) for each in arguments])
        captured = capsys.readouterr()
        assert "Traceback" not in captured.err
        return Ran(status=status, out=captured.out, err=captured.err)

    return run


@pytest.fixture(scope="module")
def running_desk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Desk]:
    file = tmp_path_factory.mktemp("desk") / "texts.json"
    file.write_text(json.dumps(TEXTS), encoding="utf-8")
    command = [sys.executable, str(SERVER), str(file)]
    with subprocess.Popen([*command, "--http"], stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            assert select.select([process.stdout], [], [], START_SECONDS)[0], "the desk is silent"
            url = process.stdout.readline().strip()
            yield Desk(url=url, command=f"python {SERVER} {file}", file=file)
        finally:
            process.terminate()
            process.wait(timeout=10)


@pytest.fixture
def desk(running_desk: Desk) -> Desk:
    """The server, saying what it says at first."""
    running_desk.says()
    return running_desk


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The directory that we are in, with a home beside it."""
    place, home = tmp_path / "project", tmp_path / "me"
    place.mkdir()
    home.mkdir()
    monkeypatch.chdir(place)
    monkeypatch.setenv("HOME", str(home))
    return place


@pytest.fixture
def imported(prowess: Run, desk: Desk, here: Path) -> Callable[..., Path]:
    """Imports the desk's knowledge, agreed to by its digest; the skill's directory."""

    def run(*more: object, name: str = "refund-desk") -> Path:
        digest = prowess("import", desk.url, *more, "--as", name, "--json").json["digest"]
        ran = prowess("import", desk.url, *more, "--as", name, "--yes", digest, "--json")
        assert (ran.status, ran.json["written"]) == (0, True), ran.err
        return Path(ran.json["directory"])

    return run


def below(folder: Path) -> list[str]:
    """Every file and directory below a folder."""
    return sorted(str(each.relative_to(folder)) for each in folder.rglob("*"))
