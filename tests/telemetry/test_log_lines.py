"""Log lines: one JSON object each, redacted, bounded, private, and whole when several processes write."""

from __future__ import annotations

import io
import json
import multiprocessing
import os
import stat
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from tests.call.told import Told, run

from prowess.call.log_lines import LONGEST_LINE, LogLines, LogSection
from prowess.call.path import CallPath
from prowess.errors import UsageError
from prowess.provider import Answered, Invocation, Outcome

TRACE = "0af7651916cd43dd8448eb211c80319c"


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="ascii").splitlines()]


async def raises(invocation: Invocation) -> Outcome:
    raise LookupError("no row for token=hunter2hunter2")


async def spirals(invocation: Invocation) -> Outcome:
    return Answered(value={"text": "\x1b[2J\u202e", "number": float("nan"), 3: "three"})


def logged(path: Path, told: Told, *names: str) -> list[dict[str, Any]]:
    with LogLines(str(path)) as sink:
        around = CallPath([told], sink=sink, redact=lambda text: text.replace("hunter2hunter2", "***"))

        async def work() -> None:
            for name in names:
                await around.call(
                    name, {"q": "hunter2hunter2"}, traceparent=f"00-{TRACE}-b7ad6b7169203331-01"
                )

        run(work())
    return lines(path)


def test_a_call_is_two_lines_of_one_trace_and_an_exception_a_third_with_its_stack(tmp_path: Path) -> None:
    told = Told()
    told.tool("find")
    told.tool("fail", raises)
    found = logged(tmp_path / "calls.log", told, "find", "fail")
    assert [(each["event"], each["level"]) for each in found] == [
        ("call-arguments", "info"),
        ("call-result", "info"),
        ("call-arguments", "info"),
        ("call-exception", "error"),
        ("call-result", "info"),
    ]
    assert {each["trace"] for each in found} == {TRACE}
    assert [len({each["call"] for each in part}) for part in (found[:2], found[2:])] == [1, 1]
    assert found[0]["timestamp"].endswith("Z")
    assert found[0]["arguments"] == {"q": "***"}
    assert "LookupError" in found[3]["stack"]
    assert "hunter2" not in (tmp_path / "calls.log").read_text()


def test_what_a_server_says_reaches_no_terminal_as_control_characters(tmp_path: Path) -> None:
    told = Told()
    told.tool("spiral", spirals)
    arguments, result = logged(tmp_path / "calls.log", told, "spiral")
    assert arguments["event"] == "call-arguments"
    assert "\\u202e" in result["result"] or "\u202e" in json.dumps(result, ensure_ascii=False)
    raw = (tmp_path / "calls.log").read_bytes()
    assert b"\x1b" not in raw
    assert raw.isascii()


def test_a_long_event_keeps_the_beginning_of_its_fields(tmp_path: Path) -> None:
    file = tmp_path / "calls.log"
    with LogLines(str(file)) as sink:
        sink({"event": "call-result", "call": "7", "result": {"rows": ["x" * 1_000] * 500}})
        sink({"event": "call-result", "call": "8", "result": "y" * 300_000})
    first, second = lines(file)
    assert first["call"] == "7"
    assert first["result"]["characters"] > 500_000
    assert first["result"]["begins"].startswith('{"rows": ["xxx')
    assert second["result"]["characters"] == 300_000
    assert all(len(line) < LONGEST_LINE for line in file.read_text().splitlines())


def test_the_file_is_this_users_alone_also_when_it_was_not(tmp_path: Path) -> None:
    for name, before in (("new.log", None), ("old.log", 0o644)):
        file = tmp_path / name
        if before is not None:
            file.touch(before)
        LogLines(str(file)).close()
        assert stat.S_IMODE(file.stat().st_mode) == 0o600


def test_a_full_file_is_put_aside_and_only_some_are_kept(tmp_path: Path) -> None:
    file = tmp_path / "calls.log"
    with LogLines(str(file), max_bytes=1_000, kept=2) as sink:
        for number in range(100):
            sink({"event": "call-result", "number": number})
    files = sorted(each.name for each in tmp_path.iterdir())
    assert files == ["calls.log", "calls.log.1", "calls.log.2"]
    assert all(each.stat().st_size <= 1_000 for each in tmp_path.iterdir())
    kept = [each["number"] for name in reversed(files) for each in lines(tmp_path / name)]
    assert kept == list(range(100 - len(kept), 100))
    assert all(stat.S_IMODE(each.stat().st_mode) == 0o600 for each in tmp_path.iterdir())


def test_with_none_kept_the_file_begins_anew(tmp_path: Path) -> None:
    with LogLines(str(tmp_path / "calls.log"), max_bytes=500, kept=0) as sink:
        for number in range(30):
            sink({"event": "call-result", "number": number})
    assert [each.name for each in tmp_path.iterdir()] == ["calls.log"]
    assert lines(tmp_path / "calls.log")[-1]["number"] == 29


def test_a_file_that_somebody_moved_away_is_left_alone_at_the_next_change(tmp_path: Path) -> None:
    file = tmp_path / "calls.log"
    with LogLines(str(file), max_bytes=1_000, kept=9) as sink:
        sink({"event": "call-result", "number": 0})
        file.rename(tmp_path / "moved")
        for number in range(1, 20):
            sink({"event": "call-result", "number": number})
    numbers = [each["number"] for part in tmp_path.iterdir() for each in lines(part)]
    assert sorted(numbers) == list(range(20))
    assert lines(file)[-1]["number"] == 19


def write_many(path: str, who: int) -> None:
    with LogLines(path, max_bytes=20_000, kept=1_000) as sink:
        for number in range(300):
            sink({"event": "call-result", "who": who, "number": number})


def test_processes_that_write_at_once_lose_and_break_no_line(tmp_path: Path) -> None:
    file = tmp_path / "calls.log"
    context = multiprocessing.get_context("spawn")
    workers = [context.Process(target=write_many, args=(str(file), who)) for who in range(3)]
    for each in workers:
        each.start()
    for each in workers:
        each.join(30)
        assert each.exitcode == 0
    found = [(each["who"], each["number"]) for part in tmp_path.iterdir() for each in lines(part)]
    assert sorted(found) == [(who, number) for who in range(3) for number in range(300)]
    assert len(list(tmp_path.iterdir())) > 2


def test_a_link_in_the_place_of_the_file_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "elsewhere").touch()
    (tmp_path / "calls.log").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(UsageError):
        LogLines(str(tmp_path / "calls.log"))


def test_a_file_that_cannot_be_made_is_a_mistake_of_the_callers(tmp_path: Path) -> None:
    with pytest.raises(UsageError):
        LogLines(str(tmp_path / "none" / "calls.log"))


def test_stderr_is_the_one_of_the_moment(monkeypatch: pytest.MonkeyPatch) -> None:
    sink = LogLines()
    heard = io.StringIO()
    monkeypatch.setattr(sys, "stderr", heard)
    sink({"event": "call-result", "outcome": "answered"})
    sink.close()
    assert json.loads(heard.getvalue())["outcome"] == "answered"


def test_a_full_disk_fails_no_call() -> None:
    if not os.path.exists("/dev/full"):
        pytest.skip("needs /dev/full")
    told = Told()
    told.tool("find")
    with LogLines("/dev/full") as sink:
        result = run(CallPath([told], sink=sink).call("find", {"q": 1}))
    assert result.outcome == Answered(value={"q": 1})


def test_a_section_says_where_lines_go(tmp_path: Path) -> None:
    assert LogSection().lines() is None
    sink = LogSection(to=str(tmp_path / "calls.log"), max_bytes=LONGEST_LINE, kept=1).lines()
    assert sink is not None
    for number in range(3_000):
        sink({"event": "call-result", "number": number})
    sink.close()
    assert sorted(each.name for each in tmp_path.iterdir()) == ["calls.log", "calls.log.1"]
    with pytest.raises(UsageError):
        LogSection(max_bytes=10)
    with pytest.raises(UsageError):
        LogSection(kept=-1)


def test_structlog_is_imported_with_the_first_line_only() -> None:
    program = (
        "import sys; from prowess.call.log_lines import LogLines; sink = LogLines(); "
        "sys.exit('structlog' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", program], check=False, timeout=30).returncode == 0
