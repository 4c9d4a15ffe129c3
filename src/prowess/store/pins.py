"""Pins in the database: what each tool was when it was seen first, or last approved.

Every method answers from the file, so that what one process approves or resets counts in another
at its next call. Whatever cannot be read raises, and whoever asked closes. It does not know what is
pinned of a tool.
"""

from __future__ import annotations

import os
import sqlite3
from typing import Any

from prowess.errors import StoreFailed
from prowess.redact import printable
from prowess.store.columns import json_in, json_out, text_in, text_out
from prowess.store.database import Database
from prowess.store.directories import source_identity
from prowess.store.opening import transaction
from prowess.store.remembered import Pin

_GET = "SELECT digest, definition FROM pins WHERE scope = ? AND server = ? AND tool = ?"
_FIRST = "INSERT INTO pins (scope, server, tool, digest, definition) VALUES (?, ?, ?, ?, ?)"
_REPLACE = _FIRST.replace("INSERT", "INSERT OR REPLACE")
_ALL = "SELECT scope, server, tool, digest, definition FROM pins"
_FORGET = "DELETE FROM pins WHERE scope = ? AND server = ? AND tool = ?"


def scope_of(path: str) -> str:
    """The scope of the tools that the package or configuration at `path` brings.

    A `prowess.toml` and the folder that it is in are the same place.
    """
    folder, name = os.path.split(path)
    return source_identity((folder or ".") if name == "prowess.toml" else path)


class Pins:
    """The pin store that every process of this user shares."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def get(self, scope: str, server: str, tool: str) -> Pin | None:
        """The pin of one tool, if it was ever seen."""
        return await self._database.run(lambda connection: _get(connection, scope, server, tool))

    async def first(self, pin: Pin) -> Pin:
        """Keep `pin` unless there is one; the one that counts, in one step across processes."""

        def work(connection: sqlite3.Connection) -> Pin:
            with transaction(connection):
                there = _get(connection, pin.scope, pin.server, pin.tool)
                if there is None:
                    connection.execute(_FIRST, row)
                return there or pin

        row = _row(pin)
        return await self._database.run(work)

    async def replace(self, pin: Pin) -> None:
        """Keep `pin` in the place of what was there."""
        row = _row(pin)
        await self._database.run(lambda connection: connection.execute(_REPLACE, row).close())

    async def all(self, scope: str) -> tuple[Pin, ...]:
        """Every pin of a scope, by server and tool."""
        return await self._database.run(lambda connection: listed(connection, scope))

    async def forget(self, scope: str, server: str, tool: str) -> None:
        """Forget the pin of one tool."""
        key = (text_in(scope), text_in(server), text_in(tool))
        await self._database.run(lambda connection: connection.execute(_FORGET, key).close())


def listed(connection: sqlite3.Connection, scope: str | None = None) -> tuple[Pin, ...]:
    """Every pin of a scope, or of all."""
    where, values = ("", ()) if scope is None else (" WHERE scope = ?", (text_in(scope),))
    rows = connection.execute(f"{_ALL}{where} ORDER BY scope, server, tool", values)
    return tuple(_pin(text_out(a), text_out(b), text_out(c), *rest) for a, b, c, *rest in rows)


def names(connection: sqlite3.Connection, scope: str) -> tuple[tuple[str, str], ...]:
    """Server and tool of every pin of a scope, whatever has become of the pins themselves."""
    query = "SELECT server, tool FROM pins WHERE scope = ? ORDER BY server, tool"
    rows = connection.execute(query, (text_in(scope),))
    return tuple((text_out(server), text_out(tool)) for server, tool in rows)


def _get(connection: sqlite3.Connection, scope: str, server: str, tool: str) -> Pin | None:
    found = connection.execute(_GET, (text_in(scope), text_in(server), text_in(tool))).fetchone()
    return None if found is None else _pin(scope, server, tool, *found)


def _row(pin: Pin) -> tuple[Any, ...]:
    names = (text_in(pin.scope), text_in(pin.server), text_in(pin.tool))
    return (*names, pin.digest, json_in(pin.definition))


def _pin(scope: str, server: str, tool: str, digest: str, definition: str) -> Pin:
    try:
        known = json_out(definition)
    except ValueError:
        name = printable(f"{server}/{tool}")
        raise StoreFailed(
            f"the pin of {name} is damaged", hint="forget it with: prowess pins reset PATH TOOL"
        ) from None
    return Pin(scope=scope, server=server, tool=tool, digest=digest, definition=known)
