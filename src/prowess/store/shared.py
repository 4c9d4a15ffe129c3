"""One PostgreSQL database that several processes share: pins, approvals, rollouts.

One connection and one thread of our own, made by the first use; a connection that was lost is made anew
once, by whoever needs it next. What is done is one transaction: all or nothing. It does not know what
the tables mean.
"""

from __future__ import annotations

import hashlib
import json
import threading
from collections.abc import Callable
from time import monotonic
from typing import TYPE_CHECKING, Any, TypeVar

from prowess.errors import StoreFailed
from prowess.redact import MASK, printable
from prowess.store.shipping import settings_of

if TYPE_CHECKING:
    from concurrent.futures import ThreadPoolExecutor

    import psycopg

T = TypeVar("T")
Work = Callable[["psycopg.Connection[Any]"], T]

CONNECT_SECONDS = 5
STATEMENT_SECONDS = 10
REST = 1.0  # after a server was not there, nobody waits for it again


class SharedDatabase:
    """A database by its connection URL. Safe to use from several threads and loops."""

    def __init__(self, url: str) -> None:
        """Raises UsageError for a URL that cannot be one, or when psycopg is not installed."""
        self._settings = settings_of(url)
        self._connection: psycopg.Connection[Any] | None = None
        self._turn = threading.Lock()
        self._executor: ThreadPoolExecutor | None = None
        self._away = 0.0

    async def run(self, work: Work[T]) -> T:
        """Do `work` in one transaction, in the thread. Raises StoreFailed, and what `work` raises."""
        import asyncio

        return await asyncio.get_running_loop().run_in_executor(self._threads(), self.now, work)

    def now(self, work: Work[T]) -> T:
        """The same, here."""
        import psycopg

        with self._turn:
            old = self._connection
            try:
                return self._done(work)
            except psycopg.OperationalError as error:
                self._drop()
                if old is None:  # it was not the age of the connection
                    raise self._failed(error) from None
            except psycopg.Error as error:
                raise self._failed(error) from None
            try:
                return self._done(work)
            except psycopg.Error as error:
                self._drop()
                raise self._failed(error) from None

    def close(self) -> None:
        """Close the connection; it is made again when it is needed again."""
        with self._turn:
            self._drop()
            executor, self._executor = self._executor, None
        if executor is not None:
            executor.shutdown(wait=False)

    def _done(self, work: Work[T]) -> T:
        connection = self._connected()
        with connection.transaction():
            return work(connection)

    def _connected(self) -> psycopg.Connection[Any]:
        if self._connection is not None:
            return self._connection
        import psycopg

        from prowess.store import postgres

        if monotonic() < self._away:
            raise StoreFailed("the shared store was not there a moment ago", hint=_HINT)
        options = f"-c statement_timeout={STATEMENT_SECONDS}s -c lock_timeout={STATEMENT_SECONDS}s"
        given = self._settings.get("options", "")
        settings: dict[str, Any] = {
            "connect_timeout": CONNECT_SECONDS,
            "application_name": "prowess",
            "tcp_user_timeout": STATEMENT_SECONDS * 1_000,
        }
        settings |= self._settings | {"options": f"{options} {given}".strip()}
        try:
            connection = psycopg.connect(autocommit=True, **settings)
        except psycopg.OperationalError:
            self._away = monotonic() + REST
            raise
        try:
            postgres.prepare(connection)
        except BaseException:
            connection.close()
            raise
        self._connection = connection
        return connection

    def _drop(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            connection.close()

    def _threads(self) -> ThreadPoolExecutor:
        from concurrent.futures import ThreadPoolExecutor

        if self._executor is None:
            self._executor = ThreadPoolExecutor(1, thread_name_prefix="prowess-shared")
        return self._executor

    def _failed(self, error: Exception) -> StoreFailed:
        password = self._settings.get("password")
        text = str(error)
        words = printable(text.replace(password, MASK) if password else text, 300)
        return StoreFailed(f"the shared store in PostgreSQL: {words}", hint=_HINT)


_HINT = "[store] postgres of prowess.toml says where it is"


def name_in(text: str) -> str:
    """A name as a column holds it: JSON's escapes keep every name apart and PostgreSQL content."""
    return json.dumps(text)[1:-1]


def key_of(*names: str) -> str:
    """What stands for names in an index."""
    return hashlib.sha256(json.dumps(names).encode()).hexdigest()


def name_out(column: str) -> str:
    """The name of a column."""
    return str(json.loads(f'"{column}"'))
