"""Runs of workflows for one caller of a Host: what HTTP and the console attend to them with.

What is done to a run is `workflow/attending.py`, which the command line uses too. Here is who may: by
`[serve]` (`servers`, `tools`, `approves`) and by what `[policy]` denies.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, Any, TypeVar

from prowess.call.policy import Policy, Reach
from prowess.capability.offer import Tool
from prowess.errors import NotFound
from prowess.host.serving import ServeSection, approves_of
from prowess.host.workflow_folders import LABEL
from prowess.provider import Caller
from prowess.redact import printable
from prowess.workflow import attending
from prowess.workflow.attending import Attendant, Attended, Question, Sight
from prowess.workflow.records import Run

if TYPE_CHECKING:
    from prowess.workflow.provider import WorkflowProvider
    from prowess.workflow.records_database import Rows, RunDatabase

T = TypeVar("T")


def attendant(caller: Caller, reach: Reach, serve: ServeSection, policy: Policy) -> Attendant:
    """What a caller may do about runs: of workflows in its reach, and that the policy does not deny it."""
    approves = approves_of(serve)(caller.principal)

    def sight(workflow: str) -> Sight:
        if not reach.tool(_tool(workflow)):
            return "none"
        return "all" if any(fnmatchcase(workflow, each) for each in approves) else "own"

    def against(workflow: str) -> str:
        decision = policy.decide(_tool(workflow), caller.principal)
        return decision.reason if decision.action == "deny" else ""

    return Attendant(principal=caller.principal, sight=sight, against=against)


def _tool(workflow: str) -> Tool:
    """The tool of a workflow, also of one whose file is gone: its name decides."""
    return Tool(server=LABEL, wire={"name": workflow})


class RunDesk:
    """Every method raises NotFound for a run that is not seen, NotAllowed, Conflict and StoreFailed."""

    def __init__(self, provider: WorkflowProvider | None, who: Attendant, log: Callable[..., None]) -> None:
        if provider is None:
            raise NotFound("there are no workflows here", hint="[workflows] in prowess.toml names them")
        self._provider = provider
        self._who = who
        self._log = log

    async def listed(
        self, *, state: str = "", workflow: str = "", asking: bool = False, limit: int = 50
    ) -> list[Attended]:
        """Runs, the newest first; `asking`: only those that wait for an answer."""
        return await self._look(
            lambda rows: attending.listed(
                rows, self._who, state=state, workflow=workflow, asking=asking, limit=limit
            ),
            [],
        )

    async def run(self, run: str) -> Attended:
        """One run with its steps."""
        return await self._database(run).run(lambda rows: attending.attended(rows, self._who, run), look=True)

    async def approve(self, run: str, step: str | None = None, since: float | None = None) -> Question:
        """Say yes to the step that waits; `since`: only to that question. Raises Ambiguous of several."""
        return await self._done(
            "approve", run, lambda rows: attending.approve(rows, self._who, run, step, since)
        )

    async def refuse(self, run: str, step: str | None = None, since: float | None = None) -> Question:
        """Say no to the step that waits; `since`: only to that question. Raises Ambiguous of several."""
        return await self._done(
            "refuse", run, lambda rows: attending.refuse(rows, self._who, run, step, since)
        )

    async def cancel(self, run: str) -> Run:
        """End it, or tell it to end where it is under way."""
        return await self._done("cancel", run, lambda rows: attending.cancel(rows, self._who, run))

    async def resume(self, run: str, *, again: bool = False, result: Mapping[str, Any] | None = None) -> Run:
        """Go on with it; of a step that may have acted: `again`, or `{"value": ...}` as what it gave."""
        masked = None if result is None else {"value": self._provider.masked(result["value"])}
        return await self._done(
            "resume", run, lambda rows: attending.resume(rows, self._who, run, again=again, result=masked)
        )

    async def retry(self, run: str, step: str) -> Run:
        """A new run, that begins at `step` with what this one did before."""
        return await self._done("retry", run, lambda rows: attending.retry(rows, self._who, run, step))

    async def _look(self, work: Callable[[Rows], T], nothing: T) -> T:
        database = self._provider.database
        return await database.run(work, look=True) if database.exists() else nothing

    def _database(self, run: str) -> RunDatabase:
        """Where runs are kept: asking for one makes no file. Raises NotFound."""
        database = self._provider.database
        if not database.exists():
            raise NotFound(f"there is no run {printable(run, 80)}", hint="prowess runs list")
        return database

    async def _done(self, what: str, run: str, work: Callable[[Rows], T]) -> T:
        done = await self._database(run).run(work, sure=True)
        self._log(f"workflow-run-{what}", run=run, principal=self._who.principal)
        await self._provider.nudge()
        return done
