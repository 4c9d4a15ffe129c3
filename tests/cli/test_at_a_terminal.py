"""What is asked at a terminal: a tool call, a change to a file; only a yes is one."""

from __future__ import annotations

import asyncio
import io
import os
import select
import signal
import subprocess
import sys
import time
from argparse import Namespace
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.bounds import bound

from prowess.cli import agreeing, asking, main, orphans
from prowess.store.remembered import ApprovalRequest

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="there are no pseudo-terminals")

REQUEST = ApprovalRequest(
    digest="sha256:1", tool="delete_row", server="books", arguments={"row": 7}, reason="it deletes\x1b[2J"
)


class Tty(io.StringIO):
    """A stream that says that somebody is in front of it."""

    def isatty(self) -> bool:
        return True


@pytest.fixture
def pair() -> Iterator[tuple[int, int]]:
    """The two ends of a pseudo-terminal: the person's, and ours."""
    ends = os.openpty()
    yield ends
    for each in ends:
        try:
            os.close(each)
        except OSError:
            continue


def read_until(device: int, text: str) -> str:
    seen = b""
    while text.encode() not in seen:
        assert select.select([device], [], [], bound(10))[0], f"nothing more than {seen!r}"
        seen += os.read(device, 4_096)
    return seen.decode()


async def answered(
    pair: tuple[int, int], answer: bytes, request: ApprovalRequest = REQUEST
) -> tuple[bool, str]:
    """What comes of an answer that is given once the question stands there, and the question."""
    person, ours = pair
    asked = asyncio.create_task(asking.Terminal(ours).approve(request))
    question = await asyncio.to_thread(read_until, person, "[y/N] ")
    os.write(person, answer)
    return await asyncio.wait_for(asked, bound(10)), question


# -- a tool call


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (b"y\n", True),
        (b" Yes \n", True),
        (b"\n", False),
        (b"no\n", False),
        (b"yeah\n", False),
        (b"\xff\n", False),
        (b"\x04", False),
    ],
)
async def test_only_a_yes_is_one(answer: bytes, said: bool, pair: tuple[int, int]) -> None:
    approved, question = await answered(pair, answer)
    assert approved is said
    assert "delete_row of books needs approval" in question
    assert '"row": 7' in question
    assert "\x1b[2J" not in question


@pytest.mark.anyio
async def test_what_was_typed_before_the_question_is_no_answer(pair: tuple[int, int]) -> None:
    os.write(pair[0], b"y\n")
    approved, _ = await answered(pair, b"n\n")
    assert approved is False


@pytest.mark.anyio
async def test_arguments_that_are_not_all_shown_are_said_to_go_on(pair: tuple[int, int]) -> None:
    long = ApprovalRequest(
        digest="d", tool="t", server="s", arguments={"text": "x" * 3_000}, question="run it?"
    )
    approved, question = await answered(pair, b"y\n", long)
    assert approved is True
    assert "(and more)" in question
    assert "run it? [y/N] " in question


@pytest.mark.anyio
async def test_a_question_that_is_given_up_leaves_the_terminal_alone(pair: tuple[int, int]) -> None:
    asked = asyncio.create_task(asking.Terminal(pair[1]).approve(REQUEST))
    await asyncio.to_thread(read_until, pair[0], "[y/N] ")
    asked.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asked
    assert not asyncio.get_running_loop().remove_reader(pair[1])


@pytest.mark.anyio
async def test_a_terminal_that_went_away_says_no(pair: tuple[int, int]) -> None:
    person, ours = pair
    asked = asyncio.create_task(asking.Terminal(ours).approve(REQUEST))
    await asyncio.to_thread(read_until, person, "[y/N] ")
    os.close(person)
    assert await asyncio.wait_for(asked, bound(10)) is False


def test_where_nobody_is_there_is_no_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stderr", io.StringIO())
    assert asking.terminal() is None
    monkeypatch.setattr(sys, "stderr", None)
    assert asking.terminal() is None


@pytest.mark.parametrize("group", ["ours", "another", "none"])
def test_a_terminal_is_asked_on_only_from_the_foreground(
    group: str, pair: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    def opened(path: str, flags: int) -> int:
        assert path == "/dev/tty"
        if group == "none":
            raise OSError("no such device")
        return os.dup(pair[1])

    with monkeypatch.context() as patched:
        patched.setattr(sys, "stderr", Tty())
        patched.setattr("prowess.cli.asking.os.open", opened)
        patched.setattr("prowess.cli.asking.os.tcgetpgrp", lambda _: os.getpgrp() + (group == "another"))
        found = asking.terminal()
    assert (found is not None) is (group == "ours")
    if found is not None:
        os.close(found._device)


# -- a digest, and a change to a file of a client


def at_terminal(monkeypatch: pytest.MonkeyPatch, answer: str) -> Tty:
    """Somebody who gives this answer; what is written to them."""
    shown = Tty()
    monkeypatch.setattr(sys, "stdin", Tty(answer))
    monkeypatch.setattr(sys, "stderr", shown)
    return shown


@pytest.mark.parametrize(("answer", "said"), [("y\n", True), ("YES\n", True), ("n\n", False), ("", False)])
def test_what_was_shown_is_agreed_to_with_a_word(
    answer: str, said: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown = at_terminal(monkeypatch, answer)
    options = Namespace(yes=None, format="text")
    assert agreeing.agreed("sha256:1", options, question="Write it?") is said
    assert "Write it? [y/N] " in shown.getvalue()


def test_who_asks_for_json_is_not_asked_at_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    shown = at_terminal(monkeypatch, "y\n")
    assert agreeing.agreed("sha256:1", Namespace(yes=None, format="json"), question="Write it?") is False
    assert "--yes sha256:1" in shown.getvalue()


@pytest.mark.parametrize(("answer", "status"), [("y\n", 0), ("n\n", 1), ("", 1)])
def test_a_client_is_connected_by_a_word_and_taken_out_by_another(
    answer: str, status: int, package: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    at_terminal(monkeypatch, answer)
    assert main(["connect", "cursor", "sample"]) == status
    place = tmp_path / ".cursor" / "mcp.json"
    assert place.exists() is (status == 0)
    if status == 0:
        at_terminal(monkeypatch, "n\n")
        assert main(["connect", "cursor", "sample", "--remove"]) == 1
        assert place.exists()
        at_terminal(monkeypatch, "y\n")
        assert main(["connect", "cursor", "sample", "--remove"]) == 0
        assert not place.exists()


# -- what a server left behind


@pytest.mark.parametrize(
    ("program", "ended_by"),
    [
        ("import time; print(flush=True); time.sleep(60)", signal.SIGTERM),
        (
            "import signal, time; signal.signal(15, signal.SIG_IGN); print(flush=True); time.sleep(60)",
            signal.SIGKILL,
        ),
    ],
)
def test_what_is_left_is_asked_to_end_and_then_ended(
    program: str, ended_by: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    with subprocess.Popen([sys.executable, "-S", "-c", program], stdout=subprocess.PIPE) as child:
        assert child.stdout is not None
        child.stdout.readline()
        # Only this one: other tests of this process have servers that live on.
        monkeypatch.setattr(orphans, "_left", lambda: [] if child.poll() is not None else [child.pid])
        monkeypatch.setattr(orphans, "_take_in", lambda: True)
        monkeypatch.setitem(sys.modules, "prowess.link", sys)
        began = time.monotonic()
        with orphans.adopting():
            assert child.poll() is None
        assert child.wait(bound(5)) == -ended_by
        assert time.monotonic() - began < bound(5)


def test_what_is_gone_already_is_no_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    def gone(pid: int, number: int) -> None:
        told.append((pid, number))
        raise ProcessLookupError

    told: list[tuple[int, int]] = []
    left = [[1 << 30], []]  # no process has this number
    monkeypatch.setattr(orphans, "_left", lambda: left.pop(0))
    monkeypatch.setattr("prowess.cli.orphans.os.kill", gone)
    orphans._end()
    assert told == [(1 << 30, signal.SIGTERM)]
