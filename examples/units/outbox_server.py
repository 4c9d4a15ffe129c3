"""A small e-mail service on this machine, for the example units: `python outbox_server.py`.

    POST /messages   {"to": ..., "subject": ..., "body": ...} -> 201 {"id": 1}
    GET  /messages   what was sent so far

Both want `Authorization: Bearer TOKEN`, where TOKEN is what OUTBOX_TOKEN holds; without it every
answer is 401. Nothing leaves this machine, and every message that is sent twice is there twice.
"""

from __future__ import annotations

import argparse
import json
import os
from hmac import compare_digest
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any

PORT = 18933  # the port in the unit's permissions
LONGEST = 100_000
SENT: list[dict[str, Any]] = []


class Handler(BaseHTTPRequestHandler):
    """Answers one request."""

    def do_GET(self) -> None:
        self.respond(*((200, SENT) if self.known() else (401, {"error": "who are you?"})))

    def do_POST(self) -> None:
        if not self.known():
            self.respond(401, {"error": "who are you?"})
            return
        try:
            message = json.loads(self.rfile.read(min(LONGEST, int(self.headers["content-length"]))))
            kept = {name: str(message[name]) for name in ("to", "subject", "body")}
        except (KeyError, TypeError, ValueError):
            self.respond(400, {"error": "a message has to, subject and body"})
            return
        SENT.append({"id": len(SENT) + 1, **kept})
        self.respond(201, {"id": len(SENT)})

    def known(self) -> bool:
        """Whether the token is right."""
        token = os.environ.get("OUTBOX_TOKEN", "")
        given = self.headers.get("authorization", "")
        return bool(token) and compare_digest(given.encode(), f"Bearer {token}".encode())

    def respond(self, status: int, value: Any) -> None:
        body = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        """Nothing: what was asked is in the records of Prowess."""


def main() -> None:
    parser = argparse.ArgumentParser(description="A small e-mail service.")
    parser.add_argument("--port", type=int, default=PORT, help=f"0 for a free one (default {PORT})")
    with HTTPServer(("127.0.0.1", parser.parse_args().port), Handler) as server:
        print(f"outbox: http://127.0.0.1:{server.server_address[1]}", flush=True)
        try:
            server.serve_forever()
        except KeyboardInterrupt:
            pass


if __name__ == "__main__":
    main()
