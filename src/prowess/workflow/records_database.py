"""The database of runs: an SQLite file, or PostgreSQL by URL. The engine has its own tables in it too.

All that is done is one transaction. SQL is written once, with `?`; a value for it is a text, a number or
None. `sure` transactions are on the disk when they return; others survive the end of every process, and
may be lost in a power cut. It does not know what the tables mean.
"""

from __future__ import annotations

import contextlib
import os
import sqlite3
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from typing import Any, Protocol, TypeVar

from prowess.errors import StoreFailed, UsageError
from prowess.redact import MASK, printable
from prowess.workflow.records_tables import FORMAT, LOCK, STEPS

T = TypeVar("T")
BUSY_SECONDS = 30.0
CONNECT_SECONDS = 5
PG_THREADS = 2
_HINT = "[workflows] of prowess.toml says where runs are kept"


@dataclass(frozen=True, slots=True, kw_only=True)
class Where:
    """Where runs are kept: a `file`, or a PostgreSQL `url`."""

    file: str = ""
    url: str = ""

    @property
    def sqlalchemy(self) -> str:
        """The same, as the engine wants it."""
        if self.file:
            return f"sqlite:///{self.file}"
        return "postgresql+psycopg://" + self.url.partition("://")[2]


def default_file() -> str:
    """The file of this user."""
    from prowess.store.directories import data_home

    return os.path.join(data_home(), "workflows.sqlite3")


class Rows(Protocol):
    """What work is done with: one transaction."""

    def read(self, sql: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        """The rows of a SELECT."""
        ...

    def write(self, sql: str, values: Sequence[Any] = ()) -> int:
        """How many rows a statement changed."""
        ...


class _Sqlite:
    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def read(self, sql: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        return self._connection.execute(sql, values).fetchall()

    def write(self, sql: str, values: Sequence[Any] = ()) -> int:
        return self._connection.execute(sql, values).rowcount


class _Postgres:
    clock = "SELECT extract(epoch FROM clock_timestamp())"

    def __init__(self, connection: Any) -> None:
        self._connection = connection

    def read(self, sql: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        found: list[tuple[Any, ...]] = self._executed(sql, values).fetchall()
        return found

    def write(self, sql: str, values: Sequence[Any] = ()) -> int:
        count: int = self._executed(sql, values).rowcount
        return count

    def _executed(self, sql: str, values: Sequence[Any]) -> Any:
        if any("\0" in each for each in values if isinstance(each, str)):
            raise UsageError("a NUL character is in no text of PostgreSQL, so no run has it")
        return self._connection.execute(sql.replace("?", "%s"), values)


class RunDatabase:
    """Safe to use from several threads and loops; opened by its first use."""

    def __init__(self, where: Where) -> None:
        self.where = where
        self._mine = threading.local()
        self._open: list[Any] = []
        self._lock = threading.Lock()
        self._prepared = False
        self._threads: ThreadPoolExecutor | None = None
        self.closed = False

    def exists(self) -> bool:
        """Whether there can be any run: looking alone makes no file."""
        return not self.where.file or os.path.exists(self.where.file)

    async def run(self, work: Callable[[Rows], T], *, sure: bool = False, look: bool = False) -> T:
        """Do `work` in a thread of ours; `look`: it only reads.

        Raises StoreFailed, UsageError for text that is none, and what `work` raises.
        """
        import asyncio

        work_here = partial(self._done, work, sure, look)
        return await asyncio.get_running_loop().run_in_executor(self._pool(), work_here)

    def now(self, work: Callable[[Rows], T], *, sure: bool = False, look: bool = False) -> T:
        """The same, waited for here; not in a loop."""
        if self.where.file:
            return self._done(work, sure, look)
        return self._pool().submit(self._done, work, sure, look).result()

    def _done(self, work: Callable[[Rows], T], sure: bool, look: bool) -> T:
        try:
            return self._in_sqlite(work, sure, look) if self.where.file else self._in_postgres(work)
        except UnicodeEncodeError as error:
            shown = printable(str(error.object), 80)
            raise UsageError(f"{shown} is no Unicode text, so no run has it") from None

    def _pool(self) -> ThreadPoolExecutor:
        """Our threads: each has a connection, and a server has only so many to give."""
        with self._lock:
            self._insist_on_open()
            if self._threads is None:
                count = 1 if self.where.file else PG_THREADS
                self._threads = ThreadPoolExecutor(count, thread_name_prefix="prowess-runs")
            return self._threads

    def close(self) -> None:
        """Close every connection; nothing can be asked afterwards."""
        with self._lock:
            self.closed = True
        if self._threads is not None:
            self._threads.shutdown(wait=True)
        with self._lock:
            for each in self._open:
                with contextlib.suppress(Exception):  # boundary: it is thrown away
                    each.close()
            self._open.clear()

    # -- SQLite

    def _in_sqlite(self, work: Callable[[Rows], T], sure: bool, look: bool) -> T:
        try:
            connection = self._sqlite_connection()
            level = "FULL" if sure else "NORMAL"
            if not look and getattr(self._mine, "level", "") != level:
                connection.execute(f"PRAGMA synchronous = {level}")
                self._mine.level = level
            connection.execute("BEGIN" if look else "BEGIN IMMEDIATE")
            try:
                done = work(_Sqlite(connection))
                connection.execute("COMMIT")
                return done
            finally:
                if connection.in_transaction:
                    connection.execute("ROLLBACK")
        except (sqlite3.Error, OSError) as error:
            raise StoreFailed(f"the runs in {printable(self.where.file, 300)}: {error}", hint=_HINT) from None

    def _sqlite_connection(self) -> sqlite3.Connection:
        found: sqlite3.Connection | None = getattr(self._mine, "connection", None)
        if found is not None:
            return found
        self._insist_on_open()
        _make_private(self.where.file)
        made = sqlite3.connect(
            self.where.file, timeout=BUSY_SECONDS, isolation_level=None, check_same_thread=False
        )
        self._keep(made)
        made.execute("PRAGMA trusted_schema = OFF")
        _settle(made)
        made.execute("BEGIN IMMEDIATE")
        _prepare(_Sqlite(made), "REAL")
        made.execute("COMMIT")
        return made

    # -- PostgreSQL

    def _in_postgres(self, work: Callable[[Rows], T]) -> T:
        import psycopg

        again = getattr(self._mine, "connection", None) is not None
        while True:
            try:
                connection = self._postgres_connection()
                with connection.transaction():
                    return work(_Postgres(connection))
            except psycopg.OperationalError as error:
                self._drop()
                if not again:
                    raise self._failed(error) from None
                again = False  # the connection may only have been old; `work` was rolled back
            except psycopg.Error as error:
                raise self._failed(error) from None

    def _postgres_connection(self) -> Any:
        found = getattr(self._mine, "connection", None)
        if found is not None:
            return found
        self._insist_on_open()
        import psycopg

        from prowess.store.shipping import settings_of

        settings: dict[str, Any] = {"connect_timeout": CONNECT_SECONDS, "application_name": "prowess"}
        made = psycopg.connect(autocommit=True, **(settings | settings_of(self.where.url)))
        self._keep(made)
        if not self._prepared:
            with made.transaction():
                made.execute("SELECT pg_advisory_xact_lock(%s)", (LOCK,))
                _prepare(_Postgres(made), "double precision")
            self._prepared = True
        return made

    def _failed(self, error: Exception) -> StoreFailed:
        return StoreFailed(f"the runs in PostgreSQL: {self.hidden(str(error))}", hint=_HINT)

    def hidden(self, text: str) -> str:
        """A message fit to print, without the password of the URL."""
        from prowess.store.shipping import settings_of

        password = settings_of(self.where.url).get("password") if self.where.url else None
        return printable(text.replace(password, MASK) if password else text, 300)

    # -- both

    def _insist_on_open(self) -> None:
        if self.closed:
            raise StoreFailed("the database of runs is closed")

    def _keep(self, connection: Any) -> None:
        self._mine.connection = connection
        self._mine.level = ""
        with self._lock:
            self._open.append(connection)

    def _drop(self) -> None:
        connection = getattr(self._mine, "connection", None)
        self._mine.connection = None
        if connection is not None:
            with self._lock:
                self._open.remove(connection)
            connection.close()


def _settle(connection: sqlite3.Connection) -> None:
    """SQLite does not always wait when two processes switch a new file at once: once more, then."""
    import time

    latest = time.monotonic() + BUSY_SECONDS
    while True:
        try:
            connection.execute("PRAGMA journal_mode = WAL")
            return
        except sqlite3.OperationalError:
            if time.monotonic() > latest:
                raise
            time.sleep(0.01)


def _make_private(file: str) -> None:
    from prowess.store.directories import create_private, create_private_file

    create_private(os.path.dirname(os.path.abspath(file)))
    create_private_file(file)


def _prepare(rows: Rows, number: str) -> None:
    """Make the tables unless they are there. Raises StoreFailed when a newer prowess made them."""
    rows.write("CREATE TABLE IF NOT EXISTS prowess_workflow_format (format INTEGER NOT NULL)")
    found = rows.read("SELECT max(format) FROM prowess_workflow_format")[0][0] or 0
    if found > FORMAT:
        raise StoreFailed(
            f"the tables of runs have format {found}; this prowess knows up to {FORMAT}",
            hint="use the newer prowess that made them",
        )
    for step in STEPS[found:]:
        for statement in step:
            rows.write(statement.replace("NUMBER", number))
    if found < FORMAT:
        rows.write("DELETE FROM prowess_workflow_format")
        rows.write("INSERT INTO prowess_workflow_format VALUES (?)", (FORMAT,))
