"""A small payment service on this machine, for the example: `python payment_server.py`.

    POST /payments   {"order": "...", "amount": 540.0} -> 201 {"payment": 1}
    GET  /payments   everything that it was asked, so that nobody can say that it was asked twice

An `Idempotency-Key` is written down as `key`, and changes nothing: every payment that is asked for twice
is made twice, so that whoever asks has to take care. With `--delay` it takes so many seconds over each
payment, and with `--log FILE` it keeps what it was asked in that file too.
"""

from __future__ import annotations

import argparse
import json
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

PORT = 18934  # the port in the unit's permissions
LONGEST = 100_000
ASKED: list[dict[str, Any]] = []
LOCK = threading.Lock()


class Handler(BaseHTTPRequestHandler):
    """Answers one request."""

    delay = 0.0
    log: Path | None = None

    def do_GET(self) -> None:
        with LOCK:
            self.respond(200, ASKED)

    def do_POST(self) -> None:
        try:
            asked = json.loads(self.rfile.read(min(LONGEST, int(self.headers["content-length"]))))
            kept = {"order": str(asked["order"]), "amount": float(asked["amount"])}
            if (key := self.headers["idempotency-key"]) is not None:
                kept["key"] = key
        except (KeyError, TypeError, ValueError):
            self.respond(400, {"error": "a payment has an order and an amount"})
            return
        with LOCK:
            ASKED.append({"payment": len(ASKED) + 1, **kept})
            number = len(ASKED)
            if self.log is not None:
                with self.log.open("a") as file:
                    file.write(json.dumps(ASKED[-1]) + "\n")
        time.sleep(self.delay)
        self.respond(201, {"payment": number})

    def respond(self, status: int, value: Any) -> None:
        body = json.dumps(value).encode()
        try:
            self.send_response(status)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)
        except OSError:
            pass  # whoever asked is gone; the payment was made all the same

    def log_message(self, format: str, *args: object) -> None:
        """Nothing: what was asked is in the records of Prowess."""


def main() -> None:
    parser = argparse.ArgumentParser(description="A small payment service.")
    parser.add_argument("--port", type=int, default=PORT, help=f"0 for a free one (default {PORT})")
    parser.add_argument("--delay", type=float, default=0.0, help="seconds that each payment takes")
    parser.add_argument("--log", type=Path, help="a file that keeps what was asked")
    options = parser.parse_args()
    Handler.delay, Handler.log = options.delay, options.log
    with ThreadingHTTPServer(("127.0.0.1", options.port), Handler) as server:
        print(f"payments: http://127.0.0.1:{server.server_address[1]}", flush=True)
        try:
            server.serve_forever()
        except KeyboardInterrupt:
            pass


if __name__ == "__main__":
    main()
