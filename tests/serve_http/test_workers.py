"""Several processes behind one port: each answers, one that dies is replaced, and none is left behind."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from urllib.parse import urlsplit

import httpx2
import pytest
from tests.bounds import bound
from tests.serve_http.fronted import HELLO, ask, legacy
from tests.serve_http.processes import Machine

from prowess.errors import UsageError
from prowess.host.serving import ServeSection
from prowess.serve.workers import WORKER, inherited, supervise

pytestmark = pytest.mark.anyio

# A worker that says who it is, on every socket that it was given; it is quick to start.
WORKER_CODE = """
import asyncio, os, sys
from prowess.serve.workers import inherited
worker = inherited()
assert "PROWESS_WORKER" not in os.environ
async def one(reader, writer):
    asked = await reader.readline()
    if asked == b"die\\n":
        os._exit(3)
    writer.write(f"{os.getpid()} {worker.number}".encode())
    await writer.drain()
    writer.close()
async def main():
    servers = [await asyncio.start_server(one, sock=each) for each in worker.sockets]
    worker.answers()
    await worker.orphaned()
asyncio.run(main())
"""
SECTION = ServeSection(shutdown_seconds=1)


class Supervised:
    """What a supervisor that runs in this process told."""

    def __init__(self, url: str, said: list[str]) -> None:
        self.port = urlsplit(url).port
        self.said = said

    async def asked(self, text: str = "who") -> str:
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
        writer.write(f"{text}\n".encode())
        answer = await asyncio.wait_for(reader.read(), bound(10))
        writer.close()
        return answer.decode()

    async def workers(self, wanted: int) -> dict[str, int]:
        """Process ids by the numbers of workers, once so many different ones have answered."""
        found: dict[str, int] = {}
        end = asyncio.get_running_loop().time() + bound(10)
        while len(found) < wanted:
            assert asyncio.get_running_loop().time() < end, found
            pid, number = (await self.asked()).split()
            found[number] = int(pid)
        return found


@asynccontextmanager
async def supervised(code: str = WORKER_CODE, count: int = 2) -> AsyncIterator[Supervised]:
    up: asyncio.Future[str] = asyncio.get_running_loop().create_future()
    said: list[str] = []
    command = [sys.executable, "-c", code]
    running = asyncio.ensure_future(
        supervise(
            command, SECTION, count=count, host="127.0.0.1", port=0, started=up.set_result, say=said.append
        )
    )
    try:
        yield Supervised(await asyncio.wait_for(up, bound(20)), said)
    finally:
        running.cancel()
        await asyncio.wait({running}, timeout=bound(20))
        assert running.done()


def lives(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"


async def test_every_worker_answers_on_the_one_port_and_ends_with_the_supervisor() -> None:
    async with supervised() as crew:
        workers = await crew.workers(2)
        assert sorted(workers) == ["0", "1"]
    assert not any(lives(pid) for pid in workers.values())


async def test_a_worker_that_dies_is_started_again_under_its_number() -> None:
    async with supervised() as crew:
        before = await crew.workers(2)
        assert await crew.asked("die") == ""
        end = asyncio.get_running_loop().time() + bound(10)
        while (after := await crew.workers(2)) == before:
            assert asyncio.get_running_loop().time() < end
        assert len(set(before.values()) & set(after.values())) == 1
        assert any("status 3" in each for each in crew.said)


async def test_what_keeps_the_first_worker_from_starting_is_said_once_and_ends_it() -> None:
    status = await asyncio.wait_for(
        supervise(
            [sys.executable, "-c", "import sys; sys.exit(7)"],
            SECTION, count=3, host="127.0.0.1", port=0,
            started=lambda _: pytest.fail("nothing answers"), say=lambda _: pytest.fail("nothing restarts"),
        ),
        bound(20),
    )  # fmt: skip
    assert status == 7


async def test_workers_end_when_their_supervisor_is_killed(tmp_path: Path) -> None:
    (tmp_path / "worker.py").write_text(WORKER_CODE)
    code = f"""
import asyncio, sys
from prowess.host.serving import ServeSection
from prowess.serve.workers import supervise
asyncio.run(supervise([sys.executable, {str(tmp_path / "worker.py")!r}], ServeSection(), count=2,
    host="127.0.0.1", port=0, started=lambda url: print(url, flush=True), say=print))
"""
    process = await asyncio.create_subprocess_exec(sys.executable, "-c", code, stdout=asyncio.subprocess.PIPE)
    assert process.stdout is not None
    url = (await asyncio.wait_for(process.stdout.readline(), bound(20))).decode().strip()
    workers = await Supervised(url, []).workers(2)
    process.kill()
    await process.wait()
    end = asyncio.get_running_loop().time() + bound(10)
    while any(lives(pid) for pid in workers.values()):
        assert asyncio.get_running_loop().time() < end
        await asyncio.sleep(0.05)  # they are no children of ours


async def test_several_workers_without_a_token_stay_on_this_machine() -> None:
    with pytest.raises(UsageError):
        await supervise([], SECTION, count=2, host="0.0.0.0", port=0, started=print, say=print)
    with pytest.raises(UsageError):
        await supervise([], SECTION, count=65, host="127.0.0.1", port=0, started=print, say=print)


@pytest.mark.parametrize("told", ["x", "1,2", "0,9999,9998,9997", "0,1,2,"])
async def test_a_number_that_no_supervisor_wrote_is_said(told: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(WORKER, told)
    with pytest.raises(UsageError):
        inherited()
    assert inherited() is None, "it is read once"


@pytest.mark.slow
async def test_a_real_endpoint_is_served_by_any_worker_in_both_eras(tmp_path: Path) -> None:
    units = Path(__file__).parents[2] / "examples" / "units"
    machine = Machine(home=tmp_path, env={})
    async with (
        machine.serving(str(units), "--workers", "2") as serving,
        httpx2.AsyncClient(trust_env=False, timeout=20) as client,
    ):
        for _ in range(10):
            async with httpx2.AsyncClient(trust_env=False, timeout=20) as fresh:  # a connection of its own
                assert (await ask(fresh, serving.url, method="tools/list")).status_code == 200
                opened = await fresh.post(serving.url, **HELLO)
                assert opened.status_code == 200 and "mcp-session-id" not in opened.headers
            listing = await client.post(serving.url, **legacy("tools/list", 2))
            assert "inputSchema" in listing.text
        serving.process.send_signal(signal.SIGTERM)
        assert await asyncio.wait_for(serving.process.wait(), bound(20)) == 128 + signal.SIGTERM
