"""Folders of skills with cases, one command line in this process, and a provider on this machine."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from tests.evaluate_trigger.trigger_provider import Provider

from prowess.cli import main

SKILLS = {
    "brew-coffee": "Brews coffee and espresso. Use when somebody wants a hot drink from the machine.",
    "fold-laundry": "Folds laundry, shirts and towels. Use when clothes come out of the dryer.",
    "water-plants": "Waters plants and checks soil moisture. Use when a fern or a cactus looks dry.",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Ran:
    status: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


Run = Callable[..., Ran]


@pytest.fixture
def trigger(capsys: pytest.CaptureFixture[str]) -> Run:
    def run(*arguments: object) -> Ran:
        capsys.readouterr()
        status = main(["trigger", *(str(each) for each in arguments)])
        captured = capsys.readouterr()
        assert "Traceback" not in captured.err
        return Ran(status=status, out=captured.out, err=captured.err)

    return run


@pytest.fixture
def skills(tmp_path: Path) -> Path:
    """A folder of three skills without cases."""
    root = tmp_path / "skills"
    for name, description in SKILLS.items():
        (root / name).mkdir(parents=True)
        (root / name / "SKILL.md").write_text(f"---\nname: {name}\ndescription: {description}\n---\nDo it.\n")
    return root


@pytest.fixture
def cases(tmp_path: Path) -> Callable[..., Path]:
    """Write a file of cases, a row each."""

    def write(*rows: dict[str, Any], name: str = "cases.jsonl") -> Path:
        path = tmp_path / name
        path.write_text("".join(json.dumps(each) + "\n" for each in rows))
        return path

    return write


@pytest.fixture
def provider() -> Iterator[Provider]:
    with Provider() as running:
        yield running
