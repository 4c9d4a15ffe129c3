"""Folders of units watched while somebody writes them; each change is a reload and a difference.

Events come from `watchfiles` (the `watch` extra), which waits until a burst of writing is over.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any

from prowess.capability.change import Change
from prowess.errors import UsageError
from prowess.units.registry import Registry

QUIET_MS = 50  # a burst of writing is over when nothing was written for that long
LONGEST_MS = 500


class Watching:
    """One task that waits for changes and reloads; begun and ended by whoever owns the registry."""

    def __init__(self, registry: Registry, on_change: Callable[[Sequence[Change]], None]) -> None:
        self._registry = registry
        self._on_change = on_change
        self._stop = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    async def begin(self) -> None:
        """Watch from now on. Raises UsageError when the extra is missing."""
        awatch = _watcher()
        self._task = asyncio.ensure_future(self._watch(awatch))
        await asyncio.sleep(0)  # the task takes its first step, so what is written from now on is seen

    async def end(self) -> None:
        """Stop, at once."""
        self._stop.set()
        if self._task is not None:
            self._task.cancel()
            with suppress(asyncio.CancelledError):
                await self._task
            self._task = None

    async def _watch(self, awatch: Any) -> None:
        changes = awatch(
            *self._there(), stop_event=self._stop, step=QUIET_MS, debounce=LONGEST_MS, watch_filter=_matters
        )
        async for _ in changes:
            found = await asyncio.to_thread(self._registry.refresh)
            if found:
                self._on_change(found)

    def _there(self) -> list[str]:
        return [each for each in self._registry.roots if os.path.exists(each)]


def _matters(change: object, path: str) -> bool:
    """Sources, metadata and folders; not what editors and tools leave beside them."""
    name = os.path.basename(path)
    return (name.endswith((".py", ".json")) or "." not in name) and "__pycache__" not in path


def _watcher() -> Any:
    try:
        from watchfiles import awatch
    except ImportError:
        raise UsageError(
            "watching folders needs the watch extra", hint="pip install 'prowess[watch]'"
        ) from None
    return awatch
