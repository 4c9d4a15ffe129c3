"""`prowess call` against a real server over stdio."""

from __future__ import annotations

import io
import json
import os
import pty
import select
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from tests.acceptance.packages import arrived, entry, plugin
from tests.commanding import Run

SECONDS = 20.0


@pytest.fixture
def log(tmp_path: Path) -> Path:
    return tmp_path / "arrived"


@pytest.fixture
def books(tmp_path: Path, log: Path) -> Path:
    return plugin(tmp_path / "books", {"ledger": entry(log)})


def test_an_answer_is_printed_and_the_status_is_zero(prowess: Run, books: Path) -> None:
    ran = prowess("call", books, "read", "--args", '{"call": 7}')
    assert ran.status == 0
    assert ran.json == {"call": 7}


def test_json_holds_outcome_result_problems_attempts_and_record(prowess: Run, books: Path) -> None:
    ran = prowess("call", books, "read", "--args", '{"call": 7}', "--json")
    assert ran.status == 0
    assert set(ran.json) == {"outcome", "result", "problems", "attempts", "record"}
    assert (ran.json["outcome"], ran.json["result"]) == ("answered", {"call": 7})
    assert (ran.json["problems"], ran.json["attempts"]) == ([], 1)
    assert ran.json["record"]


def test_a_wrong_argument_is_refused_with_a_line_and_nothing_is_sent(
    prowess: Run, books: Path, log: Path
) -> None:
    ran = prowess("call", books, "read", "--arg", "week=2026-31", "--arg", "cal:=1")
    assert ran.status == 1
    assert ran.out == ""
    assert "`week` must match" in ran.err
    assert "`call`" in ran.err
    assert arrived(log) == []
    told = prowess("call", books, "read", "--arg", "week=2026-31", "--json").json
    assert [each["path"] for each in told["problems"]] == ["/week"]
    assert told["attempts"] == 0


@pytest.mark.parametrize(("do", "word"), [("fail", "tool-failed"), ("error", "tool-failed")])
def test_a_tool_that_fails_is_status_one(prowess: Run, books: Path, do: str, word: str) -> None:
    ran = prowess("call", books, "write", "--arg", f"do={do}", "--json")
    assert (ran.status, ran.json["outcome"]) == (1, word)


@pytest.mark.parametrize(("do", "word"), [("hang", "timed-out"), ("crash", "lost")])
def test_no_answer_is_status_two(prowess: Run, books: Path, do: str, word: str) -> None:
    ran = prowess("call", books, "write", "--arg", f"do={do}", "--timeout", "0.5", "--json")
    assert (ran.status, ran.json["outcome"]) == (2, word)


def test_what_could_not_be_asked_is_status_two(prowess: Run, books: Path) -> None:
    assert prowess("call", books, "raed").status == 2
    assert "read" in prowess("call", books, "raed").err
    assert prowess("call", books / "nowhere", "read").status == 2
    assert prowess("call", books, "read", "--server", "ledgr").status == 2


@pytest.mark.parametrize(
    "given",
    [
        ["--args", "{week: 1}"],
        ["--args", '{"a": 1, "a": 2}'],
        ["--args", "NaN"],
        ["--args", '{"call": 1}', "--arg", "call=2"],
        ["--arg", "call"],
        ["--arg", "=2"],
        ["--arg", "call:=one"],
        ["--args", "[1]", "--arg", "call:=1"],
        ["--args", "@no-such-file"],
    ],
)
def test_arguments_that_cannot_be_read_start_nothing(
    prowess: Run, books: Path, log: Path, given: list[str]
) -> None:
    ran = prowess("call", books, "read", *given)
    assert ran.status == 2
    assert "running" not in ran.err
    assert arrived(log) == []


def test_arguments_come_from_a_file_and_from_stdin(
    prowess: Run, books: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "arguments.json"
    file.write_text('{"call": 3}')
    assert prowess("call", books, "read", "--args", f"@{file}").json == {"call": 3}
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b'{"call": 4}')))
    assert prowess("call", books, "read", "--args", "-").json == {"call": 4}


def test_a_string_stays_a_string_unless_coercion_is_asked_for(prowess: Run, books: Path) -> None:
    assert prowess("call", books, "read", "--arg", "call=5").status == 1
    ran = prowess("call", books, "read", "--arg", "call=5", "--coerce", "--json")
    assert (ran.status, ran.json["result"]) == (0, {"call": 5})
    assert [each["path"] for each in ran.json["coercions"]] == ["/call"]


def test_only_the_server_named_is_started(prowess: Run, tmp_path: Path, log: Path) -> None:
    package = plugin(tmp_path / "two", {"a": entry(log), "b": entry(log)})
    ran = prowess("call", package, "read", "--server", "b")
    assert ran.status == 0
    assert "b: running" in ran.err
    assert "a: running" not in ran.err
    assert prowess("call", package, "read").status == 2
    assert prowess("call", package, "a/read").status == 0


def test_a_large_result_is_printed_to_its_end(prowess: Run, books: Path) -> None:
    ran = prowess("call", books, "read", "--arg", "size:=40000", "--json")
    assert ran.status == 0
    rows = ran.json["result"].get("rows", []) + [n for part in ran.json["rest"] for n in part["rows"]]
    assert rows == list(range(40_000))
    assert ran.json["page"]["next"] is None


def test_the_call_is_among_the_records(prowess: Run, books: Path) -> None:
    from prowess.store.database import Database
    from prowess.store.reports import Filter, calls

    record = prowess("call", books, "read", "--json").json["record"]
    database = Database()
    kept = database.now(lambda connection: calls(connection, Filter(), 10))
    database.close()
    assert [(each.id, each.outcome) for each in kept] == [(record, "answered")]


def test_what_needs_approval_is_refused_where_nobody_is_there(prowess: Run, books: Path, log: Path) -> None:
    ran = prowess("call", books, "destroy", "--json")
    assert (ran.status, ran.json["outcome"], ran.json["code"]) == (1, "refused", "approval-needed")
    assert "[[policy.rules]]" in ran.json["result"]
    assert arrived(log) == []


class OnATerminal:
    """`prowess call` with a terminal of its own, as a person has it."""

    def __init__(self, *arguments: str) -> None:
        self.ours, self.theirs = pty.openpty()
        name = os.ttyname(self.theirs)
        program = (
            "import os, sys; os.open(sys.argv[1], os.O_RDWR); "  # the first one opened controls the session
            "from prowess.cli import main; sys.exit(main(sys.argv[2:]))"
        )
        self.process = subprocess.Popen(
            [sys.executable, "-c", program, name, "call", *arguments],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=self.theirs,
            text=True,
            start_new_session=True,
        )
        self.seen = ""

    def wait_for(self, text: str) -> None:
        until = time.monotonic() + SECONDS
        while text not in self.seen:
            ready, _, _ = select.select([self.ours], [], [], max(0.0, until - time.monotonic()))
            assert ready, f"it never said {text!r}: {self.seen}"
            self.seen += os.read(self.ours, 4096).decode()

    def type(self, text: str) -> None:
        os.write(self.ours, text.encode())

    def end(self) -> tuple[int, str]:
        out, _ = self.process.communicate(timeout=SECONDS)
        os.close(self.ours)
        os.close(self.theirs)
        return self.process.returncode, out


@pytest.mark.parametrize(("typed", "status", "word"), [("y", 0, "answered"), ("", 1, "refused")])
def test_a_person_at_a_terminal_is_asked(books: Path, typed: str, status: int, word: str) -> None:
    ran = OnATerminal(str(books), "destroy", "--arg", "call:=9", "--json")
    ran.type("y\n")  # before the question: it counts for nothing
    ran.wait_for("[y/N]")
    assert "destroy of ledger" in ran.seen
    assert '"call": 9' in ran.seen
    ran.type(f"{typed}\n")
    ended, out = ran.end()
    assert (ended, json.loads(out)["outcome"]) == (status, word)


def test_control_c_while_asking_ends_tidily_and_leaves_a_record(books: Path) -> None:
    from prowess.store.database import Database
    from prowess.store.reports import Filter, calls

    ran = OnATerminal(str(books), "destroy")
    ran.wait_for("[y/N]")
    ran.process.send_signal(signal.SIGINT)
    status, out = ran.end()
    assert (status, out) == (130, "")
    database = Database()
    (kept,) = database.now(lambda connection: calls(connection, Filter(), 10))
    database.close()
    assert (kept.outcome, kept.code) == ("refused", "cancelled")


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_a_call_that_is_ended_in_the_middle_is_on_record(tmp_path: Path, number: signal.Signals) -> None:
    from prowess.store.database import Database
    from prowess.store.reports import Filter, calls

    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    books = plugin(tmp_path / "books", {"ledger": entry(pipe)})
    ours = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    command = [sys.executable, "-m", "prowess", "call", str(books), "write", "--args", '{"do": "hang"}']
    running = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    ready, _, _ = select.select([ours], [], [], SECONDS)
    assert ready, "the call never reached the server"
    running.send_signal(number)
    running.wait(SECONDS)
    os.close(ours)
    database = Database()
    (kept,) = database.now(lambda connection: calls(connection, Filter(), 10))
    database.close()
    code = "unfinished" if number is signal.SIGKILL else ""
    assert (kept.tool, kept.outcome, kept.code) == ("write", "lost", code)


def test_a_schema_that_judges_nothing_is_not_told_as_a_fault_of_the_arguments(
    prowess: Run, tmp_path: Path
) -> None:
    books = plugin(tmp_path / "books", {"ledger": entry(FAULTS_PATTERN="((")})
    ran = prowess("call", books, "read", "--args", '{"week": "2026-W31"}')
    assert ran.status == 1
    assert "arguments" not in ran.err
    assert "the schema is not valid" in ran.err
