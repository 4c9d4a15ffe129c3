"""Work that is carried to its end while being cancelled passes on the cancellation as it came."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any

import anyio
import pytest

from prowess.call.clock import SystemClock, to_the_end
from prowess.link.finish import finish

pytestmark = pytest.mark.anyio
Carried = Callable[[Coroutine[Any, Any, None]], Awaitable[None]]


@pytest.mark.parametrize("carried", [lambda work: to_the_end(work, 5.0, SystemClock()), finish])
async def test_a_scope_knows_its_own_cancellation_again(carried: Carried) -> None:
    begun, done = asyncio.Event(), asyncio.Event()

    async def work() -> None:
        begun.set()
        for _ in range(3):  # the scope cancels again each turn
            await asyncio.sleep(0)
        done.set()

    async def cancelling(scope: anyio.CancelScope) -> None:
        await begun.wait()
        scope.cancel()

    with anyio.CancelScope() as scope:
        other = asyncio.ensure_future(cancelling(scope))
        await carried(work())
    await other
    assert done.is_set() and scope.cancelled_caught
