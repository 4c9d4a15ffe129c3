"""A database that several processes share: who sees what when, and what happens while it is away."""

from __future__ import annotations

import asyncio
import random
import string
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from tests.store.postgres_server import Server
from tests.store.remembering import asking, pin

from prowess.call.pinning import Pins as PinnedTools
from prowess.capability.offer import Tool
from prowess.errors import StoreFailed, UsageError
from prowess.provider import Refused
from prowess.store.shared import REST, SharedDatabase, name_in, name_out
from prowess.store.shared_approvals import SharedApprovals
from prowess.store.shared_pins import FRESH, STALE, SharedPins
from prowess.store.shared_texts import SharedTexts, Text

psycopg = pytest.importorskip("psycopg")


@pytest.fixture
def other(shared: SharedDatabase, postgres: Server) -> Iterator[SharedDatabase]:
    """The same database, as another process has it."""
    made = SharedDatabase(postgres.url)
    yield made
    made.close()


class Time:
    def __init__(self) -> None:
        self.now = 1_000.0

    def __call__(self) -> float:
        return self.now


KEY = ("package", "invoices", "query_invoices")


def test_what_one_process_pins_approves_or_forgets_counts_in_another(
    shared: SharedDatabase, other: SharedDatabase
) -> None:
    clock = Time()
    mine, theirs = SharedPins(shared, clock=clock), SharedPins(other, clock=clock)

    async def work() -> None:
        assert await theirs.get(*KEY) is None
        await mine.first(pin())
        assert await theirs.first(pin(digest="sha256:two")) == pin(), "the first one counts, whoever had it"
        await theirs.replace(pin(digest="sha256:three"))
        clock.now += FRESH + 0.1
        assert await mine.get(*KEY) == pin(digest="sha256:three")
        await theirs.forget(*KEY)
        clock.now += FRESH + 0.1
        assert await mine.get(*KEY) is None

    asyncio.run(work())


def test_any_number_of_looks_is_one_question_a_second(
    shared: SharedDatabase, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = Time()
    asked: list[Any] = []
    pins = SharedPins(shared, clock=clock)
    run = shared.now

    def counted(work: Any) -> Any:
        asked.append(work)
        return run(work)

    monkeypatch.setattr(shared, "now", counted)

    async def work() -> None:
        for number in range(5):
            await pins.first(pin(tool=str(number)))
        asked.clear()
        for _ in range(3):
            await asyncio.gather(*(pins.get("package", "invoices", str(each % 5)) for each in range(100)))
        assert len(asked) == 1
        clock.now += FRESH + 0.1
        await asyncio.gather(*(pins.get("package", "invoices", str(each % 5)) for each in range(100)))
        assert len(asked) == 2

    asyncio.run(work())


def test_a_change_that_is_committed_late_is_seen(shared: SharedDatabase, postgres: Server) -> None:
    clock = Time()
    pins = SharedPins(shared, clock=clock)

    async def work() -> None:
        for tool in "ab":
            await pins.first(pin(tool=tool))
        with psycopg.connect(postgres.url) as slow:
            slow.execute(
                "UPDATE prowess_pins SET digest = 'late', number = DEFAULT WHERE tool = 'a'"
            )  # not committed yet
            await pins.replace(pin(tool="b", digest="sha256:soon"))
            assert [each.digest for each in await pins.all("package")] == ["sha256:one", "sha256:soon"]
            slow.commit()
        clock.now += FRESH + 0.1
        found = await pins.get("package", "invoices", "a")
        assert found is not None and found.digest == "late"

    asyncio.run(work())


def test_a_name_that_no_index_takes_is_kept(shared: SharedDatabase) -> None:
    long = "".join(random.Random(7).choices(string.printable, k=20_000))
    odd = pin(scope=long, server=long, tool=long)

    async def work() -> None:
        assert await SharedPins(shared).first(odd) == odd
        assert await SharedPins(shared).get(long, long, long) == odd

    asyncio.run(work())


def test_many_who_come_first_at_once_agree(postgres: Server, shared: SharedDatabase) -> None:
    def first(number: int) -> str:
        database = SharedDatabase(postgres.url)
        try:
            return asyncio.run(SharedPins(database).first(pin(digest=f"sha256:{number}"))).digest
        finally:
            database.close()

    with ThreadPoolExecutor(6) as threads:
        assert len(set(threads.map(first, range(6)))) == 1


def test_an_answer_is_used_up_by_one_of_many_processes(postgres: Server, shared: SharedDatabase) -> None:
    async def ask() -> None:
        await SharedApprovals(shared, clock=lambda: 1_100.0).ask(asking())
        assert await SharedApprovals(shared, clock=lambda: 1_100.0).answer("sha256:asked", True, until=2_000)

    def spend(_: int) -> bool | None:
        database = SharedDatabase(postgres.url)
        try:
            return asyncio.run(SharedApprovals(database).spend("sha256:asked", now=1_100))
        finally:
            database.close()

    asyncio.run(ask())
    with ThreadPoolExecutor(6) as threads:
        assert sorted(map(str, threads.map(spend, range(6)))) == [*["None"] * 5, "True"]


def test_a_text_is_changed_by_one_at_a_time(postgres: Server, shared: SharedDatabase) -> None:
    def add(number: int) -> None:
        database = SharedDatabase(postgres.url)
        try:
            asyncio.run(SharedTexts(database).change("a", lambda now: (f"{now.text}{number}", None)))
        finally:
            database.close()

    with ThreadPoolExecutor(6) as threads:
        list(threads.map(add, range(6)))
    found = asyncio.run(SharedTexts(shared).read("a"))
    assert found.number == 6 and sorted(found.text) == list("012345")
    assert asyncio.run(SharedTexts(shared).read("b")) == Text()


def test_a_change_that_raises_changes_nothing(shared: SharedDatabase) -> None:
    texts = SharedTexts(shared)

    def refuse(now: Text) -> Any:
        raise UsageError("no")

    async def work() -> None:
        await texts.change("a", lambda _: ("one", None))
        with pytest.raises(UsageError):
            await texts.change("a", refuse)
        assert await texts.change("a", lambda now: (None, now.text)) == (Text(1, "one"), "one")

    asyncio.run(work())


def test_pins_hold_for_a_while_when_the_server_is_away_and_then_close(
    shared: SharedDatabase, postgres: Server
) -> None:
    clock = Time()
    pins = SharedPins(shared, clock=clock)
    tool = Tool(server="stub", wire={"name": "greet", "inputSchema": {"type": "object"}})
    tools = PinnedTools(pins, scope="package")

    async def work() -> None:
        assert await tools.refusal(tool) is None
        postgres.stop()
        try:
            clock.now += STALE - 1
            assert await tools.refusal(tool) is None
            clock.now += 2
            refused = await tools.refusal(tool)
            assert isinstance(refused, Refused) and refused.code == "pins-unreadable"
            with pytest.raises(StoreFailed):
                await pins.replace(pin())
        finally:
            postgres.start()
        await asyncio.sleep(REST)  # for so long nobody asks a server that was away
        assert await tools.refusal(tool) is None

    asyncio.run(work())


def test_a_connection_that_was_lost_is_made_anew(shared: SharedDatabase, postgres: Server) -> None:
    asyncio.run(SharedPins(shared).first(pin()))
    with psycopg.connect(postgres.url, autocommit=True) as connection:
        connection.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
            "WHERE application_name = 'prowess' AND pid <> pg_backend_pid()"
        )
    assert asyncio.run(SharedPins(shared).get(*KEY)) == pin()


def test_no_password_is_in_what_is_said_of_a_server_that_is_away() -> None:
    database = SharedDatabase("postgresql://me:s3cr3t-of-mine@127.0.0.1:1/none")
    for _ in range(2):
        with pytest.raises(StoreFailed) as caught:
            database.now(lambda connection: None)
        assert "s3cr3t" not in caught.value.message + caught.value.hint


def test_tables_of_the_format_before_are_brought_to_this_one(
    shared: SharedDatabase, postgres: Server
) -> None:
    from prowess.store.postgres import FORMAT, STEPS

    with psycopg.connect(postgres.url, autocommit=True) as connection:
        connection.execute("CREATE TABLE prowess_format (format integer NOT NULL)")
        connection.execute("INSERT INTO prowess_format VALUES (1)")
        for statement in STEPS[0]:
            connection.execute(statement)
        asyncio.run(SharedPins(shared).first(pin()))
        assert connection.execute("SELECT format FROM prowess_format").fetchall() == [(FORMAT,)]


@pytest.mark.parametrize("name", ["", "plain", "ü/漢", "a\0b", "\ud800", 'quote " and \\ back', "\x7f"])
def test_every_name_comes_back(name: str) -> None:
    held = name_in(name)
    assert name_out(held) == name
    assert "\0" not in held and held.isascii()
