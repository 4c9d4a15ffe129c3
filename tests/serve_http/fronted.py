"""A front around a small server of the tests' own, on a real port, and ways to speak with it."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Any

import httpx2
from mcp.server import Server
from mcp.server.context import ServerRequestContext
from mcp_types import CallToolRequestParams, CallToolResult, ListToolsResult, TextContent, Tool
from tests.bounds import bound

from prowess.host.serving import ServeSection
from prowess.serve.http import serve_http
from prowess.serve.request import CALLER_STATE

TOKEN = "a-token-of-ann-0123456789"
BEARER = {"authorization": f"Bearer {TOKEN}"}
VERSION = "2026-07-28"
META = {
    "io.modelcontextprotocol/protocolVersion": VERSION,
    "io.modelcontextprotocol/clientCapabilities": {},
    "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"},
}


class Small:
    """A server with two tools: `who` says what the front left of the request, `wait` waits to be let go."""

    def __init__(self) -> None:
        self.waiting = asyncio.Event()
        self.go = asyncio.Event()
        self.cancelled = asyncio.Event()
        self.server: Server[Any] = Server("small", on_list_tools=self._list, on_call_tool=self._call)

    async def _list(self, ctx: ServerRequestContext[Any, Any], params: Any) -> ListToolsResult:
        schema = {"type": "object"}
        return ListToolsResult(tools=[Tool(name=name, input_schema=schema) for name in ("wait", "who")])

    async def _call(
        self, ctx: ServerRequestContext[Any, Any], params: CallToolRequestParams
    ) -> CallToolResult:
        if params.name == "fail":
            raise RuntimeError("inner matters of ours")
        if params.name == "wait":
            self.waiting.set()
            try:
                await self.go.wait()
            except asyncio.CancelledError:
                self.cancelled.set()
                raise
        assert ctx.request is not None
        scope = ctx.request.scope
        caller = scope.get("state", {}).get(CALLER_STATE)
        seen = {
            "principal": caller.principal if caller else None,
            "headers": [name.decode() for name, _ in scope["headers"]],
        }
        return CallToolResult(content=[TextContent(type="text", text=json.dumps(seen))])


@asynccontextmanager
async def fronted(
    section: ServeSection, small: Small | None = None, *, server: Server[Any] | None = None, **given: Any
) -> AsyncIterator[str]:
    """The URL of a front that serves `small` (or `server`) while the block runs."""
    up: asyncio.Future[str] = asyncio.get_running_loop().create_future()
    server = server or (small or Small()).server
    serving = asyncio.ensure_future(
        serve_http(server, section, host="127.0.0.1", port=0, started=up.set_result, **given)
    )
    try:
        waited: set[asyncio.Future[Any]] = {serving, up}
        await asyncio.wait(waited, return_when=asyncio.FIRST_COMPLETED, timeout=bound(10))
        if serving.done():
            serving.result()
        yield await up
    finally:
        serving.cancel()
        await asyncio.wait({serving}, timeout=bound(15))
        assert serving.done(), "a front stops in bounded time"


def asking(method: str = "tools/call", name: str = "who", **params: Any) -> dict[str, Any]:
    """A request of 2026-07-28, as keywords for `post`."""
    given: dict[str, Any] = {"_meta": META, **params}
    headers = {
        "accept": "application/json, text/event-stream",
        "mcp-protocol-version": VERSION,
        "mcp-method": method,
    }
    if method == "tools/call":
        given |= {"name": name, "arguments": {}}
    elif method == "prompts/get":
        given["name"] = name
    if "name" in given or "uri" in given:
        headers["mcp-name"] = str(given.get("name", given.get("uri")))
    return {"json": {"jsonrpc": "2.0", "id": 1, "method": method, "params": given}, "headers": headers}


async def ask(
    client: httpx2.AsyncClient, url: str, headers: Mapping[str, str] | None = None, **asked: Any
) -> httpx2.Response:
    """One request of 2026-07-28 by HTTP."""
    given = asking(**asked)
    given["headers"] = {**given["headers"], **(headers or {})}
    return await client.post(url, **given)


def seen(answer: httpx2.Response) -> dict[str, Any]:
    """What the tool `who` told."""
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = json.loads(answer.json()["result"]["content"][0]["text"])
    return found


def legacy(method: str, number: int | None = 1, **params: Any) -> dict[str, Any]:
    """A message of 2025-11-25, as keywords for `post`."""
    message: dict[str, Any] = {"jsonrpc": "2.0", "method": method, "params": params}
    if number is not None:
        message["id"] = number
    return {"json": message, "headers": {"accept": "application/json, text/event-stream"}}


HELLO = legacy(
    "initialize",
    protocolVersion="2025-11-25",
    capabilities={},
    clientInfo={"name": "test", "version": "1"},
)
