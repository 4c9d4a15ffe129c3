"""The one place of the call path that knows time and chance.

Timeouts, waits between attempts, breakers and approvals ask a Clock, so that a test of an hour
takes no time. `FakeClock` is the in-memory twin: its time passes only while nobody has anything
else to do.
"""

from __future__ import annotations

import asyncio
import heapq
import itertools
import random
import time
from collections.abc import Coroutine
from typing import Any, Protocol

# Turns of the event loop that FakeClock grants to whoever is still at work before time moves on.
SETTLING_TURNS = 40


class Clock(Protocol):
    """Time and chance, as the call path needs them."""

    def monotonic(self) -> float:
        """Seconds that only grow, for durations and deadlines."""
        ...

    def now(self) -> float:
        """Seconds since 1970, for what other processes read."""
        ...

    def random(self) -> float:
        """A number from 0 up to 1, for jitter."""
        ...

    async def sleep(self, seconds: float) -> None:
        """Let `seconds` pass."""
        ...

    async def settled(self, future: asyncio.Future[Any], seconds: float) -> bool:
        """Wait until `future` is done, at most `seconds`; says whether it is. It cancels nothing."""
        ...


class SystemClock:
    """The machine's own clock."""

    def monotonic(self) -> float:
        """Seconds that only grow."""
        return time.monotonic()

    def now(self) -> float:
        """Seconds since 1970."""
        return time.time()

    def random(self) -> float:
        """A number from 0 up to 1."""
        return random.random()  # jitter needs no secrecy

    async def sleep(self, seconds: float) -> None:
        """Let `seconds` pass."""
        await asyncio.sleep(seconds)

    async def settled(self, future: asyncio.Future[Any], seconds: float) -> bool:
        """Wait until `future` is done, at most `seconds`."""
        await asyncio.wait({future}, timeout=max(0.0, seconds))
        return future.done()


async def to_the_end(work: Coroutine[Any, Any, None], seconds: float, clock: Clock) -> None:
    """Await `work` even while being cancelled, and be cancelled after it. TimeoutError after `seconds`."""
    task = asyncio.ensure_future(work)
    # The very exception is raised again: by it whoever cancelled (anyio's scopes) knows its own.
    cancelled: asyncio.CancelledError | None = None
    late = False
    while not (task.done() or late):
        try:
            late = not await clock.settled(task, seconds)
        except asyncio.CancelledError as error:
            cancelled = error
    if late:
        task.cancel()
    if cancelled is not None:
        task.add_done_callback(_seen)
        raise cancelled
    if late:
        raise TimeoutError
    task.result()


def _seen(task: asyncio.Future[None]) -> None:
    """Look at how a task ended, so that nobody is told that nobody did."""
    if not task.cancelled():
        task.exception()


class FakeClock:
    """A clock whose time moves to the next thing awaited once everybody else has come to rest.

    `chance` is what `random` answers. It knows nothing of sockets and processes: what waits for one
    of those looks idle to it.
    """

    def __init__(self, *, start: float = 1_000.0, chance: float = 0.5) -> None:
        self._time = start
        self._chance = chance
        self._timers: list[tuple[float, int, asyncio.Future[None]]] = []
        self._order = itertools.count()
        self._driver: asyncio.Task[None] | None = None

    def monotonic(self) -> float:
        """The seconds passed so far."""
        return self._time

    def now(self) -> float:
        """The same seconds, as a date in 2023 and later."""
        return 1_700_000_000.0 + self._time

    def random(self) -> float:
        """Always the chance given."""
        return self._chance

    def advance(self, seconds: float) -> None:
        """Let time pass at once; who is due wakes in the next turns of the loop."""
        self._time += seconds

    async def sleep(self, seconds: float) -> None:
        """Wait until the fake time has moved on by `seconds`."""
        await self._timer(seconds)

    async def settled(self, future: asyncio.Future[Any], seconds: float) -> bool:
        """Wait until `future` is done, at most `seconds` of fake time."""
        timer = self._timer(seconds)
        try:
            await asyncio.wait({future, timer}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            timer.cancel()
        return future.done()

    def _timer(self, seconds: float) -> asyncio.Future[None]:
        timer: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        heapq.heappush(self._timers, (self._time + seconds, next(self._order), timer))
        if self._driver is None or self._driver.done():
            self._driver = asyncio.ensure_future(self._drive())
        return timer

    async def _drive(self) -> None:
        while self._timers:
            for _ in range(SETTLING_TURNS):
                await asyncio.sleep(0)
            while self._timers and self._timers[0][2].done():
                heapq.heappop(self._timers)
            if self._timers:
                due, _, timer = heapq.heappop(self._timers)
                self._time = max(self._time, due)
                timer.set_result(None)
