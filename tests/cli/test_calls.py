from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
import time
from collections.abc import Sequence
from typing import Any

import pytest
from tests.store.remembering import call, decision, request

from prowess.errors import UsageError
from prowess.store.database import Database, default_file
from prowess.store.moments import moment
from prowess.store.records import Records
from prowess.store.remembered import Record


def keep(*records: Record) -> None:
    database = Database()

    async def work() -> None:
        for each in records:
            await Records(database).commit(each)

    asyncio.run(work())
    database.close()


def ids(ran: Any) -> list[str]:
    assert ran.status == 0
    return [each["id"] for each in ran.json["calls"]]


def test_without_records_there_are_no_calls_and_no_file_is_made(prowess: Any) -> None:
    assert prowess("calls").err == "no calls\n"
    assert prowess("calls", "--json").json == {"calls": []}
    assert prowess("calls", "--summary", "--json").json["calls"] == 0
    assert prowess("calls", "--forget", "1d").out == "0 records deleted\n"
    assert prowess("calls", "--story", "abcdef").status == 2
    assert not os.path.exists(default_file())


def test_calls_are_listed_the_latest_first(prowess: Any) -> None:
    keep(
        call(id="first", started=1_000.0),
        call(id="second", started=2_000.0, outcome="refused", code="denied"),
        call(id="third", started=3_000.0, attempts=3, duration_ms=1_234.5),
    )
    ran = prowess("calls")
    assert ran.status == 0
    third, second, first = ran.out.splitlines()
    assert third.endswith("third  invoices/query_invoices: answered, 1234 ms, 3 attempts")
    assert "refused (denied)" in second
    assert first.endswith("first  invoices/query_invoices: answered, 12.5 ms")
    assert ids(prowess("calls", "--json")) == ["third", "second", "first"]
    assert ids(prowess("calls", "--limit", "1", "--json")) == ["third"]


@pytest.mark.parametrize(
    "option",
    [
        ["--tool", "send_reminder"], ["--tool", "send*"], ["--server", "mail"], ["--outcome", "lost"],
        ["--caller", "bob"], ["--caller", "c9"], ["--trace", "bbbb"], ["--since", "1h"],
    ],
    ids=" ".join,
)  # fmt: skip
def test_each_filter_acts(option: list[str], prowess: Any) -> None:
    other = {"tool": "send_reminder", "server": "mail", "outcome": "lost", "principal": "bob"}
    keep(call(), call(id="other", conversation="c9", trace_id="bbbbbb", started=time.time(), **other))
    assert ids(prowess("calls", "--json", *option)) == ["other"]
    assert prowess("calls", "--summary", "--json", *option).json["calls"] == 1


def test_a_call_as_json_has_every_field(prowess: Any) -> None:
    made = call()
    keep(made)
    (shown,) = prowess("calls", "--json").json["calls"]
    assert set(shown) == set(type(made).__dataclass_fields__)


def test_a_summary_says_counts_times_and_reasons(prowess: Any) -> None:
    keep(*(call(duration_ms=float(each)) for each in range(1, 101)))
    keep(call(outcome="refused", code="invalid-arguments"), call(tool="other", outcome="timed-out"))
    ran = prowess("calls", "--summary")
    assert ran.out.splitlines() == [
        "102 calls, 100 answered, 1 refused; p50 50.0 ms, p95 95.0 ms",
        "  invoices/other: 1 call, 0 answered; p50 12.5 ms, p95 12.5 ms",
        "  invoices/query_invoices: 101 calls, 100 answered, 1 refused; p50 50.0 ms, p95 95.0 ms",
        "not answered:",
        "       1  refused (invalid-arguments)",
        "       1  timed-out",
    ]
    shown = prowess("calls", "--summary", "--json").json
    assert (shown["p50_ms"], shown["p95_ms"]) == (50.0, 95.0)
    assert shown["failures"][0] == {"outcome": "refused", "code": "invalid-arguments", "calls": 1}


def story(trace: str = "feedbeef01") -> Sequence[Record]:
    made = call(id="thecall0001", trace_id=trace, started=1_001.0)
    return (
        request(trace_id=trace, call=made.id, started=1_001.5),
        request(trace_id=trace, call=made.id, started=1_001.7, status=0, method="POST"),
        request(trace_id=trace, call="", started=1_003.0, url="https://other.example.com/"),
        made,
        decision(trace_id=trace, calls=(made.id,), started=1_000.0),
        call(started=1_002.0),
    )


@pytest.mark.parametrize("named", ["feedbeef01", "feedbe", "thecall0001"])
def test_choice_call_and_requests_are_read_as_one_story(named: str, prowess: Any) -> None:
    keep(*story())
    ran = prowess("calls", "--story", named)
    assert ran.status == 0
    words = [line[21:].strip() for line in ran.out.splitlines()[1:]]
    assert ran.out.startswith("trace feedbeef01\n")
    assert words == [
        "asked   which invoices are unpaid?",
        "shown: query_invoices, send_reminder; chosen: query_invoices",
        "called  thecall0001  invoices/query_invoices: answered, 12.5 ms",
        "GET https://api.example.com/invoices: 200, 8.2 ms",
        "POST https://api.example.com/invoices: no answer, 8.2 ms",
        "sent    GET https://other.example.com/: 200, 8.2 ms",
    ]
    shown = prowess("calls", "--story", named, "--json").json
    assert [each["id"] for each in shown["calls"]] == ["thecall0001"]
    assert len(shown["requests"]) == 3 and len(shown["decisions"]) == 1


def test_what_is_old_is_deleted_when_asked(prowess: Any) -> None:
    keep(call(id="old", started=time.time() - 8 * 86_400), call(id="new", started=time.time()))
    assert prowess("calls", "--forget", "7d").out == "1 record deleted\n"
    assert ids(prowess("calls", "--json")) == ["new"]
    assert prowess("calls", "--forget", "0s", "--json").json == {"forgotten": 1}


def test_what_records_say_is_fit_for_a_terminal(prowess: Any) -> None:
    evil = "\x1b]0;title\x07\u202e\ud800"
    keep(
        call(id=evil, tool=evil, server=evil, code=evil, outcome="refused", trace_id="aaaa1111"),
        decision(trace_id="aaaa1111", utterance=evil, shown=(evil,), chosen=evil),
        request(trace_id="aaaa1111", method=evil, url=evil),
    )
    for arguments in (["calls"], ["calls", "--summary"], ["calls", "--story", "aaaa"]):
        ran = prowess(*arguments)
        assert ran.status == 0
        assert all(line.isprintable() for line in ran.out.splitlines())
    assert json.loads(prowess("calls", "--json").out)


@pytest.mark.parametrize(
    "line",
    [
        "calls sample", "calls --limit 0", "calls --limit -1", "calls --limit many",
        "calls --limit " + "9" * 40,
        "calls --since yesterday", "calls --since 7", "calls --since -7d", "calls --since 99999999999d",
        "calls --since 0001-01-01", "calls --outcome fine", "calls --story abc --summary", "calls --story",
        "calls --forget", "calls --forget soon", "calls --story a", "calls --story nobody",
    ],
)  # fmt: skip
def test_a_bad_question_is_one_line_and_a_hint_and_status_2(line: str, prowess: Any) -> None:
    keep(call())
    ran = prowess(*line.split(" "))
    assert (ran.status, ran.out) == (2, "")
    assert ran.err.startswith("prowess: ")
    assert "fault of prowess" not in ran.err


def test_a_damaged_file_is_named_and_could_not_be_answered(prowess: Any) -> None:
    keep(call())
    with open(default_file(), "wb") as file:
        file.write(b"nonsense" * 1_000)
    ran = prowess("calls")
    assert (ran.status, ran.out) == (2, "")
    assert default_file() in ran.err and "hint" in ran.err


@pytest.mark.parametrize(
    ("text", "seconds"), [("90s", 90), ("5m", 300), ("2h", 7_200), ("7d", 604_800), ("0s", 0)]
)
def test_an_age_counts_back_from_now(text: str, seconds: int) -> None:
    before = time.time()
    assert before - seconds <= moment(text) <= time.time() - seconds


def test_a_date_is_a_time() -> None:
    assert moment("2026-07-31T00:00:00+00:00") == 1_785_456_000.0
    with pytest.raises(UsageError):
        moment("2026-13-31")


def test_reading_records_brings_no_event_loop() -> None:
    keep(call())
    program = (
        "import sys; from prowess.cli import main; main(sys.argv[1:]); "
        "print({'asyncio', 'mcp', 'pathlib', 'socket', 'tempfile'} & set(sys.modules), file=sys.stderr)"
    )
    for arguments in ([], ["--summary"], ["--json"]):
        done = subprocess.run(
            [sys.executable, "-c", program, "calls", *arguments],
            capture_output=True,
            text=True,
            timeout=20,
            check=True,
        )
        assert done.stdout and done.stderr == "set()\n"
