"""A choice on record: what was asked, what a model was shown, what it chose, which calls followed.

The record is kept when the choice begins and again when its block ends, so that it is there also
when the process does not live to the end; the calls in between carry the same trace id. What was
asked is redacted by the journal. How a choice is made is not known here.
"""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field

from prowess.call import spans, tracing
from prowess.call.clock import Clock
from prowess.call.recording import Journal, caller_fields
from prowess.provider import Caller
from prowess.redact import printable
from prowess.store.remembered import DecisionRecord


@dataclass(slots=True, kw_only=True)
class Choice:
    """A choice while its calls are made. `chosen` is what was named, or else the first skill or tool used."""

    id: str
    trace_id: str
    chosen: str = ""
    calls: list[str] = field(default_factory=list)

    def chose(self, name: str) -> None:
        """This was chosen; the first choice stands."""
        self.chosen = self.chosen or name


_current: ContextVar[Choice | None] = ContextVar("prowess_decision", default=None)


def chosen(name: str) -> None:
    """Something was chosen that is no tool: a skill."""
    decision = _current.get()
    if decision is not None:
        decision.chose(name)


def followed(tool: str, call: str) -> None:
    """A call begins; if a choice led to it, it is one of those that followed."""
    decision, above = _current.get(), tracing.current.get()
    if decision is None or (above is not None and above.call):  # a call of a tool's own is no choice's
        return
    decision.chose(tool)
    decision.calls.append(call)


@asynccontextmanager
async def decided(
    journal: Journal, clock: Clock, *, utterance: str, shown: Sequence[str], chosen: str, caller: Caller
) -> AsyncIterator[Choice]:
    """Record a choice around the block in which its calls are made."""
    number = uuid.uuid4().hex
    attributes: dict[str, str | int] = {"prowess.decision.id": number, "prowess.shown": len(shown)}
    with spans.begun("prowess decide", "INTERNAL", attributes) as step:
        decision = Choice(id=number, trace_id=step.trace.trace_id, chosen=chosen)
        record = _Recording(journal, clock, decision, utterance, tuple(shown), caller)
        await record.keep()
        token = _current.set(decision)
        try:
            yield decision
        finally:
            _current.reset(token)
            step.note({"prowess.chosen": printable(decision.chosen, spans.LONGEST_NAME)})
            journal.log("decision", utterance=utterance, shown=list(shown), chosen=decision.chosen)
            await record.keep()


class _Recording:
    """Keeps the record of one choice, as often as there is something new."""

    def __init__(
        self,
        journal: Journal,
        clock: Clock,
        decision: Choice,
        utterance: str,
        shown: tuple[str, ...],
        caller: Caller,
    ) -> None:
        self._journal = journal
        self._clock = clock
        self._decision = decision
        self._utterance = utterance
        self._shown = shown
        self._caller = caller
        self._started = clock.now()

    async def keep(self) -> None:
        try:
            await self._journal.keep(self._record(), self._clock)
        except asyncio.CancelledError:
            raise
        except Exception as error:  # noqa: BLE001  # boundary: a choice goes on without its record
            self._journal.log("decision-unrecorded", error=type(error).__name__)

    def _record(self) -> DecisionRecord:
        return DecisionRecord(
            id=self._decision.id,
            trace_id=self._decision.trace_id,
            utterance=self._utterance,
            shown=self._shown,
            chosen=self._decision.chosen,
            calls=tuple(self._decision.calls),
            started=self._started,
            **caller_fields(self._caller),
        )
