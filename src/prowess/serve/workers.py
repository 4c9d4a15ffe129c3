"""Several processes behind one port: the listening sockets are opened once and handed to each.

Whoever supervises runs the same command again for each worker and says so in its environment; a worker
takes the sockets from there. One that dies is started again, later and later while it goes on dying. The
first is waited for before the others are started, so that what is wrong with a configuration is said
once. A worker whose supervisor is gone, even by kill -9, ends. It does not know what is served.
"""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from prowess.errors import UsageError
from prowess.serve.address import Address, bound, insist_on_protected, resolve, url_of

if TYPE_CHECKING:
    from mcp.server import Server

    from prowess.host.serving import ServeSection
    from prowess.serve.answers import App

WORKER = "PROWESS_WORKER"  # the number of a worker and its file descriptors, while it starts
MOST = 64
MARGIN = 10.0  # seconds for a worker to end once its requests have
LONGEST_REST = 30.0
LIVED = 60.0  # who has run so long did not fail at its start

Say = Callable[[str], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Worker:
    """What this process was started with: its sockets, whom to tell that it answers, who must live."""

    number: int
    sockets: tuple[socket.socket, ...]
    ready: int
    lifeline: int

    def answers(self) -> None:
        """Tell the supervisor, once."""
        with suppress(OSError):
            os.write(self.ready, b"1")
        os.close(self.ready)

    async def orphaned(self) -> None:
        """Return when the supervisor is gone."""
        gone = asyncio.Event()
        loop = asyncio.get_running_loop()
        loop.add_reader(self.lifeline, gone.set)
        try:
            await gone.wait()
        finally:
            loop.remove_reader(self.lifeline)


def inherited() -> Worker | None:
    """The worker that this process is, or None. What it was told is taken out of the environment."""
    told = os.environ.pop(WORKER, "")
    if not told:
        return None
    try:
        number, ready, lifeline, *sockets = (int(each) for each in told.split(","))
        for each in (ready, lifeline, *sockets):
            os.set_inheritable(each, False)
        return Worker(
            number=number,
            ready=ready,
            lifeline=lifeline,
            sockets=tuple(socket.socket(fileno=each) for each in sockets),
        )
    except (ValueError, OSError):
        raise UsageError(f"{WORKER} is set, and not by prowess", hint=f"unset {WORKER}") from None


def judged(section: ServeSection, host: str, port: int) -> Address:
    """The address. Raises UsageError for all that would keep a front from starting there."""
    address = resolve(host, port)
    insist_on_protected(address, section)
    if section.tokens:
        from prowess.serve.auth import Kept

        Kept(section.tokens)
    return address


async def serve(
    server: Server[Any],
    section: ServeSection,
    *,
    host: str,
    port: int,
    started: Callable[[str], None],
    worker: Worker | None = None,
    api: App | None = None,
) -> None:
    """`serve_http`, on sockets of its own or as `worker`, until cancelled or the supervisor is gone."""
    from prowess.serve.http import serve_http

    if worker is None:
        await serve_http(server, section, host=host, port=port, started=started, api=api)
        return
    serving = asyncio.ensure_future(
        serve_http(
            server,
            section,
            host=host,
            port=port,
            started=lambda _: worker.answers(),
            sockets=worker.sockets,
            sessions=False,
            api=api,
        )
    )
    orphaned = asyncio.ensure_future(worker.orphaned())
    try:
        await asyncio.wait({serving, orphaned}, return_when=asyncio.FIRST_COMPLETED)
    finally:
        orphaned.cancel()
        serving.cancel()
        with suppress(asyncio.CancelledError):
            await serving


async def supervise(
    command: Sequence[str],
    section: ServeSection,
    *,
    count: int,
    host: str,
    port: int,
    started: Callable[[str], None],
    say: Say,
) -> int:
    """Run `command` as `count` workers until cancelled; the exit status of the first, if it does not start.

    `started` hears the URL when all answer, `say` what happens to them. Raises UsageError before anything
    is started.
    """
    if not 1 < count <= MOST:
        raise UsageError(f"from 2 to {MOST} workers can share a port")
    if sys.platform == "win32":
        raise UsageError("several workers need a Unix", hint="run several processes behind a proxy")
    sockets = bound(await asyncio.to_thread(judged, section, host, port))
    crew = _Crew(command, sockets, say, section.shutdown_seconds + MARGIN)
    try:
        return await crew.run(count, lambda: started(url_of(host, sockets)))
    finally:
        for each in sockets:
            each.close()


class _Crew:
    """The workers of one supervisor."""

    def __init__(
        self, command: Sequence[str], sockets: Sequence[socket.socket], say: Say, grace: float
    ) -> None:
        self._command = command
        self._sockets = sockets
        self._say = say
        self._grace = grace
        self._lifeline, self._held = os.pipe()  # the end that is held closes with this process
        self._living: set[asyncio.subprocess.Process] = set()

    async def run(self, count: int, up: Callable[[], None]) -> int:
        keeping: list[asyncio.Task[None]] = []
        try:
            first, answers = await self._start(0)
            if not answers:
                return await first.wait() or 2
            others = await asyncio.gather(*(self._start(number) for number in range(1, count)))
            up()
            for number, (each, _) in enumerate([(first, True), *others]):
                keeping.append(asyncio.ensure_future(self._keep(number, each)))
            await asyncio.gather(*keeping)
            return 0
        finally:
            for task in keeping:
                task.cancel()
            await self._end()

    async def _keep(self, number: int, process: asyncio.subprocess.Process) -> None:
        """Start a worker again whenever it ends."""
        loop = asyncio.get_running_loop()
        rest, born = 0.0, loop.time()
        while True:
            status = await process.wait()
            self._living.discard(process)
            rest = 0.0 if loop.time() - born > LIVED else min(LONGEST_REST, rest * 2 or 0.25)
            self._say(f"worker {number} ended ({_ended(status)}); it is started again")
            await asyncio.sleep(rest)
            born = loop.time()
            process, _ = await self._start(number)

    async def _start(self, number: int) -> tuple[asyncio.subprocess.Process, bool]:
        """A new process, and whether it has come to answer."""
        ready, told = os.pipe()
        handed = [told, self._lifeline, *(each.fileno() for each in self._sockets)]
        try:
            process = await asyncio.create_subprocess_exec(
                *self._command,
                stdin=asyncio.subprocess.DEVNULL,
                env={**os.environ, WORKER: ",".join(map(str, (number, *handed)))},
                pass_fds=handed,
                process_group=0,  # Ctrl-C is the supervisor's to hear
            )
        finally:
            os.close(told)
        self._living.add(process)
        try:
            return process, await _hears(ready)
        finally:
            os.close(ready)

    async def _end(self) -> None:
        """Ask every worker to end, wait, end it; bounded."""
        for each in self._living:
            with suppress(ProcessLookupError):
                each.terminate()
        waiting = [asyncio.ensure_future(each.wait()) for each in self._living]
        stopping = asyncio.ensure_future(asyncio.wait(waiting, timeout=self._grace)) if waiting else None
        while stopping is not None and not stopping.done():
            with suppress(asyncio.CancelledError):  # once is enough
                await asyncio.shield(stopping)
        for process in self._living:
            if process.returncode is None:
                with suppress(ProcessLookupError):
                    _kill(process)
        for pipe in (self._lifeline, self._held):
            os.close(pipe)


def _kill(process: asyncio.subprocess.Process) -> None:
    if sys.platform == "win32":
        process.kill()
    else:
        os.killpg(process.pid, signal.SIGKILL)


async def _hears(ready: int) -> bool:
    """Whether something comes through a pipe before it is closed at the other end."""
    loop = asyncio.get_running_loop()
    readable = asyncio.Event()
    loop.add_reader(ready, readable.set)
    try:
        await readable.wait()
    finally:
        loop.remove_reader(ready)
    return bool(os.read(ready, 1))


def _ended(status: int) -> str:
    return f"status {status}" if status >= 0 else f"signal {-status}"
