"""One execution of a run in this process: the interpreter around its journal, and how it ends.

It ends in one of these: the run is over; it is parked because it waits; it is given back because this
worker ends; another worker has it by now, and nothing is written any more.
"""

from __future__ import annotations

import asyncio
import time
import traceback
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Literal

from prowess.provider import Caller
from prowess.workflow import records_runs as runs
from prowess.workflow.records import Run
from prowess.workflow.records_database import RunDatabase
from prowess.workflow.running import Interpreter, RunFailed
from prowess.workflow.steps import Journal, Unknown, why_unknown
from prowess.workflow.steps_calling import Calls
from prowess.workflow.steps_waiting import Parked, Waits, seen_to_their_end

if TYPE_CHECKING:
    from prowess.call.path import CallPath

Why = Literal["", "cancelled", "released", "superseded"]


class Execution:
    """Made for a run that was claimed."""

    def __init__(
        self,
        run: Run,
        database: RunDatabase,
        *,
        path: Callable[[], CallPath],
        clean: Callable[[Any], Any],
        caller: Caller,
        log: Callable[..., None],
    ) -> None:
        self.run = run
        self.news = run.news
        self.ended: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._database = database
        self._path = path
        self._clean = clean
        self._caller = caller
        self._log = log
        self._why: Why = "cancelled" if run.asked == "cancel" else ""
        self._work: asyncio.Task[Any] | None = None
        self._waits: Waits | None = None

    def stop(self, why: Why) -> None:
        """End this execution at the next moment at which nothing is left halfway."""
        if self._why:
            return
        self._why = why
        if self._work is not None:
            self._work.cancel()

    def heard(self, news: int) -> None:
        """Something came for the run."""
        self.news = news
        if self._waits is not None:
            self._waits.heard(news)

    async def to_the_end(self) -> str:
        """Run; how it ended in one word. Never raises but for a database that is not there."""
        while True:
            try:
                word = await self._once()
            except runs.Superseded:
                return "superseded"
            if word != "once more":
                self._log("workflow-run", run=self.run.run, workflow=self.run.title, state=word)
                return word

    async def _once(self) -> str:
        rows = await self._database.run(lambda rows: runs.steps_of(rows, self.run.run), look=True)
        journal = Journal(self._database, self.run, rows, self._clean)
        self._waits = Waits(journal)
        self._waits.heard(self.news)
        calls = Calls(self._path, journal, self._caller)
        self._work = asyncio.ensure_future(Interpreter(self.run, journal, calls, self._waits).run())
        if self._why:
            self._work.cancel()
        try:
            output = await self._within_deadline(self._work)
        except Parked as parked:
            return await self._parked(parked)
        except RunFailed as failed:
            return await self._ended("failed", None, {**failed.failed.error, "step": failed.step})
        except Unknown as unknown:
            error = {"code": unknown.code, "message": unknown.message, "step": unknown.step}
            return await self._ended("attention", None, error)
        except TimeoutError:
            message = "the run was not done within its time"
            return await self._ended_early(
                "failed", None, {"code": "timed-out", "message": message, "step": ""}
            )
        except asyncio.CancelledError:
            return await self._stopped()
        except runs.Superseded:
            raise
        except Exception as error:  # noqa: BLE001  # boundary: a fault of ours ends this run and no other
            self._log(
                "workflow-exception", run=self.run.run, stack="".join(traceback.format_exception(error))
            )
            told = {
                "code": "internal",
                "message": f"Prowess itself failed: {type(error).__name__}",
                "step": "",
            }
            return await self._ended("failed", None, told)
        return await self._ended("completed", output, None)

    async def _within_deadline(self, work: asyncio.Task[Any]) -> Any:
        left = None if self.run.deadline is None else max(0.0, self.run.deadline - time.time())
        if left == 0:
            work.cancel()  # it has not begun yet, and begins nothing after its time
        try:
            done, _ = await asyncio.wait([work], timeout=left)
        except asyncio.CancelledError:  # the loop ends
            self.stop("released")
            await seen_to_their_end([work])
            raise
        if not done or left == 0:
            work.cancel()
            await seen_to_their_end([work])
            if work.cancelled() and not self._why:
                raise TimeoutError
        return work.result()

    async def _parked(self, parked: Parked) -> str:
        times = [each for each in (parked.wake, self.run.deadline) if each is not None]
        wake = min(times, default=None)
        left = await self._database.run(lambda rows: runs.park(rows, self.run, parked.news, wake), sure=True)
        if left:
            return "waiting"
        now = await self._database.run(lambda rows: runs.get(rows, self.run.run), look=True)
        if now is None or now.owner != self.run.owner:
            return "superseded"
        self.news = now.news
        if now.asked == "cancel":
            self._why = self._why or "cancelled"
        return "once more"

    async def _stopped(self) -> str:
        if self._why == "cancelled":
            return await self._ended_early(
                "cancelled", None, {"code": "cancelled", "message": "cancelled", "step": ""}
            )
        if self._why == "released":
            given = await self._database.run(
                lambda rows: runs.release(rows, self.run.run, self.run.execution, self.run.owner), sure=True
            )
            return "released" if given else "superseded"
        return "superseded"

    async def _ended_early(self, state: str, output: Any, error: dict[str, Any]) -> str:
        """The same, unless a call may have acted before this worker had the run: that comes first."""
        rows = await self._database.run(lambda rows: runs.steps_of(rows, self.run.run), look=True)
        unknown = next((each for each in rows.values() if each.state == "started"), None)
        if unknown is None:
            return await self._ended(state, output, error)
        told = {"code": Unknown.code, "message": why_unknown(unknown), "step": unknown.step}
        return await self._ended("attention", None, told)

    async def _ended(self, state: str, output: Any, error: dict[str, Any] | None) -> str:
        told = None if error is None else self._clean(error)
        await self._database.run(lambda rows: runs.end(rows, self.run, state, output, told), sure=True)
        return state
