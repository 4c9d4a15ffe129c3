"""A streamable HTTP server on loopback, standard library only, that fails as each call asks it to."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from tests.acceptance.servers import faults


class Web(ThreadingHTTPServer):
    """One origin. `arrived` holds the calls, `headers` what came with each request, names in lower case."""

    daemon_threads = True
    block_on_close = False
    request_queue_size = 128

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.arrived: list[dict[str, Any]] = []
        self.headers: list[dict[str, str]] = []
        self.refuse: list[str] = []  # requests whose Authorization is one of these are answered with 401
        self.over: list[str] = []  # and these with 429
        self.let_go = threading.Event()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}/mcp"

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that hangs up is no news."""


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    server: Web

    def log_message(self, format: str, *args: Any) -> None: ...

    def reply(self, status: int, body: bytes, kind: str = "application/json", **headers: str) -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self) -> None:
        self.reply(405, b"")

    def do_POST(self) -> None:
        message = json.loads(self.rfile.read(int(self.headers.get("Content-Length", "0"))))
        self.server.headers.append({name.lower(): value for name, value in self.headers.items()})
        given = self.headers.get("Authorization", "")
        if given in self.server.refuse:
            self.reply(401, b"", WWW_Authenticate="Bearer")
        elif given in self.server.over:
            self.reply(429, b"", Retry_After="1")
        elif "id" not in message:
            self.reply(202, b"")
        elif message["method"] == "tools/call":
            self.call(message)
        else:
            self.answer(message, self.listed(message["method"]))

    def listed(self, method: str) -> dict[str, Any]:
        if method == "server/discover":
            found = {"supportedVersions": [faults.MODERN], "capabilities": {"tools": {}}}
            return {"result": {**found, "ttlMs": 0, "cacheScope": "public"}}
        if method == "tools/list":
            return {"result": {"tools": faults.tools()}}
        return {"error": {"code": -32601, "message": method}}

    def answer(self, message: dict[str, Any], rest: dict[str, Any]) -> None:
        self.reply(200, json.dumps({"jsonrpc": "2.0", "id": message["id"], **rest}).encode())

    def call(self, message: dict[str, Any]) -> None:
        arguments = message["params"].get("arguments") or {}
        do = arguments.get("do", "")
        line = {"tool": message["params"]["name"], "call": arguments.get("call", 0), "do": do}
        self.server.arrived.append(line)
        if do in ("500", "503", "429"):
            self.reply(int(do), b"sorry", "text/plain", Retry_After="1")
        elif do == "html":
            self.reply(200, b"<html>Welcome!</html>", "text/html")
        elif do == "half":
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", "1000")
            self.end_headers()
            self.wfile.write(b'{"jsonrpc"')
            self.close_connection = True
        elif do in ("drop", "crash"):
            self.close_connection = True
        elif do == "hang":
            self.server.let_go.wait(20)
            self.close_connection = True
        elif do == "shape":
            self.answer(message, {"result": {"content": [], "structuredContent": {"call": "seven"}}})
        elif do == "list":
            self.answer(message, {"result": [1, 2]})
        elif do == "fail":
            self.answer(message, {"result": {"isError": True, "content": [{"type": "text", "text": "no"}]}})
        else:
            if do == "delay":
                time.sleep(arguments.get("seconds", 0.02))
            self.answer(message, {"result": faults.answered(arguments)})


@contextmanager
def serving() -> Iterator[Web]:
    """Serve on a thread of its own until the block ends."""
    web = Web()
    thread = threading.Thread(target=web.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    try:
        yield web
    finally:
        web.let_go.set()
        web.shutdown()
        thread.join(timeout=5)
        with suppress(OSError):
            web.server_close()
