"""Records for the pages of the console, and a store of their own."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

from prowess.host.storing import Store
from prowess.store.remembered import Record


@contextmanager
def store_in(folder: Path) -> Iterator[Store]:
    """A store in a file of that folder."""
    store = Store.on_disk(str(folder / "kept.sqlite3"))
    try:
        yield store
    finally:
        store.close()


def keep(store: Store, *records: Record) -> None:
    """Write records as a call would."""

    async def work() -> None:
        for each in records:
            await store.recorder.commit(each)

    with ThreadPoolExecutor(1) as pool:  # a browser's loop may be running in this thread
        pool.submit(asyncio.run, work()).result()
