"""The streamable HTTP transport: the SDK's own, behind the gate.

MCP 2026-07-28 and 2025-03-26 to 2025-11-25, "Streamable HTTP"; Agent Plugins 1.0.0, section 7.2.
Certificates are verified by the rules of this machine. `~/.netrc` is never read. A proxy from the
environment serves https only, where it sees no header, and never loopback.
"""

from __future__ import annotations

import asyncio
import ipaddress
import secrets
import ssl
import urllib.request
from collections import deque
from collections.abc import Mapping
from contextlib import AsyncExitStack
from types import TracebackType
from typing import Any

import httpx2
from mcp.client.streamable_http import streamable_http_client
from mcp_types import INTERNAL_ERROR

from prowess import __version__
from prowess.link.channel import Streams
from prowess.link.exchange import CURRENT
from prowess.link.faults import Fault, Faulted
from prowess.link.gate import Gate
from prowess.link.injected import Injected
from prowess.link.lines import MAX_LINE
from prowess.link.shown import Shown
from prowess.spec.model import HttpServer

CONNECT_SECONDS = 10.0
SILENCE_SECONDS = 900.0  # of one response; a call's own time limit is shorter
CONNECTIONS_MAX = 200
STREAMS_MAX = 8  # server-to-client streams opened within a minute; some servers end them at once
STREAMS_SECONDS = 60.0
FAULTS_KEPT = 64


def http_client(gate: httpx2.AsyncBaseTransport) -> httpx2.AsyncClient:
    """A client that adds nothing of the environment and follows nothing by itself."""
    return httpx2.AsyncClient(
        transport=gate,
        headers={"user-agent": f"prowess/{__version__}", "accept-encoding": "identity"},
        timeout=httpx2.Timeout(CONNECT_SECONDS, read=SILENCE_SECONDS),
        trust_env=False,
        follow_redirects=False,
    )


def network(url: str) -> httpx2.AsyncHTTPTransport:
    """The connections to the server at `url`."""
    secure = url.lower().startswith("https:")
    return httpx2.AsyncHTTPTransport(
        # Plain http never negotiates TLS (the gate keeps to the origin), so it needs no certificates;
        # the bare context verifies as well, and trusts nobody.
        verify=True if secure else ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT),
        limits=httpx2.Limits(max_connections=CONNECTIONS_MAX, max_keepalive_connections=20),
        proxy=proxy_for(httpx2.URL(url)) if secure else None,
    )


def proxy_for(url: httpx2.URL) -> str | None:
    """The proxy that the environment names for an https host that is not this machine."""
    host = url.host
    if is_loopback(host) or urllib.request.proxy_bypass(host):
        return None
    proxies = urllib.request.getproxies()
    return proxies.get("https") or proxies.get("all")


def is_loopback(host: str) -> bool:
    """Whether `host` is this machine by name or by number."""
    if host.lower() == "localhost":
        return True
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False


class Answering(Gate):
    """A gate that answers in place of the server where a fault would break the SDK's transport.

    The answer is a JSON-RPC error whose data is a token; only this gate can say which fault it
    stands for, so a server cannot make one up.
    """

    def __init__(
        self,
        inner: httpx2.AsyncBaseTransport,
        url: str,
        headers: Mapping[str, str],
        show: Shown,
        injected: Injected | None = None,
    ) -> None:
        super().__init__(inner, url, headers, show, injected)
        self._faults: dict[str, Fault] = {}
        self._streams: deque[float] = deque(maxlen=STREAMS_MAX)  # when each was opened

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        """Send `request`; a fault becomes an answer."""
        if request.method == "GET" and CURRENT.get() is None:  # else it goes on with the answer to a request
            now = asyncio.get_running_loop().time()
            if len(self._streams) == STREAMS_MAX and now - self._streams[0] < STREAMS_SECONDS:
                return httpx2.Response(405)
            self._streams.append(now)
        try:
            return await super().handle_async_request(request)
        except Faulted as error:
            return self._answer(request.method, error.fault)

    def _answer(self, method: str, fault: Fault) -> httpx2.Response:
        if method != "POST":
            return httpx2.Response(405)
        if len(self._faults) >= FAULTS_KEPT:
            self._faults.pop(next(iter(self._faults)))
        token = secrets.token_hex(16)
        self._faults[token] = fault
        error = {"code": INTERNAL_ERROR, "message": fault.reason, "data": token}
        return httpx2.Response(400, json={"jsonrpc": "2.0", "id": None, "error": error})

    def fault(self, data: Any) -> Fault | None:
        """The fault that `data` stands for."""
        return self._faults.get(data) if isinstance(data, str) else None


class HttpChannel:
    """A Channel over streamable HTTP."""

    handshake_only = False
    renewable = False
    headed = True

    def __init__(self, server: HttpServer, show: Shown, injected: Injected | None = None) -> None:
        self.show = show
        self._url = server.url
        self._gate = Answering(network(server.url), server.url, server.headers, show, injected)
        self._stack = AsyncExitStack()
        self.ended = asyncio.Event()

    async def __aenter__(self) -> Streams:
        async with AsyncExitStack() as stack:
            client = await stack.enter_async_context(http_client(self._gate))
            streams = await stack.enter_async_context(
                streamable_http_client(self._url, http_client=client, max_sse_event_size=MAX_LINE)
            )
            self._stack = stack.pop_all()
        return streams

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> bool | None:
        self.ended.set()
        return await self._stack.__aexit__(kind, error, trace)

    def fault(self, data: Any) -> Fault | None:
        """The fault behind an error of the gate's."""
        return self._gate.fault(data)

    def hurry(self) -> None:
        """Nothing to hurry: what is left to do is bounded anyway."""

    def notes(self) -> tuple[str, ...]:
        """Configured headers that gave way."""
        return self._gate.notes.all()

    async def last_words(self) -> str:
        """HTTP ends without words."""
        return ""

    def ending(self) -> str:
        """Requests over HTTP have no other way to end than this."""
        return "disconnected"
