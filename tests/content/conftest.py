"""Folders of content written for one test, in memory or on the disk."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Mapping
from pathlib import Path
from typing import Any, TypeVar

import pytest
from tests.bounds import bound

from prowess.content.memory import MemoryContent
from prowess.errors import RequestFailed
from prowess.source.memory import Content

T = TypeVar("T")

ANALYZE = """---
name: analyze-report
title: Analyse
description: Analyses a report.
arguments:
  - name: report_id
    description: The report's number.
    required: true
  - {name: language, complete: [English, Français, 中文]}
---
Analyse {report_id} in {language}.
"""


def run(work: Coroutine[Any, Any, T]) -> T:
    async def bounded() -> T:
        async with asyncio.timeout(bound(10)):
            return await work

    return asyncio.run(bounded())


class Asked:
    """Content in memory, asked one thing after another."""

    def __init__(self, files: Mapping[str, Content], *, name: str = "guides") -> None:
        self.provider = MemoryContent(files, name=name)
        self.offer = run(self.provider.open())

    def ask(self, method: str, **params: Any) -> Any:
        return run(self.provider.ask(method, params))

    def refused(self, method: str, **params: Any) -> RequestFailed:
        with pytest.raises(RequestFailed) as raised:
            self.ask(method, **params)
        return raised.value

    def read(self, uri: str) -> Any:
        [content] = self.ask("resources/read", uri=uri)["contents"]
        return content

    def get(self, name: str, **arguments: Any) -> list[tuple[str, str]]:
        messages = self.ask("prompts/get", name=name, arguments=arguments)["messages"]
        return [(each["role"], each["content"]["text"]) for each in messages]

    def complete(
        self, ref: Mapping[str, str], argument: str, value: str, given: Mapping[str, str] | None = None
    ) -> Any:
        found = self.ask(
            "completion/complete",
            ref=ref,
            argument={"name": argument, "value": value},
            context={"arguments": given or {}},
        )
        return found["completion"]


class Folder:
    """A folder on the disk."""

    def __init__(self, root: Path) -> None:
        self.root = root
        root.mkdir()

    def write(self, path: str, content: str | bytes) -> Path:
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content if isinstance(content, bytes) else content.encode())
        return file


@pytest.fixture
def guides(tmp_path: Path) -> Folder:
    """A folder called `guides` with a prompt and a resource."""
    folder = Folder(tmp_path / "guides")
    folder.write("prompts/analyze-report.md", ANALYZE)
    folder.write("resources/api.md", "# API\n")
    return folder
