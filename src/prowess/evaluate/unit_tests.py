"""Units tried as they say themselves: their examples, their schemas, their faults, and what of them ran.

    {"input": {"city": "Oslo"}, "output": {"sky": "grey"},
     "http": [{"url": "https://api.example.com/v1/weather?q=Oslo", "json": {"sky": "grey"}}]}

An example holds an input and the output or the error that it comes to; `http` are the answers of the
twin that stands behind `ctx.http`. Every call goes down the one call path of a Host, of which nothing
is remembered; nothing is sent anywhere, unless examples are to be tried `live`, as a Host would call
them. The units' own code runs: naming a path consents to that.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from prowess.call.clock import FakeClock, SystemClock
from prowess.call.recording import word
from prowess.call.running import CallResult, result_of
from prowess.capability.canonical import canonical
from prowess.errors import UsageError
from prowess.evaluate.checks import Check, Status, UnitReport, UnitReports
from prowess.evaluate.http_twin import HttpTwin
from prowess.evaluate.line_coverage import Coverage, Measuring
from prowess.evaluate.twin_context import TwinContexts
from prowess.evaluate.twin_host import SERVER, live_host, roots_of, twin_host
from prowess.evaluate.unit_faults import NOW, Trying, try_faults, try_timeout
from prowess.evaluate.unit_schemas import check_schemas, misfits
from prowess.host.host import Host
from prowess.provider import Answered, Outcome, Refused
from prowess.redact import printable
from prowess.spec.diagnostics import Diagnostic, Reach
from prowess.units.loading import LoadFailed
from prowess.units.model import Unit
from prowess.units.registry import Registry

SHOWN = 300  # characters of a value


@dataclass(slots=True, kw_only=True)
class _Work:
    """One unit on its way; `reaching` is an input with which it asked something outside."""

    unit: Unit
    checks: list[Check] = field(default_factory=list)
    reaching: Mapping[str, Any] | None = None
    loads: bool = True


async def run_tests(path: str, *, only: str | None = None, live: bool = False) -> UnitReports:
    """Try every unit at `path`, or every version of one. Raises UsageError, NotFound, Unreadable.

    `live` lets examples reach what they declare, with the credentials of a `prowess.toml`.
    """
    with Measuring(roots_of(path)) as measuring:
        works, broken = await _tried(path, only, live)
        await _tried_slowly(path, [each for each in works if each.reaching is not None])
    if only is not None and not works:
        raise UsageError(
            f"no unit named {printable(only, 80)}", hint=f"prowess units list {printable(path, 300)}"
        )
    reports = tuple(
        UnitReport(unit=each.unit, checks=tuple(each.checks), coverage=_coverage(measuring, each))
        for each in works
    )
    return UnitReports(units=reports, broken=tuple(broken))


async def _tried(path: str, only: str | None, live: bool) -> tuple[list[_Work], list[Diagnostic]]:
    """Everything that needs no other time than the machine's."""
    already = await _tried_live(path, only) if live else {}
    contexts = TwinContexts(HttpTwin())
    async with twin_host(path, contexts) as (host, registry):
        broken = [each for each in registry.diagnostics if each.reach >= Reach.ENTRY]
        works = [_Work(unit=each) for each in registry.units if only in (None, each.name, each.title)]
        for work in works:
            await _load(work, registry)
            work.checks += check_schemas(work.unit)
            if not work.loads:
                continue
            if work.unit.title in already:
                before = already[work.unit.title]
                work.checks, work.reaching = [*work.checks, *before.checks], before.reaching
            else:
                await _examples(work, host, contexts.http)
            work.checks += await try_faults(_trying(work, host, contexts), NOW)
    return works, broken


async def _tried_live(path: str, only: str | None) -> dict[str, _Work]:
    """The examples as a Host calls them: they reach what they declare."""
    registry = Registry(roots_of(path))
    await asyncio.to_thread(registry.refresh)
    works = [_Work(unit=each) for each in registry.units if only in (None, each.name, each.title)]
    registry.close()
    async with live_host(path) as host:
        for work in works:
            await _examples(work, host, None)
    return {each.unit.title: each for each in works}


async def _tried_slowly(path: str, works: list[_Work]) -> None:
    """What takes as long as a unit may: on a clock that takes no time.

    To such a clock a unit that waits for a thread is idle, so its time may be up before it asked
    anything; then only what it asks is late, and at once.
    """
    if not works:
        return
    clock = FakeClock()
    contexts = TwinContexts(HttpTwin(clock), clock=clock)
    found: dict[str, Check] = {}
    async with twin_host(path, contexts, clock) as (host, registry):
        await asyncio.to_thread(registry.load_all)  # a clock that moves by itself would not wait for it
        for work in works:
            found[work.unit.title] = await try_timeout(_trying(work, host, contexts))
    again = [each for each in works if found[each.unit.title].status == "skipped"]
    if again:
        contexts = TwinContexts(HttpTwin(_AtOnce()))
        async with twin_host(path, contexts) as (host, registry):
            for work in again:
                found[work.unit.title] = await try_timeout(_trying(work, host, contexts))
    for work in works:
        work.checks.append(found[work.unit.title])


class _AtOnce(SystemClock):
    """A clock on which every wait is over at once."""

    async def sleep(self, seconds: float) -> None:
        """Let the others go on, no more."""
        await asyncio.sleep(0)


def _trying(work: _Work, host: Host, contexts: TwinContexts) -> Trying:
    return Trying(host=host, contexts=contexts, unit=work.unit, input=work.reaching)


async def _load(work: _Work, registry: Registry) -> None:
    try:
        await asyncio.to_thread(registry.load, work.unit)
    except LoadFailed as failed:
        work.loads = False
        work.checks.append(
            Check(kind="load", name="load", status="failed", detail=failed.message, hint=failed.hint)
        )


# -- examples ------------------------------------------------------------------------------------


async def _examples(work: _Work, host: Host, twin: HttpTwin | None) -> None:
    if not work.unit.examples:
        hint = '"examples": [{"input": {...}, "output": {...}}]'
        detail = "the unit has no example"
        work.checks.append(Check(kind="example", name="examples", status="skipped", detail=detail, hint=hint))
    for number, example in enumerate(work.unit.examples, 1):
        name = f"example {number}: {_shown(example.get('input', {}))}"
        try:
            fault = await _example(work, example, host, twin)
        except UsageError as error:
            fault = error.message, error.hint
        status: Status = "ok" if fault is None else "failed"
        detail, hint = fault or ("", "")
        work.checks.append(Check(kind="example", name=name, status=status, detail=detail, hint=hint))


async def _example(
    work: _Work, example: Mapping[str, Any], host: Host, twin: HttpTwin | None
) -> tuple[str, str] | None:
    """What is wrong, with what to do about it; None when it comes to what it says."""
    given = example.get("input", {})
    if twin is not None:
        twin.forget()
        answers = example.get("http", [])
        for each in answers if isinstance(answers, list | tuple) else [answers]:
            twin.prepare(each)
    result = await host.call_recorded(work.unit.name, given, server=SERVER, version=work.unit.version)
    fault = _differs(work.unit, example, result)
    reached = work.unit.permissions.network if twin is None else bool(twin.requests)
    if reached and work.reaching is None and isinstance(result.outcome, Answered):
        work.reaching = given
    if fault is not None and twin is not None and twin.unanswered:
        answer = f'"http": [{{"url": "...", "json": {{...}}}}] in the example answers {twin.unanswered[0]}'
        return fault, f"{answer}; --live lets it reach what it declares"
    return None if fault is None else (fault, "")


def _differs(unit: Unit, example: Mapping[str, Any], result: CallResult) -> str | None:
    outcome = result.outcome
    if "error" in example:
        return _no_such_error(example["error"], outcome)
    if not isinstance(outcome, Answered):
        return f"{word(outcome)}: {_shown(result_of(outcome))}"
    misfit = misfits(unit.returns, outcome.value)
    if misfit:
        return f"the result does not fit returns: {misfit}"
    if "output" in example and canonical(example["output"]) != canonical(outcome.value):
        return f"expected {_shown(example['output'])}, came to {_shown(outcome.value)}"
    return None


def _no_such_error(wanted: Any, outcome: Outcome) -> str | None:
    if isinstance(outcome, Answered):
        return f"expected an error, came to {_shown(outcome.value)}"
    words = f"{word(outcome)} {outcome.code if isinstance(outcome, Refused) else ''} {result_of(outcome)}"
    if isinstance(wanted, str) and wanted not in words:
        return f"expected the error {_shown(wanted)}, came to {_shown(words)}"
    return None


def _shown(value: Any) -> str:
    return printable(value if isinstance(value, str) else canonical(value), SHOWN)


def _coverage(measuring: Measuring, work: _Work) -> Coverage | None:
    if not work.loads:
        return None
    try:
        return measuring.of(work.unit.file)
    except (OSError, SyntaxError, ValueError):
        return None  # it was there when it was loaded
