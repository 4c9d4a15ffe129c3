"""Running a verb that has servers: one event loop, and signals that stop it tidily.

Ctrl-C, TERM and HUP cancel the work, which closes every server before the command ends; a second
Ctrl-C only says that this is under way, because closing is bounded and half of it would leave
processes behind.
"""

from __future__ import annotations

import asyncio
import contextlib
import signal
from collections.abc import Coroutine
from typing import Any

from prowess.cli import screen


def run(work: Coroutine[Any, Any, int]) -> int:
    """Run `work` to its exit status, or to 128 plus the number of the signal that stopped it."""
    return asyncio.run(_stoppable(work))


async def _stoppable(work: Coroutine[Any, Any, int]) -> int:
    task = asyncio.ensure_future(work)
    stopped: list[int] = []

    def stop(number: int) -> None:
        if stopped:
            screen.say("still stopping the servers")
            return
        stopped.append(number)
        screen.say("stopping")
        task.cancel()

    for name in ("SIGINT", "SIGTERM", "SIGHUP"):
        _listen(name, stop)
    try:
        return await task
    except asyncio.CancelledError:
        if not stopped:
            raise
        return 128 + stopped[0]


def _listen(name: str, stop: Any) -> None:
    number = getattr(signal, name, None)
    if number is None or signal.getsignal(number) is signal.SIG_IGN:
        return  # not on this platform, or ignored on purpose (nohup, a background job)
    # Elsewhere than in the main thread of a Unix process the loop cannot listen; there asyncio.run
    # turns Ctrl-C into a cancellation by itself.
    with contextlib.suppress(RuntimeError, ValueError):
        asyncio.get_running_loop().add_signal_handler(number, stop, number)
