"""Workflows as a Provider: each one is a tool, and `workflow_status` reads a run.

A call puts a run in and waits for it; one that takes longer is answered with the run's id while the run
goes on, here or in another worker. The engine begins with the first call (or `work`), so that a Host
whose workflows nobody uses imports none of it.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from prowess.call.resolving import VERSION_META
from prowess.capability.offer import Offer, Tool
from prowess.errors import Conflict, NotFound, ProwessError, UsageError
from prowess.provider import KEY_META as KEY_META
from prowess.provider import Answered, Caller, Invocation, Outcome, Refused, ToolFailed
from prowess.redact import printable
from prowess.workflow import provider_tools as tools
from prowess.workflow import records_runs as runs
from prowess.workflow.catalogue import newest
from prowess.workflow.definition import Workflow
from prowess.workflow.finding import Found, read_folder
from prowess.workflow.queues import WorkflowsSection
from prowess.workflow.records import Run
from prowess.workflow.records_database import Rows, RunDatabase, Where, default_file

if TYPE_CHECKING:
    from prowess.call.path import CallPath
    from prowess.spec.diagnostics import Diagnostic
    from prowess.workflow.engine import Engine

LABEL = "workflows"
TYPE = "workflows"
LOOK = 0.1  # seconds between two looks at a run that is waited for
MARGIN = 0.5  # seconds before the time limit of a call at which it is answered with the run's id

Clean = Callable[[Any], Any]


def found_in(paths: Sequence[str]) -> Found:
    """The workflows of folders, and what is wrong with their files."""
    import os

    from prowess.source.directory import DirectorySource

    workflows: dict[str, Workflow] = {}
    told: list[Diagnostic] = []
    for path in paths:
        if not os.path.isdir(path):
            raise NotFound(f"{printable(path, 300)}: there is no such folder of workflows")
        found = read_folder(DirectorySource(path), "")
        told += found.diagnostics
        workflows.update({each.title: each for each in found.workflows if each.title not in workflows})
    return Found(workflows=tuple(workflows.values()), diagnostics=tuple(told))


def where_of(section: WorkflowsSection) -> Where:
    """Where the runs of a section are kept. Raises CredentialFailed and UsageError."""
    if section.postgres is not None:
        from prowess.credentials.reading import read_secret
        from prowess.store.shipping import settings_of

        url = read_secret(section.postgres)
        settings_of(url)
        return Where(url=url)
    return Where(file=section.sqlite or default_file())


def id_of(principal: str, key: str) -> str:
    """The id of the run that a call with this idempotency key begins.

    The same call made again, as by a run that goes on after a crash, finds the run that it began.
    """
    return hashlib.sha256(json.dumps([principal, key]).encode()).hexdigest()[:16]


def _put_in(rows: Rows, run: Run) -> Run:
    return run if runs.add(rows, run) else runs.get(rows, run.run) or run


class WorkflowProvider:
    """The workflows of one Host. `path` gives its call path, `clean` masks what must not be kept."""

    def __init__(
        self,
        section: WorkflowsSection,
        *,
        path: Callable[[], CallPath],
        clean: Clean,
        log: Callable[..., None],
        database: RunDatabase | None = None,
    ) -> None:
        self._section = section
        self._path = path
        self._clean = clean
        self._log = log
        self._database = database
        self._found = Found()
        self._failed = ""
        self._open = False
        self._offered: tuple[Tool, ...] = ()
        self._engine: Engine | None = None
        self._beginning = asyncio.Lock()

    uses_others = True  # so that it is closed before them

    @property
    def label(self) -> str:
        """The id that its tools carry as `server`."""
        return LABEL

    @property
    def workflows(self) -> tuple[Workflow, ...]:
        """Every version of every workflow."""
        return self._found.workflows

    @property
    def database(self) -> RunDatabase:
        """Where runs are kept."""
        if self._database is None:
            self._database = RunDatabase(where_of(self._section))
        return self._database

    async def open(self) -> Offer:
        """Read every definition; nothing is run."""
        try:
            self._found = await asyncio.to_thread(found_in, self._section.paths)
        except ProwessError as error:
            self._failed = error.message
        names = dict.fromkeys(each.name for each in self.workflows)
        shown = [tools.tool_of(self._meant(name, ""), LABEL, self._section.answer_within) for name in names]
        self._offered = (*shown, tools.status_tool(LABEL)) if shown else ()
        self._open = True
        return self.offer()

    def offer(self) -> Offer:
        """One tool for each name, while open; what is wrong with files are notes."""
        if not self._open:
            return Offer(id=LABEL, type=TYPE, status="not-started", reason="not opened yet")
        if self._failed:
            return Offer(id=LABEL, type=TYPE, status="failed", reason=self._failed, reason_code="unreadable")
        notes = tuple(f"{each.place}: {each.message}" for each in self._found.diagnostics)
        return Offer(id=LABEL, type=TYPE, status="connected", tools=self._offered, notes=notes)

    def resolve(self, tool: str, asked: str, caller: Caller) -> Tool:
        """The version of a workflow that a range means. Raises NotFound and UsageError."""
        for each in self._offered:
            if each.name == tool and (not asked or tool == tools.STATUS):
                return each
        return tools.tool_of(self._meant(tool, asked), LABEL, self._section.answer_within)

    def versions(self, tool: str) -> tuple[Tool, ...]:
        """Every version of a workflow, the oldest first."""
        from prowess.choose.versions import ordered

        named = {each.version: each for each in self.workflows if each.name == tool}
        found = (tools.tool_of(named[each], LABEL, self._section.answer_within) for each in ordered(named))
        return tuple(found) or tuple(each for each in self._offered if each.name == tool)

    def _meant(self, name: str, asked: str) -> Workflow:
        named = {each.version: each for each in self.workflows if each.name == name}
        if not named:
            raise NotFound(f"there is no workflow {printable(name, 80)}", hint="prowess workflow check")
        chosen = newest(named, asked)
        if chosen is None:
            known = ", ".join(named)
            raise NotFound(
                f"no version of {printable(name, 80)} fits {printable(asked, 40)}", hint=f"there are {known}"
            )
        return named[chosen]

    async def call(self, invocation: Invocation) -> Outcome:
        """Put a run in and wait for it, or read one."""
        if not self._open:
            return Refused(reason="workflows are not open", code="not-open")
        if invocation.tool == tools.STATUS:
            return await self._status(invocation)
        asked = str(invocation.meta.get(VERSION_META, ""))
        workflow = self._meant(invocation.tool, asked)
        key, who = invocation.meta.get(KEY_META), invocation.caller
        id = id_of(who.principal, str(key)) if key else ""
        try:
            run = await self.start(workflow, invocation.arguments, caller=who, id=id)
        except Conflict as error:
            return Refused(code="key-reused", reason=error.message)
        except UsageError as error:
            return Refused(code="cannot-run", reason=error.message)
        until = time.monotonic() + min(self._section.answer_within, max(0.0, invocation.timeout - MARGIN))
        return await self._answer(await self.wait(run.run, until, invocation))

    async def start(
        self,
        workflow: Workflow,
        given: Mapping[str, Any],
        *,
        caller: Caller,
        id: str = "",
        queue: str = "",
    ) -> Run:
        """Put a run in; with an `id` that is there, it is found again.

        Raises UsageError and NotFound for one that cannot run, Conflict when the run of this id is of
        another workflow or input, and StoreFailed.
        """
        from prowess.workflow.starts import insist_on_right, new_run

        path = self._path()
        insist_on_right(workflow, self.workflows, lambda name: path.versions(path.find(name, caller=caller)))
        run = new_run(
            workflow,
            self.workflows,
            self._clean(dict(given)),
            queue=queue or self._section.queue_of(workflow.name),
            principal=caller.principal,
            rollout_key=caller.rollout_key,
            id=id,
        )
        if self._section.work:
            await self.work()
        known = await self.database.run(lambda rows: _put_in(rows, run), sure=True)
        if (known.workflow, known.input) != (run.workflow, run.input):
            raise Conflict("this idempotency key was used for another call", hint="take a new key")
        await self.nudge()
        return known

    def masked(self, value: Any) -> Any:
        """A value as it may be kept."""
        return self._clean(value)

    async def nudge(self) -> None:
        """Somebody let a run go on: work on it here, if this is a place where runs are worked on."""
        if self._section.work:
            await self.work()
        if self._engine is not None:
            self._engine.nudge()

    async def work(self, queues: Collection[str] = ()) -> None:
        """Work on runs in this process, until it is closed. Raises UsageError and StoreFailed."""
        async with self._beginning:
            if self._engine is not None:
                return
            from prowess.workflow.engine import Engine

            engine = Engine(
                self.database,
                self._section,
                path=self._path,
                clean=self._clean,
                log=self._log,
                queues=queues,
                scheduled=self._scheduled,
            )
            await engine.begin()
            self._engine = engine

    def _scheduled(self, name: str, at: str) -> None:
        """Start the run of a schedule; a fault is told, since nobody waits for it."""
        from prowess.choose.versions import split
        from prowess.workflow.schedules import run_id
        from prowess.workflow.starts import insist_on_sound, new_run

        section = self._section.schedules.get(name)
        if section is None:
            return
        workflow_name, asked = split(section.workflow)
        try:
            workflow = self._meant(workflow_name, asked)
            queue = self._section.queue_of(workflow.name)
            insist_on_sound(workflow, self.workflows)
            run = new_run(
                workflow,
                self.workflows,
                self._clean(section.given),
                queue=queue,
                principal=f"schedule:{name}",
                id=run_id(name, at),
            )
        except ProwessError as error:
            self._log("workflow-schedule-failed", schedule=name, reason=error.message)
            return
        self.database.now(lambda rows: runs.add(rows, run), sure=True)

    async def wait(self, run: str, until: float | None, invocation: Invocation | None = None) -> Run:
        """The run once it is over or waits for somebody, or as it is at `until`."""
        from prowess.workflow.provider_progress import Progress

        progress = Progress(invocation)
        while True:
            now, steps = await self.database.run(
                lambda rows: (runs.get(rows, run), runs.steps_of(rows, run)), look=True
            )
            if now is None:
                raise NotFound(f"there is no run {run}")
            await progress.tell(now, steps)
            if now.over or (until is not None and time.monotonic() >= until):
                return now
            if invocation is not None and any(
                each.kind == "approval" and each.state == "waiting" for each in steps.values()
            ):
                return now  # a person has to answer: whoever asked is told so
            await asyncio.sleep(LOOK)

    async def _answer(self, run: Run) -> Outcome:
        steps = await self.database.run(lambda rows: runs.steps_of(rows, run.run), look=True)
        said = tools.said_of(run, steps)
        if run.state in ("failed", "cancelled", "attention"):
            error = said.get("error", {})
            message = f"run {run.run} of {run.title}: {run.state}: {error.get('message', '')}"
            return ToolFailed(message=message, wire=tools.failed_wire(message, said))
        return Answered(value=said, wire={"structuredContent": said})

    async def _status(self, invocation: Invocation) -> Outcome:
        asked = str(invocation.arguments.get("run", ""))
        found = await self.database.run(lambda rows: runs.get(rows, asked), look=True)
        if found is None or found.principal != invocation.caller.principal:
            return ToolFailed(message=f"there is no run {printable(asked, 80)} of yours")
        steps = await self.database.run(lambda rows: runs.steps_of(rows, found.run), look=True)
        said = tools.said_of(found, steps)
        return Answered(value=said, wire={"structuredContent": said})

    async def close(self) -> None:
        """What is under way here goes back into its queue."""
        self._open = False
        engine, self._engine = self._engine, None
        if engine is not None:
            await engine.close()
        if self._database is not None:
            database, self._database = self._database, None
            await asyncio.to_thread(database.close)
