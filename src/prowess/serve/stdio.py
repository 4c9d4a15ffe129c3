"""The endpoint over the standard streams of this process: one JSON-RPC message a line.

MCP 2026-07-28 and 2025-11-25, "stdio". While it serves, descriptor 1 leads to stderr and 0 to nothing,
so that whatever a unit or a library prints cannot reach the client. Reading and writing are done by
the event loop; a thread reads only where a descriptor cannot be watched (a regular file).
"""

from __future__ import annotations

import asyncio
import json
import os
import selectors
import sys
from collections import deque
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import asynccontextmanager
from types import TracebackType

import anyio
from mcp.shared.message import SessionMessage
from mcp_types import INVALID_REQUEST, PARSE_ERROR, JSONRPCNotification, jsonrpc_message_adapter
from pydantic import ValidationError

from prowess.link.lines import Lines, TooLong
from prowess.link.messages import at_a_glance
from prowess.serve.protocol import ProtocolServer

CHUNK = 256 * 1024
APART_SECONDS = 0.002


class Out:
    """The SDK's write stream: each message a line, as fast as the client reads."""

    def __init__(self, fd: int) -> None:
        self._fd = fd
        self._turn = asyncio.Lock()
        self._writer: asyncio.StreamWriter | None = None
        self._told = -APART_SECONDS  # when something was told last, by the loop's clock

    async def open(self) -> None:
        """Have the loop write, where it can."""
        loop = asyncio.get_running_loop()
        try:
            file = os.fdopen(self._fd, "wb", 0, closefd=False)
            transport, protocol = await loop.connect_write_pipe(asyncio.streams.FlowControlMixin, file)
            self._writer = asyncio.StreamWriter(transport, protocol, None, loop)
        except ValueError:
            self._writer = None  # a regular file: writing to it never waits

    async def send(self, item: SessionMessage, /) -> None:
        """Write one message; an answer a moment after what was told before it."""
        told = isinstance(item.message, JSONRPCNotification)
        if not told:
            await self._apart()
        await self.write(item.message.model_dump_json(by_alias=True, exclude_unset=True).encode())
        if told:
            self._told = asyncio.get_running_loop().time()

    async def _apart(self) -> None:
        # Clients on the TypeScript SDK 1.x lose progress that they read in one piece with the answer.
        left = self._told + APART_SECONDS - asyncio.get_running_loop().time()
        if left > 0:
            await asyncio.sleep(left)

    async def write(self, message: bytes) -> None:
        """Write one line. Raises anyio.BrokenResourceError when nobody reads any more."""
        async with self._turn:
            try:
                if self._writer is None:
                    os.write(self._fd, message + b"\n")
                else:
                    self._writer.write(message + b"\n")
                    await self._writer.drain()
            except (OSError, RuntimeError) as error:
                raise anyio.BrokenResourceError from error

    async def aclose(self) -> None:
        """Let go of the loop's end of it."""
        if self._writer is not None:
            self._writer.close()

    async def __aenter__(self) -> Out:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.aclose()


async def serve_stdio(server: ProtocolServer) -> None:
    """Serve until the client closes our standard input."""
    with _standard_streams() as (read_fd, write_fd):
        out = Out(write_fd)
        await out.open()
        try:
            await server.run(Incoming(_chunks(read_fd), out), out)
        finally:
            await out.aclose()


class Incoming:
    """The SDK's read stream: the messages on the lines of a stream; a line that holds none is answered."""

    def __init__(self, chunks: AsyncGenerator[bytes, None], out: Out) -> None:
        self._chunks = chunks
        self._out = out
        self._lines = Lines()
        self._read: deque[bytes | TooLong] = deque()

    def __aiter__(self) -> Incoming:
        return self

    async def __anext__(self) -> SessionMessage:
        while True:
            while self._read:
                line = self._read.popleft()
                message = None if isinstance(line, TooLong) else _message(line)
                if isinstance(message, SessionMessage):
                    return message
                await self._out.write(message or _refusal(INVALID_REQUEST, "the message is too long"))
            self._read.extend(self._lines.feed(await anext(self._chunks)))

    async def __aenter__(self) -> Incoming:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._chunks.aclose()


def _message(line: bytes) -> SessionMessage | bytes:
    """The message on a line, or the answer to a line that holds none."""
    if (known := at_a_glance(line)) is not None:
        return SessionMessage(known)
    try:
        message = jsonrpc_message_adapter.validate_json(line, by_name=False)
        # With an id that is none it reads as a notification, and whoever waits would wait for ever.
        if isinstance(message, JSONRPCNotification) and b'"id"' in line and "id" in json.loads(line):
            return _refusal(INVALID_REQUEST, "Invalid Request: an id is a text or a whole number")
        return SessionMessage(message)
    except ValidationError as error:
        if any(each["type"] == "json_invalid" for each in error.errors(include_input=False)):
            return _refusal(PARSE_ERROR, "Parse error: not JSON")
        return _refusal(INVALID_REQUEST, "Invalid Request: not one JSON-RPC 2.0 message", _id_of(line))


def _id_of(line: bytes) -> str | int | None:
    """The id of a message that is none, so that whoever waits for its answer gets one."""
    try:
        document = json.loads(line)
    except (ValueError, RecursionError):
        return None
    found = document.get("id") if isinstance(document, dict) and "method" in document else None
    return found if isinstance(found, str | int) and not isinstance(found, bool) else None


def _refusal(code: int, message: str, id: str | int | None = None) -> bytes:
    error = {"code": code, "message": message}
    return json.dumps({"jsonrpc": "2.0", "id": id, "error": error}).encode()


async def _chunks(fd: int) -> AsyncGenerator[bytes, None]:
    if not _watchable(fd):
        while chunk := await asyncio.to_thread(os.read, fd, CHUNK):
            yield chunk
        return
    loop = asyncio.get_running_loop()
    reader = asyncio.StreamReader(limit=CHUNK)
    file = os.fdopen(fd, "rb", 0, closefd=False)
    transport, _ = await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), file)
    try:
        while chunk := await reader.read(CHUNK):
            yield chunk
    finally:
        transport.close()


def _watchable(fd: int) -> bool:
    """Whether the loop can tell when there is something to read: not of a regular file, or /dev/null."""
    with selectors.DefaultSelector() as selector:
        try:
            selector.register(fd, selectors.EVENT_READ)
        except (OSError, ValueError):
            return False
    return True


class _standard_streams:  # noqa: N801  # reads as a verb where it is used
    """Our own copies of descriptors 0 and 1, which lead elsewhere until the block ends."""

    def __enter__(self) -> tuple[int, int]:
        sys.stdout.flush()
        self._saved = (os.dup(0), os.dup(1))
        nothing = os.open(os.devnull, os.O_RDONLY)
        os.dup2(nothing, 0)
        os.close(nothing)
        os.dup2(2, 1)
        return self._saved

    def __exit__(self, *_: object) -> None:
        sys.stdout.flush()
        for number, saved in enumerate(self._saved):
            if sys.platform != "win32":
                os.set_blocking(saved, True)
            os.dup2(saved, number)
            os.close(saved)


@asynccontextmanager
async def listening(server: ProtocolServer) -> AsyncIterator[None]:
    """Tell clients of changes while the block lasts; streams end in the protocol's own way."""
    end = server.news.begin_listening()
    try:
        yield
    finally:
        end()
        server.close_streams()
