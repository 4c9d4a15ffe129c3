"""Opening the database file: made private, judged, brought to the present format.

The format is a number in the file's header. An older one is migrated in one transaction, after a
copy was laid beside the file; a newer one, and a file that is not ours, is left exactly as it is.
Several processes may open at once: the first one works, the others wait and find it done.
"""

from __future__ import annotations

import contextlib
import os
import sqlite3
import sys
import time
from collections.abc import Iterator, Sequence

from prowess.errors import StoreFailed
from prowess.redact import printable
from prowess.store.directories import create_private, create_private_file
from prowess.store.formats import APPLICATION_ID, Step

OLDEST_SQLITE = (3, 35, 0)  # RETURNING
BUSY_SECONDS = 5.0
SMALL_LOG = 4_000_000  # what is left of a write-ahead log after it was folded in


def opened(file: str, steps: Sequence[Step]) -> sqlite3.Connection:
    """A connection to `file` in the present format; the file is made when it is not there.

    It waits up to BUSY_SECONDS for other processes. Raises StoreFailed, sqlite3.Error and OSError.
    """
    if sqlite3.sqlite_version_info < OLDEST_SQLITE:
        raise StoreFailed(
            f"SQLite {sqlite3.sqlite_version} is too old", hint="use a Python with SQLite 3.35 or newer"
        )
    create_private(os.path.dirname(os.path.abspath(file)))
    _make_private(file)
    connection = connect(file, BUSY_SECONDS)
    try:
        _judge(connection, file, len(steps))
        _settle(connection)
        _upgrade(connection, file, steps)
    except BaseException:
        connection.close()
        raise
    return connection


def connect(file: str, seconds: float) -> sqlite3.Connection:
    """A connection that waits `seconds` for locks, usable from any thread, one at a time."""
    connection = sqlite3.connect(file, timeout=seconds, isolation_level=None, check_same_thread=False)
    # A commit is handed to the system, not waited for until the disk has it: it survives the end of
    # this process, kill -9 included. A power cut may cost the last moments, and never the file.
    connection.execute("PRAGMA synchronous = NORMAL")
    connection.execute("PRAGMA trusted_schema = OFF")
    connection.execute(f"PRAGMA journal_size_limit = {SMALL_LOG}")
    return connection


@contextlib.contextmanager
def transaction(connection: sqlite3.Connection) -> Iterator[None]:
    """All of the block or nothing of it. The write lock is taken first, so that nothing fails halfway."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
        connection.execute("COMMIT")
    finally:
        if connection.in_transaction:
            connection.execute("ROLLBACK")


def _make_private(file: str) -> None:
    # SQLite gives the log beside the file the file's own mode.
    create_private_file(file)
    if sys.platform != "win32" and os.stat(file).st_mode & 0o077:
        os.chmod(file, 0o600)


def _number(connection: sqlite3.Connection, pragma: str) -> int:
    return int(connection.execute(f"PRAGMA {pragma}").fetchone()[0])


def _judge(connection: sqlite3.Connection, file: str, newest: int) -> None:
    """StoreFailed unless the file is empty, or ours and not newer than we are."""
    number, owner = _number(connection, "user_version"), _number(connection, "application_id")
    if owner != APPLICATION_ID:
        used = connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()[0]
        if used or number or owner:
            raise StoreFailed(
                f"{printable(file, 500)} is the database of another program", hint="move it out of the way"
            )
    if number > newest:
        raise StoreFailed(
            f"{printable(file, 500)} has format {number}; this version of prowess knows up to {newest}",
            hint="a newer prowess wrote it: use that one, or move the file away and begin anew",
        )


def _settle(connection: sqlite3.Connection) -> None:
    """Switch to the write-ahead log, where readers and a writer do not wait for each other.

    SQLite does not always wait when two processes switch a new file at once. A file system that
    cannot do it keeps the older way, which is slower and as safe.
    """
    latest = time.monotonic() + BUSY_SECONDS
    while True:
        try:
            connection.execute("PRAGMA journal_mode = WAL")
            return
        except sqlite3.OperationalError as error:
            if not is_busy(error) or time.monotonic() > latest:
                raise
            time.sleep(0.01)


def is_busy(error: sqlite3.Error) -> bool:
    """Whether somebody else has the lock that was needed."""
    return (error.sqlite_errorcode & 0xFF) in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)


def _upgrade(connection: sqlite3.Connection, file: str, steps: Sequence[Step]) -> None:
    if _number(connection, "user_version") == len(steps):
        return
    with transaction(connection):
        _judge(connection, file, len(steps))  # again: another process may have been first
        number = _number(connection, "user_version")
        if 0 < number < len(steps):
            _copy_aside(file, number)
        for step in steps[number:]:
            for statement in step:
                connection.execute(statement)
        connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        connection.execute(f"PRAGMA user_version = {len(steps)}")


def _copy_aside(file: str, number: int) -> None:
    """The whole database as it was, in `FILE.format-N`."""
    import tempfile

    handle, temporary = tempfile.mkstemp(dir=os.path.dirname(os.path.abspath(file)), prefix=".backup-")
    os.close(handle)
    try:
        with (
            contextlib.closing(connect(file, BUSY_SECONDS)) as source,
            contextlib.closing(sqlite3.connect(temporary)) as target,
        ):
            source.backup(target)
        os.replace(temporary, f"{file}.format-{number}")
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(temporary)
        raise
