"""Values for an argument while somebody types it (MCP 2026-07-28, "Completion")."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from unicodedata import normalize

MOST_VALUES = 100  # of one answer, as the protocol says


def completion(values: Sequence[str], typed: str) -> dict[str, Any]:
    """The result: values that begin with what is typed, whatever the case and the form of its characters."""
    start = _folded(typed)
    fitting = [each for each in values if _folded(each).startswith(start)]
    return {
        "completion": {
            "values": fitting[:MOST_VALUES],
            "total": len(fitting),
            "hasMore": len(fitting) > MOST_VALUES,
        }
    }


def _folded(text: str) -> str:
    return normalize("NFKC", normalize("NFKC", text).casefold())
