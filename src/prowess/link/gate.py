"""The one way out to an HTTP server: to its own origin, with the headers that belong there.

Agent Plugins 1.0.0, 7.2: configured headers are literal, headers that the client generates win over
them (compared without case), and configured headers never go to another origin, by redirect or by
an SSE endpoint event. The gate stands below the HTTP client and the SDK, so that no code above it
can send anything elsewhere; redirects are followed here, within the origin, and nowhere else.
It also turns what HTTP can go wrong with into faults, and bounds a JSON answer.
"""

from __future__ import annotations

import asyncio
import json
import re
import socket
import ssl
from collections.abc import Iterator, Mapping
from typing import Any

import httpx2

from prowess.link.channel import Notes
from prowess.link.faults import Faulted
from prowess.link.halves import HALVES, WholeStream, whole
from prowess.link.injected import TRIES_MAX, Injected, seconds
from prowess.link.lines import MAX_LINE
from prowess.link.shown import Shown
from prowess.redact import printable

REDIRECTS_MAX = 5
FAREWELL_SECONDS = 2.0  # for the DELETE that ends a session
_REDIRECTS = frozenset({301, 302, 303, 307, 308})
# Fields that belong to the connection or the protocol, whether or not this very request carries one.
_OURS = frozenset(
    (
        *("accept", "accept-encoding", "connection", "content-encoding", "content-length", "content-type"),
        *("expect", "host", "keep-alive", "last-event-id", "proxy-authorization", "proxy-connection"),
        *("te", "trailer", "transfer-encoding", "upgrade"),
    )
)
_SESSION = "mcp-session-id"
_SESSION_ID = re.compile(r"[\x21-\x7e]+")  # "Session Management": nothing but visible ASCII

Origin = tuple[str, str, int | None]


def origin_of(url: httpx2.URL) -> Origin:
    """Scheme, host and port; the client has normalised case and default ports."""
    return (url.scheme, url.host, url.port)


def origin_text(url: httpx2.URL) -> str:
    """An origin to show: no path, query or user part."""
    port = f":{url.port}" if url.port is not None else ""
    return printable(f"{url.scheme}://{url.host}{port}")


class Gate(httpx2.AsyncBaseTransport):
    """Sends to one origin only; raises Faulted."""

    def __init__(
        self,
        inner: httpx2.AsyncBaseTransport,
        url: str,
        headers: Mapping[str, str],
        show: Shown,
        injected: Injected | None = None,
    ) -> None:
        self._inner = inner
        self._injected = injected if injected is not None else Injected(None, show)
        self._origin = origin_of(httpx2.URL(url))
        self._headers = dict(headers)
        self.notes = Notes(show)

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        """Send `request` with what is injected; once more where another token may do better."""
        injection = await self._injected.for_request()
        for _ in range(TRIES_MAX):
            sent, response = await self._sent(request, injection.headers)
            try:
                other = await self._injected.instead(injection, response)
            except BaseException:
                await response.aclose()
                raise
            if other is None:
                return await self._judged(sent, response)
            await response.aclose()
            injection = other
        raise Faulted("auth", "every token was turned away", code="credential-rejected")

    async def _sent(
        self, request: httpx2.Request, injected: Mapping[str, str]
    ) -> tuple[httpx2.Request, httpx2.Response]:
        """Send `request`, following redirects within the origin."""
        for _ in range(REDIRECTS_MAX + 1):
            self.keep_inside(request.url)
            response = await self._exchange(self._with_headers(request, injected))
            if response.status_code not in _REDIRECTS:
                return request, response
            await response.aclose()
            request = self._next(request, response)
        raise Faulted("origin", f"more than {REDIRECTS_MAX} redirects")

    def keep_inside(self, url: httpx2.URL) -> None:
        """Raise when `url` is not on the configured origin."""
        if origin_of(url) != self._origin:
            raise Faulted("origin", f"refused to go to another origin: {origin_text(url)}")

    def _with_headers(self, request: httpx2.Request, injected: Mapping[str, str]) -> httpx2.Request:
        fields = list(request.headers.raw)
        replaced = {name.lower() for name in injected}
        configured = {name: value for name, value in self._headers.items() if name.lower() not in replaced}
        for name, value in {**configured, **injected}.items():
            lower = name.lower()
            if lower in _OURS or lower.startswith("mcp-") or lower in request.headers:
                self.notes.add(f"configured header {printable(name)} gave way to the client's own")
            else:
                fields.append((name.encode("ascii"), value.encode("latin-1")))
        return httpx2.Request(
            request.method,
            request.url,
            headers=httpx2.Headers(fields),
            stream=request.stream,
            extensions=request.extensions,
        )

    async def _exchange(self, request: httpx2.Request) -> httpx2.Response:
        seconds = FAREWELL_SECONDS if request.method == "DELETE" else None
        try:
            async with asyncio.timeout(seconds):
                return await self._inner.handle_async_request(request)
        except (httpx2.ConnectError, httpx2.ConnectTimeout, httpx2.PoolTimeout, httpx2.ProxyError) as error:
            code, words = unreachable(error)
            raise Faulted("unreachable", f"could not connect: {words}", code=code) from error
        except (httpx2.TransportError, TimeoutError) as error:
            raise Faulted("lost", f"the connection broke: {said(error)}") from error

    def _next(self, request: httpx2.Request, response: httpx2.Response) -> httpx2.Request:
        status = response.status_code
        try:
            where = request.url.join(response.headers["location"])
        except (KeyError, httpx2.InvalidURL, ValueError):
            raise Faulted("origin", f"HTTP {status} names no place that can be read", status) from None
        if origin_of(where) != self._origin:
            raise Faulted(
                "origin", f"refused an HTTP {status} redirect to another origin: {origin_text(where)}", status
            )
        if where.userinfo and where.userinfo != request.url.userinfo:
            raise Faulted("origin", f"refused an HTTP {status} redirect that brings a user name", status)
        if request.method != "GET" and status not in (307, 308):
            raise Faulted(
                "origin", f"an HTTP {status} redirect would lose the message; 307 or 308 keeps it", status
            )
        return httpx2.Request(
            request.method,
            where,
            headers=request.headers,
            stream=request.stream,
            extensions=request.extensions,
        )

    async def _judged(self, request: httpx2.Request, response: httpx2.Response) -> httpx2.Response:
        status, headers = response.status_code, response.headers
        kind = headers.get("content-type", "").partition(";")[0].strip().lower()
        if status == 401 or (status == 403 and "www-authenticate" in headers):
            await response.aclose()
            raise Faulted("auth", f"the server asks for authorization (HTTP {status})", status)
        if request.method == "DELETE":
            await response.aclose()
            return httpx2.Response(status)
        if not _SESSION_ID.fullmatch(headers.get(_SESSION, "x")):
            await response.aclose()
            raise Faulted("incompatible", "the session id holds more than visible ASCII", status)
        if "content-encoding" in headers:
            await response.aclose()
            raise Faulted("unreadable", "the answer is compressed, which was not asked for", status)
        if status < 400 and kind != "application/json":
            return self._without_halves(response) if kind == "text/event-stream" else response
        body = whole(sent := await _bounded(response))
        if body != sent:
            self.notes.add(HALVES)
        if status >= 400 and not _is_rpc_error(body):
            gone = status == 404 and _SESSION in request.headers
            reason = (
                "the server no longer knows the session" if gone else f"the server answered HTTP {status}"
            )
            raise Faulted("session" if gone else "status", reason, status, seconds(headers))
        return httpx2.Response(
            status, headers={"content-type": "application/json", **_session(headers)}, content=body
        )

    def _without_halves(self, response: httpx2.Response) -> httpx2.Response:
        if isinstance(response.stream, httpx2.AsyncByteStream):
            response.stream = WholeStream(response.stream, lambda: self.notes.add(HALVES))
        return response

    async def aclose(self) -> None:
        """Close the connections."""
        await self._inner.aclose()


def _session(headers: httpx2.Headers) -> dict[str, str]:
    return {_SESSION: headers[_SESSION]} if _SESSION in headers else {}


async def _bounded(response: httpx2.Response) -> bytes:
    """The body; the limit counts while it arrives, whatever its declared length."""
    body = bytearray()
    try:
        async for chunk in response.stream:  # type: ignore[union-attr]
            body += chunk
            if len(body) > MAX_LINE:
                raise Faulted("unreadable", f"an answer is over the limit of {MAX_LINE} bytes")
    except httpx2.TransportError as error:
        raise Faulted("lost", f"the connection broke: {said(error)}") from error
    finally:
        await response.aclose()
    return bytes(body)


def _is_rpc_error(body: bytes) -> bool:
    try:
        document: Any = json.loads(body)
    except (ValueError, RecursionError):
        return False
    return isinstance(document, dict) and "jsonrpc" in document and isinstance(document.get("error"), dict)


def said(error: Exception) -> str:
    """What the HTTP client says went wrong; it knows no header and no body."""
    return printable(str(error)) or _WORDLESS.get(type(error).__name__, type(error).__name__)


_WORDLESS = {
    "ReadError": "the other side closed it",
    "WriteError": "the other side closed it",
    "ReadTimeout": "it fell silent",
    "ConnectTimeout": "no answer from there",
    "PoolTimeout": "too many requests are waiting",
    "TimeoutError": "it fell silent",
}


def unreachable(error: BaseException) -> tuple[str, str]:
    """Why there is no connection: a stable word where there is a more exact one, and words for people."""
    for cause in _causes(error):
        if isinstance(cause, ConnectionRefusedError):
            return "refused", "nothing listens there (connection refused)"
        if isinstance(cause, ssl.SSLError):
            return "tls", printable(str(cause), 300)
        if isinstance(cause, socket.gaierror):
            return "unknown-host", f"the name of the host is not known ({printable(cause.strerror or '')})"
    return "", said(error) if isinstance(error, Exception) else ""


def _causes(error: BaseException) -> Iterator[BaseException]:
    """`error` and what led to it, the deepest last."""
    seen: list[BaseException] = [error]
    for each in seen:
        yield each
        inner = each.exceptions if isinstance(each, BaseExceptionGroup) else ()
        for cause in (each.__cause__, each.__context__, *inner):
            if cause is not None and cause not in seen:
                seen.append(cause)
