"""Keeps one server up: brings connections up one after another and takes each down.

One task from start to stop owns them all. A server that was up and went away is started again, a
bounded number of times unasked and after that when somebody asks, and later each time unless it was up
for a while; a server that never came up waits to be asked. It does not know what is asked on the wire.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from prowess.errors import ConnectionFailed
from prowess.link.connection import Connection, Ending, Live
from prowess.link.finish import finish, finished

BACKOFF_SECONDS = (0.1, 0.5, 2.0, 8.0, 30.0)  # before each start after a crash
STEADY_SECONDS = 60.0  # a connection that held this long is no part of a series of crashes


class Keeper:
    """The connections of one server, in turn.

    `make` gives a new Connection; `tell` hears of each that is up and how each ended. `unasked` is whether
    one that was up is started again although nobody asks.
    """

    def __init__(
        self,
        name: str,
        make: Callable[[], Connection],
        tell: Callable[[Live | Ending], None],
        *,
        unasked: bool = True,
    ) -> None:
        self._name = name
        self._unasked = unasked
        self._make = make
        self._tell = tell
        self._reason = "not opened yet"
        self._live: Live | None = None
        self._connection: Connection | None = None
        self._task: asyncio.Task[None] | None = None
        self._wanted = asyncio.Event()
        self._turn: asyncio.Future[None] | None = None

    @property
    def live(self) -> Live | None:
        """The connection that is up."""
        live = self._live
        return None if live is None or live.wire.channel.ended.is_set() else live

    @property
    def begun(self) -> bool:
        """Whether it was started and not stopped."""
        return self._task is not None and not self._task.done()

    def start(self) -> None:
        """Begin, unless begun."""
        if not self.begun:
            self._turn = None
            self._task = asyncio.get_running_loop().create_task(self._keep(), name=f"link {self._name}")

    async def stop(self) -> None:
        """Take everything down; carried to its end when cancelled."""
        if self._task is None:
            return
        self._task.cancel()
        try:
            await finish(_over(self._task))
        finally:
            self._reason = "closed"
            self._settle()

    async def use(self) -> Live:
        """The connection that is up, or the next one; ConnectionFailed when that one fails."""
        if self.live is None:
            if not self.begun:
                raise ConnectionFailed(self._reason)
            if self._turn is None or self._turn.done():
                self._turn = asyncio.get_running_loop().create_future()
            self._wanted.set()
            await asyncio.shield(self._turn)
        if (live := self.live) is None:
            raise ConnectionFailed(self._reason)
        return live

    def let_go(self, live: Live) -> None:
        """Take this connection down; the next use makes a new one."""
        if self._live is live and self._connection is not None:
            self._live = None
            self._connection.leave()

    async def _keep(self) -> None:
        """One connection after another, until cancelled."""
        loop = asyncio.get_running_loop()
        crashes = level = 0
        while True:
            connection = self._connection = self._make()
            ending, up_since = await self._hold(connection)
            self._reason = ending.reason
            if not connection.left:
                self._tell(ending)
            held = 0.0 if up_since is None else loop.time() - up_since
            if up_since is None:
                self._settle()
            elif connection.left or held >= STEADY_SECONDS:
                crashes = level = 0
            delay = 0.0 if connection.left else BACKOFF_SECONDS[level]
            crashes += not connection.left
            if not connection.left and held <= delay:  # up for longer than it waits: it need not wait longer
                level = min(level + 1, len(BACKOFF_SECONDS) - 1)
            crashed = up_since is not None and not connection.left
            await self._pause(delay, unasked=self._unasked and crashed and crashes <= len(BACKOFF_SECONDS))

    async def _hold(self, connection: Connection) -> tuple[Ending, float | None]:
        """Run one connection in a task of its own: what the SDK does to that task ends with it."""
        loop = asyncio.get_running_loop()
        since: list[float] = []

        def hear(news: Live | Ending) -> None:
            if isinstance(news, Live):
                since.append(loop.time())
                self._live = news
                self._tell(news)
                self._settle()
            elif not connection.left:
                self._tell(news)

        task = loop.create_task(connection.run(hear), name=f"connection {self._name}")
        try:
            await asyncio.wait({task})
        except asyncio.CancelledError:
            task.cancel()
            raise
        finally:
            self._live = None
            await finished(task)
        ending = Ending(status="failed", reason="cancelled") if task.cancelled() else task.result()
        return ending, since[0] if since else None

    async def _pause(self, delay: float, *, unasked: bool) -> None:
        """Wait before the next start."""
        loop = asyncio.get_running_loop()
        resume = loop.time() + delay
        if not unasked:
            await self._wanted.wait()
        await asyncio.sleep(max(0.0, resume - loop.time()))

    def _settle(self) -> None:
        """An attempt came to its end, one way or the other: whoever waits may look."""
        self._wanted.clear()
        if self._turn is not None and not self._turn.done():
            self._turn.set_result(None)


async def _over(task: asyncio.Task[None]) -> None:
    await asyncio.wait({task})
