"""The MCP endpoint over HTTP: one path for both eras, with everything that keeps strangers out before it.

MCP 2026-07-28, Streamable HTTP. The SDK does the transport; in front of it stand, from the outside in:
names and pages, requests under way, who asks, how much each may ask. TLS is a proxy's matter. What is
asked and answered is not known here.
"""

from __future__ import annotations

import asyncio
import contextlib
import socket
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import uvicorn
from mcp.server import Server
from mcp.server.transport_security import TransportSecuritySettings
from starlette.applications import Starlette

from prowess.host.serving import ServeSection
from prowess.serve.address import PATH, Allowed, bound, insist_on_protected, resolve, url_of
from prowess.serve.answers import App, Receive, Scope, Send
from prowess.serve.arriving import timely
from prowess.serve.auth import Authentication, Kept, Verifier
from prowess.serve.draining import UnderWay
from prowess.serve.guard import Guard
from prowess.serve.limits import CallerLimits
from prowess.serve.posting import Posts
from prowess.serve.protocol import ProtocolServer
from prowess.serve.resource import Resource

LAST_SECONDS = 1.0  # for connections to close once nothing is under way on them


@dataclass(frozen=True, slots=True, kw_only=True)
class Front:
    """The protected application, and what whoever runs it needs to begin and end it."""

    app: App
    inner: Starlette
    under_way: UnderWay

    @contextlib.asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Sessions live while the block does."""
        async with self.inner.router.lifespan_context(self.inner):
            yield


def front_of(
    server: Server[Any],
    section: ServeSection,
    *,
    host: str = "127.0.0.1",
    sessions: bool = True,
    api: App | None = None,
) -> Front:
    """The application around `server`. Raises UsageError for tokens that cannot be used.

    `sessions` says whether sessions of 2025-11-25 are kept where `[serve]` does not. `api` answers
    every other path than the endpoint's, behind the same guard.
    """
    inner = server.streamable_http_app(
        streamable_http_path=PATH,
        stateless_http=not (sessions if section.sessions is None else section.sessions),
        max_request_body_size=section.body_bytes,
        session_idle_timeout=section.session_idle_seconds,
        max_sessions=section.max_sessions,
        # Names and pages are judged by the Guard, for every path and before anything else.
        transport_security=TransportSecuritySettings(enable_dns_rebinding_protection=False),
    )
    endpoint: App = inner
    if isinstance(server, ProtocolServer):
        endpoint = Posts(server, inner, body_bytes=section.body_bytes)
    app: App = CallerLimits(endpoint if api is None else _beside(endpoint, api), section)
    if section.protected:
        app = Authentication(app, _verifiers(section), _resource(section))
    under_way = UnderWay(app)
    guard = Guard(under_way, Allowed(section, host), section.allowed_origins)
    return Front(app=guard, inner=inner, under_way=under_way)


def _beside(endpoint: App, api: App) -> App:
    """The endpoint at its path, the API at all others."""

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        at_endpoint = scope["type"] != "http" or scope["path"].rstrip("/") == PATH
        await (endpoint if at_endpoint else api)(scope, receive, send)

    return app


def mcp_app(server: Server[Any], section: ServeSection, *, host: str = "127.0.0.1") -> App:
    """The same as an ASGI application that any ASGI server can run, lifespan included."""
    return front_of(server, section, host=host).app


def _verifiers(section: ServeSection) -> list[Verifier]:
    found: list[Verifier] = [Kept(section.tokens)] if section.tokens else []
    if section.oauth is not None:
        from prowess.serve.oauth import AuthorizationServer

        found.append(AuthorizationServer(section.oauth))
    return found


def _resource(section: ServeSection) -> Resource | None:
    return Resource(section.oauth, path=PATH) if section.oauth is not None else None


class Listener(uvicorn.Server):
    """Uvicorn without its signals: whoever runs it says when to stop."""

    def __init__(self, config: uvicorn.Config) -> None:
        super().__init__(config)
        self.up = asyncio.Event()

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Listen, and say so."""
        await super().startup(sockets)
        self.up.set()

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Leave the signals to whoever runs it."""
        yield


async def serve_http(
    server: Server[Any],
    section: ServeSection,
    *,
    host: str,
    port: int,
    started: Callable[[str], None],
    sockets: Sequence[socket.socket] | None = None,
    sessions: bool = True,
    api: App | None = None,
) -> None:
    """Serve until cancelled, then stop in bounded time. `started` hears the URL once it answers.

    `sockets` are sockets that listen already, instead of new ones on `host` and `port`; `sessions` false
    is for one of several workers. Raises UsageError before anything is started: for an address that others
    can reach without anybody having to show a token, a port in use, a token that cannot be read.
    """
    if sockets is None:
        address = await asyncio.to_thread(resolve, host, port)
        insist_on_protected(address, section)
        front = front_of(server, section, host=host, sessions=sessions, api=api)
        sockets = bound(address)
    else:
        front = front_of(server, section, host=host, sessions=sessions, api=api)
    listener = Listener(_config(front.app, section))
    async with front.running():
        serving = asyncio.ensure_future(listener.serve(sockets=list(sockets)))
        up = asyncio.ensure_future(listener.up.wait())
        try:
            await asyncio.wait({serving, up}, return_when=asyncio.FIRST_COMPLETED)
            if not serving.done():
                started(url_of(host, sockets))
            await asyncio.shield(serving)
        finally:
            up.cancel()
            await _ended(asyncio.ensure_future(_stop(server, front, listener, serving, section)))


async def _stop(
    server: Server[Any],
    front: Front,
    listener: Listener,
    serving: asyncio.Future[None],
    section: ServeSection,
) -> None:
    """Take no more connections, let what is under way end, close."""
    for each in getattr(listener, "servers", ()):
        each.close()
    close_streams = getattr(server, "close_streams", None)
    if close_streams is not None:
        close_streams()  # a stream of changes ends with a result of its own
    await front.under_way.end(section.shutdown_seconds)
    listener.should_exit = True
    await asyncio.wait({serving}, timeout=3 * LAST_SECONDS)
    serving.cancel()


async def _ended(stopping: asyncio.Future[None]) -> None:
    """See the stop to its end, which is bounded, also when cancelled once more."""
    cancelled = False
    while not stopping.done():
        try:
            await asyncio.shield(stopping)
        except asyncio.CancelledError:
            cancelled = True
    if cancelled:
        raise asyncio.CancelledError


def _config(app: App, section: ServeSection) -> uvicorn.Config:
    return uvicorn.Config(
        app,
        http=timely(section.request_seconds),
        ws="none",
        lifespan="off",
        log_config=None,
        log_level="error",  # what clients do wrong is answered, not written down
        access_log=False,
        proxy_headers=False,
        server_header=False,
        limit_concurrency=section.max_connections,
        timeout_graceful_shutdown=int(LAST_SECONDS),
    )
