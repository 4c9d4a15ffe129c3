"""The outermost door of the HTTP front: by which name it is asked, and from which page.

A wrong Host is 421, a wrong Origin 403, before anything else is looked at, for every path. A page that
is allowed gets the headers of CORS that a browser wants to see.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from prowess.serve.address import Allowed
from prowess.serve.answers import App, Receive, Scope, Send, header, refuse

_SEEN = ["Mcp-Session-Id", "MCP-Protocol-Version", "WWW-Authenticate", "Retry-After"]


class Guard:
    """Lets through what is meant for this endpoint."""

    def __init__(self, app: App, allowed: Allowed, origins: Sequence[str]) -> None:
        self._app: Any = app
        self._allowed = allowed
        if origins:
            from starlette.middleware.cors import CORSMiddleware

            self._app = CORSMiddleware(
                self._app,
                allow_origins=list(origins),
                allow_methods=["GET", "POST", "DELETE"],
                allow_headers=["*"],
                expose_headers=_SEEN,
            )

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request, or the lifespan."""
        if scope["type"] == "http":
            if not self._allowed.host(header(scope, b"host") or ""):
                await refuse(
                    send, 421, "invalid_host", "this endpoint has another name; see [serve] allowed_hosts"
                )
                return
            origin = header(scope, b"origin")
            if origin is not None and not self._allowed.origin(origin):
                await refuse(
                    send, 403, "invalid_origin", "this page may not ask; see [serve] allowed_origins"
                )
                return
        await self._app(scope, receive, send)
