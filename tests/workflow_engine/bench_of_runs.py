"""Runs executed in this process without the engine: a database, and skills that do as they are told."""

from __future__ import annotations

import asyncio
import textwrap
import uuid
from collections.abc import Awaitable, Callable, Coroutine, Mapping
from pathlib import Path
from typing import Any, TypeVar

from tests.bounds import bound
from tests.call.told import Told

from prowess.call.path import CallPath
from prowess.call.redaction import redacted
from prowess.provider import Answered, Caller, Invocation
from prowess.redact import Redactor
from prowess.workflow import records_runs as runs
from prowess.workflow.definition import Workflow
from prowess.workflow.engine_executing import Execution
from prowess.workflow.reading import read_workflow
from prowess.workflow.records import Run, StepRow
from prowess.workflow.records_database import RunDatabase, Where
from prowess.workflow.starts import new_run

T = TypeVar("T")
SAFE = {"annotations": {"idempotentHint": True}}


def workflow_of(text: str) -> Workflow:
    """The workflow that a text defines."""
    read = read_workflow(textwrap.dedent(text).encode(), "test.yaml")
    assert read.workflow is not None, [str(each) for each in read.diagnostics]
    return read.workflow


def go(work: Coroutine[Any, Any, T], seconds: float = 20) -> T:
    """Run to the end, within a bound."""

    async def bounded() -> T:
        return await asyncio.wait_for(work, bound(seconds))

    return asyncio.run(bounded())


class Desk:
    """Puts runs in, executes them, looks at them."""

    def __init__(self, folder: Path, where: Where | None = None) -> None:
        self.file = folder / "runs.sqlite3"
        self.database = RunDatabase(where or Where(file=str(self.file)))
        self.told = Told("desk")
        self.path = CallPath([self.told])
        redactor = Redactor()
        self.clean: Callable[[Any], Any] = lambda value: redacted(value, redactor.text)
        self.log: list[tuple[str, dict[str, Any]]] = []

    def skill(self, name: str, behave: Any, *, safe: bool = True) -> None:
        """A skill that answers by a function of its arguments, or with a value."""

        async def answer(invocation: Invocation) -> Any:
            found = behave
            if callable(behave):
                found = behave(dict(invocation.arguments))
                if isinstance(found, Awaitable):
                    found = await found
            return found if not isinstance(found, dict | list | str | int | float) else Answered(value=found)

        schema = {"inputSchema": {"type": "object"}}
        self.told.tool(name, answer, **(schema | (SAFE if safe else {})))

    def put_in(self, text: str, given: Mapping[str, Any] | None = None, *others: str, id: str = "") -> str:
        """Put a run in; its id."""
        known = [workflow_of(each) for each in (text, *others)]
        run = new_run(known[0], known, self.clean(dict(given or {})), queue="default", id=id)
        self.database.now(lambda rows: runs.add(rows, run))
        return run.run

    def claim(self, id: str, executor: str = "here") -> Run:
        """Become the owner of a run."""
        owner = f"{executor}/{uuid.uuid4().hex}"
        number = self.run(id).execution
        claimed = self.database.now(lambda rows: runs.claim(rows, id, number, executor, owner))
        assert claimed is not None
        return claimed

    def execution(self, id: str) -> Execution:
        """One execution of a run, claimed; inside of a loop."""
        run = self.claim(id)
        return Execution(
            run,
            self.database,
            path=lambda: self.path,
            clean=self.clean,
            caller=Caller(principal=run.principal, conversation=f"run:{id}"),
            log=lambda event, **fields: self.log.append((event, fields)),
        )

    async def carry(self, id: str) -> Run:
        """Execute a run once, to its end or until it waits."""
        await self.execution(id).to_the_end()
        return self.run(id)

    def done(self, text: str, given: Mapping[str, Any] | None = None, *others: str) -> Run:
        """Put a run in and execute it once."""
        return go(self.carry(self.put_in(text, given, *others)))

    def run(self, id: str) -> Run:
        """A run as it is now."""
        found = self.database.now(lambda rows: runs.get(rows, id), look=True)
        assert found is not None
        return found

    def steps(self, id: str) -> dict[str, StepRow]:
        """Its steps."""
        return self.database.now(lambda rows: runs.steps_of(rows, id), look=True)

    def calls(self, name: str) -> list[Invocation]:
        """The calls that one skill got."""
        return [each for each in self.told.sent if each.tool == name]
