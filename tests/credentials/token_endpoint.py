"""A real OAuth token endpoint of the standard library, which counts what reaches it.

Every grant gives the next access token (`at-1-...`) and, with `rotate`, the next refresh token; an old
refresh token is refused then, as RFC 6749 lets a server do.
"""

from __future__ import annotations

import base64
import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, unquote_plus

CLIENT, CLIENT_SECRET = "client one", "cs/9f+27 e1?b0"
FIRST_REFRESH = "rt-0-5a1de8c47b90"


class Endpoint(ThreadingHTTPServer):
    """What it does is set on its attributes while it runs."""

    daemon_threads = True
    request_queue_size = 256

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.requests: list[tuple[dict[str, str], dict[str, str]]] = []  # (headers, form)
        self.delay = 0.0
        self.lifetime: Any = 3600
        self.rotate = True
        self.refresh = FIRST_REFRESH
        self.status = 0
        self.body: bytes | None = None
        self.location = ""
        self.token_type = "Bearer"
        self.count = 0
        self.same_token = False
        self._lock = threading.Lock()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}/token"

    def answer(self, headers: dict[str, str], form: dict[str, str]) -> tuple[int, bytes]:
        with self._lock:
            self.requests.append((headers, form))
            if self.body is not None or self.status:
                return self.status or 200, self.body or b""
            if not _authenticated(headers, form):
                return 401, b'{"error": "invalid_client"}'
            return self._granted(form)

    def _granted(self, form: dict[str, str]) -> tuple[int, bytes]:
        answer: dict[str, Any] = {"token_type": self.token_type}
        if form["grant_type"] == "refresh_token":
            if form["refresh_token"] != self.refresh:
                words = f"no such token: {form['refresh_token']}"  # as careless as real ones are
                return 400, json.dumps({"error": "invalid_grant", "error_description": words}).encode()
            if self.rotate:
                self.refresh = f"rt-{self.count + 1}-5a1de8c47b90"
                answer["refresh_token"] = self.refresh
        if not self.same_token:
            self.count += 1
        answer["access_token"] = f"at-{self.count}-73c0f19ad2e6"
        if self.lifetime is not None:
            answer["expires_in"] = self.lifetime
        return 200, json.dumps(answer).encode()

    @property
    def token(self) -> str:
        """The access token that was given last."""
        return f"at-{self.count}-73c0f19ad2e6"


def _authenticated(headers: dict[str, str], form: dict[str, str]) -> bool:
    if "authorization" in headers:
        kind, _, pair = headers["authorization"].partition(" ")
        name, _, secret = base64.b64decode(pair).decode().partition(":")
        return kind == "Basic" and (unquote_plus(name), unquote_plus(secret)) == (CLIENT, CLIENT_SECRET)
    return form.get("client_id") == CLIENT and form.get("client_secret", CLIENT_SECRET) == CLIENT_SECRET


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: Endpoint

    def log_message(self, format: str, *args: Any) -> None: ...

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length", "0"))).decode()
        form = {name: values[-1] for name, values in parse_qs(body, keep_blank_values=True).items()}
        headers = {name.lower(): value for name, value in self.headers.items()}
        status, answer = self.server.answer(headers, form)
        time.sleep(self.server.delay)
        self.send_response(status)
        if self.server.location:
            self.send_header("Location", self.server.location)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)


@contextmanager
def serving() -> Iterator[Endpoint]:
    """Serve on a thread of its own until the block ends."""
    endpoint = Endpoint()
    thread = threading.Thread(target=endpoint.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    try:
        yield endpoint
    finally:
        endpoint.shutdown()
        thread.join(timeout=5)
        endpoint.server_close()


class Now:
    """A clock that a test moves."""

    def __init__(self) -> None:
        self.seconds = 1_800_000_000.0

    def __call__(self) -> float:
        return self.seconds

    def passes(self, seconds: float) -> None:
        self.seconds += seconds
