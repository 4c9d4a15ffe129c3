"""A Host with tools of every temper behind the HTTP API, in this process or on a port of its own."""

from __future__ import annotations

import asyncio
import json
import socket
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path
from typing import Any

import httpx2
import pytest
import uvicorn

from prowess.capability.offer import Offer, Tool
from prowess.errors import ConnectionFailed
from prowess.host import Host
from prowess.provider import Answered, Caller, Invocation, Lost, Outcome, Refused, TimedOut, ToolFailed
from prowess.serve.api import api_app
from prowess.serve.request import CALLER_STATE

MANIFEST = {"$schema": "https://agent-plugins.org/schemas/1.0.0/plugin.schema.json", "name": "sample"}
WEEK = {
    "type": "object",
    "properties": {
        "week": {"type": "string", "pattern": "^[0-9]{4}-W[0-9]{2}$"},
        "limit": {"type": "integer"},
    },
    "required": ["week"],
    "additionalProperties": False,
}


class Tempers:
    """A Provider whose tools answer, fail, wait and count, each as its name says."""

    def __init__(self, label: str = "crm", status: str = "connected") -> None:
        self.label = label
        self.status = status
        self.calls: list[Invocation] = []
        self.release = asyncio.Event()
        self.started = asyncio.Event()
        self.cancelled = asyncio.Event()
        names = ("query", "echo", "fail", "later", "lost", "late", "away", "wait", "progress", "crash", "odd")
        self.tools = tuple(
            Tool(
                server=label,
                wire={"name": name, "description": f"Does {name}.", "inputSchema": self._schema(name)},
            )
            for name in names
        )

    @staticmethod
    def _schema(name: str) -> dict[str, Any]:
        return WEEK if name == "query" else {"type": "object"}

    async def open(self) -> Offer:
        return self.offer()

    def offer(self) -> Offer:
        tools = self.tools if self.status == "connected" else ()
        code = "" if self.status == "connected" else "exited"
        return Offer(id=self.label, type="stdio", status=self.status, tools=tools, reason_code=code)  # type: ignore[arg-type]

    async def close(self) -> None:
        return

    async def call(self, invocation: Invocation) -> Outcome:
        self.calls.append(invocation)
        match invocation.tool:
            case "fail":
                return ToolFailed(message="the ledger is closed")
            case "later":
                return ToolFailed(message="too many", transient=True, retry_after=90.0)
            case "lost":
                return Lost(reason="the connection ended")
            case "late":
                return TimedOut(seconds=60)
            case "away":
                return Refused(code="unreachable", reason="nothing listens there")
            case "crash":
                raise ConnectionFailed("it is not there")
            case "odd":
                return Answered(value={"nan": float("nan"), "half": "\ud800", "long": 10**5000})
            case "wait":
                return await self._wait()
            case "progress":
                return await self._progress(invocation)
        return Answered(value={"got": dict(invocation.arguments)})

    async def _wait(self) -> Outcome:
        self.started.set()
        try:
            await self.release.wait()
        except asyncio.CancelledError:
            self.cancelled.set()
            raise
        return Answered(value={"calls": len(self.calls)})

    async def _progress(self, invocation: Invocation) -> Outcome:
        peer = invocation.peer
        assert peer is not None
        await peer.progress({"progressToken": 7, "progress": 1, "total": 2, "message": "half"})
        await peer.notify("notifications/message", {"level": "info", "data": "reading\nlines"})
        await peer.notify("notifications/tools/list_changed", {})
        return Answered(value={"done": True})


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture
def plugin(tmp_path: Path) -> Path:
    root = tmp_path / "sample"
    root.mkdir()
    (root / "plugin.json").write_text(json.dumps(MANIFEST))
    return root


Serving = Callable[..., AbstractAsyncContextManager[httpx2.AsyncClient]]


@asynccontextmanager
async def client_of(app: Any) -> AsyncIterator[httpx2.AsyncClient]:
    """A client that talks to `app` in this process."""
    transport = httpx2.ASGITransport(app=app)
    async with httpx2.AsyncClient(transport=transport, base_url="http://api.test", timeout=10) as client:
        yield client


@asynccontextmanager
async def on_a_port(app: Any) -> AsyncIterator[httpx2.AsyncClient]:
    """A client that talks to `app` over a socket."""
    listening = socket.create_server(("127.0.0.1", 0))
    server = uvicorn.Server(
        uvicorn.Config(app, lifespan="off", log_level="critical", timeout_graceful_shutdown=2)
    )
    serving = asyncio.ensure_future(server.serve(sockets=[listening]))
    url = f"http://127.0.0.1:{listening.getsockname()[1]}"
    try:
        async with httpx2.AsyncClient(base_url=url, timeout=10) as client:
            yield client
    finally:
        server.should_exit = True
        await asyncio.wait_for(serving, 10)


def front(app: Any, callers: dict[str, Caller]) -> Callable[..., Awaitable[None]]:
    """What an HTTP front does: who asks, by a header, is left in the scope."""

    async def answered(scope: Any, receive: Any, send: Any) -> None:
        who = dict(scope["headers"]).get(b"x-who", b"").decode()
        scope = {**scope, "state": {CALLER_STATE: callers[who]}} if who in callers else scope
        await app(scope, receive, send)

    return answered


@pytest.fixture
async def crm() -> Tempers:
    return Tempers()


@pytest.fixture
async def host(plugin: Path, crm: Tempers) -> AsyncIterator[Host]:
    async with Host.open(plugin, providers=[crm]) as opened:
        yield opened


@pytest.fixture
async def api(host: Host) -> AsyncIterator[httpx2.AsyncClient]:
    async with client_of(api_app(host)) as client:
        yield client
