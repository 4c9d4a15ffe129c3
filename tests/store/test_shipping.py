"""Records sent on to a real PostgreSQL server."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import pytest
from tests.store.postgres_server import Server
from tests.store.remembering import call, decision, request, rows

from prowess.errors import ConnectionFailed, ProwessError, StoreFailed, UsageError
from prowess.store.database import Database
from prowess.store.records import NAMES, Records
from prowess.store.remembered import CallRecord, DecisionRecord, Record, RequestRecord
from prowess.store.shipping import Shipped, Shipper

if "postgres" in os.environ.get("PROWESS_REQUIRE", ""):
    import psycopg
else:
    psycopg = pytest.importorskip("psycopg", reason="needs psycopg: pip install 'prowess[postgres]'")
SECONDS = 30


@pytest.fixture
def server(postgres: Server) -> Iterator[Server]:
    """The server without any table of ours, and running again afterwards."""
    yield postgres
    with psycopg.connect(postgres.url, autocommit=True) as connection:
        connection.execute("DROP SCHEMA public CASCADE")
        connection.execute("CREATE SCHEMA public")


def there(server: Server, query: str) -> list[tuple[Any, ...]]:
    with psycopg.connect(server.url) as connection:
        found: list[tuple[Any, ...]] = connection.execute(query).fetchall()
        return found


def keep(database: Database, records: Sequence[Record]) -> None:
    async def work() -> None:
        for each in records:
            await Records(database).commit(each)

    asyncio.run(work())


def marks(database: Database) -> dict[str, int]:
    return dict(rows(database, "SELECT records, number FROM shipped"))


def test_every_kind_of_record_arrives_as_it_was(database: Database, server: Server) -> None:
    made: dict[type[Record], Record] = {
        CallRecord: call(),
        DecisionRecord: decision(calls=("one", "two")),
        RequestRecord: request(call="one"),
    }
    keep(database, list(made.values()))
    assert Shipper(database, server.url).ship_now() == Shipped(sent=3)
    for kind, table in ((CallRecord, "calls"), (DecisionRecord, "decisions"), (RequestRecord, "requests")):
        names = ["extract(epoch from started)" if n == "started" else n for n in NAMES[kind]]
        (row,) = there(server, f"SELECT {', '.join(names)} FROM prowess_{table}")
        arrived = dict(zip(NAMES[kind], row, strict=True))
        arrived["started"] = float(arrived["started"])
        expected = {n: list(v) if isinstance(v, tuple) else v for n, v in asdict(made[kind]).items()}
        assert arrived == expected


def test_batches_go_on_where_the_last_one_stopped(database: Database, server: Server) -> None:
    keep(database, [call() for _ in range(25)])
    shipper = Shipper(database, server.url, batch=10)
    assert shipper.ship_now() == Shipped(sent=25)
    assert shipper.ship_now() == Shipped(sent=0)
    keep(database, [call() for _ in range(3)])
    assert Shipper(Database(database.file), server.url).ship_now() == Shipped(sent=3)
    assert there(server, "SELECT count(*) FROM prowess_calls") == [(28,)]
    assert marks(database) == {"calls": 28}


def test_sending_everything_again_changes_nothing(database: Database, server: Server) -> None:
    keep(database, [call() for _ in range(5)])
    shipper = Shipper(database, server.url)
    shipper.ship_now()
    before = there(server, "SELECT * FROM prowess_calls ORDER BY id")
    shipper.begin_anew()
    assert shipper.ship_now() == Shipped(sent=5)
    assert there(server, "SELECT * FROM prowess_calls ORDER BY id") == before


def test_a_replaced_record_is_sent_again_and_an_older_state_never_wins(
    database: Database, server: Server
) -> None:
    first = decision()
    keep(database, [first])
    shipper = Shipper(database, server.url)
    shipper.ship_now()
    keep(database, [replace(first, calls=("one",))])
    assert shipper.ship_now() == Shipped(sent=1)
    assert there(server, "SELECT calls, number FROM prowess_decisions") == [(["one"], 2)]
    database.now(lambda connection: connection.execute("UPDATE decisions SET number = 1, calls = '[]'"))
    shipper.begin_anew()
    shipper.ship_now()
    assert there(server, "SELECT calls, number FROM prowess_decisions") == [(["one"], 2)]


def test_names_that_postgres_does_not_take_arrive_as_escapes(database: Database, server: Server) -> None:
    keep(
        database, [call(tool="a\0b", skill="lone \ud800"), decision(shown=("a\0b", "\udfff"), utterance="\0")]
    )
    assert Shipper(database, server.url).ship_now() == Shipped(sent=2)
    assert there(server, "SELECT tool, skill FROM prowess_calls") == [("a\\x00b", "lone \\ud800")]
    assert there(server, "SELECT shown FROM prowess_decisions") == [(["a\\x00b", "\\udfff"],)]


def test_one_record_that_is_not_taken_does_not_hold_up_the_others(database: Database, server: Server) -> None:
    keep(database, [call(id="before"), call(id="never", started=1e300), call(id="after")])
    shipper = Shipper(database, server.url)
    assert shipper.ship_now() == Shipped(sent=2, refused=1)
    assert there(server, "SELECT id FROM prowess_calls ORDER BY id") == [("after",), ("before",)]
    assert shipper.ship_now() == Shipped()


def test_a_server_that_is_away_loses_nothing(database: Database, server: Server) -> None:
    keep(database, [call() for _ in range(3)])
    shipper = Shipper(database, server.url)
    shipper.ship_now()
    server.stop()
    try:
        keep(database, [call() for _ in range(4)])
        with pytest.raises(ConnectionFailed) as caught:
            shipper.ship_now()
        assert "s3cr3t-of-mine" not in caught.value.message
        assert marks(database) == {"calls": 3}
    finally:
        server.start()
    assert shipper.ship_now() == Shipped(sent=4)
    assert there(server, "SELECT count(*) FROM prowess_calls") == [(7,)]


def test_it_goes_on_by_itself_until_it_is_cancelled(database: Database, server: Server) -> None:
    news: asyncio.Queue[Shipped | ProwessError] = asyncio.Queue()

    async def work() -> None:
        keeping = asyncio.create_task(
            Shipper(database, server.url).keep_on(every=0.01, report=news.put_nowait)
        )
        for _ in range(3):
            await Records(database).commit(call())
            sent = Shipped()
            while sent == Shipped():
                told = await asyncio.wait_for(news.get(), SECONDS)
                assert isinstance(told, Shipped)
                sent = told
            assert sent == Shipped(sent=1)
        keeping.cancel()
        with pytest.raises(asyncio.CancelledError):
            await keeping

    asyncio.run(work())
    assert there(server, "SELECT count(*) FROM prowess_calls") == [(3,)]


def test_it_goes_on_while_the_server_cannot_be_reached(database: Database, tmp_path: Path) -> None:
    news: asyncio.Queue[Shipped | ProwessError] = asyncio.Queue()

    async def work() -> None:
        shipper = Shipper(database, f"postgresql:///postgres?host={tmp_path}")
        keeping = asyncio.create_task(shipper.keep_on(every=0.001, report=news.put_nowait))
        for _ in range(3):
            assert isinstance(await asyncio.wait_for(news.get(), SECONDS), ConnectionFailed)
        keeping.cancel()

    asyncio.run(work())


KILLED = """
import sys
from prowess.store.database import Database
from prowess.store.shipping import Shipper
shipper = Shipper(Database(sys.argv[1]), sys.argv[2], batch=1)
real = shipper._database.now
def now(work):
    print("step", flush=True)
    return real(work)
shipper._database.now = now
shipper.ship_now()
"""


def test_a_shipper_killed_anywhere_goes_on_where_it_stopped(
    database: Database, server: Server, file: Path
) -> None:
    keep(database, [call() for _ in range(30)])
    for steps in (3, 8):
        command = [sys.executable, "-c", KILLED, str(file), server.url]
        with subprocess.Popen(command, stdout=subprocess.PIPE, env={**os.environ}) as shipping:
            assert shipping.stdout is not None
            assert [shipping.stdout.readline() for _ in range(steps)] == [b"step\n"] * steps
            shipping.kill()
    before = marks(database).get("calls", 0)
    assert before > 0
    shipped = Shipper(database, server.url).ship_now()
    assert shipped.sent == 30 - before
    assert there(server, "SELECT count(*), count(DISTINCT id) FROM prowess_calls") == [(30, 30)]


def test_two_shippers_that_come_first_at_once_do_not_collide(database: Database, server: Server) -> None:
    keep(database, [call() for _ in range(20)])

    async def work() -> None:
        shippers = [Shipper(Database(database.file), server.url, batch=3) for _ in range(3)]
        await asyncio.gather(*(each.ship() for each in shippers))

    asyncio.run(work())
    assert there(server, "SELECT count(*) FROM prowess_calls") == [(20,)]
    assert marks(database) == {"calls": 20}


def test_tables_of_a_newer_prowess_are_left_alone(database: Database, server: Server) -> None:
    from prowess.store.postgres import FORMAT

    keep(database, [call()])
    shipper = Shipper(database, server.url)
    shipper.ship_now()
    with psycopg.connect(server.url, autocommit=True) as connection:
        connection.execute("UPDATE prowess_format SET format = %s", [FORMAT + 1])
    with pytest.raises(StoreFailed, match=f"format {FORMAT + 1}"):
        shipper.ship_now()


def test_a_server_without_leave_to_make_tables_is_said(database: Database, server: Server) -> None:
    keep(database, [call()])
    with psycopg.connect(server.url, autocommit=True) as connection:
        connection.execute("DROP SCHEMA public CASCADE")
    try:
        with pytest.raises(StoreFailed):
            Shipper(database, server.url).ship_now()
    finally:
        with psycopg.connect(server.url, autocommit=True) as connection:
            connection.execute("CREATE SCHEMA public")
    assert marks(database) == {}


@pytest.mark.parametrize(
    "url", ["", "http://example.com", "postgresql://a:s3cr3t@h/db?nonsense=1", "postgresql://a:s3cr3t@h:x y/"]
)
def test_a_url_that_is_none_is_refused_without_being_repeated(url: str, database: Database) -> None:
    with pytest.raises(UsageError) as caught:
        Shipper(database, url).ship_now()
    assert "s3cr3t" not in caught.value.message + caught.value.hint


def test_without_psycopg_the_way_to_get_it_is_said(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "psycopg", None)
    with pytest.raises(UsageError) as caught:
        Shipper(database, "postgresql://h/db")
    assert "prowess[postgres]" in caught.value.hint


def test_no_password_is_kept(database: Database, server: Server) -> None:
    keep(database, [call()])
    Shipper(database, server.url).ship_now()
    database.close()
    assert b"s3cr3t" not in Path(database.file).read_bytes()
