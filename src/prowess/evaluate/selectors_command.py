"""The selector `command`: any agent's command line, told on stdin, answering with a name on stdout.

stdin is one JSON object: `utterance`, `catalogue` (the text of a system prompt), `names` (what may be
answered) and `none` (the word for nobody). The first line of stdout that says something is the answer.
No shell; bounded in time and output; its whole process group is ended when its time is up. It runs
with the user's own environment, as if typed.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import signal
import sys
from collections.abc import Sequence

from prowess.choose.estimate import tokens
from prowess.errors import UsageError
from prowess.evaluate.selectors import NONE, Candidates, Estimate, Failed, Identity, Meter, Selection
from prowess.evaluate.selectors_model import chosen, insist_on_none
from prowess.redact import Redactor, printable

SECONDS = 120.0
LARGEST = 64 * 1024  # bytes of stdout
REST_SECONDS = 1.0  # for what a process wrote before it ended
TEMPLATE = "command-1"  # of what is on stdin


class Command:
    """One process for each question."""

    def __init__(
        self, argv: Sequence[str], meter: Meter, *, model: str = "", seconds: float = SECONDS
    ) -> None:
        if not argv:
            raise UsageError("--selector command needs a command", hint="--command 'my-agent --choose'")
        self.identity = Identity(
            name="command", kind="choice", model=model or argv[0], template=TEMPLATE, paid=True
        )
        self._argv = tuple(argv)
        self._meter = meter
        self._seconds = seconds
        self._redactor = Redactor()
        self._candidates = Candidates(documents=(), entries=(), definitions={})
        self._around = 0

    async def begin(self, candidates: Candidates, utterances: Sequence[str]) -> None:
        """Nothing is started yet. Raises UsageError where the word for nobody is somebody's name."""
        insist_on_none(candidates)
        self._weigh(candidates)

    async def select(self, utterance: str, run: int) -> Selection:
        """Start it, tell it, read its answer."""
        if not self._meter.reserve(self._price(utterance)):
            return self._meter.failure
        said = {
            "utterance": utterance,
            "catalogue": self._candidates.text,
            "names": list(self._candidates.ids),
            "none": NONE,
        }
        loop = asyncio.get_running_loop()
        try:
            transport, heard = await loop.subprocess_exec(
                _Heard, *self._argv, start_new_session=sys.platform != "win32"
            )
        except (OSError, ValueError) as error:
            reason = error.strerror if isinstance(error, OSError) else "it cannot be started"
            return Failed(code="command-failed", message=f"{printable(self._argv[0], 200)}: {reason}")
        try:
            return await self._answer(transport, heard, json.dumps(said).encode())
        finally:
            _end(transport)
            await heard.ended.wait()
            transport.close()

    def estimate(self, candidates: Candidates, utterances: Sequence[str]) -> Estimate:
        """A process each, and what it is told; what the agent makes of it nobody can say."""
        self._weigh(candidates)
        return Estimate(calls=len(utterances), tokens=sum(map(self._price, utterances)))

    async def close(self) -> None:
        """Every process has ended by now."""

    def _weigh(self, candidates: Candidates) -> None:
        self._candidates = candidates
        self._around = tokens(candidates.text)

    def _price(self, utterance: str) -> int:
        return self._around + tokens(utterance)

    async def _answer(self, transport: asyncio.SubprocessTransport, heard: _Heard, said: bytes) -> Selection:
        _tell(transport, said)
        try:
            async with asyncio.timeout(self._seconds):
                await heard.ended.wait()
        except TimeoutError:
            return Failed(code="timeout", message=f"no answer within {self._seconds:g} s")
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(REST_SECONDS):
                await heard.closed.wait()
        out, told, status = heard.kept[1], heard.kept[2], transport.get_returncode()
        if status != 0:
            last = self._redactor.text(told.decode("utf-8", "replace")).strip().rpartition("\n")[2]
            more = f": {printable(last, 200)}" if last else ""
            return Failed(code="command-failed", message=f"it ended with status {status}{more}")
        if len(out) > LARGEST:
            return Failed(code="too-long", message=f"it wrote more than {LARGEST} bytes")
        lines = (line.strip() for line in out.decode("utf-8", "replace").splitlines())
        return chosen(next((line for line in lines if line), None), self._candidates)


class _Heard(asyncio.SubprocessProtocol):
    """What a process writes, of which no more than the bound and one is kept, and when it has ended.

    The end is that of the process: its pipes may stay open in what it leaves behind, and one that nobody
    reads is never closed.
    """

    def __init__(self) -> None:
        self.kept = {1: bytearray(), 2: bytearray()}
        self.ended, self.closed = asyncio.Event(), asyncio.Event()
        self._open = {1, 2}

    def pipe_data_received(self, fd: int, data: bytes) -> None:
        self.kept[fd] += data[: LARGEST + 1 - len(self.kept[fd])]

    def pipe_connection_lost(self, fd: int, exc: Exception | None) -> None:
        self._open.discard(fd)
        if not self._open:
            self.closed.set()

    def process_exited(self) -> None:
        self.ended.set()


def _tell(transport: asyncio.SubprocessTransport, said: bytes) -> None:
    """Write to its stdin and close that; it may answer without listening."""
    stdin = transport.get_pipe_transport(0)
    if isinstance(stdin, asyncio.WriteTransport):
        stdin.write(said)
        stdin.close()


def _end(transport: asyncio.SubprocessTransport) -> None:
    """End the whole group: what the command started goes with it."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        if sys.platform != "win32":
            os.killpg(transport.get_pid(), signal.SIGKILL)
        else:
            transport.kill()
