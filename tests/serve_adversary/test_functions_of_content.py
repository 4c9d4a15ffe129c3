"""Functions of content that never come back, or want to end the program: nobody else is held up."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from tests.bounds import bound

from prowess.content.apart import apart
from prowess.errors import RequestFailed, Unreadable
from prowess.host import Host
from prowess.host.storing import Store

pytestmark = pytest.mark.anyio

CODE = """import threading
def hang(x):
    threading.Event().wait(30)
def leave(x):
    raise SystemExit(3)
def stop(x):
    raise StopIteration
async def leave_later(x):
    raise SystemExit(3)
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    guides = tmp_path / "guides"
    (guides / "templates").mkdir(parents=True)
    (guides / "resources").mkdir()
    (guides / "resources" / "a.md").write_text("# A\n")
    (guides / "templates" / "code.py").write_text(CODE)
    for name in ("hang", "leave", "stop", "leave_later"):
        text = f"---\nuriTemplate: {name.replace('_', '-')}:{{x}}\nfunction: code.py:{name}\n---\n"
        (guides / "templates" / f"{name}.md").write_text(text)
    return guides


async def read(host: Host, uri: str, timeout: float | None = None) -> str:
    result = await host.ask("content", "resources/read", {"uri": uri}, timeout=timeout)
    return str(result["contents"][0]["text"])


async def test_many_that_hang_hold_up_nothing_else(folder: Path) -> None:
    async with Host.open(folder, store=Store.in_memory()) as host:
        # More than the threads of the pool that files are read by.
        many = (os.cpu_count() or 1) + 8
        hanging = [asyncio.ensure_future(read(host, f"hang:{number}", 20)) for number in range(many)]
        await asyncio.sleep(0)
        async with asyncio.timeout(bound(5)):
            assert await read(host, "embedded:guide/a") == "# A\n"
        assert not any(each.done() for each in hanging)
        for each in hanging:
            each.cancel()
        await asyncio.gather(*hanging, return_exceptions=True)


@pytest.mark.parametrize("uri", ["leave:x", "leave-later:x", "stop:x"])
async def test_one_that_would_end_the_program_fails_alone(folder: Path, uri: str) -> None:
    async with Host.open(folder, store=Store.in_memory()) as host:
        with pytest.raises(RequestFailed) as refused:
            await read(host, uri)
        assert refused.value.number == -32603
        assert await read(host, "embedded:guide/a") == "# A\n"


async def test_how_many_may_be_left_behind_is_bounded() -> None:
    room, go = threading.BoundedSemaphore(1), threading.Event()
    first = asyncio.ensure_future(apart(go.wait, room))
    await asyncio.sleep(0)
    with pytest.raises(Unreadable):
        await apart(lambda: 1, room)
    go.set()
    assert await asyncio.wait_for(first, bound(5))
    assert await apart(lambda: 2, room) == 2


def test_a_process_ends_though_one_hangs(folder: Path) -> None:
    program = f"""
import asyncio, prowess
async def main():
    async with prowess.Host.open({str(folder)!r}, store=prowess.Store.in_memory()) as host:
        try:
            await host.ask("content", "resources/read", {{"uri": "hang:1"}}, timeout=0.1)
        except prowess.errors.RequestFailed:
            print("over")
asyncio.run(main())
"""
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=bound(30), check=False
    )
    assert (done.returncode, done.stdout.strip()) == (0, "over"), done.stderr
