"""Reading records: lists with filters, a summary, and one trace as one story.

Times of a summary are of calls that were sent; a call that was refused took no time of a tool's.
Percentiles are nearest-rank: a duration that really occurred.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter
from typing import NamedTuple

from prowess.errors import NotFound
from prowess.redact import printable
from prowess.store.columns import Storable, text_in, text_out
from prowess.store.records import NAMES, TABLES, Kind, record_of
from prowess.store.remembered import UNFINISHED, CallRecord, DecisionRecord, RequestRecord

SHORTEST_PREFIX = 4  # of an id that somebody typed
LONGEST_STORY = 10_000  # records of one kind


@dataclass(frozen=True, slots=True, kw_only=True)
class Filter:
    """Which calls are meant; what is empty says nothing.

    `tool` and `server` may be patterns with `*`, `?` and `[...]`. `caller` is a principal or a
    conversation, `trace` the beginning of a trace id, `since` seconds since 1970.
    """

    tool: str = ""
    server: str = ""
    outcome: str = ""
    caller: str = ""
    trace: str = ""
    since: float = 0.0

    def where(self) -> tuple[str, list[Storable]]:
        """The condition, and its values."""
        parts: list[tuple[str, list[Storable]]] = []
        for column, wanted in (("tool", self.tool), ("server", self.server)):
            if wanted:
                parts.append((f"{column} {_comparison(wanted)} ?", [text_in(wanted)]))
        if self.outcome:
            parts.append(("outcome = ?", [text_in(self.outcome)]))
        if self.caller:
            parts.append(("(principal = ? OR conversation = ?)", [text_in(self.caller)] * 2))
        if self.trace:
            parts.append(("trace_id BETWEEN ? AND ?", _beginning(self.trace)))
        if self.since:
            parts.append(("started >= ?", [self.since]))
        condition = " AND ".join(text for text, _ in parts) or "1"
        return condition, [value for _, values in parts for value in values]


def _beginning(of: str) -> list[Storable]:
    """The first and the last text that begin so; asked in this way, an index answers."""
    return [text_in(of), text_in(of + "\U0010ffff")]


def _comparison(wanted: str) -> str:
    return "GLOB" if any(each in wanted for each in "*?[") else "="


def calls(
    connection: sqlite3.Connection, wanted: Filter, limit: int, offset: int = 0
) -> tuple[CallRecord, ...]:
    """The latest `limit` calls after the first `offset`, the latest first."""
    condition, values = wanted.where()
    rest = f"{condition} ORDER BY started DESC, number DESC LIMIT ? OFFSET ?"
    return tuple(_read(connection, CallRecord, rest, [*values, limit, offset]))


def counted(connection: sqlite3.Connection, wanted: Filter) -> int:
    """How many calls are meant."""
    condition, values = wanted.where()
    return int(connection.execute(f"SELECT count(*) FROM calls WHERE {condition}", values).fetchone()[0])


def mark(connection: sqlite3.Connection) -> int:
    """A number that grows with every call that is recorded, begun or ended."""
    return int(connection.execute("SELECT coalesce(max(number), 0) FROM calls").fetchone()[0])


class Ending(NamedTuple):
    """When a call began (seconds since 1970), how long it took, how it ended."""

    started: float
    duration_ms: float
    outcome: str
    code: str


def endings(connection: sqlite3.Connection, wanted: Filter, limit: int) -> tuple[Ending, ...]:
    """How the latest `limit` calls ended, the latest first."""
    condition, values = wanted.where()
    rows = connection.execute(
        f"SELECT started, duration_ms, outcome, code FROM calls WHERE {condition} "
        "ORDER BY started DESC, number DESC LIMIT ?",
        [*values, limit],
    )
    return tuple(Ending(row[0], row[1], row[2], text_out(row[3])) for row in rows)


def decisions(connection: sqlite3.Connection, since: float, limit: int) -> tuple[DecisionRecord, ...]:
    """The latest `limit` choices since then (seconds since 1970), the latest first."""
    rest = "started >= ? ORDER BY started DESC, number DESC LIMIT ?"
    return tuple(_read(connection, DecisionRecord, rest, [since, limit]))


def _read(
    connection: sqlite3.Connection, kind: type[Kind], rest: str, values: Sequence[Storable]
) -> Iterator[Kind]:
    rows = connection.execute(f"SELECT {', '.join(NAMES[kind])} FROM {TABLES[kind]} WHERE {rest}", values)
    return (record_of(kind, row) for row in rows)


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolSummary:
    """One tool's calls. `p50_ms` and `p95_ms` are null when none was sent."""

    server: str
    tool: str
    calls: int
    answered: int
    refused: int
    p50_ms: float | None
    p95_ms: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Failure:
    """How often calls ended in one way that is not an answer; `code` says more of a refusal."""

    outcome: str
    code: str
    calls: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary:
    """What all calls meant came to."""

    calls: int
    answered: int
    refused: int
    p50_ms: float | None
    p95_ms: float | None
    tools: tuple[ToolSummary, ...]
    failures: tuple[Failure, ...]


def summary(connection: sqlite3.Connection, wanted: Filter) -> Summary:
    """Counts, times and failures by reason, over every call that is meant."""
    condition, values = wanted.where()
    query = (
        f"SELECT server, tool, CASE code WHEN '{UNFINISHED}' THEN code ELSE outcome END, duration_ms "
        f"FROM calls WHERE {condition} ORDER BY server, tool"
    )
    tools, times = [], []
    for (server, tool), rows in groupby(connection.execute(query, values), itemgetter(0, 1)):
        own, sent = _tool(text_out(server), text_out(tool), [(row[2], row[3]) for row in rows])
        tools.append(own)
        times += sent
    times.sort()
    return Summary(
        calls=sum(each.calls for each in tools),
        answered=sum(each.answered for each in tools),
        refused=sum(each.refused for each in tools),
        p50_ms=percentile(times, 50),
        p95_ms=percentile(times, 95),
        tools=tuple(tools),
        failures=_failures(connection, condition, values),
    )


def _tool(server: str, tool: str, ended: list[tuple[str, float]]) -> tuple[ToolSummary, list[float]]:
    sent = sorted(time for outcome, time in ended if outcome not in ("refused", UNFINISHED))
    answered = sum(outcome == "answered" for outcome, _ in ended)
    own = ToolSummary(
        server=server,
        tool=tool,
        calls=len(ended),
        answered=answered,
        refused=sum(outcome == "refused" for outcome, _ in ended),
        p50_ms=percentile(sent, 50),
        p95_ms=percentile(sent, 95),
    )
    return own, sent


def percentile(ordered: Sequence[float], share: int) -> float | None:
    """The nearest-rank percentile of sorted values."""
    if not ordered:
        return None
    return ordered[max(0, -(-len(ordered) * share // 100) - 1)]


def _failures(
    connection: sqlite3.Connection, condition: str, values: Sequence[Storable]
) -> tuple[Failure, ...]:
    rows = connection.execute(
        f"SELECT outcome, code, count(*) FROM calls WHERE {condition} AND outcome <> 'answered' "
        "GROUP BY outcome, code ORDER BY count(*) DESC, outcome, code",
        values,
    )
    return tuple(Failure(outcome=row[0], code=text_out(row[1]), calls=row[2]) for row in rows)


@dataclass(frozen=True, slots=True, kw_only=True)
class Story:
    """One trace: what was asked and chosen, the calls that followed, the requests they made."""

    trace_id: str
    decisions: tuple[DecisionRecord, ...]
    calls: tuple[CallRecord, ...]
    requests: tuple[RequestRecord, ...]


def story(connection: sqlite3.Connection, named: str) -> Story:
    """The trace whose id, or the id of one of whose records, is or begins with `named`. Raises NotFound."""
    trace = _trace(connection, named)
    rest, values = f"trace_id = ? ORDER BY started, number LIMIT {LONGEST_STORY}", [text_in(trace)]
    return Story(
        trace_id=trace,
        decisions=tuple(_read(connection, DecisionRecord, rest, values)),
        calls=tuple(_read(connection, CallRecord, rest, values)),
        requests=tuple(_read(connection, RequestRecord, rest, values)),
    )


def _trace(connection: sqlite3.Connection, named: str) -> str:
    shown = printable(named, 80)
    if len(named) < SHORTEST_PREFIX:
        raise NotFound(
            f"{shown or 'an empty id'} is too short to mean a trace",
            hint=f"give at least {SHORTEST_PREFIX} characters of a trace's or a call's id",
        )
    found: set[str] = set()
    for table in TABLES.values():
        rows = connection.execute(
            f"SELECT DISTINCT trace_id FROM {table} "
            "WHERE trace_id BETWEEN ?1 AND ?2 OR id BETWEEN ?1 AND ?2 LIMIT 2",
            _beginning(named),
        )
        found |= {text_out(row[0]) for row in rows}
    if len(found) > 1:
        raise NotFound(f"more than one trace begins with {shown}", hint="give more of its id")
    if not found:
        raise NotFound(f"no trace and no call has the id {shown}", hint="prowess calls --json shows ids")
    return found.pop()
