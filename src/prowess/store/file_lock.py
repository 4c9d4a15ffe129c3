"""A lock between processes, on a file of its own. All lock code is here.

The kernel drops it when its holder ends, however that comes about, so nothing needs cleaning up and
the file itself is never removed (a removed one would be locked twice). It does not know what it guards.
"""

from __future__ import annotations

import asyncio
import os
import sys
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager

from prowess.store.directories import create_private

LOOK_SECONDS = 0.02  # between two looks; no event tells that another process let go
PRIVATE_FILE = 0o600


@asynccontextmanager
async def locked(path: str, seconds: float) -> AsyncIterator[None]:
    """Hold the lock at `path` for the block; TimeoutError when it is not to be had within `seconds`."""
    handle = _opened(path)
    try:
        async with asyncio.timeout(seconds):
            while not try_lock(handle):  # noqa: ASYNC110  # see LOOK_SECONDS
                await asyncio.sleep(LOOK_SECONDS)
        yield
    finally:
        os.close(handle)  # which lets go


@contextmanager
def held(path: str, seconds: float) -> Iterator[None]:
    """The same for who has no event loop: waits in this thread."""
    handle, until = _opened(path), time.monotonic() + seconds
    try:
        while not try_lock(handle):
            if time.monotonic() > until:
                raise TimeoutError
            time.sleep(LOOK_SECONDS)
        yield
    finally:
        os.close(handle)


def _opened(path: str) -> int:
    create_private(os.path.dirname(path))
    return os.open(path, os.O_RDWR | os.O_CREAT | getattr(os, "O_CLOEXEC", 0), PRIVATE_FILE)


if sys.platform == "win32":
    import msvcrt

    def try_lock(handle: int) -> bool:
        """Take the lock of an open file if nobody has it; closing the file lets go."""
        try:
            msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True

else:
    import fcntl

    def try_lock(handle: int) -> bool:
        """Take the lock of an open file if nobody has it; closing the file lets go."""
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True
