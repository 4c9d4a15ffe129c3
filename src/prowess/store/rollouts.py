"""What was settled about versions of units, kept with its reasons; and the calls that versions are judged by.

It does not know when a version is good enough; it only counts.
"""

from __future__ import annotations

import sqlite3
from typing import NamedTuple

from prowess.errors import StoreFailed
from prowess.store.columns import json_in, json_out, text_in, text_out
from prowess.store.database import Database
from prowess.store.remembered import UNFINISHED, RolloutChange

_FIELDS = "place, unit, action, stable, canary, percent, who, reason, evidence, at"


class Rollouts:
    """The changes that every process of this user wrote."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def commit(self, change: RolloutChange) -> None:
        """Keep one change, for good when this returns. Raises StoreFailed."""
        row = _row(change)
        put = f"INSERT INTO rollouts ({_FIELDS}) VALUES ({', '.join('?' * len(row))})"
        await self._database.run(lambda connection: connection.execute(put, row).close())


def _row(change: RolloutChange) -> tuple[str | bytes | float, ...]:
    texts = (change.place, change.unit, change.action, change.stable, change.canary)
    words = (text_in(change.who), text_in(change.reason), json_in(change.evidence))
    return (*map(text_in, texts), change.percent, *words, change.at)


def history(
    connection: sqlite3.Connection, place: str, unit: str = "", limit: int = 20
) -> tuple[RolloutChange, ...]:
    """The latest changes that `place` went through, the latest first; of one unit or of all."""
    rows = connection.execute(
        f"SELECT {_FIELDS} FROM rollouts WHERE place = ?1 AND (?2 = '' OR unit = ?2) "
        "ORDER BY number DESC LIMIT ?3",
        (text_in(place), text_in(unit), limit),
    )
    return tuple(_change(row) for row in rows)


def _change(row: tuple[str | bytes | float, ...]) -> RolloutChange:
    place, unit, action, stable, canary, percent, who, reason, evidence, at = row
    try:
        told = json_out(str(evidence))
    except ValueError:
        raise StoreFailed("the history of a rollout is damaged: its evidence cannot be read") from None
    return RolloutChange(
        place=_text(place),
        unit=_text(unit),
        action=_text(action),
        stable=_text(stable),
        canary=_text(canary),
        percent=float(percent),
        who=_text(who),
        reason=_text(reason),
        evidence=told,
        at=float(at),
    )


def _text(column: str | bytes | float) -> str:
    return text_out(column) if isinstance(column, str | bytes) else str(column)


class Ended(NamedTuple):
    """How one call of one version ended."""

    version: str
    outcome: str
    duration_ms: float


class Stretch(NamedTuple):
    """Some records after one another; `until` is the number of the last one looked at, `last` of all."""

    calls: list[Ended]
    until: int
    last: int


AT_ONCE = 5_000  # records looked at in one go, some milliseconds


def first_since(connection: sqlite3.Connection, since: float) -> int:
    """After which number calls come that began from `since` on; the index alone tells."""
    # Left to itself, SQLite reads all records that are older.
    query = "SELECT min(number) FROM calls INDEXED BY calls_by_time WHERE started >= ?"
    row = connection.execute(query, (since,)).fetchone()
    return _last(connection) if row[0] is None else int(row[0]) - 1


def _last(connection: sqlite3.Connection) -> int:
    return int(connection.execute("SELECT coalesce(max(number), 0) FROM calls").fetchone()[0])


def ended(
    connection: sqlite3.Connection,
    *,
    server: str,
    tool: str,
    versions: tuple[str, str],
    since: float,
    after: int,
) -> Stretch:
    """Calls of two versions that reached the unit and began from `since` on, in the order of their records.

    The next stretch begins after `until`. What was refused never reached the unit, and
    what is unfinished gets another number when it ends.
    """
    last = _last(connection)
    until = min(last, after + AT_ONCE)
    rows = connection.execute(
        "SELECT version, outcome, duration_ms FROM calls WHERE number > ? AND number <= ? AND tool = ? "
        "AND server = ? AND version IN (?, ?) AND started >= ? AND outcome <> 'refused' "
        "AND code <> ? ORDER BY number",
        (after, until, text_in(tool), text_in(server), *map(text_in, versions), since, UNFINISHED),
    )
    calls = [Ended(text_out(version), word, milliseconds) for version, word, milliseconds in rows]
    return Stretch(calls, max(after, until), last)
