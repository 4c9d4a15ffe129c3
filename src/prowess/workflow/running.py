"""The interpreter: one run of a definition, from the top; what ended before is taken from its record.

It is the same code for the first time and after a crash. It decides only by the definition, the input
and what is on record, so that it comes to the same point again. It knows no engine and no database.
"""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from prowess.redact import printable
from prowess.workflow.definition import Call, Nested, Parallel, Step, Wait, Workflow
from prowess.workflow.faults import ExpressionFault
from prowess.workflow.reading import read_document
from prowess.workflow.records import Run
from prowess.workflow.scope import Ended, scope_of
from prowess.workflow.starts_judging import misfit
from prowess.workflow.steps import Journal, StepFailed, Unknown
from prowess.workflow.steps_calling import Calls
from prowess.workflow.steps_waiting import Parked, Waits
from prowess.workflow.templates import render, render_text

MOST_ITEMS = 10_000  # of one loop


class RunFailed(Exception):
    """The run ends as failed, at a step."""

    def __init__(self, step: str, failed: StepFailed) -> None:
        super().__init__(failed.message)
        self.step = step
        self.failed = failed


@dataclass(frozen=True, slots=True, kw_only=True)
class Frame:
    """One workflow that runs: the run's own, or one inside a step of it; `above` begins its steps' keys."""

    workflow: Workflow
    given: Mapping[str, Any]
    above: str = ""
    ended: dict[str, Ended] = field(default_factory=dict)
    more: Mapping[str, Any] = field(default_factory=dict)

    @property
    def scope(self) -> dict[str, Any]:
        """What expressions see now."""
        return scope_of(self.workflow, self.given, self.ended, **self.more)


class Interpreter:
    """Runs one run once."""

    def __init__(self, run: Run, journal: Journal, calls: Calls, waits: Waits) -> None:
        self._run = run
        self._journal = journal
        self._calls = calls
        self._waits = waits

    async def run(self) -> Any:
        """The output. Raises RunFailed, Unknown, Superseded, and Parked."""
        workflow = read_document(self._run.definition["workflow"])
        return await self._workflow(Frame(workflow=workflow, given=self._run.input))

    async def _workflow(self, frame: Frame) -> Any:
        await self._steps(frame, frame.workflow.steps)
        if frame.workflow.output is None:
            last = frame.ended[frame.workflow.steps[-1].id]
            return last.result if last.status == "completed" else None
        try:
            return self._journal.clean(render(frame.workflow.output, frame.scope))
        except ExpressionFault as fault:
            raise RunFailed(f"{frame.above}output", _expression(fault)) from None

    async def _steps(self, frame: Frame, steps: Sequence[Step]) -> None:
        for step in steps:
            await self._step(frame, step)

    async def _step(self, frame: Frame, step: Step) -> None:
        try:
            ended = await self._around(frame, step, frame.above + step.id)
        except ExpressionFault as fault:
            ended = await self._after_error(frame, step, _expression(fault))
        except StepFailed as failed:
            ended = await self._after_error(frame, step, failed)
        frame.ended[step.id] = ended

    async def _after_error(self, frame: Frame, step: Step, failed: StepFailed) -> Ended:
        action = step.on_error.action
        if action == "continue":
            return Ended(status="failed", error=failed.error)
        if action == "compensate" and step.on_error.step is not None:
            await self._step(replace(frame, more={**frame.more, "error": failed.error}), step.on_error.step)
        raise RunFailed(frame.above + step.id, failed)

    async def _around(self, frame: Frame, step: Step, key: str) -> Ended:
        """The step with what stands around its action, in the order that `Step` says."""
        known = self._journal.known(key)
        if known is not None and known.state == "skipped":
            return Ended(status="skipped")
        if step.when is not None and step.when.evaluate(frame.scope) is not True:
            await self._journal.skipped(key)
            return Ended(status="skipped")
        items = None if step.for_each is None else _items(render(step.for_each.items, frame.scope))
        if step.approve is not None:
            await self._waits.approval(f"{key}?approve", render_text(step.approve, frame.scope))
        if items is None:
            return Ended(status="completed", result=await self._action(frame, step, key, {}))
        return Ended(status="completed", result=await self._loop(frame, step, key, items))

    async def _loop(self, frame: Frame, step: Step, key: str, items: Sequence[Any]) -> list[Any]:
        """The action for each item; after a failure no other item begins."""
        assert step.for_each is not None
        results: list[Any] = [None] * len(items)
        left = iter(enumerate(items))
        wrong: list[BaseException] = []

        async def one_after_the_other() -> None:
            for index, item in left:
                if wrong:
                    return
                try:
                    more = {"item": item, "index": index}
                    results[index] = await self._action(frame, step, f"{key}[{index}]", more)
                except BaseException as error:
                    wrong.append(error)
                    raise

        count = min(step.for_each.concurrency, len(items))
        if count == 1:
            await one_after_the_other()
        elif count:
            _raise_first(await self._waits.together([one_after_the_other() for _ in range(count)]))
        return results

    async def _action(self, frame: Frame, step: Step, key: str, more: Mapping[str, Any]) -> Any:
        scope = {**frame.scope, **more}
        match step.action:
            case Call() as call:
                return await self._calls.call(key, step, call, render(call.params, scope))
            case Nested() as nested:
                return await self._nested(step, nested, key, render(nested.params, scope))
            case Wait() as wait:
                return await self._wait(step, wait, key, scope)
            case Parallel() as parallel:
                try:
                    return await self._within(step, self._parallel(frame, parallel))
                except RunFailed as failed:
                    raise StepFailed(failed.failed.code, f"{failed.step}: {failed.failed.message}") from None

    async def _nested(self, step: Step, nested: Nested, key: str, given: Mapping[str, Any]) -> Any:
        ended = self._journal.over(key)  # one that failed by its time limit does so again
        if ended is not None:
            return ended.result
        document = self._run.definition["others"][f"{nested.workflow}@{nested.version}"]
        workflow = read_document(document)
        wrong = misfit(workflow.input, given)
        if wrong:
            raise StepFailed("invalid-input", f"{printable(workflow.title, 200)}: {wrong}")
        try:
            return await self._within(
                step, self._workflow(Frame(workflow=workflow, given=given, above=f"{key}/")), key
            )
        except RunFailed as failed:
            raise StepFailed(failed.failed.code, f"{failed.step}: {failed.failed.message}") from None

    async def _wait(self, step: Step, wait: Wait, key: str, scope: Mapping[str, Any]) -> Any:
        if wait.event is not None:
            return await self._waits.event(key, render(wait.event, scope), step.timeout)
        if wait.until is not None:
            return await self._waits.until(key, render(wait.until, scope))
        assert wait.seconds is not None
        return await self._waits.seconds(key, render(wait.seconds, scope))

    async def _parallel(self, frame: Frame, parallel: Parallel) -> Any:
        _raise_first(
            await self._waits.together([self._steps(frame, each.steps) for each in parallel.branches])
        )
        results = [_result(frame.ended[each.steps[-1].id]) for each in parallel.branches]
        if not parallel.named:
            return results
        return {branch.name: result for branch, result in zip(parallel.branches, results, strict=True)}

    async def _within(self, step: Step, work: Coroutine[Any, Any, Any], key: str = "") -> Any:
        """Steps inside a step, within its time limit; what must not be left halfway is seen to its end."""
        if step.timeout is None:
            return await work
        try:
            async with asyncio.timeout(step.timeout):
                return await work
        except TimeoutError:
            failed = StepFailed("timed-out", f"not done within {step.timeout:g} seconds")
            if key:
                await self._journal.failed(key, failed, began=False)
            raise failed from None


def _result(ended: Ended) -> Any:
    return ended.result if ended.status == "completed" else None


def _items(value: Any) -> Sequence[Any]:
    if not isinstance(value, list):
        raise StepFailed("not-a-list", "for_each needs a list")
    if len(value) > MOST_ITEMS:
        raise StepFailed("too-many-items", f"for_each takes at most {MOST_ITEMS} items")
    return value


def _expression(fault: ExpressionFault) -> StepFailed:
    return StepFailed(f"expression-{fault.code}", fault.message)


def _raise_first(results: Sequence[Any]) -> None:
    """Raise what weighs most of what branches ended with; of equals the first."""
    wrong = list(_wrong(results))
    if not wrong:
        return
    ranks = (asyncio.CancelledError, Unknown, Parked, RunFailed, StepFailed)

    def rank(error: BaseException) -> int:
        # What is none of these (another worker has the run, a fault of ours) comes first of all.
        return next((place for place, kind in enumerate(ranks) if isinstance(error, kind)), -1)

    raise min(wrong, key=rank)


def _wrong(results: Sequence[Any]) -> Iterator[BaseException]:
    return (each for each in results if isinstance(each, BaseException))
