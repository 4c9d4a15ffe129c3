"""The in-memory twin of a context: what a unit is given in tests, and by whoever embeds units.

It holds what it is told and enforces the declared secrets; it reaches nothing by itself.
"""

from __future__ import annotations

import tempfile
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from prowess.errors import Undeclared, UsageError
from prowess.provider import Invocation
from prowess.redact import printable
from prowess.units.context import key_of
from prowess.units.model import Unit


class MemoryContext:
    """A context of values: secrets, an HTTP client if one is given, and the events that were logged."""

    def __init__(
        self, unit: Unit, *, secrets: Mapping[str, str], http: Any, folder: str, key: str = ""
    ) -> None:
        self._unit = unit
        self.idempotency_key = key
        self._secrets = secrets
        self._http = http
        self._folder = folder
        self.events: list[tuple[str, dict[str, Any]]] = []

    @property
    def http(self) -> Any:
        """The client that was given. Raises UsageError where there is none."""
        if self._http is None:
            raise UsageError(f"{self._unit.title} has no HTTP client here")
        return self._http

    def secret(self, name: str) -> str:
        """A declared secret. Raises Undeclared for any other."""
        if name not in self._unit.permissions.secrets or name not in self._secrets:
            raise Undeclared(
                f"{self._unit.title} may not read the secret {printable(name, 80)}", code="secret-undeclared"
            )
        return self._secrets[name]

    @property
    def data_dir(self) -> Path:
        """A directory that is gone when the contexts are."""
        return Path(self._folder)

    def log(self, event: str, /, **fields: Any) -> None:
        """Keep the event."""
        self.events.append((event, fields))


class MemoryContexts:
    """Makes contexts; `made` are those of all calls so far."""

    def __init__(self, *, secrets: Mapping[str, str] | None = None, http: Any = None) -> None:
        self._secrets = dict(secrets or {})
        self._http = http
        self.made: list[MemoryContext] = []

    @asynccontextmanager
    async def __call__(self, unit: Unit, invocation: Invocation) -> AsyncIterator[MemoryContext]:
        """The context of one call."""
        with tempfile.TemporaryDirectory(prefix="prowess-unit-") as folder:
            context = MemoryContext(
                unit, secrets=self._secrets, http=self._http, folder=folder, key=key_of(invocation)
            )
            self.made.append(context)
            yield context
