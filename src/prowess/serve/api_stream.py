"""A call answered as server-sent events: `progress` and `log` while it runs, then `result` or `problem`.

WHATWG HTML, section 9.2. The client that goes away ends the call. What a slow client does not read
in time is left out, the oldest first; the last event never is.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from typing import Any, TypeVar

from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from prowess.call.redaction import Redact, keep, redacted
from prowess.errors import RequestFailed
from prowess.serve.api_intake import EVENTS
from prowess.serve.api_json import json_text

METHOD_NOT_FOUND = -32601
QUIET_SECONDS = 15.0  # a proxy in between closes what says nothing for a minute
WAITING = 1_000  # events that may wait for a slow client

T = TypeVar("T")
Event = tuple[str, Any]


class Gone(Exception):
    """The client went away before it had its answer."""


async def unless_gone(work: Awaitable[T], receive: Receive) -> T:
    """What `work` gives; it is cancelled, and Gone raised, when the client goes away first."""
    task = asyncio.ensure_future(work)
    gone = asyncio.ensure_future(_gone(receive))
    try:
        await asyncio.wait({task, gone}, return_when=asyncio.FIRST_COMPLETED)
        if not task.done():
            raise Gone
        return task.result()
    finally:
        task.cancel()
        gone.cancel()
        await asyncio.gather(task, gone, return_exceptions=True)


async def _gone(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


class StreamPeer:
    """The client of a streamed call: it hears progress and log messages, and can be asked nothing."""

    def __init__(self, secrets: Redact = keep) -> None:
        """`secrets` hides what was injected, in what a server says on the way as in results."""
        self._secrets = secrets
        self._waiting: deque[Event] = deque(maxlen=WAITING)
        self._news = asyncio.Event()
        self._over = False

    @property
    def session(self) -> str:
        """None: a request stands by itself."""
        return ""

    @property
    def capabilities(self) -> Mapping[str, Any]:
        """None."""
        return {}

    @property
    def wants_progress(self) -> bool:
        """Whether progress is listened to: always."""
        return True

    async def progress(self, params: Mapping[str, Any]) -> None:
        """One `progress` event, without the token that ties it to a request."""
        self._say("progress", {name: each for name, each in params.items() if name != "progressToken"})

    async def notify(self, method: str, params: Mapping[str, Any]) -> None:
        """One `log` event for a log message; other notifications are not for this client."""
        if method == "notifications/message":
            self._say("log", dict(params))

    async def ask(self, method: str, params: Mapping[str, Any]) -> Mapping[str, Any]:
        """Nothing can be asked over HTTP. Raises RequestFailed."""
        raise RequestFailed("a client of the HTTP API cannot be asked", number=METHOD_NOT_FOUND)

    def end(self) -> None:
        """No event comes any more."""
        self._over = True
        self._news.set()

    async def events(self) -> AsyncIterator[Event | None]:
        """Every event until the end; None when there was none for a while."""
        while True:
            while self._waiting:
                yield self._waiting.popleft()
            if self._over:
                return
            self._news.clear()
            try:
                async with asyncio.timeout(QUIET_SECONDS):
                    await self._news.wait()
            except TimeoutError:
                yield None

    def _say(self, event: str, data: Any) -> None:
        if not self._over:
            clean = data if self._secrets is keep else redacted(data, self._secrets)
            self._waiting.append((event, clean))
            self._news.set()


class CallStream(Response):
    """The response of a streamed call. `work` makes the call and gives its last event."""

    media_type = EVENTS

    def __init__(self, work: Callable[[StreamPeer], Awaitable[Event]], secrets: Redact = keep) -> None:
        super().__init__(headers={"Cache-Control": "no-store", "X-Accel-Buffering": "no"})
        del self.headers["content-length"]
        self._work = work
        self._secrets = secrets

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer; a client that goes away is no fault."""
        await send({"type": "http.response.start", "status": 200, "headers": self.raw_headers})
        with contextlib.suppress(Gone):
            await unless_gone(self._stream(send), receive)

    async def _stream(self, send: Send) -> None:
        peer = StreamPeer(self._secrets)
        work = asyncio.ensure_future(self._work(peer))
        work.add_done_callback(lambda _: peer.end())
        try:
            async for event in peer.events():
                await _write(send, written(event))
            await _write(send, written(await work))
            await send({"type": "http.response.body", "body": b"", "more_body": False})
        finally:
            work.cancel()
            await asyncio.gather(work, return_exceptions=True)


async def _write(send: Send, text: str) -> None:
    await send({"type": "http.response.body", "body": text.encode(), "more_body": True})


def written(event: Event | None) -> str:
    """One event as it is sent; a comment in place of none."""
    if event is None:
        return ":\n\n"
    return f"event: {event[0]}\ndata: {json_text(event[1])}\n\n"
