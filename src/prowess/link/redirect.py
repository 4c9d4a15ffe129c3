"""The way back from an authorization page: one request to this machine, expected by its state.

RFC 8252, section 7.3 (a loopback address by number, any free port). Whatever does not carry the
state of the sign-in under way is answered and ignored, so that another page cannot end it; waiting
is bounded. The code never leaves this object but to the SDK, which checks state and issuer again.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from types import TracebackType
from urllib.parse import parse_qs, urlsplit

from mcp.shared.auth import AuthorizationCodeResult

from prowess.errors import CredentialFailed, UsageError
from prowess.redact import printable

HOST = "127.0.0.1"
PATH = "/callback"
HEAD_BYTES = 16 * 1024
HEAD_SECONDS = 10.0

_DONE = b"<!doctype html><title>Prowess</title><p>Signed in. You can close this page.</p>\n"
_REFUSED = b"<!doctype html><title>Prowess</title><p>Not signed in. The terminal says why.</p>\n"
_OTHER = b"<!doctype html><title>Prowess</title><p>Nobody is waiting for this.</p>\n"


class Redirect:
    """Listens from its start to its end; one person comes back."""

    def __init__(self, port: int, seconds: float) -> None:
        self._port = port
        self._seconds = seconds
        self._state = ""
        self._came: asyncio.Future[Mapping[str, str]] | None = None
        self._server: asyncio.Server | None = None
        self.code = ""

    async def __aenter__(self) -> Redirect:
        self._came = asyncio.get_running_loop().create_future()
        try:
            self._server = await asyncio.start_server(self._answer, HOST, self._port, limit=HEAD_BYTES)
        except OSError as error:
            raise UsageError(
                f"port {self._port} of this machine cannot be listened on: {error.strerror}",
                hint="--port names another one",
            ) from None
        self._port = self._server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._server is not None:
            self._server.close()

    @property
    def url(self) -> str:
        """Where the person is sent back to."""
        return f"http://{HOST}:{self._port}{PATH}"

    def expect(self, authorization_url: str) -> None:
        """Wait for whoever comes back from this page."""
        self._state = parse_qs(urlsplit(authorization_url).query).get("state", [""])[-1]

    async def wait(self) -> AuthorizationCodeResult:
        """What came back; CredentialFailed when nobody came in time, or came with a refusal."""
        assert self._came is not None  # entered
        try:
            async with asyncio.timeout(self._seconds):
                came = await asyncio.shield(self._came)
        except TimeoutError:
            raise CredentialFailed(
                f"nobody signed in within {self._seconds:g} s", code="credential-missing"
            ) from None
        if "error" in came or not came.get("code"):
            words = ": ".join(came[name] for name in ("error", "error_description") if name in came)
            raise CredentialFailed(
                f"the sign-in was refused: {printable(words, 300) or 'it came back without a code'}",
                code="credential-rejected",
            )
        self.code = came["code"]
        return AuthorizationCodeResult(code=self.code, state=came["state"], iss=came.get("iss"))

    async def _answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            async with asyncio.timeout(HEAD_SECONDS):
                head = await reader.readuntil(b"\r\n\r\n")
                status, page = self._judge(head.partition(b"\r\n")[0].decode("ascii", "replace"))
                writer.write(_response(status, page))
                await writer.drain()
        except (TimeoutError, asyncio.IncompleteReadError, asyncio.LimitOverrunError, OSError, ValueError):
            pass  # no request that can be read, or nobody there for the answer any more
        finally:
            writer.close()

    def _judge(self, line: str) -> tuple[str, bytes]:
        method, _, rest = line.partition(" ")
        target = urlsplit(rest.rpartition(" ")[0])
        found = {name: values[-1] for name, values in parse_qs(target.query, keep_blank_values=True).items()}
        expected = self._state and found.get("state") == self._state
        if method != "GET" or target.path != PATH or not expected or self._came is None or self._came.done():
            return "404 Not Found", _OTHER
        self._came.set_result(found)
        return "200 OK", _DONE if found.get("code") and "error" not in found else _REFUSED


def _response(status: str, page: bytes) -> bytes:
    head = (
        f"HTTP/1.1 {status}\r\nContent-Type: text/html; charset=utf-8\r\nContent-Length: {len(page)}\r\n"
        "Cache-Control: no-store\r\nReferrer-Policy: no-referrer\r\n"
        "Content-Security-Policy: default-src 'none'\r\nConnection: close\r\n\r\n"
    )
    return head.encode() + page
