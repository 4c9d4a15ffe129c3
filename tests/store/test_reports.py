from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.store.remembering import CALL, call, decision, request, rows

from prowess.errors import NotFound, StoreFailed
from prowess.store.database import Database
from prowess.store.records import Records, record_of, row_of
from prowess.store.remembered import CallRecord, DecisionRecord, Record
from prowess.store.reports import Failure, Filter, ToolSummary, calls, percentile, story, summary


def keep(database: Database, records: Sequence[Record]) -> None:
    async def work() -> None:
        for each in records:
            await Records(database).commit(each)

    asyncio.run(work())


def found(database: Database, limit: int = 100, **wanted: Any) -> list[str]:
    """The ids of the calls that a filter means."""
    listed = database.now(lambda connection: calls(connection, Filter(**wanted), limit))
    return [each.id for each in listed]


def test_every_kind_of_record_comes_back_as_it_was(database: Database) -> None:
    made = (
        call(trace_id="t" * 32, tool="lone \ud800", skill="a\0b"),
        decision(trace_id="t" * 32, utterance="ü \udfff", calls=("one", "two"), shown=()),
        request(trace_id="t" * 32, call="one"),
    )
    keep(database, made)
    told = database.now(lambda connection: story(connection, "t" * 32))
    assert (*told.calls, *told.decisions, *told.requests) == made


@given(st.builds(DecisionRecord, shown=st.lists(st.text()).map(tuple), calls=st.lists(st.text()).map(tuple)))
def test_a_record_survives_its_row(record: DecisionRecord) -> None:
    assert record_of(DecisionRecord, row_of(record)) == record


def test_the_latest_calls_come_first_and_no_more_than_asked(database: Database) -> None:
    made = [call(id=f"call-{number}", started=1_000.0 + number) for number in (3, 1, 2)]
    keep(database, made)
    assert found(database) == ["call-3", "call-2", "call-1"]
    assert found(database, 2) == ["call-3", "call-2"]


def test_each_filter_acts(database: Database) -> None:
    plain = call(id="plain", principal="ann", conversation="c1", trace_id="a" * 32, started=1_000.0)
    other = call(
        id="other",
        tool="send_reminder",
        server="mail",
        outcome="lost",
        principal="bob",
        conversation="c2",
        trace_id="b" * 32,
        started=2_000.0,
    )
    keep(database, [plain, other])
    for wanted in (
        {"tool": "send_reminder"}, {"tool": "send_*"}, {"server": "mail"}, {"server": "m?il"},
        {"outcome": "lost"},
        {"caller": "bob"}, {"caller": "c2"}, {"trace": "b" * 32}, {"trace": "bbb"}, {"since": 1_500.0},
    ):  # fmt: skip
        assert found(database, **wanted) == ["other"], wanted
    assert found(database, tool="send_reminder", outcome="answered") == []
    assert found(database, tool="Send_*") == [], "the case counts"
    assert found(database, since=1_000.0) == ["other", "plain"]


def test_filters_are_values_and_never_statements(database: Database) -> None:
    keep(database, [call(id="one")])
    for evil in ("' OR 1=1 --", "'; DROP TABLE calls; --", "[", "\0", "\ud800"):
        assert found(database, tool=evil, server=evil, outcome=evil, caller=evil, trace=evil) == []
    assert found(database) == ["one"]


def test_a_summary_counts_times_and_reasons(database: Database) -> None:
    made = [call(duration_ms=float(number)) for number in range(1, 101)]
    made += [call(outcome="refused", code="denied", duration_ms=0.1) for _ in range(3)]
    made += [call(outcome="refused", code="invalid-arguments", duration_ms=0.1)]
    made += [call(tool="a_tool", outcome="timed-out", duration_ms=5_000.0) for _ in range(2)]
    made += [call(tool="a_tool", outcome="lost", code="unfinished", duration_ms=0.1)]
    keep(database, made)
    whole = database.now(lambda connection: summary(connection, Filter()))
    assert (whole.calls, whole.answered, whole.refused) == (107, 100, 4)
    assert (whole.p50_ms, whole.p95_ms) == (51.0, 97.0)
    assert whole.tools == (
        ToolSummary(
            server="invoices", tool="a_tool", calls=3, answered=0, refused=0, p50_ms=5_000.0, p95_ms=5_000.0
        ),
        ToolSummary(
            server="invoices",
            tool="query_invoices",
            calls=104,
            answered=100,
            refused=4,
            p50_ms=50.0,
            p95_ms=95.0,
        ),
    )
    assert whole.failures == (
        Failure(outcome="refused", code="denied", calls=3),
        Failure(outcome="timed-out", code="", calls=2),
        Failure(outcome="lost", code="unfinished", calls=1),
        Failure(outcome="refused", code="invalid-arguments", calls=1),
    )
    part = database.now(lambda connection: summary(connection, Filter(outcome="refused")))
    assert (part.calls, part.answered, part.p50_ms, part.p95_ms) == (4, 0, None, None)


def test_a_summary_of_nothing_is_zero(database: Database) -> None:
    empty = database.now(lambda connection: summary(connection, Filter()))
    assert (empty.calls, empty.p50_ms, empty.tools, empty.failures) == (0, None, (), ())


@given(st.lists(st.floats(0, 1e6), min_size=1), st.integers(1, 100))
def test_a_percentile_occurred_and_so_many_are_not_above_it(values: list[float], share: int) -> None:
    ordered = sorted(values)
    found = percentile(ordered, share)
    assert found in ordered
    assert sum(each <= found for each in ordered) * 100 >= share * len(ordered)


def test_a_trace_is_found_by_its_beginning_or_by_the_id_of_a_record(database: Database) -> None:
    own = call(id="call-of-mine", trace_id="aaaa1111")
    keep(database, [own, decision(trace_id="aaaa1111", calls=(own.id,)), call(trace_id="aaaa2222")])
    for named in ("aaaa1111", "aaaa11", "call-of-mine", "call-of"):
        told = database.now(lambda connection, named=named: story(connection, named))  # type: ignore[misc]
        assert (told.trace_id, told.calls) == ("aaaa1111", (own,))
        assert len(told.decisions) == 1


@pytest.mark.parametrize("named", ["", "aaa", "aaaa", "zzzz", "aaaa%", "aaaa1111x"])
def test_a_trace_that_is_not_there_or_not_the_only_one_is_not_found(named: str, database: Database) -> None:
    keep(database, [call(trace_id="aaaa1111"), call(trace_id="aaaa2222")])
    with pytest.raises(NotFound):
        database.now(lambda connection: story(connection, named))


def test_a_trace_asks_an_index(database: Database) -> None:
    keep(database, [call()])
    condition, values = Filter(trace="aaaa").where()
    (plan,) = rows(database, f"EXPLAIN QUERY PLAN SELECT * FROM calls WHERE {condition}", *values)
    assert "calls_by_trace" in plan[3]


def test_what_is_old_can_be_forgotten(database: Database) -> None:
    keep(database, [call(started=10.0), call(id="kept", started=20.0), decision(started=10.0)])
    keep(database, [request(started=10.0), request(started=30.0)])
    assert asyncio.run(Records(database).forget(20.0)) == 3
    assert found(database) == ["kept"]
    assert rows(database, "SELECT count(*) FROM requests") == [(1,)]


def test_a_replaced_record_gets_the_next_number(database: Database) -> None:
    first, second = call(), call()
    keep(database, [first, second, second, first])
    assert rows(database, "SELECT number, id FROM calls ORDER BY number") == [(3, second.id), (4, first.id)]


def test_a_damaged_list_is_an_error(database: Database) -> None:
    keep(database, [decision(trace_id="aaaa1111")])
    database.now(lambda connection: connection.execute("UPDATE decisions SET shown = '['"))
    with pytest.raises(StoreFailed):
        database.now(lambda connection: story(connection, "aaaa1111"))


def test_columns_bear_the_names_of_fields(database: Database) -> None:
    keep(database, [call(id="one")])
    names = [row[1] for row in rows(database, "PRAGMA table_info(calls)")]
    assert names == ["number", *CallRecord.__dataclass_fields__]
    (row,) = rows(database, f"SELECT {', '.join(names[1:])} FROM calls")
    assert json.dumps(row[1:5]) == json.dumps([CALL.tool, CALL.server, CALL.version, CALL.outcome])
