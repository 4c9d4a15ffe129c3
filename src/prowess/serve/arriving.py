"""HTTP/1.1 connections on which a request has to arrive in time (uvicorn's protocol, on h11).

Uvicorn gives an idle connection a few seconds and one that trickles all the time in the world. Here the
clock runs from the first byte, or from the connection, until the whole request is there: then the
connection is closed, with a 408 where nothing was answered yet. Heads are bounded by h11.
"""

from __future__ import annotations

import asyncio
from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol, RequestResponseCycle

HEAD_BYTES = 64 * 1024

_ANSWER = (
    b"HTTP/1.1 408 Request Timeout\r\nconnection: close\r\ncontent-length: 0\r\n\r\n"  # RFC 9110, 15.5.9
)


def timely(seconds: float) -> type[asyncio.Protocol]:
    """The protocol, for requests that have `seconds` to arrive."""

    class Timely(H11Protocol):
        _clock: asyncio.TimerHandle | None = None

        def connection_made(self, transport: Any) -> None:
            super().connection_made(transport)
            self._watch()

        def data_received(self, data: bytes) -> None:
            super().data_received(data)
            self._watch()

        def on_response_complete(self) -> None:
            super().on_response_complete()
            # What follows on an idle connection is bounded by uvicorn until its first byte.
            self._watch(idle=self.conn.their_state is h11.IDLE and not self.conn.trailing_data[0])

        def connection_lost(self, exc: Exception | None) -> None:
            self._unwatch()
            super().connection_lost(exc)

        def _watch(self, *, idle: bool = False) -> None:
            """Let the clock run while something is still to come, and stop it when all is there."""
            if idle or self.transport.is_closing() or self.conn.their_state not in (h11.IDLE, h11.SEND_BODY):
                self._unwatch()
            elif self._clock is None:
                self._clock = self.loop.call_later(seconds, self._too_late)

        def _unwatch(self) -> None:
            if self._clock is not None:
                self._clock.cancel()
                self._clock = None

        def _too_late(self) -> None:
            self._clock = None
            if self.transport.is_closing():
                return
            cycle: RequestResponseCycle | None = self.cycle  # none before the first request
            if cycle is None or cycle.response_complete or not cycle.response_started:
                self.transport.write(_ANSWER)
            self.transport.close()

    return Timely
