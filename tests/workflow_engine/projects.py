"""A project with workflows and units of its own, opened as a Host."""

from __future__ import annotations

import asyncio
import textwrap
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any, TypeVar

from tests.bounds import bound

from prowess import Host
from prowess.host.storing import Store
from prowess.workflow import records_runs as runs
from prowess.workflow.provider import WorkflowProvider
from prowess.workflow.records import Run

T = TypeVar("T")

UNITS = """
import asyncio, pathlib, time
from prowess import unit

HERE = pathlib.Path(__file__).parent

@unit(idempotent=True)
async def greet(name: str) -> dict:
    "Greets somebody."
    return {"said": f"hello {name}"}

@unit(timeout=60000)
async def toil(number: int, seconds: float) -> int:
    "Works for a while, and writes down when."
    with (HERE / "worked.txt").open("a") as file:
        file.write(f"begin {number} {time.time()}\\n")
    await asyncio.sleep(seconds)
    with (HERE / "worked.txt").open("a") as file:
        file.write(f"end {number} {time.time()}\\n")
    return number
"""

HELLO = """
name: hello
description: Greets somebody; use when somebody arrives.
triggers: [say hello]
input: {type: object, required: [name], properties: {name: {type: string}}}
steps:
  - {id: greet, skill: greet, params: {name: "{{name}}"}}
output: "{{greet.result.said}}"
"""

WORK = """
name: work
input: {type: object, properties: {number: {type: integer}, seconds: {type: number}}}
steps:
  - {id: one, skill: toil, params: {number: "{{number}}", seconds: "{{seconds}}"}}
  - {id: two, skill: greet, params: {name: "number {{number}}"}}
output: "{{two.result.said}}"
"""


class Project:
    """Writes files; opens the Host. `settings` are lines of `[workflows]`, `tables` what comes after it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        (folder / "units").mkdir()
        (folder / "workflows").mkdir()
        (folder / "units" / "tools.py").write_text(UNITS)
        self.workflow("hello", HELLO)
        self.workflow("work", WORK)
        self.settings()

    def workflow(self, file: str, text: str) -> None:
        (self.folder / "workflows" / f"{file}.yaml").write_text(textwrap.dedent(text))

    def settings(
        self, settings: str = "", tables: str = "", *, kept: str = 'sqlite = "runs.sqlite3"'
    ) -> None:
        text = (
            f'[units]\npaths = ["units"]\n[workflows]\npaths = ["workflows"]\n{kept}\n{settings}\n{tables}\n'
        )
        (self.folder / "prowess.toml").write_text(text)

    def opened(self, **more: Any) -> Any:
        return Host.open(self.folder, store=Store.in_memory(), **more)

    def go(self, work: Callable[[Host, WorkflowProvider], Coroutine[Any, Any, T]], seconds: float = 30) -> T:
        """Open the Host, do `work` with it and close it, within a bound."""

        async def bounded() -> T:
            async with self.opened() as host:
                assert host.workflows is not None
                return await work(host, host.workflows)

        return asyncio.run(asyncio.wait_for(bounded(), bound(seconds)))

    def worked(self) -> list[tuple[str, int, float]]:
        """What `work` wrote down: word, number, time."""
        file = self.folder / "units" / "worked.txt"
        lines = file.read_text().splitlines() if file.exists() else []
        return [(word, int(number), float(when)) for word, number, when in map(str.split, lines)]

    def most_at_once(self) -> int:
        """How many were at work at the same time."""
        now = most = 0
        for word, _, _ in sorted(self.worked(), key=lambda each: each[2]):
            now += 1 if word == "begin" else -1
            most = max(most, now)
        return most


async def until(provider: WorkflowProvider, run: str, *states: str) -> Run:
    """A run once it is in one of these states."""
    while True:
        found = await provider.database.run(lambda rows: runs.get(rows, run), look=True)
        assert found is not None
        if found.state in states:
            return found
        assert not found.over, found
        await asyncio.sleep(0.02)
