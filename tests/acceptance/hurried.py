"""A clock that runs faster than the machine's, for calls to real servers whose waits are minutes long."""

from __future__ import annotations

import asyncio
from typing import Any

from prowess.call.clock import SystemClock


class Hurried(SystemClock):
    """`speed` seconds pass in each second."""

    def __init__(self, speed: float) -> None:
        self.speed = speed

    def monotonic(self) -> float:
        return super().monotonic() * self.speed

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(seconds / self.speed)

    async def settled(self, future: asyncio.Future[Any], seconds: float) -> bool:
        return await super().settled(future, seconds / self.speed)
