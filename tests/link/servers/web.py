"""MCP servers over HTTP on loopback, standard library only, that record what reaches them.

`Web` answers streamable HTTP at `/mcp` (either era, with or without sessions, as JSON or as events)
and HTTP+SSE at `/sse`; what else it does is set on its attributes while it runs.
"""

from __future__ import annotations

import json
import queue
import socket
import ssl
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

TOOL = {
    "name": "echo",
    "inputSchema": {"type": "object", "properties": {"region": {"type": "string", "x-mcp-header": "Region"}}},
    "x-kept": 1,
}
MODERN, LEGACY = "2026-07-28", "2025-11-25"


class Web(ThreadingHTTPServer):
    """One origin. `seen` holds (method, path, headers in lower case, JSON-RPC method)."""

    request_queue_size = 256  # callers that come at once are not turned away by the kernel

    daemon_threads = True
    block_on_close = False

    def __init__(self, port: int = 0) -> None:
        super().__init__(("127.0.0.1", port), Handler)
        self.seen: list[tuple[str, str, dict[str, str], str]] = []
        self.scheme = "http"
        self.era = "modern"
        self.sessions: set[str] | None = None  # a set of those alive: the server keeps sessions
        self.events = False  # answer with an event stream
        self.redirect: tuple[int, str] | None = None
        self.status = 0  # answer everything with this status
        self.extra: dict[str, str] = {}
        self.endpoint = "/messages"
        self.streams: list[queue.Queue[str | None]] = []
        self.hold = threading.Event()
        self.accepted: list[socket.socket] = []

    def get_request(self) -> tuple[socket.socket, Any]:
        """Remember every connection, so that all of them end with the server."""
        connection, address = super().get_request()
        self.accepted.append(connection)
        return connection, address

    @property
    def port(self) -> int:
        return int(self.server_address[1])

    @property
    def url(self) -> str:
        return f"{self.scheme}://127.0.0.1:{self.port}"

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that hangs up is no news."""


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    server: Web

    def log_message(self, format: str, *args: Any) -> None: ...

    def note(self, method: str) -> None:
        headers = {name.lower(): value for name, value in self.headers.items()}
        self.server.seen.append((self.command, self.path, headers, method))

    def reply(self, status: int, body: bytes = b"", **headers: str) -> None:
        self.send_response(status)
        for name, value in {**headers, **self.server.extra}.items():
            self.send_header(name.replace("_", "-"), value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def turned_away(self) -> bool:
        web = self.server
        if web.redirect is not None and not self.path.startswith("/moved"):
            self.reply(web.redirect[0], Location=web.redirect[1])
        elif web.status:
            self.reply(web.status, b"sorry")
        else:
            return False
        return True

    def do_GET(self) -> None:
        self.note("")
        if self.turned_away():
            return
        if self.path.partition("?")[0] not in ("/sse", "/moved/sse"):
            self.reply(405)
            return
        waiting: queue.Queue[str | None] = queue.Queue()
        self.server.streams.append(waiting)
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Connection", "close")
        self.end_headers()
        self.close_connection = True
        event: str | None = f"event: endpoint\ndata: {self.server.endpoint}\n\n"
        while event is not None:
            self.wfile.write(event.encode())
            self.wfile.flush()
            event = waiting.get(timeout=20)

    def do_DELETE(self) -> None:
        self.note("")
        self.reply(200)

    def do_POST(self) -> None:
        message = json.loads(self.rfile.read(int(self.headers.get("Content-Length", "0"))))
        self.note(message["method"])
        if self.turned_away():
            return
        if self.path.startswith(self.server.endpoint) and self.server.streams:
            if "id" in message:
                self.server.streams[-1].put(f"event: message\ndata: {json.dumps(self.response(message))}\n\n")
            self.reply(202)
            return
        self.answer(message)

    def answer(self, message: dict[str, Any]) -> None:
        web = self.server
        session = self.headers.get("Mcp-Session-Id", "")
        headers: dict[str, str] = {}
        if web.sessions is not None:
            if message["method"] == "initialize":
                session = f"s{len(web.seen)}"
                web.sessions.add(session)
                headers["Mcp_Session_Id"] = session
            elif session not in web.sessions:
                self.reply(404 if session else 400)
                return
        if "id" not in message:
            self.reply(202)
            return
        do = ((message.get("params") or {}).get("arguments") or {}).get("do", "")
        if do == "hang":
            web.hold.wait(20)
        if do == "break":
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", "1000")
            self.end_headers()
            self.wfile.write(b'{"jsonrpc"')
            self.close_connection = True
            return
        response = self.response(message)
        body = json.dumps(response).encode()
        if web.events:
            self.reply(
                200, b"event: message\ndata: " + body + b"\n\n", Content_Type="text/event-stream", **headers
            )
            return
        self.reply(404 if "error" in response else 200, body, Content_Type="application/json", **headers)

    def response(self, message: dict[str, Any]) -> dict[str, Any]:
        method, params = message["method"], message.get("params") or {}
        reply: dict[str, Any] = {"jsonrpc": "2.0", "id": message["id"]}
        capabilities: dict[str, Any] = {"tools": {}}
        if method == "server/discover" and self.server.era == "modern":
            result: dict[str, Any] = {"supportedVersions": [MODERN], "capabilities": capabilities}
        elif method == "initialize" and self.server.era == "legacy":
            info = {"name": "web", "version": "1"}
            result = {"protocolVersion": LEGACY, "capabilities": capabilities, "serverInfo": info}
        elif method == "tools/list":
            result = {"tools": [TOOL]}
        elif method == "tools/call":
            arguments = params.get("arguments", {})
            text = "x" * arguments.get("size", 1)
            result = {"content": [{"type": "text", "text": text}], "structuredContent": arguments}
        else:
            return {**reply, "error": {"code": -32601, "message": "no such method"}}
        return {**reply, "result": result}


@contextmanager
def serving(web: Web, context: ssl.SSLContext | None = None) -> Iterator[Web]:
    """Serve on a thread of its own until the block ends."""
    if context is not None:
        web.socket = context.wrap_socket(web.socket, server_side=True)
        web.scheme = "https"
    thread = threading.Thread(target=web.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    try:
        yield web
    finally:
        web.hold.set()
        for waiting in web.streams:
            waiting.put(None)
        web.shutdown()
        thread.join(timeout=5)
        web.server_close()
        for connection in web.accepted:
            with suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)
