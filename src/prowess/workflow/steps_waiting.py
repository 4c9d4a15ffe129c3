"""Waiting within a run: for a person, a time, an event; and leaving the worker while nothing else goes on.

What is waited for is on record before the wait begins, with the moment at which it ends, so that a wait
goes on where it was after a crash. A run in which every branch waits is parked: it holds no worker.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Coroutine, Sequence
from datetime import datetime
from typing import Any

from prowess.workflow.durations import seconds_of
from prowess.workflow.records import LONGEST_QUESTION, Kind
from prowess.workflow.scope import Ended
from prowess.workflow.steps import Journal, StepFailed

PARK_AFTER = 0.25  # seconds in which nothing happened
SHORT = 2.0  # seconds that are waited through without leaving


class Parked(BaseException):
    """Every branch waits, and has looked since `news`; `wake` is when the first has waited enough."""

    def __init__(self, wake: float | None, news: int) -> None:
        super().__init__()
        self.wake = wake
        self.news = news


async def seen_to_their_end(tasks: Sequence[asyncio.Future[Any]]) -> None:
    """Wait for tasks however often this is cancelled meanwhile; each has a time limit of its own."""
    while not all(each.done() for each in tasks):
        try:
            await asyncio.wait(tasks)
        except asyncio.CancelledError:
            continue
    for each in tasks:
        if not each.cancelled():
            each.exception()  # looked at, so that nobody is told that it was not


class Waits:
    """What the branches of one run wait for."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        self._news = asyncio.Event()
        self._number = journal.run.news
        self._branches = 1
        self._waiting: dict[str, float | None] = {}

    def heard(self, news: int) -> None:
        """Something came for this run."""
        self._number = news
        self._news.set()

    async def together(self, work: Sequence[Coroutine[Any, Any, Any]]) -> list[Any]:
        """Run branches side by side to their ends; results and exceptions in their order."""
        self._branches += len(work) - 1
        left = len(work)

        async def one(each: Coroutine[Any, Any, Any]) -> Any:
            nonlocal left
            try:
                return await each
            finally:
                left -= 1
                if left:  # the last one goes on as the branch that began them
                    self._branches -= 1
                    self._news.set()

        tasks = [asyncio.ensure_future(one(each)) for each in work]
        try:
            return list(await asyncio.gather(*tasks, return_exceptions=True))
        except asyncio.CancelledError:
            await seen_to_their_end(tasks)  # they were cancelled, and may have something to finish
            raise

    async def approval(self, step: str, text: str) -> None:
        """Wait for a yes. Raises StepFailed for a no, and for a question too long to be shown whole."""
        if len(text) > LONGEST_QUESTION:
            raise StepFailed("question-too-long", f"a person is asked at most {LONGEST_QUESTION} characters")
        await self._until(step, "approval", {"text": text}, None)

    async def seconds(self, step: str, value: Any) -> Any:
        """Wait for a duration."""
        for_so_long = seconds_of(value)
        if for_so_long is None and value != 0:
            raise StepFailed("wait", "the seconds to wait are no duration of at most a year")
        return await self._until(step, "time", {"until": time.time() + (for_so_long or 0.0)}, None)

    async def until(self, step: str, value: Any) -> Any:
        """Wait until a time as RFC 3339 writes it."""
        try:
            moment = datetime.fromisoformat(str(value))
        except ValueError:
            moment = None
        if moment is None or moment.tzinfo is None:
            raise StepFailed("wait", "until must be a date and time with an offset, as 2026-05-01T09:00:00Z")
        return await self._until(step, "time", {"until": moment.timestamp()}, None)

    async def event(self, step: str, name: Any, timeout: float | None) -> Any:
        """Wait for an event; its payload. Raises StepFailed when it does not come in time."""
        if not isinstance(name, str) or not 0 < len(name) <= 200:
            raise StepFailed("wait", "the name of an event is a text of 1 to 200 characters")
        until = None if timeout is None else time.time() + timeout
        return await self._until(step, "event", {"event": name, "until": until}, timeout)

    async def _until(self, step: str, kind: Kind, what: dict[str, Any], timeout: float | None) -> Any:
        ended = self._journal.over(step)
        if ended is not None:
            return ended.result
        said = await self._journal.waits(step, kind, what)
        until: float | None = said.get("until")
        self._waiting[step] = until
        try:
            while True:
                self._news.clear()
                seen = self._number
                done = await self._looked(step, kind, said, until, timeout)
                if done is not None:
                    return done.result
                await self._rest(until, seen)
        finally:
            del self._waiting[step]

    async def _looked(
        self, step: str, kind: Kind, said: Any, until: float | None, timeout: float | None
    ) -> Ended | None:
        if kind == "event":
            await self._journal.came(step, said["event"])
        if until is not None and time.time() >= until:
            if kind == "time":
                await self._journal.settled(step, "completed", None)
            else:
                message = f"no event {said['event']} within {timeout or 0:g} seconds"
                await self._journal.settled(step, "failed", {"code": "timed-out", "message": message})
        elif kind == "time":
            return None
        await self._journal.look(step)
        return self._journal.over(step)

    async def _rest(self, until: float | None, seen: int) -> None:
        """Until something comes, or the time is there. Raises Parked when nothing else goes on."""
        left = None if until is None else max(0.0, until - time.time())
        try:
            await asyncio.wait_for(self._news.wait(), min(PARK_AFTER if left is None else left, PARK_AFTER))
            return
        except TimeoutError:
            pass
        times = [each for each in self._waiting.values() if each is not None]
        wake = min(times, default=None)
        nothing_else = len(self._waiting) >= self._branches and seen == self._number
        if nothing_else and (wake is None or wake - time.time() > SHORT):
            raise Parked(wake, seen)
