"""Lines of a byte stream, bounded, and whose answer a line is that cannot be read.

MCP's stdio transport is one JSON-RPC message a line. This module knows bytes only.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

MAX_LINE = 64 * 1024 * 1024  # bytes; a longer answer fails its own call and nothing else
EDGE = 512  # bytes kept of each end of a line that is too long: enough to find its id


@dataclass(frozen=True, slots=True, kw_only=True)
class TooLong:
    """A line over the limit: its two ends and its length."""

    head: bytes
    tail: bytes
    length: int


class Lines:
    """Cuts chunks into lines; a line over `limit` bytes is counted, not kept."""

    def __init__(self, limit: int = MAX_LINE) -> None:
        self._limit = limit
        self._kept = bytearray()
        self._length = 0
        self._head = b""

    def feed(self, chunk: bytes) -> list[bytes | TooLong]:
        """The lines that `chunk` completes, without their ends; empty lines are left out."""
        done: list[bytes | TooLong] = []
        *complete, rest = chunk.split(b"\n")
        for part in complete:
            self._add(part)
            self._close(done)
        self._add(rest)
        return done

    def _add(self, part: bytes) -> None:
        self._length += len(part)
        self._kept += part
        if self._length > self._limit:
            self._head = self._head or bytes(self._kept[:EDGE])
            del self._kept[:-EDGE]

    def _close(self, done: list[bytes | TooLong]) -> None:
        if self._length > self._limit:
            done.append(TooLong(head=self._head, tail=bytes(self._kept), length=self._length))
        elif line := bytes(self._kept).strip():
            done.append(line)
        self._kept.clear()
        self._length, self._head = 0, b""


_ID_FIRST = re.compile(rb'\s*\{\s*(?:"jsonrpc"\s*:\s*"2\.0"\s*,\s*)?"id"\s*:\s*([0-9]{1,18})\s*,')
_ID_LAST = re.compile(rb'"id"\s*:\s*([0-9]{1,18})\s*(?:,\s*"jsonrpc"\s*:\s*"2\.0"\s*)?\}\s*$')


def answered_id(head: bytes, tail: bytes) -> int | None:
    """The id of the request that an unreadable line answers, where either end of the line shows it."""
    found = _ID_FIRST.match(head) or _ID_LAST.search(tail[-EDGE:])
    return int(found[1]) if found else None
