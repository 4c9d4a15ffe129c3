"""Half characters in JSON text, made whole.

A server that cuts a text in the middle of an emoji, as programs in languages of UTF-16 easily do,
sends the escape of one half of a surrogate pair. JSON allows that to be written, Unicode gives it no
meaning, the SDK rejects the whole message, and no encoder of ours could pass it on. So each such
escape is replaced, as invalid UTF-8 is, and one description does not cost a server all its tools.
This module knows bytes only.
"""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Callable

import httpx2

_SUSPECT = re.compile(rb"\\u[dD][89a-fA-F]")
# What a backslash can begin, longest first: an escaped backslash, a whole pair, half of one.
_ESCAPE = re.compile(
    rb"\\\\|\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|(?P<half>\\u[dD][89a-fA-F][0-9a-fA-F]{2})"
)
# An escape, or a pair of them, that the rest of a text could still complete.
_BEGUN = re.compile(
    rb"(?<!\\)(?:\\\\)*(?P<begun>\\(?:u(?:[0-9a-fA-F]{0,3}|[dD][89abAB][0-9a-fA-F]{2}(?:\\(?:u[0-9a-fA-F]{0,3})?)?))?)\Z"
)
HALVES = "half a character was replaced"  # the note about it
_EDGE = 64  # bytes of the end of a chunk that are looked at; more backslashes in a row have no honest sender


def whole(text: bytes) -> bytes:
    """`text` with the replacement character for each half."""
    if not _SUSPECT.search(text):
        return text
    return _ESCAPE.sub(lambda found: rb"\ufffd" if found["half"] else found[0], text)


class WholeStream(httpx2.AsyncByteStream):
    """A response body passed on as it arrives, without halves; `tell` hears of each chunk that had one."""

    def __init__(self, inner: httpx2.AsyncByteStream, tell: Callable[[], None]) -> None:
        self._inner = inner
        self._tell = tell

    async def __aiter__(self) -> AsyncIterator[bytes]:
        kept = b""
        async for chunk in self._inner:
            text = kept + chunk
            begun = _BEGUN.search(text, max(0, len(text) - _EDGE))
            at = begun.start("begun") if begun else len(text)
            kept = text[at:]
            if at:
                yield self._passed(text[:at])
        if kept:
            yield self._passed(kept)

    def _passed(self, text: bytes) -> bytes:
        mended = whole(text)
        if mended is not text and mended != text:
            self._tell()
        return mended

    async def aclose(self) -> None:
        """Close the connection's side of it."""
        await self._inner.aclose()
