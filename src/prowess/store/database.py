"""One SQLite file for everything remembered: pins, approvals, records. Opened on first use.

Who asks from an event loop is served at once when nobody is in the way: a read takes about 5
microseconds and a commit about 40, less than handing them to a thread. For that there is one
connection that never waits for a lock and never folds the log into the file. Whatever it cannot do
at once is done again in a thread of our own, on a second connection that waits; so work given to
`run` must leave nothing behind when it fails (one statement, or one `transaction`).

A commit survives kill -9 when it has answered. It does not know what the tables mean.
"""

from __future__ import annotations

import contextlib
import os
import sqlite3
import threading
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, TypeVar

from prowess.errors import StoreFailed
from prowess.redact import printable
from prowess.store.directories import state_home
from prowess.store.formats import STEPS, Step
from prowess.store.opening import BUSY_SECONDS, connect, is_busy, opened

if TYPE_CHECKING:
    from concurrent.futures import Future, ThreadPoolExecutor

T = TypeVar("T")
Work = Callable[[sqlite3.Connection], T]

CHECKPOINT_CHANGES = 200  # each leaves about 20 kB in the log
LARGE_LOG = 16_000_000  # from here on, writers wait until the log is empty again


class _Later:
    """Nothing was done; a thread has to do it."""


_LATER = _Later()


def default_file() -> str:
    """The file of this user."""
    return os.path.join(state_home(), "prowess.sqlite3")


class Database:
    """One file and its two connections. Safe to use from several threads and loops."""

    def __init__(self, file: str | None = None, *, steps: Sequence[Step] = STEPS) -> None:
        self.file = os.path.abspath(file or default_file())
        self._steps = steps
        self._quick: sqlite3.Connection | None = None
        self._patient: sqlite3.Connection | None = None
        self._quick_lock = threading.Lock()
        self._patient_lock = threading.Lock()
        self._identity: tuple[int, int] | None = None
        self._executor: ThreadPoolExecutor | None = None
        self._folding: Future[None] | None = None
        self._folded = 0

    def exists(self) -> bool:
        """Whether anything was ever remembered; reading alone need not make a file."""
        return os.path.exists(self.file)

    async def run(self, work: Work[T]) -> T:
        """Do `work` without holding up the event loop. Raises StoreFailed."""
        done = self._at_once(work)
        if not isinstance(done, _Later):
            return done
        import asyncio

        return await asyncio.get_running_loop().run_in_executor(self._threads(), self.now, work)

    def at_once(self, work: Work[object]) -> bool:
        """Do `work` here if nobody is in the way; False, and nothing done, if it would have to wait."""
        return not isinstance(self._at_once(work), _Later)

    def now(self, work: Work[T]) -> T:
        """Do `work` here, waiting for other processes if need be. Raises StoreFailed."""
        with self._patient_lock:
            try:
                return work(self._waiting())
            except (sqlite3.Error, OSError) as error:
                raise self._failed(error) from error

    def close(self) -> None:
        """Close the file; it is opened again when it is used again. The last one out tidies the log."""
        with self._patient_lock, self._quick_lock:
            self._close()
            executor, self._executor = self._executor, None
        if executor is not None:
            executor.shutdown(wait=False)

    def _at_once(self, work: Work[T]) -> T | _Later:
        if not self._quick_lock.acquire(blocking=False):
            return _LATER
        try:
            if self._quick is None or not self._in_place():
                return _LATER
            done = work(self._quick)
            self._fold(self._quick.total_changes)
            return done
        except sqlite3.Error as error:
            if is_busy(error):
                return _LATER
            raise self._failed(error) from error
        finally:
            self._quick_lock.release()

    def _threads(self) -> ThreadPoolExecutor:
        """One thread of our own: waiting for a lock must not use up the threads of others."""
        from concurrent.futures import ThreadPoolExecutor

        if self._executor is None:
            self._executor = ThreadPoolExecutor(1, thread_name_prefix="prowess-store")
        return self._executor

    def _waiting(self) -> sqlite3.Connection:
        """The connection that waits, opened and in the file that bears the name now."""
        if self._patient is not None and self._in_place():
            return self._patient
        with self._quick_lock:
            self._close()
            self._patient = opened(self.file, self._steps)
            found = os.stat(self.file)
            self._identity = (found.st_dev, found.st_ino)
            self._quick = connect(self.file, 0)
            self._quick.execute("PRAGMA wal_autocheckpoint = 0")
            return self._patient

    def _in_place(self) -> bool:
        """False when the file was moved away or replaced: what is written to it would be lost."""
        try:
            found = os.stat(self.file)
        except OSError:
            return False
        return (found.st_dev, found.st_ino) == self._identity

    def _close(self) -> None:
        for each in (self._quick, self._patient):
            if each is not None:
                each.close()
        self._quick = self._patient = None
        self._folded = 0

    def _fold(self, changes: int) -> None:
        """Have the log folded into the file now and then, in the thread: it waits for the disk."""
        if changes - self._folded < CHECKPOINT_CHANGES:
            return
        if self._folding is not None and not self._folding.done():
            return
        self._folded = changes
        self._folding = self._threads().submit(self._fold_now)

    def _fold_now(self) -> None:
        # Passive holds up nobody, and never comes to an end while commits follow one another without
        # a pause; then the log grows until it is emptied with the writers held up.
        with self._patient_lock, contextlib.suppress(sqlite3.Error, OSError):
            # A fault of the file shows at its next use, where somebody hears of it.
            if self._patient is None:
                return
            if os.path.getsize(self.file + "-wal") < LARGE_LOG:
                self._patient.execute("PRAGMA wal_checkpoint(PASSIVE)")
                return
            with self._quick_lock:
                self._patient.execute("PRAGMA wal_checkpoint(TRUNCATE)")

    def _failed(self, error: Exception) -> StoreFailed:
        if isinstance(error, sqlite3.Error):
            return failure(self.file, error)
        reason = getattr(error, "strerror", None) or type(error).__name__
        return StoreFailed(f"{printable(self.file, 500)}: {reason}", hint=_PLACE)


_PLACE = "what prowess remembers is kept below XDG_STATE_HOME; it must be writable"
_ANEW = (
    "move it away together with the files of the same name ending in -wal and -shm, and prowess begins anew: "
    "records are gone, and every tool is pinned as it is then"
)


def failure(file: str, error: sqlite3.Error) -> StoreFailed:
    """What went wrong with `file`, in words."""
    name = printable(file, 500)
    code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR) & 0xFF
    if code in (sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT):
        return StoreFailed(f"{name} is damaged ({printable(str(error))})", hint=_ANEW)
    if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        return StoreFailed(
            f"{name}: another process has kept it locked for {BUSY_SECONDS:g} seconds",
            hint="find out which one; a running backup or an open database shell does that",
        )
    if code in (sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR):
        return StoreFailed(f"{name}: the disk is full or fails ({printable(str(error))})")
    if code in (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM):
        return StoreFailed(f"{name}: cannot be opened for writing", hint=_PLACE)
    return StoreFailed(f"{name}: {printable(str(error))}", hint=_ANEW)
