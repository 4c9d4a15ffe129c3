"""One call of a run: through the Host's own call path, and on record before anything is built upon it.

Who calls is the principal that started the run, in a conversation of the run's own; the call carries
the key `run:step`, by which a service can tell that it was asked before.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from prowess.call.retry import idempotent
from prowess.call.running import Asked
from prowess.capability.offer import Tool
from prowess.errors import NotFound, ProwessError
from prowess.provider import KEY_META, Answered, Caller, Lost, Outcome, Refused, TimedOut, ToolFailed
from prowess.redact import printable
from prowess.workflow.definition import Call, Step
from prowess.workflow.steps import Journal, StepFailed, Unknown
from prowess.workflow.steps_waiting import seen_to_their_end

if TYPE_CHECKING:
    from prowess.call.path import CallPath

_BUSY = ("busy", "breaker-open")  # refusals that say nothing about the call


class Calls:
    """Makes the calls of one run. `path` gives the Host's call path."""

    def __init__(self, path: Callable[[], CallPath], journal: Journal, caller: Caller) -> None:
        self._path = path
        self._journal = journal
        self._caller = caller

    async def call(self, key: str, step: Step, call: Call, params: Mapping[str, Any]) -> Any:
        """The result of a step, from its record if it ended. Raises StepFailed, Unknown, Superseded."""
        ended = self._journal.over(key)
        if ended is not None:
            return ended.result
        try:
            tool = self._path().find(call.skill, version=call.version or None, caller=self._caller)
        except ProwessError as error:
            return await self._refused(key, StepFailed(error.code, error.message))
        if idempotent(tool):
            return await self._made(key, step, tool, call, params)
        # A call that must not happen twice is never left in the middle: who cancels waits for its end.
        work = asyncio.ensure_future(self._once(key, step, tool, call, params))
        try:
            return await asyncio.shield(work)
        except asyncio.CancelledError:
            await seen_to_their_end([work])
            raise

    async def _refused(self, key: str, failed: StepFailed) -> Any:
        raise await self._journal.failed(key, failed, began=False)

    async def _once(self, key: str, step: Step, tool: Tool, call: Call, params: Mapping[str, Any]) -> Any:
        await self._journal.began(key, printable(f"{tool.server}/{tool.name}", 200))
        return await self._made(key, step, tool, call, params)

    async def _made(self, key: str, step: Step, tool: Tool, call: Call, params: Mapping[str, Any]) -> Any:
        safe, attempt = idempotent(tool), 0
        while True:
            attempt += 1
            outcome = await self._outcome(key, step, call, params)
            if isinstance(outcome, Answered):
                return await self._journal.finished(key, outcome.value, began=not safe)
            wait = _wait(step, outcome, attempt, safe)
            if wait is None:
                break
            await asyncio.sleep(wait)
        if not safe and isinstance(outcome, Lost | TimedOut) and step.on_error.action == "fail":
            what, why = printable(f"{tool.server}/{tool.name}", 200), _error(outcome).message
            await self._journal.noted(key, what, why)
            raise Unknown(key, f"{what}: {why}")
        raise await self._journal.failed(key, _error(outcome), began=not safe)

    async def _outcome(self, key: str, step: Step, call: Call, params: Mapping[str, Any]) -> Outcome:
        asked = Asked(meta={KEY_META: f"{self._journal.run.run}:{key}"}, whole=True)
        try:
            result = await self._path().call(
                call.skill,
                dict(params),
                caller=self._caller,
                version=call.version or None,
                timeout=step.timeout,
                asked=asked,
            )
        except NotFound as error:
            return Refused(code=error.code, reason=error.message)
        return result.outcome


def _wait(step: Step, outcome: Outcome, attempt: int, safe: bool) -> float | None:
    """Seconds until the next attempt, or None when there is none."""
    retry = step.retry
    if retry is None or attempt >= retry.attempts:
        return None
    if isinstance(outcome, Refused):
        if outcome.code not in _BUSY:
            return None
    elif not safe:
        return None
    return float(min(retry.max_delay, retry.delay * retry.factor ** (attempt - 1)))


def _error(outcome: Outcome) -> StepFailed:
    match outcome:
        case ToolFailed(message=message, wire=wire):
            meta = wire.get("_meta")
            code = meta.get("dev.prowess/code") if isinstance(meta, Mapping) else None
            return StepFailed(code if isinstance(code, str) else "tool-failed", printable(message, 2_000))
        case Refused(code=code, reason=reason):
            return StepFailed(code, printable(reason, 2_000))
        case Lost(reason=reason):
            return StepFailed("lost", printable(reason, 2_000))
        case TimedOut(seconds=seconds):
            return StepFailed("timed-out", f"no answer within {seconds:g} seconds")
    return StepFailed("input-required", "the tool asks for more before it answers")
