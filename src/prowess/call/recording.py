"""What is written down: one record for each call, three log events on its way, one story per trace.

A record is committed before the call answers; a Recorder that promises less is no Recorder. Events
are already redacted when a sink gets them. Neither a database nor a log library is known here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal, Protocol

from prowess.call.redaction import Redact, keep, redacted
from prowess.call.tracing import current
from prowess.provider import Answered, Caller, Lost, Outcome, Refused, TimedOut, ToolFailed

OutcomeWord = Literal["answered", "tool-failed", "timed-out", "lost", "refused"]

_WORDS: Mapping[type, OutcomeWord] = {
    Answered: "answered",
    ToolFailed: "tool-failed",
    TimedOut: "timed-out",
    Lost: "lost",
    Refused: "refused",
}


def word(outcome: Outcome) -> OutcomeWord:
    """The outcome in one word, as records and `--json` show it."""
    return _WORDS[type(outcome)]


@dataclass(frozen=True, slots=True, kw_only=True)
class CallRecord:
    """One call. `started` is in seconds since 1970, sizes are bytes of JSON, `code` a refusal's."""

    id: str
    tool: str
    server: str
    version: str
    outcome: OutcomeWord
    code: str
    attempts: int
    duration_ms: float
    argument_bytes: int
    result_bytes: int
    principal: str
    conversation: str
    skill: str
    trace_id: str
    started: float


@dataclass(frozen=True, slots=True, kw_only=True)
class DecisionRecord:
    """One choice: what was asked (redacted), what was shown, what was chosen, which calls followed."""

    id: str
    trace_id: str
    utterance: str
    shown: tuple[str, ...]
    chosen: str
    calls: tuple[str, ...] = ()
    principal: str = ""
    conversation: str = ""
    started: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class RequestRecord:
    """One outgoing API request of a unit: method, URL without query, status (0 without an answer)."""

    id: str
    trace_id: str
    call: str
    method: str
    url: str
    status: int
    duration_ms: float
    started: float


Record = CallRecord | DecisionRecord | RequestRecord


class Recorder(Protocol):
    """Keeps records. What is committed survives the end of this process."""

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
        self._sink = sink
        self._redact = redact

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
