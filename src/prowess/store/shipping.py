"""Records sent on to PostgreSQL, in batches, by id: sending one twice changes nothing.

Each table of records has a number that grows with every commit; the highest one that a server has
confirmed is kept here for that server, after the server has committed. So a shipper that is killed
anywhere, or whose server is away, goes on where it stopped. Records wait in the local file as long
as it takes. psycopg is an extra and is imported on use.
"""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import sqlite3
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from prowess.errors import ConnectionFailed, ProwessError, StoreFailed, UsageError
from prowess.redact import MASK, printable
from prowess.store.database import Database
from prowess.store.records import NAMES, TABLES, record_of
from prowess.store.remembered import Record

if TYPE_CHECKING:
    import psycopg

    from prowess.store.postgres import Row

BATCH = 500
CONNECT_SECONDS = 10
STATEMENT_SECONDS = 30
LONGEST_WAIT = 300.0  # between attempts while the server is away

_MARK = "INSERT OR REPLACE INTO shipped (target, records, number) VALUES (?, ?, ?)"


@dataclass(frozen=True, slots=True, kw_only=True)
class Shipped:
    """What one round did: records sent, and records that the server does not take (left out)."""

    sent: int = 0
    refused: int = 0


Report = Callable[[Shipped | ProwessError], None]


def no_report(news: Shipped | ProwessError) -> None:
    """The report of a shipper that nobody listens to."""


class Shipper:
    """Sends the records of one database to one server. `url` is a PostgreSQL connection URL."""

    def __init__(self, database: Database, url: str, *, batch: int = BATCH) -> None:
        """Raises UsageError for a URL that cannot be one, or when psycopg is not installed."""
        self._database = database
        self._batch = batch
        self._settings = settings_of(url)
        self._target = _target_of(self._settings)

    async def ship(self) -> Shipped:
        """As `ship_now`, in a thread."""
        return await asyncio.to_thread(self.ship_now)

    def ship_now(self) -> Shipped:
        """Send all that was not sent yet. Raises ConnectionFailed, StoreFailed; what was sent stays sent."""
        import psycopg

        try:
            with self._connected() as connection:
                from prowess.store import postgres

                postgres.prepare(connection)
                rounds = [self._table(connection, kind) for kind in TABLES]
        except psycopg.OperationalError as error:
            raise ConnectionFailed(
                f"records cannot be sent to PostgreSQL: {self._words(error)}",
                hint="they wait in the local database and are sent when the server is there",
            ) from None
        except psycopg.Error as error:
            raise StoreFailed(f"PostgreSQL does not take the records: {self._words(error)}") from None
        return Shipped(sent=sum(each.sent for each in rounds), refused=sum(each.refused for each in rounds))

    async def keep_on(self, *, every: float = 5.0, report: Report = no_report) -> None:
        """Send every so often until cancelled; while that fails, less and less often."""
        wait = every
        while True:
            try:
                report(await self.ship())
                wait = every
            except ProwessError as error:
                report(error)
                wait = min(wait * 2, max(LONGEST_WAIT, every))
            await asyncio.sleep(wait)

    def begin_anew(self) -> None:
        """Forget what this server has: everything is sent again, which changes nothing that is there."""
        self._database.now(
            lambda connection: connection.execute(
                "DELETE FROM shipped WHERE target = ?", (self._target,)
            ).close()
        )

    def _connected(self) -> psycopg.Connection[Any]:
        import psycopg

        options = f"-c statement_timeout={STATEMENT_SECONDS}s -c lock_timeout={STATEMENT_SECONDS}s"
        given = self._settings.get("options", "")
        settings: dict[str, Any] = {"connect_timeout": CONNECT_SECONDS, "application_name": "prowess"}
        settings |= self._settings | {"options": f"{options} {given}".strip()}
        return psycopg.connect(autocommit=True, **settings)

    def _table(self, connection: psycopg.Connection[Any], kind: type[Record]) -> Shipped:
        from prowess.store import postgres

        sent = refused = 0
        while rows := self._database.now(lambda local: self._waiting(local, kind)):
            left_out = postgres.put(connection, kind, rows)
            mark = (self._target, TABLES[kind], rows[-1][0])
            self._database.now(lambda local, mark=mark: local.execute(_MARK, mark).close())  # type: ignore[misc]
            sent, refused = sent + len(rows) - left_out, refused + left_out
        return Shipped(sent=sent, refused=refused)

    def _waiting(self, local: sqlite3.Connection, kind: type[Record]) -> list[Row]:
        """The next batch, in the order of their commits."""
        table = TABLES[kind]
        mark = "SELECT number FROM shipped WHERE target = ? AND records = ?"
        found = local.execute(mark, (self._target, table)).fetchone()
        query = (
            f"SELECT number, {', '.join(NAMES[kind])} FROM {table} WHERE number > ? ORDER BY number LIMIT ?"
        )
        rows = local.execute(query, (found[0] if found else 0, self._batch))
        return [(row[0], _fields(kind, row[1:])) for row in rows]

    def _words(self, error: Exception) -> str:
        password = self._settings.get("password")
        text = str(error)
        return printable(text.replace(password, MASK) if password else text, 300)


def _fields(kind: type[Any], row: tuple[Any, ...]) -> tuple[Any, ...]:
    record = record_of(kind, row)
    return tuple(getattr(record, name) for name in NAMES[kind])


def settings_of(url: str) -> dict[str, str]:
    """The parts of a connection URL. Raises UsageError for one that cannot be, or without psycopg."""
    try:
        from psycopg import ProgrammingError
        from psycopg.conninfo import conninfo_to_dict
    except ImportError:
        raise UsageError("PostgreSQL needs psycopg", hint="pip install 'prowess[postgres]'") from None
    hint = "postgresql://USER@HOST/DATABASE; the password may stand in PGPASSWORD or in ~/.pgpass"
    if not url.startswith(("postgresql://", "postgres://")):
        raise UsageError("the URL of the PostgreSQL server must begin with postgresql://", hint=hint)
    with contextlib.suppress(ProgrammingError):
        return {name: str(value) for name, value in conninfo_to_dict(url).items() if value is not None}
    raise UsageError("the URL of the PostgreSQL server is not one that PostgreSQL reads", hint=hint)


def _target_of(settings: dict[str, str]) -> str:
    """What names a server and database for good: no password, no user, nothing that can be read back."""
    named = "|".join(settings.get(name, "") for name in ("host", "hostaddr", "port", "dbname", "service"))
    return hashlib.sha256(named.encode()).hexdigest()[:24]
