"""Records in words and in their order: what was asked, what was called, what was sent.

It does not know where records come from, nor what a page looks like.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

from prowess.store.remembered import CallRecord, DecisionRecord, RequestRecord
from prowess.store.reports import Story

MOST_NAMES = 20  # of what was shown to a model


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One thing that happened. `below` is true for a request that the call above it made."""

    kind: Literal["asked", "called", "sent"]
    started: float
    record: Any
    below: bool = False

    @property
    def text(self) -> str:
        """What a search looks in."""
        record = self.record
        if isinstance(record, DecisionRecord):
            return f"{self.kind} {record.utterance} {record.chosen}"
        if isinstance(record, CallRecord):
            return f"{self.kind} {record.server}/{record.tool} {record.outcome} {record.code}"
        return f"{self.kind} {record.method} {record.url} {record.status}"


def entries(told: Story) -> list[Entry]:
    """A story in the order in which it happened, requests below the call that made them."""
    made: dict[str, list[RequestRecord]] = {}
    for each in told.requests:
        made.setdefault(each.call, []).append(each)
    found = [[Entry(kind="asked", started=each.started, record=each)] for each in told.decisions]
    for call in told.calls:
        sent = [
            Entry(kind="sent", started=each.started, record=each, below=True)
            for each in made.pop(call.id, [])
        ]
        found.append([Entry(kind="called", started=call.started, record=call), *sent])
    found += [
        [Entry(kind="sent", started=each.started, record=each)] for left in made.values() for each in left
    ]
    found.sort(key=lambda group: group[0].started)
    return [each for group in found for each in group]


def when(seconds: float, spec: str = "seconds") -> str:
    """A time of this machine; the number itself where it is no time."""
    try:
        return datetime.fromtimestamp(seconds).isoformat(" ", spec)
    except (ValueError, OverflowError, OSError):
        return f"{seconds:.0f}"


def milliseconds(value: float | None) -> str:
    """A duration as people read it."""
    if value is None:
        return "–"
    if value < 1_000:
        return f"{value:.1f} ms" if value < 100 else f"{value:.0f} ms"
    return f"{value / 1_000:,.1f} s"


def failure_rate(counts: Any) -> float | None:
    """Of the calls that were sent, the share that was not answered; None where none was sent."""
    sent = counts.calls - counts.refused
    return (sent - counts.answered) / sent if sent else None
