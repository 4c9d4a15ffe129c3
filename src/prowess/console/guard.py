"""What a request has to be like before any page sees it, and what every answer forbids a browser.

Another site can make its own name lead to this machine (DNS rebinding), send forms here, or put a page
into a frame. The Host header tells the first apart, Origin and Fetch Metadata the second (W3C, Fetch
Metadata Request Headers), the headers of the answer the third (Content Security Policy, Level 3).
"""

from __future__ import annotations

from urllib.parse import urlsplit

from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from prowess.console.door import Door

ENTER = "/enter"
NAMES = ("127.0.0.1", "localhost", "[::1]")
MOST_BYTES = 16 << 20  # of a body: a document for the workbench
LARGE = ("/workbench", "/drift/compared")  # where one is sent
MOST_OTHER_BYTES = 4 << 20

HEADERS = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; "
    "img-src 'self' data:; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
    "Referrer-Policy": "same-origin",  # with none at all a browser hides the Origin of our own forms too
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}


class Guard:
    """An ASGI middleware around all pages."""

    def __init__(self, app: ASGIApp, door: Door) -> None:
        self._app = app
        self._door = door

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request: refused in plain words, or passed on with its session in the scope's state."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        refusal = self._refusal(scope)
        if refusal is not None:
            await _refuse(send, *refusal)
            return
        try:
            await self._app(scope, _Bounded(receive, scope).receive, _forbidding(send, scope))
        except Exception:  # noqa: BLE001  # boundary: a page has answered and logged it already
            return

    def _refusal(self, scope: Scope) -> tuple[int, str] | None:
        host = _header(scope, b"host").lower()
        if host not in _names(scope["server"][1]):
            return 421, "this console has another name: open the link that was printed"
        entering = scope["path"] == ENTER and scope["method"] == "GET"
        if not entering and not _from_here(scope, host):
            return 403, "another page may not ask for this"
        session = self._session(scope)
        if not entering and not self._door.knows(session) and not scope["path"].startswith("/static/"):
            return 401, "open the link that `prowess console` printed; each works once"
        scope.setdefault("state", {})["session"] = session
        return None

    def _session(self, scope: Scope) -> str:
        """The session that a cookie of the request names, or nothing.

        A page on another port can add a cookie of this name and shut nobody out by it.
        """
        pairs = [each.strip().partition("=")[::2] for each in _header(scope, b"cookie").split(";")]
        named = (value for name, value in pairs if name == cookie_of(scope))
        return next((each for each in named if self._door.knows(each)), "")


def _names(port: int) -> list[str]:
    """The values of a Host header that mean this console; 80 is left out where it is the port."""
    return [f"{name}:{port}" for name in NAMES] + (list(NAMES) if port == 80 else [])


def cookie_of(scope: Scope) -> str:
    """The cookie's name. Ports share their cookies, so the port is in it."""
    return f"prowess_{scope['server'][1]}"


def _from_here(scope: Scope, host: str) -> bool:
    """Whether one of our own pages asks, or a person who typed the address."""
    site = _header(scope, b"sec-fetch-site").lower()
    if site not in ("", "same-origin", "none"):
        return False
    origin = _header(scope, b"origin").lower()
    if not origin:
        return scope["method"] in ("GET", "HEAD") or site == "same-origin"
    return origin == f"http://{host}" and urlsplit(origin).netloc == host


def _header(scope: Scope, name: bytes) -> str:
    """The value of a header; where it comes twice both, which together are none that is allowed."""
    return b", ".join(value for key, value in scope["headers"] if key == name).decode("latin-1")


class _Bounded:
    def __init__(self, receive: Receive, scope: Scope) -> None:
        self._receive = receive
        self._left = MOST_BYTES if scope["path"].startswith(LARGE) else MOST_OTHER_BYTES

    async def receive(self) -> Message:
        message = await self._receive()
        self._left -= len(message.get("body", b""))
        if self._left < 0:
            raise HTTPException(413)
        return message


def _forbidding(send: Send, scope: Scope) -> Send:
    kept = "no-cache" if scope["path"].startswith("/static/") else "no-store"

    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            given = {"Cache-Control": kept, **HEADERS}
            message["headers"] = [*message["headers"], *_encoded(given)]
        await send(message)

    return sending


def _encoded(headers: dict[str, str]) -> list[tuple[bytes, bytes]]:
    return [(name.lower().encode(), value.encode()) for name, value in headers.items()]


async def _refuse(send: Send, status: int, words: str) -> None:
    body = f"{words}\n".encode()
    kind = {
        "Content-Type": "text/plain; charset=utf-8",
        "Content-Length": str(len(body)),
        "Connection": "close",
    }
    headers = _encoded({**kind, "Cache-Control": "no-store", **HEADERS})
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
