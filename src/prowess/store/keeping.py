"""What is done with records while a Host is open: old ones forgotten, new ones sent on.

Started and closed by whoever owns the database. Nothing that fails here fails a call; it is told to
`report`. Closing sends once more what is there, for a few seconds at most; what is left waits in
the file for the next time.
"""

from __future__ import annotations

import asyncio
import contextlib
import time

from prowess.errors import ProwessError
from prowess.store.database import Database
from prowess.store.records import Records
from prowess.store.shipping import Report, Shipper, no_report

SHIP_SECONDS = 5.0
LAST_SECONDS = 5.0  # for what is sent while closing
DAY = 86_400.0


class Keeping:
    """The care of one database's records. Made with `url`, records are sent to that server."""

    def __init__(
        self,
        database: Database,
        *,
        url: str | None = None,
        keep_days: float | None = None,
        every: float = SHIP_SECONDS,
        report: Report = no_report,
    ) -> None:
        """Raises UsageError for a URL that cannot be one, or when psycopg is not installed."""
        self._database = database
        self._shipper = Shipper(database, url) if url else None
        self._keep_days = keep_days
        self._every = every
        self._report = report
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Begin, in the running loop; without anything to do there is no task."""
        if self._task is None and (self._shipper or self._keep_days):
            self._task = asyncio.create_task(self._work())

    async def close(self) -> None:
        """End, after one last attempt to send; safe to call twice."""
        task, self._task = self._task, None
        if task is None:
            return
        task.cancel()
        await asyncio.wait({task})
        if self._shipper is not None:
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._sent(self._shipper), LAST_SECONDS)

    async def _work(self) -> None:
        if self._keep_days:
            try:
                await Records(self._database).forget(time.time() - self._keep_days * DAY)
            except ProwessError as error:
                self._report(error)
        if self._shipper is not None:
            await self._shipper.keep_on(every=self._every, report=self._report)

    async def _sent(self, shipper: Shipper) -> None:
        try:
            self._report(await shipper.ship())
        except ProwessError as error:
            self._report(error)
