"""How often and how much at once each caller may ask: a bucket of tokens, and a count of what is open.

Every request takes a token; tokens come back at a steady rate, up to `burst`. Who has none is told when
to come again (429 with Retry-After, RFC 6585). What is remembered is bounded: a bucket that is full
again is as good as none. It counts for this process and knows nothing of others.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from math import ceil
from time import monotonic

from prowess.host.serving import ServeSection
from prowess.provider import Caller
from prowess.serve.answers import App, Receive, Scope, Send, refuse
from prowess.serve.request import CALLER_STATE

REMEMBERED = 10_000  # callers
BUSY_SECONDS = 1  # what a caller with too much open is told to wait


class Buckets:
    """The tokens of many callers. `per_minute` come back to each; `burst` is the most that one can have."""

    def __init__(
        self, per_minute: float, burst: int, *, clock: Callable[[], float] = monotonic, most: int = REMEMBERED
    ) -> None:
        self._rate = per_minute / 60
        self._burst = burst
        self._clock = clock
        self._most = most
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()  # tokens, and when that was

    def take(self, caller: str) -> float:
        """Take a token: 0, or the seconds until there is one."""
        now = self._clock()
        tokens, then = self._left.pop(caller, (float(self._burst), now))
        tokens = min(self._burst, tokens + max(0.0, now - then) * self._rate)
        wait = 0.0 if tokens >= 1 else (1 - tokens) / self._rate
        self._left[caller] = (tokens if wait else tokens - 1, now)
        if len(self._left) > self._most:
            self._left.popitem(last=False)  # who has asked least lately
        return wait

    def __len__(self) -> int:
        """How many callers are remembered."""
        return len(self._left)


class CallerLimits:
    """Holds every caller to `[serve]`; the caller is who the state of the request says, or the local user."""

    def __init__(
        self,
        app: App,
        section: ServeSection,
        *,
        clock: Callable[[], float] = monotonic,
        most: int = REMEMBERED,
    ) -> None:
        self._app = app
        self._most_open = section.per_caller_concurrency
        self._open: dict[str, int] = {}
        self._buckets: Buckets | None = None
        if section.requests_per_minute is not None:
            burst = section.burst or max(1, ceil(section.requests_per_minute / 6))  # ten seconds' worth
            self._buckets = Buckets(section.requests_per_minute, burst, clock=clock, most=most)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request, or the lifespan."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        who = scope.get("state", {}).get(CALLER_STATE, Caller()).principal
        wait = self._buckets.take(who) if self._buckets is not None else 0.0
        if wait:
            await _too_many(send, "too many requests in a minute", ceil(wait))
        elif self._open.get(who, 0) >= self._most_open:
            await _too_many(send, "too many requests at once", BUSY_SECONDS)
        else:
            await self._counted(who, scope, receive, send)

    async def _counted(self, who: str, scope: Scope, receive: Receive, send: Send) -> None:
        self._open[who] = self._open.get(who, 0) + 1
        try:
            await self._app(scope, receive, send)
        finally:
            self._open[who] -= 1
            if not self._open[who]:
                del self._open[who]


async def _too_many(send: Send, words: str, seconds: int) -> None:
    await refuse(send, 429, "too_many_requests", words, headers=[("retry-after", str(max(1, seconds)))])
