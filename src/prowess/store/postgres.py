"""What a PostgreSQL server holds of the records: its tables, and rows put there by id.

The tables bear the prefix `prowess_` and one format number. A row is put in once however often it
is sent, and an older state of a record never takes the place of a newer one. PostgreSQL takes no
NUL and no lone surrogate in a text: they arrive as escapes. The only module that imports psycopg.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import fields
from typing import Any

import psycopg

from prowess.errors import StoreFailed
from prowess.store.records import LISTS, NAMES, TABLES
from prowess.store.remembered import Record

FORMAT = 1
LOCK = 0x50525753  # held while tables are made, so that two who come first do not collide

_TYPES = {"str": "text", "int": "bigint", "float": "double precision", "OutcomeWord": "text"}

Row = tuple[int, Sequence[Any]]  # the record's number, and its fields in their order


def prepare(connection: psycopg.Connection[Any]) -> None:
    """Make the tables unless they are there. Raises StoreFailed when a newer prowess made them."""
    with connection.transaction():
        connection.execute("SELECT pg_advisory_xact_lock(%s)", (LOCK,))
        connection.execute("CREATE TABLE IF NOT EXISTS prowess_format (format integer NOT NULL)")
        found = connection.execute("SELECT max(format) FROM prowess_format").fetchone()
        number = found[0] if found else None
        if number is not None and number > FORMAT:
            raise StoreFailed(
                f"the record tables in PostgreSQL have format {number}; this prowess knows up to {FORMAT}",
                hint="ship with the newer prowess that made them",
            )
        if number is None:
            for statement in _made():
                connection.execute(statement)


def _made() -> list[str]:
    statements = [f"INSERT INTO prowess_format VALUES ({FORMAT})"]
    for kind, table in TABLES.items():
        columns = ", ".join(
            f"{each.name} {_type(each.name, str(each.type))} NOT NULL" for each in fields(kind)
        )
        statements += [
            f"CREATE TABLE prowess_{table} ({columns}, number bigint NOT NULL, PRIMARY KEY (id))",
            f"CREATE INDEX prowess_{table}_by_time ON prowess_{table} (started)",
            f"CREATE INDEX prowess_{table}_by_trace ON prowess_{table} (trace_id)",
        ]
    return statements


def _type(name: str, type_: str) -> str:
    if name == "started":
        return "timestamptz"
    return "jsonb" if name in LISTS else _TYPES[type_]


def _insert(kind: type[Record]) -> str:
    names = NAMES[kind]
    values = ", ".join("to_timestamp(%s)" if name == "started" else "%s" for name in names)
    changes = ", ".join(f"{name} = excluded.{name}" for name in (*names[1:], "number"))
    return (
        f"INSERT INTO prowess_{TABLES[kind]} AS known ({', '.join(names)}, number) VALUES ({values}, %s) "
        f"ON CONFLICT (id) DO UPDATE SET {changes} WHERE known.number <= excluded.number"
    )


_INSERT: Mapping[type[Record], str] = {kind: _insert(kind) for kind in TABLES}


def put(connection: psycopg.Connection[Any], kind: type[Record], rows: Sequence[Row]) -> int:
    """Put rows in, all in one transaction; how many the server does not take whatever one does."""
    sent = [_sent(kind, row) for row in rows]
    try:
        with connection.transaction(), connection.cursor() as cursor:
            cursor.executemany(_INSERT[kind], sent)
        return 0
    except psycopg.DataError:
        # One row is not to hold up all that come after it.
        return sum(not _taken(connection, kind, each) for each in sent)


def _taken(connection: psycopg.Connection[Any], kind: type[Record], sent: Sequence[Any]) -> bool:
    try:
        with connection.transaction():
            connection.execute(_INSERT[kind], sent)
    except psycopg.DataError:
        return False
    return True


def _sent(kind: type[Record], row: Row) -> list[Any]:
    number, values = row
    return [_value(each) for each in values] + [number]


def _value(value: Any) -> Any:
    if isinstance(value, str):
        return _text(value)
    if isinstance(value, tuple):
        return json.dumps([_text(each) for each in value])
    return value


def _text(text: str) -> str:
    return text.encode("utf-8", "backslashreplace").decode().replace("\0", "\\x00")
