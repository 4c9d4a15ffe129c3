"""How many calls run at once: for one server, for one caller. Whoever is over waits in line.

Waiting costs the call's own time; when that ends first, nothing was sent.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Hashable

from prowess.call.clock import Clock


class Slots:
    """Places to run, counted for each key; a key without calls is forgotten."""

    def __init__(self, limit: int, clock: Clock) -> None:
        self._limit = limit
        self._clock = clock
        self._taken: dict[Hashable, int] = {}
        self._waiting: dict[Hashable, deque[asyncio.Future[None]]] = {}

    @property
    def busy(self) -> int:
        """Places taken now, over all keys."""
        return sum(self._taken.values())

    async def take(self, key: Hashable, seconds: float) -> bool:
        """Take a place, waiting at most `seconds`, first come first served; False without one."""
        if self._taken.get(key, 0) < self._limit:
            self._taken[key] = self._taken.get(key, 0) + 1
            return True
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(key, deque()).append(turn)
        try:
            handed = await self._clock.settled(turn, seconds)
        except asyncio.CancelledError:
            if turn.done():
                self.give(key)  # the place was handed over and nobody is here to use it
            else:
                self._leave(key, turn)
            raise
        if not handed:
            self._leave(key, turn)
        return handed

    def give(self, key: Hashable) -> None:
        """Give a place back; the next in line has it at once."""
        line = self._waiting.get(key)
        if line:
            line.popleft().set_result(None)
        else:
            self._taken[key] -= 1
        self._forget(key)

    def _leave(self, key: Hashable, turn: asyncio.Future[None]) -> None:
        self._waiting[key].remove(turn)
        turn.cancel()
        self._forget(key)

    def _forget(self, key: Hashable) -> None:
        if not self._waiting.get(key):
            self._waiting.pop(key, None)
        if not self._taken.get(key):
            self._taken.pop(key, None)
