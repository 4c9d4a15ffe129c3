"""A packed stream read as what it unpacks to, never more at once than was asked for.

gzip (RFC 1952), xz with a bound on its memory, bzip2, and zstd where the standard library has it
(Python 3.14). Several members one after the other are one stream. It does not know what is in it.
"""

from __future__ import annotations

import bz2
import lzma
import zlib
from collections.abc import Callable
from importlib import import_module
from typing import Any, BinaryIO, Protocol

from prowess.errors import SourceRefused

PACKED = 1 << 16  # packed bytes read at once
XZ_MEMORY = 128 << 20  # the largest dictionary that is agreed to
MOST_MEMBERS = 20_000  # in one stream; archivers that write several put 64 KiB or more in each
MAGIC = {
    "gzip": b"\x1f\x8b",
    "xz": b"\xfd7zXZ\x00",
    "bzip2": b"BZh",
    "zstd": b"\x28\xb5\x2f\xfd",
}


class _Inflater(Protocol):
    eof: bool
    unused_data: bytes

    def decompress(self, data: bytes, max_length: int, /) -> bytes: ...


class _Gzip:
    """zlib's object with the manner of the others: what was not taken is kept inside."""

    def __init__(self) -> None:
        self._zlib = zlib.decompressobj(wbits=31)

    @property
    def eof(self) -> bool:
        return self._zlib.eof

    @property
    def unused_data(self) -> bytes:
        return self._zlib.unused_data

    def decompress(self, data: bytes, max_length: int, /) -> bytes:
        return self._zlib.decompress(self._zlib.unconsumed_tail + data, max_length)

    @property
    def needs_input(self) -> bool:
        return not self._zlib.unconsumed_tail


class Inflating:
    """The stream that `file` unpacks to. `packed` is how many bytes of it were read so far."""

    def __init__(self, file: BinaryIO, packing: str) -> None:
        self._file = file
        self._make = _maker(packing)
        self._inflater: Any = self._make()
        self._waiting = b""
        self._members = 1
        self.packed = 0

    def read(self, size: int, /) -> bytes:
        """At most `size` bytes, which is above 0; fewer where the stream has them so; none at its end."""
        while True:
            if self._inflater.eof and not self._next_member():
                return b""
            if data := self._inflater.decompress(self._more(), size):
                return bytes(data)
            if not self._waiting and not self._fill() and not self._inflater.eof:
                raise EOFError("the stream ends early")

    def _more(self) -> bytes:
        if not getattr(self._inflater, "needs_input", True):
            return b""
        if not self._waiting:
            self._fill()
        taken, self._waiting = self._waiting, b""
        return taken

    def _fill(self) -> bool:
        self._waiting = self._file.read(PACKED)
        self.packed += len(self._waiting)
        return bool(self._waiting)

    def _next_member(self) -> bool:
        rest = self._inflater.unused_data + self._waiting
        if not rest:
            self._fill()
            rest = self._waiting
        rest = rest.lstrip(b"\0")  # padding is no member
        self._waiting = rest
        if not rest:
            return False
        self._members += 1
        if self._members > MOST_MEMBERS:
            raise SourceRefused(
                f"it is more than {MOST_MEMBERS} packed streams in a row", code="archive-ambiguous"
            )
        self._inflater = self._make()
        return True


def _maker(packing: str) -> Callable[[], Any]:
    if packing == "gzip":
        return _Gzip
    if packing == "xz":
        return lambda: lzma.LZMADecompressor(format=lzma.FORMAT_XZ, memlimit=XZ_MEMORY)
    if packing == "bzip2":
        return bz2.BZ2Decompressor
    try:
        make: Callable[[], Any] = import_module("compression.zstd").ZstdDecompressor
    except ImportError:
        raise SourceRefused(
            "it is packed with zstd, which this Python cannot read",
            code="archive-method",
            hint="use Python 3.14 or newer, or pack it as .tar.gz",
        ) from None
    return make
