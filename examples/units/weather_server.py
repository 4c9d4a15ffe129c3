"""A small weather service on this machine, for the example units: `python weather_server.py`.

    GET /weather?city=Oslo     {"city": "Oslo", "celsius": 4, "sky": "rain"}, or 404
    GET /cities?q=os           ["Oslo"]

It prints its address when it is ready. What it says of the weather is made up and always the same.
"""

from __future__ import annotations

import argparse
import json
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit

PORT = 18932  # the port in the units' permissions
WEATHER = {
    "Bergen": (7, "rain"),
    "Lagos": (31, "sun"),
    "Lima": (19, "cloud"),
    "Oslo": (4, "rain"),
    "Osaka": (22, "sun"),
}


def answer(target: str) -> tuple[int, Any]:
    """Status and body."""
    parts = urlsplit(target)
    asked = {name: values[0] for name, values in parse_qs(parts.query).items()}
    if parts.path == "/cities":
        text = asked.get("q", "").casefold()
        return 200, [city for city in WEATHER if text in city.casefold()]
    city = asked.get("city", "").title()
    if parts.path != "/weather" or city not in WEATHER:
        return 404, {"error": "not known"}
    celsius, sky = WEATHER[city]
    return 200, {"city": city, "celsius": celsius, "sky": sky}


class Handler(BaseHTTPRequestHandler):
    """Answers one request."""

    def do_GET(self) -> None:
        status, value = answer(self.path)
        body = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        """Nothing: what was asked is in the records of Prowess."""


def main() -> None:
    parser = argparse.ArgumentParser(description="A small weather service.")
    parser.add_argument("--port", type=int, default=PORT, help=f"0 for a free one (default {PORT})")
    with ThreadingHTTPServer(("127.0.0.1", parser.parse_args().port), Handler) as server:
        print(f"weather: http://127.0.0.1:{server.server_address[1]}", flush=True)
        try:
            server.serve_forever()
        except KeyboardInterrupt:
            pass


if __name__ == "__main__":
    main()
