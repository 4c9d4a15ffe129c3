"""What is written down: one record for each call, three log events on its way, one story per trace.

A record is committed before the call answers; a Recorder that promises less is no Recorder. Events
are already redacted when a sink gets them. Neither a database nor a log library is known here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Protocol

from prowess.call.clock import Clock, to_the_end
from prowess.call.redaction import Redact, keep, redacted
from prowess.call.tracing import current
from prowess.provider import Answered, Caller, InputRequired, Lost, Outcome, Refused, TimedOut, ToolFailed
from prowess.store.remembered import CallRecord, DecisionRecord, OutcomeWord, Record, RequestRecord

# A recorder that takes longer is broken: what it was to record goes on without it.
COMMIT_SECONDS = 10.0

_WORDS: Mapping[type, OutcomeWord] = {
    Answered: "answered",
    ToolFailed: "tool-failed",
    InputRequired: "input-required",
    TimedOut: "timed-out",
    Lost: "lost",
    Refused: "refused",
}


def word(outcome: Outcome) -> OutcomeWord:
    """The outcome in one word, as records and `--json` show it."""
    return _WORDS[type(outcome)]


class Recorder(Protocol):
    """Keeps records. What is committed survives the end of this process.

    One that can also keep a record without waiting has `at_once`, which takes a record and says
    whether it did: a task less for each call.
    """

    async def commit(self, record: Record) -> None:
        """Keep one record, for good when this returns; a second one of the same id replaces it."""
        ...


class MemoryRecorder:
    """The in-memory twin: records in the order of their first commit."""

    def __init__(self) -> None:
        self._records: dict[str, Record] = {}
        self.commits = 0

    @property
    def records(self) -> tuple[Record, ...]:
        """All records."""
        return tuple(self._records.values())

    @property
    def calls(self) -> tuple[CallRecord, ...]:
        """The records of calls."""
        return tuple(each for each in self._records.values() if isinstance(each, CallRecord))

    async def commit(self, record: Record) -> None:
        """Keep one record."""
        self.commits += 1
        self._records[record.id] = record


Sink = Callable[[Mapping[str, Any]], None]


def no_sink(event: Mapping[str, Any]) -> None:
    """The sink of a Host that logs nothing."""


class Journal:
    """Writes the three log points of a call and the lines of its trace, everything redacted first."""

    def __init__(self, recorder: Recorder, sink: Sink = no_sink, redact: Redact = keep) -> None:
        self._recorder = recorder
        self._at_once: Callable[[Record], bool] | None = getattr(recorder, "at_once", None)
        self._sink = sink
        self._redact = redact
        self.ended: list[Callable[[CallRecord], None]] = []
        self.in_flight = 0

    def tell(self, record: CallRecord) -> None:
        """A call is over: everybody in `ended` hears its record; none of them raises."""
        for hear in tuple(self.ended):
            hear(record)

    def log(self, event: str, **fields: Any) -> None:
        """One event to the sink; a sink that fails never fails a call."""
        if self._sink is no_sink:
            return
        trace = current.get()
        known = {"event": event, "trace": trace.trace_id, "call": trace.call} if trace else {"event": event}
        try:
            self._sink({**known, **redacted(fields, self._redact, names=True)})
        except Exception:  # noqa: BLE001  # boundary: a call never fails because its log cannot be written
            return

    async def commit(self, record: Record) -> None:
        """One record to the recorder, its free text redacted."""
        await self._recorder.commit(_clean(record, self._redact))

    async def keep(self, record: Record, clock: Clock) -> None:
        """The same, to the end also while being cancelled, and only for so long."""
        clean = _clean(record, self._redact)
        if self._at_once is None or not self._at_once(clean):
            await to_the_end(self._recorder.commit(clean), COMMIT_SECONDS, clock)


def _clean(record: Record, redact: Redact) -> Record:
    from dataclasses import replace

    if isinstance(record, DecisionRecord):
        return replace(record, utterance=redact(record.utterance))
    if isinstance(record, RequestRecord):
        return replace(record, url=redact(record.url.partition("?")[0].partition("#")[0]))
    return record


def caller_fields(caller: Caller) -> dict[str, str]:
    """A caller as events show it."""
    return {"principal": caller.principal, "conversation": caller.conversation}
