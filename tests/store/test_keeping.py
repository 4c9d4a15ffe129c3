from __future__ import annotations

import asyncio
import time
from pathlib import Path

import pytest
from tests.store.postgres_server import Server
from tests.store.remembering import call, rows

from prowess.errors import ConnectionFailed, ProwessError, StoreFailed, UsageError
from prowess.store.database import Database
from prowess.store.keeping import Keeping
from prowess.store.records import Records
from prowess.store.shipping import Shipped

SECONDS = 30


def test_with_nothing_to_do_nothing_is_started(database: Database, file: Path) -> None:
    async def work() -> None:
        keeping = Keeping(database)
        keeping.start()
        assert len(asyncio.all_tasks()) == 1
        await keeping.close()

    asyncio.run(work())
    assert not file.exists()


def test_what_is_older_than_wanted_is_forgotten(database: Database) -> None:
    async def work() -> None:
        await Records(database).commit(call(id="old", started=time.time() - 8 * 86_400))
        await Records(database).commit(call(id="new", started=time.time()))
        keeping = Keeping(database, keep_days=7)
        keeping.start()
        keeping.start()
        for _ in range(10_000):
            if rows(database, "SELECT id FROM calls") == [("new",)]:
                break
            await asyncio.sleep(0)
        else:
            pytest.fail("the old record is still there")
        await keeping.close()
        await keeping.close()

    asyncio.run(work())


def test_a_database_that_fails_is_told(file: Path, database: Database) -> None:
    file.parent.mkdir()
    file.write_bytes(b"nonsense" * 1_000)
    news: asyncio.Queue[Shipped | ProwessError] = asyncio.Queue()

    async def work() -> None:
        keeping = Keeping(database, keep_days=7, report=news.put_nowait)
        keeping.start()
        assert isinstance(await asyncio.wait_for(news.get(), SECONDS), StoreFailed)
        await keeping.close()

    asyncio.run(work())


def test_closing_sends_what_is_left(database: Database, postgres: Server) -> None:
    psycopg = pytest.importorskip("psycopg")
    news: asyncio.Queue[Shipped | ProwessError] = asyncio.Queue()

    async def work() -> None:
        keeping = Keeping(database, url=postgres.url, every=3_600, report=news.put_nowait)
        keeping.start()
        assert await asyncio.wait_for(news.get(), SECONDS) == Shipped(sent=0)
        await Records(database).commit(call(id="left"))
        await keeping.close()
        assert news.get_nowait() == Shipped(sent=1)

    asyncio.run(work())
    with psycopg.connect(postgres.url, autocommit=True) as connection:
        assert connection.execute("SELECT id FROM prowess_calls").fetchall() == [("left",)]
        connection.execute("DROP SCHEMA public CASCADE")
        connection.execute("CREATE SCHEMA public")


def test_closing_does_not_fail_for_a_server_that_is_away(database: Database, tmp_path: Path) -> None:
    pytest.importorskip("psycopg")
    news: asyncio.Queue[Shipped | ProwessError] = asyncio.Queue()

    async def work() -> None:
        keeping = Keeping(database, url=f"postgresql:///postgres?host={tmp_path}", report=news.put_nowait)
        keeping.start()
        assert isinstance(await asyncio.wait_for(news.get(), SECONDS), ConnectionFailed)
        await asyncio.wait_for(keeping.close(), SECONDS)
        assert isinstance(news.get_nowait(), ConnectionFailed)

    asyncio.run(work())


def test_a_url_that_is_none_is_said_at_once(database: Database) -> None:
    with pytest.raises(UsageError):
        Keeping(database, url="http://example.com")
