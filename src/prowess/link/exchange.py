"""One request on its way, and what a server says that belongs to it.

MCP 2026-07-28 and 2025-11-25, progress and logging: what a server tells while it works goes to the
client that asked, in the order in which it came and before the result. Over HTTP it comes on the
response stream of the request, which the SDK reads in the context of whoever sent it: so the context
says which request it belongs to. It does not know what the notifications mean.
"""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Mapping
from contextvars import ContextVar
from typing import Any

from prowess.provider import Peer

PENDING_MAX = 1_000  # notifications that may wait for one client; beyond that the oldest are dropped
PROGRESS = "notifications/progress"
TOKEN = "progressToken"  # noqa: S105  # a name of the protocol's

_log = logging.getLogger(__name__)


class Outbox:
    """Hands notifications on to one peer, one after another."""

    __slots__ = ("_task", "_waiting", "peer")

    def __init__(self, peer: Peer) -> None:
        self.peer = peer
        self._waiting: deque[tuple[str, Mapping[str, Any]]] = deque(maxlen=PENDING_MAX)
        self._task: asyncio.Task[None] | None = None

    def add(self, method: str, params: Mapping[str, Any]) -> None:
        """Hand this on after what waits already."""
        self._waiting.append((method, params))
        if self._task is None or self._task.done():
            self._task = asyncio.get_running_loop().create_task(self._hand_on())

    async def _hand_on(self) -> None:
        while self._waiting:
            method, params = self._waiting.popleft()
            try:
                if method == PROGRESS:
                    await self.peer.progress(params)
                else:
                    await self.peer.notify(method, params)
            except Exception as error:  # noqa: BLE001  # boundary: a client that is gone misses what is said
                _log.debug("nobody heard %s: %s", method, type(error).__name__)

    async def emptied(self) -> None:
        """Wait until everything that came so far is handed on."""
        if self._task is not None and not self._task.done():
            await asyncio.wait({self._task})

    def drop(self) -> None:
        """Nobody waits for it any more."""
        self._waiting.clear()
        if self._task is not None:
            self._task.cancel()


class Exchange:
    """A request that was sent and is not answered yet. `number` tells those of one connection apart."""

    __slots__ = ("number", "outbox", "peer")

    def __init__(self, number: int, peer: Peer | None) -> None:
        self.number = number
        self.peer = peer
        self.outbox: Outbox | None = None

    def add(self, method: str, params: Mapping[str, Any]) -> None:
        """Hand a notification on to who asked."""
        if self.outbox is None:
            if self.peer is None:
                return
            self.outbox = Outbox(self.peer)
        self.outbox.add(method, params)

    async def emptied(self) -> None:
        """Wait until everything that came so far is handed on."""
        if self.outbox is not None:
            await self.outbox.emptied()


CURRENT: ContextVar[Exchange | None] = ContextVar("prowess_exchange", default=None)
