"""Running a verb that has servers, and what is done with what they leave behind."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import time
from typing import Any

import pytest
from tests.bounds import bound

from prowess.cli import orphans, screen
from prowess.cli.running import run


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_cancels_the_work_which_may_clean_up(
    number: int, capsys: pytest.CaptureFixture[str]
) -> None:
    cleaned: list[str] = []

    async def work() -> int:
        try:
            os.kill(os.getpid(), number)
            await asyncio.sleep(30)
        finally:
            os.kill(os.getpid(), number)  # a second one does not cut the cleaning short
            await asyncio.sleep(0.05)
            cleaned.append("all")
        return 0

    assert run(work()) == 128 + number
    assert cleaned == ["all"]
    assert capsys.readouterr().err.splitlines() == ["stopping", "still stopping the servers"]


def test_work_that_is_not_stopped_gives_its_own_status() -> None:
    async def work() -> int:
        return 7

    assert run(work()) == 7


def test_a_cancellation_of_its_own_is_no_signal() -> None:
    async def work() -> int:
        raise asyncio.CancelledError

    with pytest.raises(asyncio.CancelledError):
        run(work())


def test_a_signal_that_is_ignored_on_purpose_stays_ignored() -> None:
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)  # as nohup does
    try:

        async def work() -> int:
            os.kill(os.getpid(), signal.SIGHUP)
            await asyncio.sleep(0.05)
            return 5

        assert run(work()) == 5
    finally:
        signal.signal(signal.SIGHUP, before)


# -- orphans ---------------------------------------------------------------------------------------

LEAVING = """
import subprocess, sys
from prowess.cli.orphans import adopting
import prowess.link.proc
deaf = "import signal, time; signal.signal(15, signal.SIG_IGN); print(flush=True); time.sleep(60)"
middle = f'''
import subprocess, sys
made = subprocess.Popen([sys.executable, "-S", "-c", {deaf!r}], start_new_session=True, env={{}},
    stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
made.stdout.readline()
print(made.pid, flush=True)
'''
with adopting():
    beside = subprocess.Popen([sys.executable, "-S", "-c", "import time; time.sleep(60)"])
    left = subprocess.run([sys.executable, "-S", "-c", middle], capture_output=True, text=True).stdout
print(left.strip(), beside.pid, beside.poll())
beside.kill()
beside.wait()
"""


def test_an_orphan_in_a_session_of_its_own_is_ended_and_a_child_of_ours_is_not() -> None:
    ran = subprocess.run(
        [sys.executable, "-c", LEAVING], capture_output=True, text=True, timeout=30, check=True
    )
    orphan, _, status = ran.stdout.split()
    assert status == "None"  # the child beside it lived on
    with pytest.raises(ProcessLookupError):
        os.kill(int(orphan), 0)


def test_without_servers_nothing_is_looked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(orphans, "_take_in", lambda: True)
    monkeypatch.setattr(orphans, "_end", lambda: pytest.fail("nothing was started"))
    for name in [each for each in sys.modules if each.partition(".")[2].partition(".")[0] == "link"]:
        monkeypatch.delitem(sys.modules, name)
    with orphans.adopting():
        pass


def test_where_orphans_cannot_be_taken_in_they_are_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(orphans, "_take_in", lambda: False)
    monkeypatch.setattr(orphans, "_end", lambda: pytest.fail("these are not ours"))
    began = time.monotonic()
    with orphans.adopting():
        pass
    assert time.monotonic() - began < bound(1)


# -- the screen ------------------------------------------------------------------------------------


def test_nothing_can_be_written_where_there_is_no_stdout(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdout", None)
    monkeypatch.setattr(sys, "stderr", None)
    screen.prepare()
    screen.flush()
    screen.say("nobody hears this")
    with pytest.raises(OSError, match="closed"):
        screen.data("x")
    with pytest.raises(OSError, match="closed"):
        screen.raw(b"x")


@pytest.mark.parametrize("how", ["data", "raw", "flush"])
def test_a_reader_that_went_away_is_dropped_quietly(how: str, monkeypatch: pytest.MonkeyPatch) -> None:
    reading, writing = os.pipe()
    with open(writing, "w", buffering=1 if how == "data" else -1) as stream:
        monkeypatch.setattr(sys, "stdout", stream)
        os.close(reading)
        write: dict[str, Any] = {"data": screen.data, "raw": lambda _: screen.raw(b"x" * 100_000)}
        write.get(how, stream.write)("x\n" * 100)
        screen.flush()
        screen.data("more\n")
        screen.flush()
