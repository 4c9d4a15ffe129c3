"""Processes: watched to their exit, and ended with all that they started, however they resist."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from tests.link.probing import alive, children, until

from prowess.link.process import Child

pytestmark = pytest.mark.anyio

DEAF = "import signal, sys, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); print(); sys.stdout.flush()"


@pytest.fixture(autouse=True)
async def nothing_is_left() -> AsyncIterator[None]:
    before = children()
    yield
    await asyncio.sleep(0)
    assert [each for each in children() if each not in before] == []


def started(code: str, *arguments: str) -> Child:
    """A Python process that runs `code`."""
    return Child.start([sys.executable, "-S", "-c", code, *arguments], dict(os.environ), "/")


async def ended(child: Child, patience: float = 0.3) -> int:
    """Its exit status, after its end."""
    child.pipes[0].close()
    await child.end(patience)
    child.close_pipes()
    return await child.exited


async def said(child: Child) -> bytes:
    """The next line that it writes."""
    return await asyncio.to_thread(child.pipes[1].readline)


@pytest.mark.parametrize(
    ("code", "status"),
    [
        ("import sys; sys.stdin.read(); sys.exit(7)", 7),
        ("import os; os.kill(os.getpid(), 9)", -9),
        ("import time; time.sleep(60)", -signal.SIGTERM),
        (f"{DEAF}; time.sleep(60)", -signal.SIGKILL),
    ],
)
async def test_the_status_says_how_it_ended(code: str, status: int) -> None:
    child = started(code)
    if DEAF in code:
        await said(child)
    assert await ended(child) == status
    child.kill()  # again, which changes nothing


async def test_what_left_the_group_and_ignores_term_is_killed(tmp_path: Path) -> None:
    code = (
        "import os, subprocess, sys\n"
        "child = subprocess.Popen([sys.executable, '-S', '-c', sys.argv[1]], start_new_session=True,"
        " stdin=subprocess.DEVNULL, stdout=subprocess.PIPE)\n"
        "child.stdout.readline()\n"
        "print(child.pid, flush=True)"
    )
    child = started(code, f"{DEAF}; time.sleep(60)")
    stray = int(await said(child))
    await child.exited
    assert alive(stray)
    assert await ended(child) == 0
    await until(lambda: not alive(stray))


async def test_a_kernel_without_pidfd_is_watched_by_a_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(pid: int, flags: int = 0) -> int:
        raise OSError(38, "Function not implemented")

    monkeypatch.setattr(os, "pidfd_open", refuse)
    assert await ended(started("import sys; sys.stdin.read(); sys.exit(3)")) == 3
    assert await ended(started("import time; time.sleep(60)")) == -signal.SIGTERM


async def test_an_exit_whose_status_somebody_else_took_is_noticed() -> None:
    child = started("import sys; sys.stdin.read(); sys.exit(3)")
    child.pipes[0].close()
    assert (await asyncio.to_thread(os.waitpid, child.pid, 0))[1] == 3 << 8
    async with asyncio.timeout(5):
        assert await child.exited in (0, 3)  # whoever was faster has the status
    await ended(child)


async def test_a_machine_without_proc_still_ends_the_group(monkeypatch: pytest.MonkeyPatch) -> None:
    def closed(path: str) -> list[str]:
        raise PermissionError(13, "Permission denied")

    child = started(f"{DEAF}; time.sleep(60)")
    await said(child)
    monkeypatch.setattr("prowess.link.proc.os.listdir", closed)
    child.remember_family()
    assert await ended(child) == -signal.SIGKILL
    monkeypatch.undo()
