"""Folders of content watched while they are served; after each change they are read again.

Events come from `watchfiles` (the `watch` extra), which waits until a burst of writing is over. Without
it the files' times are looked at every second, and more rarely where a look takes long.
"""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from typing import Any

from prowess.content.files import MOST_FILES, is_aside

QUIET_MS = 50  # a burst of writing is over when nothing was written for that long
LONGEST_MS = 500
POLL_SECONDS = 1.0
SHARE = 20  # a look takes at most one part in so many of the time


class Watching:
    """One task that waits for changes and calls `refresh`; begun and ended by whoever serves the folders.

    `events` false looks at the files' times even where `watchfiles` is installed.
    """

    def __init__(
        self,
        roots: Sequence[str],
        refresh: Callable[[], Awaitable[None]],
        *,
        events: bool = True,
        poll: float = POLL_SECONDS,
    ) -> None:
        self._roots = tuple(roots)
        self._refresh = refresh
        self._events = events
        self._poll_seconds = poll
        self._task: asyncio.Task[None] | None = None

    def begin(self) -> None:
        """Watch from now on."""
        if self._task is None and self._roots:
            self._task = asyncio.ensure_future(self._watch())

    async def end(self) -> None:
        """Stop, at once."""
        if self._task is not None:
            self._task.cancel()
            with suppress(asyncio.CancelledError):
                await self._task
            self._task = None

    async def _watch(self) -> None:
        awatch = _watcher() if self._events else None
        there = self._there()
        if awatch is not None and there:
            with suppress(OSError, RuntimeError):  # too many watches, or a folder that is gone
                async for _ in awatch(*there, step=QUIET_MS, debounce=LONGEST_MS, watch_filter=_matters):
                    await self._refresh()
        await self._poll()

    def _there(self) -> list[str]:
        return [each for each in self._roots if os.path.isdir(each)]

    async def _poll(self) -> None:
        before = await asyncio.to_thread(fingerprint, self._roots)
        rest = self._poll_seconds
        while True:
            await asyncio.sleep(rest)
            begun = time.monotonic()
            now = await asyncio.to_thread(fingerprint, self._roots)
            rest = max(self._poll_seconds, SHARE * (time.monotonic() - begun))
            if now != before:
                before = now
                await self._refresh()


def fingerprint(roots: Sequence[str]) -> int:
    """A number that is another one when a file below these folders was written, added or removed."""
    seen: list[tuple[str, int, int, int]] = []
    for root in roots:
        for folder, names, files in os.walk(root):
            names[:] = sorted(each for each in names if not is_aside(each))
            for name in sorted(files):
                if len(seen) > 2 * MOST_FILES:
                    return hash(tuple(seen))
                with suppress(OSError):
                    found = os.stat(os.path.join(folder, name))
                    seen.append((os.path.join(folder, name), found.st_ino, found.st_size, found.st_mtime_ns))
    return hash(tuple(seen))


def _matters(change: object, path: str) -> bool:
    """Whatever is not hidden and not left by a tool."""
    return not is_aside(os.path.basename(path))


def _watcher() -> Any:
    try:
        from watchfiles import awatch
    except ImportError:
        return None
    return awatch
