"""Requests under way, so that a front can stop without cutting off what would soon be answered.

Two kinds never end by themselves: the stream of a session (GET) and `subscriptions/listen`. When the
front stops they are told that their client has gone; all others have their time, and what is not
answered then is cancelled and told so (503).
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any

from prowess.serve.answers import App, Message, Receive, Scope, Send, header, refuse

ENDLESS_SECONDS = 1.0  # for streams to end in their own words
AGAIN_SECONDS = 5  # what a client whose request was cut off is told to wait

Over = Callable[[], Awaitable[object]]


class UnderWay:
    """Counts requests, and ends them when asked to."""

    def __init__(self, app: App) -> None:
        self._app = app
        self._stopping = asyncio.Event()
        self._endless = 0
        self._others = 0
        self._cut: set[asyncio.Task[Any]] = set()
        self._tasks: set[asyncio.Task[Any]] = set()
        self._less = asyncio.Event()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request, or the lifespan."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        endless = is_endless(scope)
        self._count(endless, 1)
        try:
            await (self._until_stopped if endless else self._until_cut)(scope, receive, send)
        finally:
            self._count(endless, -1)
            self._less.set()

    def _count(self, endless: bool, by: int) -> None:
        if endless:
            self._endless += by
        else:
            self._others += by

    async def _until_stopped(self, scope: Scope, receive: Receive, send: Send) -> None:
        await until(self._stopping.wait, self._app, scope, receive, send)

    async def _until_cut(self, scope: Scope, receive: Receive, send: Send) -> None:
        """The app; whoever has no answer when the time is up gets one of ours."""
        task = asyncio.current_task()
        assert task is not None
        begun = ended = False

        async def sent(message: Message) -> None:
            nonlocal begun, ended
            begun = True
            ended = message["type"] == "http.response.body" and not message.get("more_body", False)
            await send(message)

        self._tasks.add(task)
        try:
            await self._app(scope, receive, sent)
        except asyncio.CancelledError:
            if task not in self._cut:
                raise
            task.uncancel()
            if not begun:
                again = [("retry-after", str(AGAIN_SECONDS))]
                await refuse(
                    send,
                    503,
                    "stopping",
                    "this endpoint stops; nothing is known of the outcome",
                    headers=again,
                )
            elif not ended:
                await send({"type": "http.response.body", "body": b""})
        finally:
            self._tasks.discard(task)
            self._cut.discard(task)

    async def end(self, seconds: float) -> None:
        """Wait for requests under way, at most so long, with endless ones ended."""
        loop = asyncio.get_running_loop()
        begun = loop.time()
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                while self._others or (self._endless and loop.time() - begun < ENDLESS_SECONDS):
                    self._less.clear()
                    with suppress(TimeoutError):
                        await asyncio.wait_for(self._less.wait(), ENDLESS_SECONDS / 10)
        self._stopping.set()
        for task in list(self._tasks):
            self._cut.add(task)
            task.cancel()
        with suppress(TimeoutError):
            async with asyncio.timeout(ENDLESS_SECONDS):
                while self._endless or self._others:
                    self._less.clear()
                    await self._less.wait()


def is_endless(scope: Scope) -> bool:
    """Whether a request is for something that does not end by itself."""
    return bool(scope["method"] == "GET" or header(scope, b"mcp-method") == "subscriptions/listen")


async def until(over: Over, app: App, scope: Scope, receive: Receive, send: Send) -> None:
    """The app, told of a client that goes away when `over` returns; what it began is ended."""
    begun = ended = False

    async def heard() -> Message:
        got, done = asyncio.ensure_future(receive()), asyncio.ensure_future(over())
        try:
            await asyncio.wait({got, done}, return_when=asyncio.FIRST_COMPLETED)
            return got.result() if got.done() else {"type": "http.disconnect"}
        finally:
            for each in (got, done):
                each.cancel()

    async def sent(message: Message) -> None:
        nonlocal begun, ended
        begun = True
        ended = message["type"] == "http.response.body" and not message.get("more_body", False)
        await send(message)

    await app(scope, heard, sent)
    if begun and not ended:
        await send({"type": "http.response.body", "body": b""})
