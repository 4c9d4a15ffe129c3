"""Units written for one test, and what lint says about them."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from prowess.spec.diagnostics import Diagnostic
from prowess.units.lint import lint
from prowess.units.registry import Registry

CITY = {"type": "string", "description": "Where.", "examples": ["Oslo"]}
GOOD: dict[str, Any] = {
    "name": "query_weather",
    "description": "Says what the weather is in a city now.",
    "triggers": ["weather today"],
    "parameters": {"type": "object", "properties": {"city": CITY}, "required": ["city"]},
}
CODE = """
class Weather:
    async def execute(self, params: dict) -> dict:
        return {"said": params}
"""

Linted = Callable[..., list[Diagnostic]]


def write(root: Path, path: str, code: str = CODE, **said: Any) -> None:
    folder = root / path
    folder.mkdir(parents=True)
    (folder / "schema.json").write_text(json.dumps({**GOOD, **said}))
    (folder / "skill.py").write_text(textwrap.dedent(code))


def linted(root: Path) -> list[Diagnostic]:
    registry = Registry([str(root)])
    registry.refresh()
    assert not registry.diagnostics
    return list(lint(registry.units))


@pytest.fixture
def told(tmp_path: Path) -> Linted:
    """Lint one unit in a folder: its code, and what differs from a good one."""

    def work(code: str = CODE, **said: Any) -> list[Diagnostic]:
        write(tmp_path, "weather", code, **said)
        return linted(tmp_path)

    return work
