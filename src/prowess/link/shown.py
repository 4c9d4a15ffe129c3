"""What a server said, made fit to print: the secrets it was given masked first, then bounded.

The order matters: a text that is cut first may keep half a secret that no longer matches.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from prowess.redact import Redactor, printable
from prowess.spec.carried import secrets_of
from prowess.spec.model import Server

LEARNED_KEPT = 64  # values that were injected; tokens are replaced, and a server may repeat an old one
CONSIDERED = 20_000  # characters of a text that are looked at; no more than a few hundred are shown


class Shown:
    """Masks the secrets that one server was given."""

    def __init__(self, server: Server | None = None) -> None:
        self._own = secrets_of(server) if server is not None else []
        self._learned: tuple[str, ...] = ()
        self._redactor = Redactor(self._own)
        self._injected = Redactor()

    def learn(self, secrets: Iterable[str]) -> None:
        """Mask these from now on too."""
        new = [each for each in secrets if each not in self._learned]
        if new:
            self._learned = (*self._learned, *new)[-LEARNED_KEPT:]
            self._redactor = Redactor([*self._own, *self._learned])
            self._injected = Redactor(self._learned)

    def __call__(self, text: str, limit: int = 200) -> str:
        """`text` on one line, without secrets or control characters, of at most `limit` characters."""
        return printable(self.masked(text), limit)

    def masked(self, text: str) -> str:
        """`text` without secrets, otherwise as it is."""
        return self._redactor.text(text[:CONSIDERED])

    def clean(self, value: Any) -> Any:
        """A JSON value in which nothing that was injected stands any more, otherwise as it was sent."""
        return self._clean(value) if self._learned and not self._injected.free(value) else value

    def _clean(self, value: Any) -> Any:
        if isinstance(value, str):
            return self._injected.known(value)
        if isinstance(value, dict):
            return {self._clean(key): self._clean(each) for key, each in value.items()}
        if isinstance(value, list):
            return [self._clean(each) for each in value]
        return value
