"""What a connection needs of a transport, whichever of the three it is."""

from __future__ import annotations

import asyncio
from collections import deque
from types import TracebackType
from typing import Any, Protocol

from mcp.shared.message import SessionMessage

from prowess.link.faults import Fault
from prowess.link.shown import Shown

Streams = tuple[Any, Any]  # the SDK's read and write streams, of SessionMessage
Item = SessionMessage | Exception

NOTES_KEPT = 8  # different things worth saying about one connection


class Channel(Protocol):
    """A transport, entered and left once by one task.

    `handshake_only` transports know no `server/discover`; `renewable` ones can be opened again
    without anybody losing a session (a stdio server can be started once more). On `headed` ones each
    message has headers. `ended` is set when the other side is gone.
    """

    handshake_only: bool
    renewable: bool
    headed: bool
    ended: asyncio.Event
    show: Shown

    async def __aenter__(self) -> Streams: ...

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> bool | None: ...

    def fault(self, data: Any) -> Fault | None:
        """The fault that an error's `data` stands for, if this channel made that error."""
        ...

    def hurry(self) -> None:
        """Leave sooner: this one never came up."""
        ...

    def notes(self) -> tuple[str, ...]:
        """What was tolerated, fit to print."""
        ...

    async def last_words(self) -> str:
        """Why it ended, as far as can be told within a moment; fit to print, empty when it did not."""
        ...

    def ending(self) -> str:
        """The same in one stable word."""
        ...


class Notes:
    """A few different notes, each with a count."""

    def __init__(self, show: Shown) -> None:
        self.show = show
        self._counts: dict[str, int] = {}
        self._samples: dict[str, str] = {}

    def add(self, what: str, sample: str = "") -> None:
        """Note `what`, fit to print, once more; the first `sample`, as it came, is kept."""
        if what in self._counts or len(self._counts) < NOTES_KEPT:
            self._counts[what] = self._counts.get(what, 0) + 1
            self._samples.setdefault(what, self.show(sample, 120))

    def all(self) -> tuple[str, ...]:
        """Every note, in the order of first appearance."""
        return tuple(self._say(what, count) for what, count in self._counts.items())

    def _say(self, what: str, count: int) -> str:
        times = f" ({count} times)" if count > 1 else ""
        sample = self._samples[what]
        return f"{what}{times}" + (f", first: {sample}" if sample else "")


class Tail:
    """The last bytes of a stream that is always drained."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._chunks: deque[bytes] = deque()
        self._size = 0
        self._cut = False

    def add(self, chunk: bytes) -> None:
        """Keep `chunk`, and forget the oldest beyond the limit."""
        self._chunks.append(chunk)
        self._size += len(chunk)
        while self._size - len(self._chunks[0]) >= self._limit:
            self._size -= len(self._chunks.popleft())
            self._cut = True

    def text(self) -> str:
        """What is kept, invalid UTF-8 replaced; a line that was cut is left out, it may be half a secret."""
        text = b"".join(self._chunks).decode("utf-8", "replace")
        return text.partition("\n")[2] if self._cut else text
