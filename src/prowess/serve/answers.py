"""Answers of the HTTP front itself, before a request comes to the protocol: a status and a few words.

Plain ASGI, so that no stream is held up and a client that goes away is noticed at once. The words are
ours and never an exception's.
"""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Iterable, MutableMapping
from typing import Any

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]


async def answer(
    send: Send,
    status: int,
    body: dict[str, Any],
    *,
    headers: Iterable[tuple[str, str]] = (),
    close: bool = False,
) -> None:
    """Send `body` as JSON. With `close` the connection ends, as it must where a body was not read."""
    data = json.dumps(body).encode()
    given = [(name.encode("ascii"), value.encode("latin-1")) for name, value in headers]
    ours = [(b"content-type", b"application/json"), (b"content-length", str(len(data)).encode())]
    if close:
        ours.append((b"connection", b"close"))
    await send({"type": "http.response.start", "status": status, "headers": [*ours, *given]})
    await send({"type": "http.response.body", "body": data})


async def refuse(send: Send, status: int, error: str, words: str, **more: Any) -> None:
    """An error of ours: `error` is a code for programs, `words` are for people."""
    await answer(send, status, {"error": error, "error_description": words}, close=True, **more)


def header(scope: Scope, name: bytes) -> str | None:
    """The one value of a header, or None. One that comes twice counts as empty, which nothing accepts."""
    found = [value for key, value in scope["headers"] if key == name]
    if not found:
        return None
    return str(found[0].decode("latin-1")) if len(found) == 1 else ""
