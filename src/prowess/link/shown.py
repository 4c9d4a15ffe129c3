"""What a server said, made fit to print: its own configured secrets masked first, then bounded.

The order matters: a text that is cut first may keep half a secret that no longer matches.
"""

from __future__ import annotations

from prowess.redact import Redactor, printable, secrets_in
from prowess.spec.model import Server, StdioServer

CONSIDERED = 20_000  # characters of a text that are looked at; no more than a few hundred are shown


class Shown:
    """Masks the secrets that one server was given."""

    def __init__(self, server: Server | None = None) -> None:
        self._redactor = Redactor(_secrets(server) if server is not None else ())

    def __call__(self, text: str, limit: int = 200) -> str:
        """`text` on one line, without secrets or control characters, of at most `limit` characters."""
        return printable(self.masked(text), limit)

    def masked(self, text: str) -> str:
        """`text` without secrets, otherwise as it is."""
        return self._redactor.text(text[:CONSIDERED])


def _secrets(server: Server) -> list[str]:
    return secrets_in(server.env if isinstance(server, StdioServer) else server.headers)
