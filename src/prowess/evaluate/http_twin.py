"""The in-memory twin of HTTP: a transport that answers what it was told to, and sends nothing.

It serves `ctx.http` in tests, and any other `httpx2.AsyncClient(transport=...)`. What nobody prepared
an answer for is a connection that fails, and is remembered in `unanswered`. A fault put on it holds
for every request until it is taken away.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, get_args

import httpx2

from prowess.call.clock import Clock, SystemClock
from prowess.errors import UsageError
from prowess.redact import printable

Fault = Literal["timeout", "unreachable", "status-500", "no-json", "other-shape"]
FOR_EVER = 3_600.0  # seconds: longer than any call may last

_BODIES: dict[str, tuple[int, str, bytes]] = {
    "status-500": (500, "application/json", b'{"error": "internal server error"}'),
    "no-json": (200, "text/html", b"<html><body>Service page</body></html>"),
    "other-shape": (200, "application/json", b'{"unexpected": [null]}'),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Sent:
    """One request that came in."""

    method: str
    url: str
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes = b""


@dataclass(slots=True, kw_only=True)
class _Prepared:
    method: str
    url: httpx2.URL
    answers: list[tuple[httpx2.Response, float]]

    def covers(self, request: httpx2.Request) -> bool:
        asked, known = request.url, self.url
        if request.method != self.method or asked.copy_with(query=None) != known.copy_with(query=None):
            return False
        return not known.query or sorted(asked.params.multi_items()) == sorted(known.params.multi_items())

    def take(self) -> tuple[httpx2.Response, float]:
        """The next answer; the last one stays."""
        return self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]


class HttpTwin(httpx2.AsyncBaseTransport):
    """Answers prepared by method and URL. A URL without a query answers for any query."""

    def __init__(self, clock: Clock | None = None) -> None:
        self.requests: list[Sent] = []
        self.unanswered: list[str] = []
        self.fault: Fault | None = None
        self._clock = clock or SystemClock()
        self._prepared: list[_Prepared] = []

    def answer(
        self,
        url: str,
        *,
        method: str = "GET",
        status: int = 200,
        json: Any = None,
        text: str | None = None,
        content: bytes | None = None,
        headers: Mapping[str, str] | None = None,
        delay: float = 0.0,
    ) -> None:
        """Prepare an answer; several for one URL are given one after the other, and the last one again."""
        made = httpx2.Response(status, headers=dict(headers or {}), **_body(json, text, content))
        prepared = _Prepared(method=method.upper(), url=_url(url), answers=[(made, delay)])
        for each in self._prepared:
            if (each.method, each.url) == (prepared.method, prepared.url):
                each.answers += prepared.answers
                return
        self._prepared.append(prepared)

    def prepare(self, said: object) -> None:
        """The same from plain values, as an example of a unit holds them. Raises UsageError."""
        if not isinstance(said, Mapping) or not isinstance(said.get("url"), str):
            raise UsageError("each of http needs a url", hint='{"url": "https://...", "json": {...}}')
        known = {"url", "method", "status", "json", "text", "headers", "delay"}
        odd = [printable(str(each), 60) for each in said if each not in known]
        if odd:
            raise UsageError(
                f"http: {', '.join(odd)} is not known", hint=f"known: {', '.join(sorted(known))}"
            )
        try:
            self.answer(**said)
        except (TypeError, ValueError, AttributeError, httpx2.InvalidURL) as error:
            raise UsageError(f"http: {printable(str(error), 200)}") from None

    def fail(self, fault: Fault | None) -> None:
        """Let every request end so from now on; None takes the fault away."""
        if fault is not None and fault not in get_args(Fault):
            raise UsageError(
                f"no fault {printable(str(fault), 40)}", hint=f"one of {', '.join(get_args(Fault))}"
            )
        self.fault = fault

    def forget(self) -> None:
        """As new."""
        self.fault = None
        for each in (self.requests, self.unanswered, self._prepared):
            each.clear()

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        """Answer. Raises what HTTP goes wrong with."""
        body = await request.aread()
        url = str(request.url)
        self.requests.append(Sent(method=request.method, url=url, headers=dict(request.headers), body=body))
        if self.fault is not None:
            return await self._failed(self.fault, request)
        for each in self._prepared:
            if each.covers(request):
                made, delay = each.take()
                await self._wait(delay, request)
                return _copy(made, request)
        self.unanswered.append(f"{request.method} {printable(url, 500)}")
        raise httpx2.ConnectError(f"no answer is prepared for {request.method} {url}", request=request)

    async def _failed(self, fault: Fault, request: httpx2.Request) -> httpx2.Response:
        if fault == "unreachable":
            raise httpx2.ConnectError("nothing listens there", request=request)
        if fault == "timeout":
            await self._wait(FOR_EVER, request)
        status, kind, content = _BODIES.get(fault, (504, "text/plain", b""))
        return httpx2.Response(status, headers={"content-type": kind}, content=content, request=request)

    async def _wait(self, seconds: float, request: httpx2.Request) -> None:
        patience = request.extensions.get("timeout", {}).get("read")
        if patience is not None and patience < seconds:
            await self._clock.sleep(patience)
            raise httpx2.ReadTimeout("no answer in time", request=request)
        if seconds > 0:
            await self._clock.sleep(seconds)


def _url(text: str) -> httpx2.URL:
    url = httpx2.URL(text)
    if url.scheme not in ("http", "https") or not url.host:
        raise ValueError(f"{printable(text, 200)} is no URL of http or https")
    return url


def _body(json: Any, text: str | None, content: bytes | None) -> dict[str, Any]:
    if content is not None:
        return {"content": content}
    return {"text": text} if text is not None else {"json": json}


def _copy(made: httpx2.Response, request: httpx2.Request) -> httpx2.Response:
    return httpx2.Response(made.status_code, headers=made.headers, content=made.content, request=request)
