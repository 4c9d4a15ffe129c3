"""Folders of units written for one test."""

from __future__ import annotations

import asyncio
import json
import textwrap
from collections.abc import Coroutine
from pathlib import Path
from typing import Any, TypeVar

import pytest

from prowess.provider import Invocation, Outcome
from prowess.units.memory_context import MemoryContexts
from prowess.units.provider import UnitProvider

T = TypeVar("T")

ECHO = """
class Echo:
    async def execute(self, params: dict) -> dict:
        return {"said": params}
"""


class Units:
    """A folder of units that grows."""

    def __init__(self, root: Path) -> None:
        self.root = root
        root.mkdir()

    def write(self, path: str, text: str) -> Path:
        """A file below the root; a relative indentation is taken away."""
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(textwrap.dedent(text), encoding="utf-8")
        return file

    def unit(self, path: str, name: str, code: str = ECHO, **said: Any) -> Path:
        """A unit in a folder."""
        parameters = {"type": "object", "properties": {"city": {"type": "string"}}}
        whole = {"name": name, "description": f"Does {name}.", "parameters": parameters, **said}
        self.write(f"{path}/schema.json", json.dumps(whole))
        return self.write(f"{path}/skill.py", code)

    def provider(self, contexts: MemoryContexts | None = None, **more: Any) -> UnitProvider:
        """A Provider of this folder."""
        return UnitProvider([str(self.root)], contexts or MemoryContexts(), **more)

    def call(self, tool: str, /, *, contexts: MemoryContexts | None = None, **arguments: Any) -> Outcome:
        """One call through a Provider that lives as long."""

        async def work() -> Outcome:
            provider = self.provider(contexts)
            await provider.open()
            try:
                return await provider.call(Invocation(tool=tool, arguments=arguments))
            finally:
                await provider.close()

        return run(work())


def run(work: Coroutine[Any, Any, T]) -> T:
    return asyncio.run(asyncio.wait_for(work, 20))


@pytest.fixture
def units(tmp_path: Path) -> Units:
    return Units(tmp_path / "units")
