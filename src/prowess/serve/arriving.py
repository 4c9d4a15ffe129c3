"""HTTP/1.1 connections on which a request has to arrive in time (uvicorn's protocol, on httptools).

Uvicorn gives an idle connection a few seconds and one that trickles all the time in the world. Here the
clock runs from the first byte, or from the connection, until the whole request is there: then the
connection is closed, with a 408 where nothing was answered yet. What is no body is bounded: heads,
trailers, the lengths of chunks. A target that names a host is taken at its word. The head of an answer
leaves together with what follows it.
"""

from __future__ import annotations

import asyncio
from typing import Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle

HEAD_BYTES = 64 * 1024

_TOO_LATE = (
    b"HTTP/1.1 408 Request Timeout\r\nconnection: close\r\ncontent-length: 0\r\n\r\n"  # RFC 9110, 15.5.9
)
_TOO_LARGE = (
    b"HTTP/1.1 431 Request Header Fields Too Large\r\n"  # RFC 6585, 5
    b"connection: close\r\ncontent-length: 0\r\n\r\n"
)


class Timely(HttpToolsProtocol):
    """One connection."""

    seconds = 30.0  # that a request has to arrive
    _clock: asyncio.TimerHandle | None = None
    _whole = False  # the last request that began is there to its end
    _beside = 0  # bytes of it so far that are no body
    _body = 0
    _chunk = 0  # bytes just read that no earlier request can have had

    def connection_made(self, transport: Any) -> None:
        """Begin."""
        super().connection_made(Together(transport, self.loop))  # type: ignore[arg-type]
        self._watch()

    def data_received(self, data: bytes) -> None:
        """Read on."""
        self._chunk = len(data)
        self._beside += self._chunk
        super().data_received(data)
        if self._whole:
            # What follows an answer and is no request yet, such as an empty line, may take no longer.
            self._watch(idle=not self.cycle.response_complete)
        elif self._beside > HEAD_BYTES + self._body:
            self._refuse(_TOO_LARGE)
        else:
            self._watch()

    def on_message_begin(self) -> None:
        """A request begins."""
        super().on_message_begin()
        self._whole, self._beside, self._body = False, self._chunk, 0

    def on_header(self, name: bytes, value: bytes) -> None:
        """One header."""
        super().on_header(name, value.strip(b" \t"))  # RFC 9110, 5.5: no part of the value

    def on_headers_complete(self) -> None:
        """The head is there."""
        # What a target names counts, whatever a Host header says (RFC 9112, section 3.2.2).
        if not self.url.startswith((b"/", b"*")) and (named := _named(self.url)):
            self.headers[:] = [each for each in self.headers if each[0] != b"host"]
            self.headers.append((b"host", named))
        super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        """Part of a body."""
        self._beside -= len(body)
        self._body += len(body)
        super().on_body(body)

    def on_message_complete(self) -> None:
        """A request is there to its end."""
        self._whole, self._chunk = True, 0
        super().on_message_complete()

    def on_response_complete(self) -> None:
        """A request has its answer."""
        super().on_response_complete()
        # What follows on an idle connection is bounded by uvicorn until its first byte.
        self._watch(idle=self._whole)

    def connection_lost(self, exc: Exception | None) -> None:
        """The connection is over."""
        self._unwatch()
        super().connection_lost(exc)

    def _watch(self, *, idle: bool = False) -> None:
        """Let the clock run while something is still to come, and stop it when all is there."""
        if idle or self.transport.is_closing():
            self._unwatch()
        elif self._clock is None:
            self._clock = self.loop.call_later(self.seconds, self._too_late)

    def _unwatch(self) -> None:
        if self._clock is not None:
            self._clock.cancel()
            self._clock = None

    def _too_late(self) -> None:
        self._clock = None
        self._refuse(_TOO_LATE)

    def _refuse(self, answer: bytes) -> None:
        if self.transport.is_closing():
            return
        cycle: RequestResponseCycle | None = self.cycle  # none before the first request
        if cycle is None or cycle.response_complete or not cycle.response_started:
            self.transport.write(answer)
        self.transport.close()


def timely(seconds: float) -> type[asyncio.Protocol]:
    """The protocol, for requests that have `seconds` to arrive."""
    return type("Timely", (Timely,), {"seconds": seconds})


def _named(target: bytes) -> bytes:
    """The host, and the port where there is one, of a target in absolute form."""
    authority = target.partition(b"://")[2]
    for mark in (b"/", b"?", b"#"):
        authority = authority.partition(mark)[0]
    return authority


class Together:
    """A transport that keeps the head of an answer until what follows it is written, or the turn is over.

    Alone it would be a packet of its own, which the client reads by itself.
    """

    __slots__ = ("_kept", "_loop", "_transport")

    def __init__(self, transport: asyncio.Transport, loop: asyncio.AbstractEventLoop) -> None:
        self._transport = transport
        self._loop = loop
        self._kept = b""

    def write(self, data: bytes) -> None:
        """Write, a head later."""
        if self._kept:
            data, self._kept = self._kept + data, b""
        elif data.startswith(b"HTTP/1.1 ") and data.endswith(b"\r\n\r\n"):
            self._kept = data
            self._loop.call_soon(self._flush)
            return
        self._transport.write(data)

    def _flush(self) -> None:
        kept, self._kept = self._kept, b""
        if kept:
            self._transport.write(kept)

    def close(self) -> None:
        """Close, when everything is written."""
        self._flush()
        self._transport.close()

    def is_closing(self) -> bool:
        """Whether it is closed, or about to be."""
        return self._transport.is_closing()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._transport, name)
