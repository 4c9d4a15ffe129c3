"""Records in the database: calls, decisions and outgoing requests, one row each.

A record is in the file when `commit` returns; a second one of the same id takes its place. Reading
them is `reports.py`, sending them on is `shipping.py`. It does not redact: what comes here has been.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from dataclasses import fields
from typing import Any, TypeVar

from prowess.errors import StoreFailed
from prowess.store.columns import Storable, json_in, json_out, text_in, text_out
from prowess.store.database import Database, Work
from prowess.store.opening import transaction
from prowess.store.remembered import CallRecord, DecisionRecord, Record, RequestRecord

TABLES: Mapping[type[Record], str] = {
    CallRecord: "calls",
    DecisionRecord: "decisions",
    RequestRecord: "requests",
}
# A column bears the name of its field; these hold a list of texts.
NAMES: Mapping[type[Record], tuple[str, ...]] = {
    kind: tuple(each.name for each in fields(kind)) for kind in TABLES
}
LISTS = frozenset({"shown", "calls"})

# REPLACE takes the old row out and puts the new one in under the next number, so that it is shipped.
_PUT = {
    kind: f"INSERT OR REPLACE INTO {table} ({', '.join(NAMES[kind])}) "
    f"VALUES ({', '.join('?' * len(NAMES[kind]))})"
    for kind, table in TABLES.items()
}

Kind = TypeVar("Kind", CallRecord, DecisionRecord, RequestRecord)


class Records:
    """The recorder that every process of this user shares."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def commit(self, record: Record) -> None:
        """Keep one record, for good when this returns; a second one of the same id replaces it."""
        await self._database.run(_putting(record))

    def at_once(self, record: Record) -> bool:
        """Keep one record if that needs no waiting; False when `commit` has to do it."""
        return self._database.at_once(_putting(record))

    async def forget(self, before: float) -> int:
        """Delete what began before that time (seconds since 1970); how many records that were."""
        return await self._database.run(lambda connection: forget(connection, before))


def _putting(record: Record) -> Work[None]:
    put, row = _PUT[type(record)], row_of(record)
    return lambda connection: connection.execute(put, row).close()


def forget(connection: sqlite3.Connection, before: float) -> int:
    """Delete what began before that time; how many records that were."""
    with transaction(connection):
        return sum(
            connection.execute(f"DELETE FROM {table} WHERE started < ?", (before,)).rowcount
            for table in TABLES.values()
        )


def row_of(record: Record) -> tuple[Storable, ...]:
    """A record as its columns, in the order of its fields."""
    return tuple([_column(getattr(record, name)) for name in NAMES[type(record)]])


def record_of(kind: type[Kind], row: tuple[Any, ...]) -> Kind:
    """The record of a row whose columns stand in the order of the fields."""
    values = {name: _value(name, column) for name, column in zip(NAMES[kind], row, strict=True)}
    return kind(**values)


def _column(value: Any) -> Any:
    if isinstance(value, str):
        return text_in(value)
    return json_in(value) if isinstance(value, tuple) else value


def _value(name: str, column: Any) -> Any:
    if name not in LISTS:
        return text_out(column) if isinstance(column, bytes) else column
    try:
        return tuple(json_out(column))
    except ValueError:
        raise StoreFailed(f"a record is damaged: its {name} cannot be read") from None
