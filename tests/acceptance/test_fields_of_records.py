"""`[redaction]`, `[records]` and `[log]`, through a Host opened from a file: each field acts."""

from __future__ import annotations

import json
import sqlite3
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tests.acceptance.configured import Bench, ledger
from tests.store.postgres_server import Server, programs, running

from prowess.provider import Caller
from prowess.store.database import Database
from prowess.store.records import Records
from prowess.store.remembered import CallRecord
from prowess.store.reports import Filter, calls

pytestmark = pytest.mark.anyio

MAIL = "ann.miller@ledger-books.org"
DAY = 86_400.0


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    return Bench(tmp_path)


@pytest.mark.field("redaction.personal")
@pytest.mark.parametrize(("personal", "seen"), [("true", False), ("false", True)])
async def test_personal_data_is_masked_where_something_is_written(
    bench: Bench, personal: str, seen: bool
) -> None:
    events: list[Any] = []
    opened = bench.told(f"[redaction]\npersonal = {personal}", ledger(), sink=events.append)
    async with opened as host:
        await host.call("write", {"to": MAIL})
    assert (MAIL in json.dumps(events)) is seen


async def kept(file: Path | None = None) -> tuple[CallRecord, ...]:
    database = Database(str(file) if file is not None else None)
    found = await database.run(lambda connection: calls(connection, Filter(), 100))
    database.close()
    return found


@pytest.mark.field("records.sqlite")
async def test_records_are_in_the_file_that_is_named(bench: Bench) -> None:
    text = '[records]\nsqlite = "state/own.sqlite3"'
    async with bench.told(text, ledger(), store=None, clock=None) as host:
        result = await host.call_recorded("write")
    assert [each.id for each in await kept(bench.folder / "state" / "own.sqlite3")] == [result.record]
    assert await kept() == ()


@pytest.mark.field("records.keep_days")
async def test_records_older_than_that_are_forgotten(bench: Bench) -> None:
    async with bench.told("", ledger(), store=None, clock=None) as host:
        for _ in range(2):
            await host.call("write", caller=Caller(principal="ann"))
    old, new = await kept()
    database = Database()
    await Records(database).commit(replace(old, started=time.time() - 8 * DAY))
    database.close()
    async with bench.told("[records]\nkeep_days = 9", ledger(), store=None, clock=None):
        assert {each.id for each in await kept()} == {old.id, new.id}
    async with bench.told("[records]\nkeep_days = 7", ledger(), store=None, clock=None):
        assert {each.id for each in await kept()} == {new.id}


@pytest.fixture(scope="module")
def postgres() -> Iterator[Server]:
    binaries = programs()
    if binaries is None:
        pytest.skip("needs the server programs of PostgreSQL (initdb, pg_ctl)")
    with running(binaries) as server:
        yield server


@pytest.mark.field("records.postgres")
async def test_records_are_sent_on_when_the_host_closes_at_the_latest(
    bench: Bench, postgres: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    psycopg = pytest.importorskip("psycopg")
    monkeypatch.setenv("RECORDS_URL", postgres.url)
    text = '[records]\npostgres = { env = "RECORDS_URL" }'
    async with bench.told(text, ledger(), store=None, clock=None) as host:
        result = await host.call_recorded("write")
    with psycopg.connect(postgres.url) as connection:
        found = connection.execute("SELECT count(*) FROM prowess_calls WHERE id = %s", [result.record])
        assert found.fetchone() == (1,)


async def test_a_server_for_records_that_is_away_fails_no_call(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RECORDS_URL", "postgresql://nobody@127.0.0.1:1/none")
    events: list[Any] = []
    text = '[records]\npostgres = { env = "RECORDS_URL" }'
    opened = bench.told(text, ledger(), store=None, clock=None, sink=events.append)
    async with opened as host:
        assert (await host.call_recorded("write")).word == "answered"
    assert len(await kept()) == 1
    assert "records-waiting" in {each["event"] for each in events}


def lines(file: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in file.read_text().splitlines()]


@pytest.mark.field("log.to")
async def test_each_call_is_lines_in_the_file_that_is_named(bench: Bench) -> None:
    async with bench.told('[log]\nto = "calls.log"', ledger()) as host:
        await host.call("write", {"call": 7})
    found = lines(bench.folder / "calls.log")
    assert [each["event"] for each in found] == ["call-arguments", "call-result"]
    assert found[0]["arguments"] == {"call": 7}


@pytest.mark.field("log.max_bytes", "log.kept")
@pytest.mark.parametrize("number", [1, 2])
async def test_a_log_is_put_aside_at_a_size_and_so_many_are_kept(bench: Bench, number: int) -> None:
    text = f'[log]\nto = "calls.log"\nmax_bytes = 100_000\nkept = {number}'
    async with bench.told(text, ledger()) as host:
        for _ in range(6):
            await host.call("write", {"text": "many words " * 4_000})
    files = sorted(each.name for each in bench.folder.glob("calls.log*"))
    assert files == ["calls.log", *(f"calls.log.{each}" for each in range(1, number + 1))]
    assert all((bench.folder / each).stat().st_size <= 100_000 for each in files)


async def test_a_damaged_record_file_is_said_before_anything_is_started(bench: Bench) -> None:
    file = bench.folder / "own.sqlite3"
    with sqlite3.connect(file) as connection:
        connection.execute("CREATE TABLE other (a)")
    connection.close()
    file.write_bytes(b"x" * 5_000)
    from prowess.errors import StoreFailed

    text = '[records]\nsqlite = "own.sqlite3"\nkeep_days = 3'
    with pytest.raises(StoreFailed):
        async with bench.told(text, ledger(), store=None, clock=None):
            raise AssertionError("it never opens")
