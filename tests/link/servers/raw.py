"""An HTTP server that answers each request with the bytes that it is given, and then hangs up."""

from __future__ import annotations

import json
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

Answer = Callable[[Any], bytes]  # of the request's JSON body, None where there is none


def response(
    body: bytes = b"", status: str = "200 OK", type: str = "application/json", head: str = ""
) -> bytes:
    """A whole response; `head` holds further header lines, each with its end."""
    return (
        f"HTTP/1.1 {status}\r\nContent-Type: {type}\r\nContent-Length: {len(body)}\r\n{head}"
        "Connection: close\r\n\r\n"
    ).encode("latin-1") + body


def result(message: Any, value: str) -> bytes:
    """The JSON-RPC response to `message` whose result is the JSON text `value`."""
    return f'{{"jsonrpc": "2.0", "id": {json.dumps(message["id"])}, "result": {value}}}'.encode()


@contextmanager
def answering(answer: Answer) -> Iterator[str]:
    """Serve on loopback until the block ends; gives the origin."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        thread = threading.Thread(target=_serve, args=(listening, answer), daemon=True)
        thread.start()
        try:
            yield f"http://127.0.0.1:{listening.getsockname()[1]}"
        finally:
            listening.shutdown(socket.SHUT_RDWR)
            thread.join(timeout=5)


def _serve(listening: socket.socket, answer: Answer) -> None:
    while True:
        try:
            connection, _ = listening.accept()
        except OSError:
            return
        with connection, suppress(OSError, ValueError):
            connection.settimeout(5)
            connection.sendall(answer(_request(connection)))


def _request(connection: socket.socket) -> Any:
    with connection.makefile("rb") as reading:
        length = 0
        while (line := reading.readline()).strip():
            name, _, value = line.decode("latin-1").partition(":")
            length = int(value) if name.lower() == "content-length" else length
        return json.loads(reading.read(length)) if length else None
