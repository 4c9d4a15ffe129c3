from __future__ import annotations

import asyncio

from tests.store.remembering import call

from prowess.store.database import Database
from prowess.store.records import Records
from prowess.store.reports_by_server import Ended, by_server


def test_calls_are_counted_by_server_and_those_without_an_answer_too(database: Database) -> None:
    outcomes = ("answered", "input-required", "lost", "refused", "tool-failed", "timed-out")
    made = [call(server="a", outcome=each, started=100.0) for each in outcomes]
    made += [call(server="lone \ud800", started=100.0), call(server="a", started=10.0)]

    async def work() -> None:
        for each in made:
            await Records(database).commit(each)

    asyncio.run(work())
    assert database.now(lambda connection: by_server(connection, 50.0)) == {
        "a": Ended(calls=6, failed=4),
        "lone \ud800": Ended(calls=1, failed=0),
    }
