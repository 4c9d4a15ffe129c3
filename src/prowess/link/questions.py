"""What a server asks a client, and the progress that the client tells on it.

MCP 2025-11-25, progress: a request may carry a token, and whoever works on it says by that token how
far it is. A client may work for several servers that choose the same tokens, so that it gets one of ours,
and the server hears its own again.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any
from uuid import uuid4

from prowess.link.exchange import TOKEN


class Questions:
    """The questions of one session that are open and have a token."""

    def __init__(self) -> None:
        self._tokens: dict[str, Any] = {}

    @contextmanager
    def asked(self, params: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
        """The params as the client gets them; the question is open while the block lasts."""
        meta = params.get("_meta")
        if not isinstance(meta, Mapping) or not isinstance(meta.get(TOKEN), str | int):
            yield params
            return
        ours = uuid4().hex
        self._tokens[ours] = meta[TOKEN]
        try:
            yield {**params, "_meta": {**meta, TOKEN: ours}}
        finally:
            del self._tokens[ours]

    def progress(self, params: Mapping[str, Any]) -> Mapping[str, Any] | None:
        """What the server gets of a client's progress; None where it is on nothing that it asked."""
        ours = params.get(TOKEN)
        if not isinstance(ours, str) or ours not in self._tokens:
            return None
        return {**params, TOKEN: self._tokens[ours]}
