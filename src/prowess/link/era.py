"""Protocol eras, and who remembers which one a server speaks.

MCP 2026-07-28 has no handshake; earlier revisions have. A client may remember what it met, per
server, so that a server that ignores the newer question costs its waiting time only once.
"""

from __future__ import annotations

from typing import Final, Protocol

MODERN: Final = "modern"  # server/discover, every request carries its own metadata (2026-07-28)
LEGACY: Final = "legacy"  # the initialize handshake (2024-11-05 to 2025-11-25)


class EraMemory(Protocol):
    """Which era each server spoke last time. Losing it costs one probe."""

    def get(self, server: str) -> str | None:
        """The era that `server` spoke last time, if known."""
        ...

    def put(self, server: str, era: str) -> None:
        """Remember `era`; the empty text means that it is no longer known."""
        ...


class MemoryEras:
    """The in-memory twin."""

    def __init__(self) -> None:
        self._eras: dict[str, str] = {}

    def get(self, server: str) -> str | None:
        """The era that `server` spoke last time, if known."""
        return self._eras.get(server)

    def put(self, server: str, era: str) -> None:
        """Remember `era`."""
        self._eras[server] = era
