"""The stdio transport: one JSON-RPC message a line over the pipes of a process.

MCP 2026-07-28 and earlier, "stdio"; Agent Plugins 1.0.0, section 7.2. What a server writes to
stdout that is no message is tolerated and noted, stderr is always drained and its end kept, an
answer that cannot be read fails its own request. It does not know what the messages mean.
"""

from __future__ import annotations

import asyncio
import re
import signal
from collections import deque
from collections.abc import Callable
from types import TracebackType
from typing import IO, Any

import anyio
from mcp.shared.message import SessionMessage
from mcp_types import (
    INTERNAL_ERROR,
    ErrorData,
    JSONRPCError,
    JSONRPCRequest,
    JSONRPCResponse,
    jsonrpc_message_adapter,
)
from pydantic import ValidationError

from prowess.link.channel import Notes, Streams, Tail
from prowess.link.faults import Fault
from prowess.link.finish import finish
from prowess.link.halves import HALVES, whole
from prowess.link.lines import EDGE, MAX_LINE, Lines, TooLong, answered_id
from prowess.link.messages import at_a_glance
from prowess.link.process import PATIENCE_SECONDS, Child
from prowess.link.shown import CONSIDERED, Shown
from prowess.redact import printable
from prowess.source.launch import Launch

STDERR_KEPT = 64 * 1024  # bytes of the end of stderr
STDERR_SHOWN = 6  # lines of it in a reason
HURRY_SECONDS = 0.3  # patience with a process that never came up
DRAIN_SECONDS = 0.25  # how long after the exit the pipes may still deliver
CHUNK = 256 * 1024
MOST_ASKED = 4_096  # requests without an answer whose ids are remembered
_NUMBER = re.compile(r"[0-9]{1,18}")


class StdioChannel:
    """A Channel over a process. Enter it to start the process, leave it to end all of it."""

    handshake_only = False
    renewable = True
    headed = False

    def __init__(self, launch: Launch, show: Shown, *, limit: int = MAX_LINE) -> None:
        self.show = show
        self._launch = launch
        self._limit = limit
        self._patience = PATIENCE_SECONDS
        self._notes = Notes(show)
        self._stderr = Tail(STDERR_KEPT)
        self._status: int | None = None
        self._asked: dict[int | str, None] = {}
        self._incoming: _Incoming | None = None
        self._tasks: list[asyncio.Task[None]] = []
        self._pipes: list[asyncio.ReadTransport] = []
        self._child: Child | None = None
        self._input: _Input | None = None
        self.ended = asyncio.Event()

    async def __aenter__(self) -> Streams:
        child = self._child = Child.start(self._launch.argv, self._launch.env, self._launch.cwd)
        streams: Streams | None = None
        try:
            streams = await self._connect(child)
            return streams
        finally:
            if streams is None:
                self.hurry()
                await self._leave()

    async def _connect(self, child: Child) -> Streams:
        loop = asyncio.get_running_loop()
        stdin, stdout, stderr = child.pipes
        feed = self._input = _Input()
        await loop.connect_write_pipe(lambda: feed, stdin)
        output, errors = asyncio.StreamReader(limit=CHUNK), asyncio.StreamReader(limit=CHUNK)
        for reader, pipe in ((output, stdout), (errors, stderr)):
            await self._attach(reader, pipe)
        incoming = self._incoming = _Incoming(output, self._limit, self._understood, self.ended)
        draining = loop.create_task(self._drain(errors))
        watching = loop.create_task(self._watch(child, incoming, draining))
        listening = loop.create_task(self._watch_input(feed, child, incoming))
        self._tasks = [draining, watching, listening]
        return incoming, _Outgoing(feed, self._asked)

    async def _attach(self, reader: asyncio.StreamReader, pipe: IO[bytes]) -> None:
        loop = asyncio.get_running_loop()
        transport, _ = await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), pipe)
        self._pipes.append(transport)

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self._leave()

    async def _leave(self) -> None:
        if self._child is not None:
            await finish(self._close(self._child))

    async def _close(self, child: Child) -> None:
        """End of input, then whatever it takes; readers stay at work so that a last write never blocks."""
        child.remember_family()
        if self._input is not None:
            self._input.close()
        try:
            await child.end(self._patience)
        finally:
            if self._tasks:
                await asyncio.wait(self._tasks[:1], timeout=DRAIN_SECONDS)
            for task in self._tasks:
                task.cancel()
            await asyncio.gather(*self._tasks, return_exceptions=True)
            for pipe in self._pipes:
                pipe.close()
            await asyncio.sleep(0)  # lets the transports run their last callback
            child.close_pipes()
            self.ended.set()

    def hurry(self) -> None:
        """Be short with a process that never came up."""
        self._patience = HURRY_SECONDS

    def notes(self) -> tuple[str, ...]:
        """What was tolerated on stdout."""
        return self._notes.all()

    def fault(self, data: Any) -> Fault | None:
        """Faults of this channel travel as they are: nothing here leaves the process."""
        return data if isinstance(data, Fault) else None

    async def last_words(self) -> str:
        """The exit status and the end of stderr."""
        if self._child is not None and self.ended.is_set():
            await asyncio.wait({self._child.exited}, timeout=DRAIN_SECONDS)
            if self._tasks:
                await asyncio.wait(self._tasks[:1], timeout=DRAIN_SECONDS)
        return "; ".join(each for each in (self._ending(), self._complaint()) if each)

    def _ending(self) -> str:
        if self._status is None and not self._tasks:
            return ""  # it never came to talking
        if self._status is None:
            side = "input" if self._input is not None and self._input.deaf.is_set() else "output"
            return f"closed its {side}" if self.ended.is_set() else ""
        if self._status < 0:
            return f"was ended by {_signal_name(-self._status)}"
        return f"exited with status {self._status}"

    def ending(self) -> str:
        """Whether the process is gone, or only does not talk any more."""
        return "closed" if self._status is None else "exited"

    def stderr(self) -> str:
        """The end of what it wrote to stderr, without the secrets it was given."""
        return self.show.masked(self._stderr.text()[-CONSIDERED:])

    def _complaint(self) -> str:
        lines = [line.strip() for line in self.stderr().splitlines() if line.strip()]
        shown = " | ".join(printable(line, 300) for line in lines[-STDERR_SHOWN:])
        return f"stderr: {shown}" if shown else ""

    async def _watch(self, child: Child, incoming: _Incoming, draining: asyncio.Task[None]) -> None:
        """Ends the connection when the process is gone, even if something else holds its pipes."""
        self._status = await asyncio.shield(child.exited)
        read = asyncio.ensure_future(self.ended.wait())
        await asyncio.wait({read, draining}, timeout=DRAIN_SECONDS, return_when=asyncio.ALL_COMPLETED)
        read.cancel()
        incoming.stop()

    async def _watch_input(self, feed: _Input, child: Child, incoming: _Incoming) -> None:
        """Ends the connection of a process that lives on and will not hear anything more."""
        await feed.deaf.wait()
        await asyncio.wait({child.exited}, timeout=DRAIN_SECONDS)
        incoming.stop()

    async def _drain(self, errors: asyncio.StreamReader) -> None:
        while chunk := await errors.read(CHUNK):
            self._stderr.add(chunk)

    def _understood(self, line: bytes | TooLong) -> SessionMessage | None:
        if isinstance(line, TooLong):
            what = f"an answer of {line.length} bytes is over the limit of {self._limit}"
            self._notes.add("an answer over the size limit was left out")
            return self._failed(answered_id(line.head, line.tail), what)
        known = at_a_glance(line)
        if known is not None:
            if isinstance(known, JSONRPCResponse):
                self._note_answer(known.id)
            return SessionMessage(known)
        return self._read_slowly(line)

    def _read_slowly(self, line: bytes) -> SessionMessage | None:
        """A line that holds something unusual, or no message."""
        try:
            text = line.decode()
        except UnicodeDecodeError:
            self._notes.add("invalid UTF-8 on stdout was replaced")
            text = line.decode("utf-8", "replace")
        if (mended := whole(line)) != line:
            self._notes.add(HALVES)
            text = mended.decode("utf-8", "replace")
        try:
            message = SessionMessage(jsonrpc_message_adapter.validate_json(text, by_name=False))
        except ValidationError:
            return self._unreadable(line, text)
        if isinstance(message.message, JSONRPCResponse | JSONRPCError):
            self._note_answer(message.message.id)
        return message

    def _note_answer(self, answered: int | str | None) -> None:
        # An id that comes back as text is understood by the SDK, too.
        id = int(answered) if isinstance(answered, str) and _NUMBER.fullmatch(answered) else answered
        if id in self._asked:
            del self._asked[id]
        else:
            self._notes.add("answers that belong to no open request")

    def _unreadable(self, line: bytes, text: str) -> SessionMessage | None:
        answered = answered_id(line[:EDGE], line[-EDGE:])
        if answered in self._asked:
            return self._failed(answered, "the answer is not a JSON-RPC message that can be read")
        self._notes.add("stdout holds lines that are no JSON-RPC message", text)
        return None

    def _failed(self, answered: int | None, reason: str) -> SessionMessage | None:
        """An error in place of the answer to one of our requests."""
        if answered is None or answered not in self._asked:
            return None
        del self._asked[answered]
        error = ErrorData(code=INTERNAL_ERROR, message=reason, data=Fault(kind="unreadable", reason=reason))
        return SessionMessage(JSONRPCError(jsonrpc="2.0", id=answered, error=error))


class _Incoming:
    """The messages on a process's stdout, as the SDK's read stream. It knows nobody's requests."""

    def __init__(
        self,
        output: asyncio.StreamReader,
        limit: int,
        understood: Callable[[bytes | TooLong], SessionMessage | None],
        ended: asyncio.Event,
    ) -> None:
        self._output = output
        self._lines = Lines(limit)
        self._understood = understood
        self._ended = ended
        self._read: deque[bytes | TooLong] = deque()

    def __aiter__(self) -> _Incoming:
        return self

    async def __anext__(self) -> SessionMessage:
        while True:
            while self._read:
                message = self._understood(self._read.popleft())
                if message is not None:
                    return message
            try:
                chunk = await self._output.read(CHUNK)
            except _Stopped:
                chunk = b""
            if not chunk:
                self._ended.set()
                raise StopAsyncIteration
            self._read.extend(self._lines.feed(chunk))

    def stop(self) -> None:
        """There is nothing more to wait for."""
        self._ended.set()
        self._output.set_exception(_Stopped())

    async def __aenter__(self) -> _Incoming:
        return self

    async def __aexit__(self, *_: object) -> None:
        self._ended.set()


class _Stopped(Exception):
    """Nothing more will be read."""


class _Outgoing:
    """The way to a process's stdin, as the SDK's write stream; `asked` grows by the ids of requests.

    A server that leaves requests unanswered, as it should those that were taken back, fills no memory.
    """

    def __init__(self, pipe: _Input, asked: dict[int | str, None]) -> None:
        self._pipe = pipe
        self._asked = asked

    async def send(self, item: SessionMessage) -> None:
        """Write one message. Raises anyio.BrokenResourceError when nobody reads any more."""
        message = item.message
        if isinstance(message, JSONRPCRequest):
            self._asked[message.id] = None
            if len(self._asked) > MOST_ASKED:
                del self._asked[next(iter(self._asked))]
        line = message.model_dump_json(by_alias=True, exclude_unset=True)
        if not await self._pipe.write(line.encode() + b"\n"):
            raise anyio.BrokenResourceError

    async def __aenter__(self) -> _Outgoing:
        return self

    async def __aexit__(self, *_: object) -> None:
        """Its end is the channel's matter."""


class _Input(asyncio.BaseProtocol):
    """The write end of the server's stdin, with flow control."""

    def __init__(self) -> None:
        self._pipe: asyncio.WriteTransport | None = None
        self._clear = asyncio.Event()
        self._closed = False
        self._lost = False
        self.deaf = asyncio.Event()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """The pipe is open."""
        self._pipe = transport if isinstance(transport, asyncio.WriteTransport) else None
        self._clear.set()

    def connection_lost(self, exc: Exception | None) -> None:
        """Nobody reads any more; `deaf` when that was not our doing."""
        self._lost = True
        self._clear.set()
        if not self._closed:
            self.deaf.set()

    def pause_writing(self) -> None:
        """The server does not keep up."""
        self._clear.clear()

    def resume_writing(self) -> None:
        """It does again."""
        self._clear.set()

    async def write(self, line: bytes) -> bool:
        """Write, and wait while the pipe is full; False when nobody reads."""
        if self._pipe is None or self._lost or self._pipe.is_closing():
            return False
        self._pipe.write(line)
        await self._clear.wait()
        return not self._lost

    def close(self) -> None:
        """End of input, at once: what is not written yet is of no use to a server that is to go."""
        self._closed = True
        if self._pipe is not None and not self._lost:
            if self._pipe.get_write_buffer_size():
                self._pipe.abort()
            else:
                self._pipe.close()


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"
