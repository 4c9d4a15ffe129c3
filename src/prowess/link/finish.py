"""Doing a thing to its end although the task that waits for it is cancelled meanwhile.

Whoever opens a process closes it. A second Ctrl-C, or a timeout around a close, must not leave
half of that undone; so the work runs in a task of its own, and cancellation is passed on when it is
over. The work itself has to be bounded.
"""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any


async def finish(work: Coroutine[Any, Any, None]) -> None:
    """Run `work` to its end; a cancellation that came in between is raised afterwards."""
    await finished(asyncio.ensure_future(work))


async def finished(task: asyncio.Task[Any]) -> None:
    """Wait until `task` is over, whatever happens to the waiting task; then its exception, or ours."""
    cancelled: asyncio.CancelledError | None = None
    while not task.done():
        try:
            await asyncio.wait({task})
        except asyncio.CancelledError as error:
            cancelled = error
    if cancelled is not None:
        raise cancelled  # the very one: by it whoever cancelled (anyio's scopes) knows its own
    if not task.cancelled():
        task.result()
