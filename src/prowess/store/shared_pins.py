"""Pins in a shared database, read once a second at most, whatever number of tools there is.

One process pins or approves a tool, and the others know it within a second. While the server is away
the pins that were read hold for a minute; after that whoever asks is told, and closes.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from time import monotonic
from typing import Any

from prowess.errors import StoreFailed
from prowess.redact import printable
from prowess.store.columns import json_in, json_out
from prowess.store.remembered import Pin
from prowess.store.shared import SharedDatabase, key_of, name_in, name_out

FRESH = 1.0
STALE = 60.0

_STATE = "SELECT coalesce(sum(number), 0)::text, count(*) FROM prowess_pins WHERE scope = %s"
_ALL = "SELECT server, tool, digest, definition FROM prowess_pins WHERE scope = %s"
_PUT = (
    "INSERT INTO prowess_pins (key, scope, server, tool, digest, definition) VALUES (%s, %s, %s, %s, %s, %s) "
)
_FIRST = _PUT + "ON CONFLICT DO NOTHING"
_REPLACE = (
    _PUT + "ON CONFLICT (key) DO UPDATE SET digest = excluded.digest, "
    "definition = excluded.definition, number = excluded.number"
)
_ONE = "SELECT digest, definition FROM prowess_pins WHERE key = %s"
_NAMES = "SELECT server, tool FROM prowess_pins WHERE scope = %s"
_FORGET = "DELETE FROM prowess_pins WHERE key = %s"

# The sum of the numbers, and how many: the greatest alone would miss a change that was committed late.
State = tuple[str, int]


@dataclass(slots=True, kw_only=True)
class _Known:
    """What was read of one scope, and when it was last seen to be so."""

    seen: float
    state: State
    pins: dict[tuple[str, str], Pin] = field(default_factory=dict)


class SharedPins:
    """The pin store of every process that shares a database."""

    def __init__(self, database: SharedDatabase, *, clock: Callable[[], float] = monotonic) -> None:
        self._database = database
        self._clock = clock
        self._known: dict[str, _Known] = {}
        self._turn = asyncio.Lock()

    async def get(self, scope: str, server: str, tool: str) -> Pin | None:
        """The pin of one tool, if it was ever seen."""
        return (await self._read(scope)).get((server, tool))

    async def first(self, pin: Pin) -> Pin:
        """Keep `pin` unless there is one; the one that counts, in one step across processes."""
        row = _row(pin)

        def work(connection: Any) -> Pin:
            connection.execute(_FIRST, row)
            digest, definition = connection.execute(_ONE, row[:1]).fetchone()
            return _pin(pin.scope, pin.server, pin.tool, digest, definition)

        kept = await self._database.run(work)
        known = self._known.get(pin.scope)
        if known is not None:
            known.pins[pin.server, pin.tool] = kept
        return kept

    async def replace(self, pin: Pin) -> None:
        """Keep `pin` in the place of what was there."""
        row = _row(pin)
        await self._database.run(lambda connection: connection.execute(_REPLACE, row).close())
        self._known.pop(pin.scope, None)

    async def all(self, scope: str) -> tuple[Pin, ...]:
        """Every pin of a scope, by server and tool."""
        self._known.pop(scope, None)
        return tuple((await self._read(scope)).values())

    async def names(self, scope: str) -> tuple[tuple[str, str], ...]:
        """Server and tool of every pin of a scope, whatever has become of the pins themselves."""
        key = (name_in(scope),)
        rows = await self._database.run(lambda connection: connection.execute(_NAMES, key).fetchall())
        return tuple(sorted((name_out(server), name_out(tool)) for server, tool in rows))

    async def forget(self, scope: str, server: str, tool: str) -> None:
        """Forget the pin of one tool."""
        key = (key_of(scope, server, tool),)
        await self._database.run(lambda connection: connection.execute(_FORGET, key).close())
        self._known.pop(scope, None)

    async def _read(self, scope: str) -> dict[tuple[str, str], Pin]:
        known = self._known.get(scope)
        if known is not None and self._clock() - known.seen <= FRESH:
            return known.pins
        async with self._turn:  # one reads, and the others find it read
            known = self._known.get(scope)
            now = self._clock()
            if known is not None and now - known.seen <= FRESH:
                return known.pins
            try:
                known = await self._database.run(lambda connection: _looked(connection, scope, known, now))
            except StoreFailed:
                if known is None or now - known.seen > STALE:
                    raise
                return known.pins
            self._known[scope] = known
            return known.pins


def _looked(connection: Any, scope: str, known: _Known | None, now: float) -> _Known:
    """What there is now; nothing but a number is read when that is what was known."""
    connection.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
    key = (name_in(scope),)
    state: State = tuple(connection.execute(_STATE, key).fetchone())
    if known is not None and known.state == state:
        known.seen = now
        return known
    rows = [
        (name_out(server), name_out(tool), *rest) for server, tool, *rest in connection.execute(_ALL, key)
    ]
    pins = {(server, tool): _pin(scope, server, tool, *rest) for server, tool, *rest in sorted(rows)}
    return _Known(seen=now, state=state, pins=pins)


def _row(pin: Pin) -> tuple[str, ...]:
    names = (pin.scope, pin.server, pin.tool)
    return (key_of(*names), *map(name_in, names), pin.digest, json_in(pin.definition))


def _pin(scope: str, server: str, tool: str, digest: str, definition: str) -> Pin:
    try:
        known = json_out(definition)
    except ValueError:
        raise StoreFailed(
            f"the pin of {printable(f'{server}/{tool}')} in the shared store is damaged",
            hint="forget it with: prowess pins reset PATH TOOL",
        ) from None
    return Pin(scope=scope, server=server, tool=tool, digest=digest, definition=known)
