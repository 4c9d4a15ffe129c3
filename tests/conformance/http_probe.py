"""Two probe origins on loopback over HTTP, real sockets, standard library only.

`Origin` answers MCP over streamable HTTP and over HTTP+SSE (2024-11-05) and records every request
it gets. A second one stands for the foreign origin that a redirect or an endpoint event leads to.

Routes, query ignored: `/conformance/mcp` (streamable HTTP), `/conformance/sse` with `/messages`
(HTTP+SSE), `/redirect/...` (307 to the same route of `foreign`) and `/foreign-endpoint/sse` (an
endpoint event that names `foreign`).
"""

from __future__ import annotations

import json
import queue
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

TOOL = {"name": "observe", "description": "Answer.", "inputSchema": {"type": "object", "properties": {}}}
IDLE_SECONDS = 20.0  # how long an event stream may stay silent before its thread gives up


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """One request as it came in: `target` is the raw request target, header names are in lower case."""

    method: str
    target: str
    headers: dict[str, list[str]]
    rpc: str


class Origin(ThreadingHTTPServer):
    """One origin; `foreign` is the base URL that it redirects to."""

    daemon_threads = True
    block_on_close = False

    def __init__(self, foreign: str = "") -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.foreign = foreign
        self.seen: list[Seen] = []
        self.streams: dict[str, queue.Queue[str | None]] = {}

    @property
    def url(self) -> str:
        """The base URL, without a slash at the end."""
        return f"http://127.0.0.1:{self.server_address[1]}"

    def requests(self, route: str) -> list[Seen]:
        """The requests to one route, the query left out of the comparison."""
        return [each for each in self.seen if each.target.partition("?")[0] == route]

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that hangs up is no news."""


class Handler(BaseHTTPRequestHandler):
    """Answers one request; all state is in its Origin."""

    protocol_version = "HTTP/1.1"
    server: Origin

    def do_GET(self) -> None:
        self.record("")
        route = self.path.partition("?")[0]
        if route.startswith("/redirect/"):
            self.redirect(route)
        elif route == "/conformance/sse":
            self.stream("/messages")
        elif route == "/foreign-endpoint/sse":
            self.stream(f"{self.server.foreign}/messages")
        else:
            self.reply(405)

    def do_DELETE(self) -> None:
        self.record("")
        self.reply(405)

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length", "0")))
        message = json.loads(body)
        self.record(str(message.get("method", "")))
        route, _, query = self.path.partition("?")
        if route.startswith("/redirect/"):
            self.redirect(route)
        elif route == "/conformance/mcp":
            self.answer_in_place(message)
        elif route == "/messages":
            self.answer_on_stream(message, query.removeprefix("stream="))
        else:
            self.reply(404)

    def record(self, rpc: str) -> None:
        headers: dict[str, list[str]] = {}
        for name, value in self.headers.items():
            headers.setdefault(name.lower(), []).append(value)
        self.server.seen.append(Seen(method=self.command, target=self.path, headers=headers, rpc=rpc))

    def reply(self, status: int, body: bytes = b"", **headers: str) -> None:
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def redirect(self, route: str) -> None:
        self.reply(307, Location=self.server.foreign + route.removeprefix("/redirect"))

    def answer_in_place(self, message: dict[str, Any]) -> None:
        if "id" not in message:
            return self.reply(202)
        answer = response(message)
        # A server of the time before 2026-07-28 refuses what is not part of its handshake.
        status = 400 if "error" in answer else 200
        return self.reply(status, json.dumps(answer).encode(), Content_Type="application/json")

    def answer_on_stream(self, message: dict[str, Any], stream: str) -> None:
        waiting = self.server.streams.get(stream)
        if waiting is None:
            return self.reply(404)
        if "id" in message:
            waiting.put(f"event: message\ndata: {json.dumps(response(message))}\n\n")
        return self.reply(202)

    def stream(self, endpoint: str) -> None:
        waiting: queue.Queue[str | None] = queue.Queue()
        name = str(len(self.server.streams))
        self.server.streams[name] = waiting
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Connection", "close")
        self.end_headers()
        self.close_connection = True
        event: str | None = f"event: endpoint\ndata: {endpoint}?stream={name}\n\n"
        while event is not None:
            self.wfile.write(event.encode())
            self.wfile.flush()
            try:
                event = waiting.get(timeout=IDLE_SECONDS)
            except queue.Empty:
                return

    def log_message(self, format: str, *args: Any) -> None:
        """Say nothing: what came in is in `seen`."""


def response(message: dict[str, Any]) -> dict[str, Any]:
    """The JSON-RPC response of a server from before 2026-07-28."""
    info = {"name": "http-probe", "version": "1"}
    results: dict[str, Any] = {
        "initialize": {"protocolVersion": "2025-11-25", "capabilities": {"tools": {}}, "serverInfo": info},
        "tools/list": {"tools": [TOOL]},
        "tools/call": {"content": [{"type": "text", "text": "observed"}]},
    }
    base = {"jsonrpc": "2.0", "id": message["id"]}
    if message["method"] in results:
        return {**base, "result": results[message["method"]]}
    return {**base, "error": {"code": -32601, "message": "no such method"}}


@contextmanager
def serving(origin: Origin) -> Iterator[Origin]:
    """Serve on a thread of its own until the block ends."""
    thread = threading.Thread(target=origin.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield origin
    finally:
        for waiting in origin.streams.values():
            waiting.put(None)
        origin.shutdown()
        thread.join(timeout=5)
        origin.server_close()


@contextmanager
def two_origins() -> Iterator[tuple[Origin, Origin]]:
    """The configured origin and the foreign one."""
    with serving(Origin()) as foreign, serving(Origin(foreign.url)) as origin:
        yield origin, foreign
