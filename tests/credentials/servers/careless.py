"""An MCP server and authorization server of the standard library that does what none should.

`page` is its authorization page, `token_url` its token endpoint, `metadata_url` where its metadata is
said to be; the token endpoint refuses, and repeats everything that it was sent.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

CLIENT_SECRET = "cs-77f0a1be93d2"


class Careless(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server_address[1]}"
        self.page = f"{self.url}/authorize"
        self.token_url = f"{self.url}/token"
        self.metadata_url = ""
        self.filler = ""
        self.sent: list[str] = []  # the bodies that reached the token endpoint

    def metadata(self) -> dict[str, Any]:
        return {
            "issuer": self.url,
            "authorization_endpoint": self.page,
            "token_endpoint": self.token_url,
            "registration_endpoint": f"{self.url}/register",
            "response_types_supported": ["code"],
            "code_challenge_methods_supported": ["S256"],
            "service_documentation": f"{self.url}/{self.filler}",
        }


class Handler(BaseHTTPRequestHandler):
    server: Careless

    def log_message(self, format: str, *args: Any) -> None: ...

    def do_GET(self) -> None:
        web = self.server
        if self.path.startswith("/.well-known/oauth-protected-resource"):
            self._json(200, {"resource": f"{web.url}/mcp", "authorization_servers": [web.url]})
        elif self.path.startswith("/.well-known/oauth-authorization-server"):
            self._json(200, web.metadata())
        else:
            self._json(404, {})

    def do_POST(self) -> None:
        web = self.server
        body = self.rfile.read(int(self.headers.get("Content-Length", "0"))).decode()
        if self.path == "/register":
            known = {"client_id": "c-1", "client_secret": CLIENT_SECRET}
            self._json(201, {**json.loads(body), **known, "token_endpoint_auth_method": "client_secret_post"})
        elif self.path == "/token":
            web.sent.append(body)
            self._json(400, {"error": "invalid_grant", "error_description": body})
        else:
            challenge = {"WWW-Authenticate": f'Bearer resource_metadata="{web.metadata_url}"'}
            self._json(401, {}, **(challenge if web.metadata_url else {}))

    def _json(self, status: int, document: dict[str, Any], **headers: str) -> None:
        data = json.dumps(document).encode()
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)


@contextmanager
def careless() -> Iterator[Careless]:
    """Serve on a thread of its own until the block ends."""
    server = Careless()
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        thread.join(timeout=5)
        server.server_close()
