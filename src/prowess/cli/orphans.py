"""What servers leave behind, taken in by this process and ended with it.

A link ends its server's group, and what can be traced to the server. A process that made a session
of its own, wiped its environment and lost its parent, all while its server was on the way out, can
be traced no more; but an orphan goes to the nearest process above it that takes orphans in. While a
verb may have servers, that is this one (Linux, `PR_SET_CHILD_SUBREAPER`), and whatever it holds in
the end, in a session other than its own, came from a server.

It is for a process of our own: a library must not change what becomes of its process's orphans.
"""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import time
from collections.abc import Iterator

PR_SET_CHILD_SUBREAPER = 36
PATIENCE_SECONDS = 0.5  # between SIGTERM and SIGKILL
MOST_SECONDS = 2.0
LOOK_SECONDS = 0.02


@contextlib.contextmanager
def adopting() -> Iterator[None]:
    """Take orphans in while the block runs, and end those that are left after it."""
    if sys.platform != "linux" or not _take_in():
        yield
        return
    try:
        yield
    finally:
        if "prowess.link" in sys.modules:  # else no server was ever started
            _end()


def _take_in() -> bool:
    try:
        import ctypes

        return bool(ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) == 0)
    except (OSError, AttributeError, ImportError):  # no C library that can be asked
        return False


def _end() -> None:
    if sys.platform == "win32":  # for the type checker; see `adopting`
        return
    began = time.monotonic()
    told: set[int] = set()
    while (left := _left()) and (passed := time.monotonic() - began) < MOST_SECONDS:
        for pid in left:
            if passed >= PATIENCE_SECONDS:
                _signal(pid, signal.SIGKILL)
            elif pid not in told:
                told.add(pid)
                _signal(pid, signal.SIGTERM)
        time.sleep(LOOK_SECONDS)


def _left() -> list[int]:
    """What runs below this process in a session of its own; the dead are reaped."""
    from prowess.link.proc import descendants, processes

    if sys.platform == "win32":
        return []
    with contextlib.suppress(ChildProcessError):
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass
    ours = os.getsid(0)
    running = processes()
    below = descendants(os.getpid(), running)
    return [pid for pid in below if running[pid].session != ours and running[pid].state not in "ZX"]


def _signal(pid: int, number: int) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.kill(pid, number)
