"""A real HTTP server on this machine that answers as a test wants and remembers what it was asked."""

from __future__ import annotations

import ssl
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


@dataclass(frozen=True)
class Seen:
    """One request as it came."""

    method: str
    target: str
    headers: Mapping[str, str]
    body: bytes


@dataclass
class Answer:
    """What is answered."""

    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes = b"{}"


class Upstream:
    """Answers by path; unknown paths with an empty object."""

    def __init__(self) -> None:
        self.seen: list[Seen] = []
        self.answers: dict[str, Callable[[Seen], Answer] | Answer] = {}
        self.port = 0

    def answer(self, seen: Seen) -> Answer:
        self.seen.append(seen)
        found = self.answers.get(seen.target.partition("?")[0], Answer())
        return found if isinstance(found, Answer) else found(seen)


@contextmanager
def serving(host: str = "127.0.0.1", tls: ssl.SSLContext | None = None) -> Iterator[Upstream]:
    """A server that is up while the block runs."""
    upstream = Upstream()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def respond(self) -> None:
            body = self.rfile.read(int(self.headers.get("content-length", "0")))
            headers = {name.lower(): value for name, value in self.headers.items()}
            answer = upstream.answer(Seen(self.command, self.path, headers, body))
            self.send_response(answer.status)
            for name, value in answer.headers.items():
                self.send_header(name, value)
            self.send_header("content-length", str(len(answer.body)))
            self.end_headers()
            self.wfile.write(answer.body)

        do_GET = do_POST = respond  # noqa: N815

        def log_message(self, format: str, *args: object) -> None:
            return

    class Server(ThreadingHTTPServer):
        address_family = 10 if ":" in host else 2

        def get_request(self):  # type: ignore[no-untyped-def]
            connection, address = super().get_request()
            return (connection if tls is None else tls.wrap_socket(connection, server_side=True)), address

        def handle_error(self, request: object, client_address: object) -> None:
            return

    server = Server((host, 0), Handler)
    server.daemon_threads = True
    upstream.port = server.server_address[1]
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield upstream
    finally:
        server.shutdown()
        server.server_close()
        thread.join(timeout=5)
