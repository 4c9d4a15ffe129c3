"""Folders of skills with cases, one command line in this process, and a provider on this machine."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.commanding import Run, commanding
from tests.evaluate_trigger.trigger_provider import Provider

SKILLS = {
    "brew-coffee": "Brews coffee and espresso. Use when somebody wants a hot drink from the machine.",
    "fold-laundry": "Folds laundry, shirts and towels. Use when clothes come out of the dryer.",
    "water-plants": "Waters plants and checks soil moisture. Use when a fern or a cactus looks dry.",
}


@pytest.fixture
def trigger(capsys: pytest.CaptureFixture[str]) -> Run:
    return commanding(capsys, "trigger")


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
