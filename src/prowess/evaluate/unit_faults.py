"""What a unit does when what it asks outside fails: the time is up, a 500, rubbish instead of an answer.

A unit passes when it still answers something that fits its `returns`, or fails with words that a model
can act on. It does not when it answers rubbish, or stumbles over what it did not look at: `KeyError:
'sky'` tells nobody that the weather service is ill.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from prowess.call.recording import word
from prowess.call.running import result_of
from prowess.evaluate.checks import Check
from prowess.evaluate.http_twin import Fault
from prowess.evaluate.twin_context import TwinContexts
from prowess.evaluate.twin_host import SERVER
from prowess.evaluate.unit_schemas import misfits
from prowess.host.host import Host
from prowess.provider import Answered, Outcome, TimedOut, ToolFailed
from prowess.redact import printable
from prowess.units.model import Unit

REAL_SECONDS = 30.0  # on the machine's own clock, for one call, whatever the other clock says

# name: the faults that belong to it
NOW: Mapping[str, tuple[Fault, ...]] = {
    "upstream 500": ("status-500",),
    "garbage": ("no-json", "other-shape"),
}
TIMEOUT = "timeout"
UNASKED = "it asked nothing outside this time"
# What is raised by looking at something that is not there, and says nothing about why.
_STUMBLED = frozenset(
    {
        "KeyError",
        "IndexError",
        "TypeError",
        "AttributeError",
        "NameError",
        "UnboundLocalError",
        "AssertionError",
    }
    | {"ZeroDivisionError", "RecursionError", "UnicodeDecodeError", "StopIteration", "StopAsyncIteration"}
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Trying:
    """One unit, where it is called, and an input with which it asks something outside."""

    host: Host
    contexts: TwinContexts
    unit: Unit
    input: Mapping[str, Any] | None


async def try_faults(trying: Trying, faults: Mapping[str, Sequence[Fault]]) -> list[Check]:
    """One check for each name. A unit that asks nothing outside has no such faults."""
    if trying.input is None:
        return _untried(trying.unit)
    return [await _check(trying, name, several) for name, several in faults.items()]


async def try_timeout(trying: Trying) -> Check:
    """An answer that never comes; on a clock that takes no time."""
    return await _check(trying, TIMEOUT, ("timeout",))


def _untried(unit: Unit) -> list[Check]:
    if not unit.permissions.network:
        return []
    detail = "no example with an output reaches what the unit may reach"
    hint = 'give an example "http": [{"url": "...", "json": {...}}]'
    return [Check(kind="fault", name="faults", status="skipped", detail=detail, hint=hint)]


async def _check(trying: Trying, name: str, faults: Sequence[Fault]) -> Check:
    for fault in faults:
        detail, hint = await _tried(trying, fault)
        if detail == UNASKED:
            return Check(kind="fault", name=name, status="skipped", detail=detail)
        if detail:
            return Check(kind="fault", name=name, status="failed", detail=f"{fault}: {detail}", hint=hint)
    return Check(kind="fault", name=name, status="ok")


async def _tried(trying: Trying, fault: Fault) -> tuple[str, str]:
    contexts, unit = trying.contexts, trying.unit
    contexts.http.forget()
    contexts.http.fail(fault)
    contexts.events.clear()
    try:
        async with asyncio.timeout(REAL_SECONDS):
            outcome = await trying.host.call(unit.name, trying.input, server=SERVER, version=unit.version)
    except TimeoutError:
        return f"no answer in {REAL_SECONDS:g} seconds", "wait with await, and let a cancellation through"
    finally:
        asked = bool(contexts.http.requests)
        contexts.http.forget()
    if not asked:
        return UNASKED, ""
    return _judged(unit, fault, outcome, contexts.errors())


def _judged(unit: Unit, fault: Fault, outcome: Outcome, raised: Sequence[str]) -> tuple[str, str]:
    match outcome:
        case Answered(value=value):
            misfit = misfits(unit.returns, value)
            hint = "look at the status and the shape before taking something out of an answer"
            return (f"answered with what does not fit returns: {misfit}", hint) if misfit else ("", "")
        case ToolFailed(message=message):
            if not _STUMBLED.intersection(raised[-1:]):
                return "", ""
            hint = "look at the status and the shape of the answer, and raise an error in words"
            return f"{printable(message, 200)} says nothing to a model", hint
        case TimedOut() if fault == "timeout":
            return "", ""
        case _:
            return f"{word(outcome)}: {printable(str(result_of(outcome)), 200)}", ""
