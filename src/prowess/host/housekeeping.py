"""What becomes of records while a Host is open: forgotten when they are old, sent on to PostgreSQL.

`[records]` of `prowess.toml`. Sending never holds a call up and never fails one: what cannot be sent
waits in the local file. It does not know what is in a record.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from prowess.errors import ProwessError
from prowess.host.sections import RecordsSection

if TYPE_CHECKING:
    from prowess.store.database import Database
    from prowess.store.shipping import Shipped, Shipper

DAY = 86_400.0
LAST_SECONDS = 5.0  # for what was recorded since the last round; the rest goes with the next Host

Log = Callable[..., None]


class Housekeeping:
    """Begun when a Host opens and ended before its file is closed."""

    def __init__(self, section: RecordsSection, database: Database, log: Log) -> None:
        self._section = section
        self._database = database
        self._log = log
        self._shipper: Shipper | None = None
        self._rounds: asyncio.Task[None] | None = None

    async def begin(self) -> None:
        """Forget, and start sending. Raises ProwessError where the section asks for what cannot be had."""
        if self._section.keep_days is not None:
            from prowess.store.records import Records

            before = time.time() - self._section.keep_days * DAY
            await Records(self._database).forget(before)
        if self._section.postgres is not None:
            from prowess.credentials.reading import read_secret
            from prowess.store.shipping import Shipper

            url = await asyncio.to_thread(read_secret, self._section.postgres)
            self._shipper = Shipper(self._database, url)
            self._rounds = asyncio.ensure_future(self._shipper.keep_on(report=self._hear))

    async def end(self) -> None:
        """Send what is left, as far as that is quickly done."""
        if self._rounds is None or self._shipper is None:
            return
        self._rounds.cancel()
        last = asyncio.ensure_future(self._last(self._shipper))
        await asyncio.wait({last, self._rounds}, timeout=LAST_SECONDS)

    async def _last(self, shipper: Shipper) -> None:
        try:
            self._hear(await shipper.ship())
        except ProwessError as error:
            self._hear(error)

    def _hear(self, news: Shipped | ProwessError) -> None:
        if isinstance(news, ProwessError):
            self._log("records-waiting", error=news.message)
        elif news.sent or news.refused:
            self._log("records-sent", sent=news.sent, refused=news.refused)
