"""A tar as the source of a package, packed or not.

POSIX pax and ustar, GNU's long names, and the old format. A reader of our own, since the point is what
is refused: a broken header in the middle (which the standard library takes for the end), hard links,
devices, sparse files, headers without bound, and anything but zeros after the end.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Protocol

from prowess.errors import SourceRefused
from prowess.redact import printable
from prowess.source.archive_contents import CHUNK
from prowess.source.archive_tree import Unpacking

BLOCK = 512
HEADER_BYTES = 1 << 16  # the most of one extended header
MOST_HEADERS = 8  # extended headers before one entry
MOST_PADDING = 1 << 20  # zeros after the end
_FILES, _DIRECTORY, _LINK, _HARD = (b"0", b"\0", b"7"), b"5", b"2", b"1"
_PAX, _PAX_GLOBAL, _LONG_NAME, _LONG_TARGET = b"x", b"g", b"L", b"K"
_SPECIAL = (b"3", b"4", b"6")
_RUN = 0o111


class Stream(Protocol):
    """What a tar is read from."""

    def read(self, size: int, /) -> bytes:
        """At most `size` bytes; none at the end."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class _Header:
    """One header block, and what headers before it said about the same entry."""

    name: str
    target: str
    kind: bytes
    size: int
    mode: int


@dataclass(slots=True)
class _Extended:
    """What extended headers say about the entry after them."""

    name: str | None = None
    target: str | None = None
    size: int | None = None
    count: int = field(default=0)


def unpack_tar(stream: Stream, into: Unpacking) -> None:
    """Add every entry of the tar in `stream`. Raises SourceRefused."""
    reader = _Reader(stream)
    extended = _Extended()
    while (block := reader.block()) is not None:
        header = _header(block)
        if header.kind in (_PAX, _PAX_GLOBAL, _LONG_NAME, _LONG_TARGET):
            into.meter.entry(header.name)
            _extend(extended, header, reader)
            continue
        _add(_completed(header, extended), reader, into)
        extended = _Extended()
    if extended.count:
        raise _damaged("ends in the middle of an entry")
    reader.insist_on_end()


class _Reader:
    def __init__(self, stream: Stream) -> None:
        self._stream = stream

    def exactly(self, count: int) -> bytes:
        parts = []
        while count > 0:
            part = self._stream.read(min(count, CHUNK))
            if not part:
                raise _damaged("ends early")
            parts.append(part)
            count -= len(part)
        return b"".join(parts)

    def block(self) -> bytes | None:
        """The next header, or None at the end: a block of zeros."""
        block = self.exactly(BLOCK)
        return block if block.strip(b"\0") else None

    def body(self, size: int) -> Iterator[bytes]:
        left = size
        while left > 0:
            part = self.exactly(min(left, CHUNK))
            left -= len(part)
            yield part
        self.exactly(-size % BLOCK)

    def insist_on_end(self) -> None:
        total = 0
        while part := self._stream.read(CHUNK):
            total += len(part)
            if part.strip(b"\0") or total > MOST_PADDING:
                raise SourceRefused("there is something after the tar's end", code="archive-ambiguous")


def _header(block: bytes) -> _Header:
    if _number(block[148:156]) not in _sums(block):
        raise _damaged("has a broken header")
    name = _text(block[:100])
    if block[257:263] == b"ustar\0" and (prefix := _text(block[345:500])):
        name = f"{prefix}/{name}"
    kind = block[156:157]
    return _Header(
        name=name,
        target=_text(block[157:257]),
        kind=kind,
        size=_number(block[124:136]),
        mode=_number(block[100:108]),
    )


def _sums(block: bytes) -> tuple[int, int]:
    """The sum of a header whose own place counts as spaces; some old archivers took bytes as signed."""
    rest = block[:148] + b" " * 8 + block[156:]
    total = sum(rest)
    return total, total - 256 * sum(each > 127 for each in rest)


def _number(raw: bytes) -> int:
    if raw[0] == 0x80:  # GNU's form for what octal digits cannot say
        return int.from_bytes(raw[1:], "big")
    text = raw.split(b"\0", 1)[0].strip()
    if not text:
        return 0
    if not all(each in b"01234567" for each in text):
        raise _damaged("has a header with a number that is none")
    return int(text, 8)


def _text(raw: bytes) -> str:
    try:
        return raw.split(b"\0", 1)[0].decode("utf-8")
    except UnicodeDecodeError:
        shown = printable(raw.split(b"\0", 1)[0].decode("utf-8", "backslashreplace"))
        raise SourceRefused(f"{shown} has a name that is not UTF-8", code="path-encoding") from None


def _extend(extended: _Extended, header: _Header, reader: _Reader) -> None:
    extended.count += 1
    if header.size > HEADER_BYTES or extended.count > MOST_HEADERS:
        raise _damaged("has an extended header that is larger than any name")
    data = b"".join(reader.body(header.size))
    if header.kind == _LONG_NAME:
        extended.name = _text(data)
    elif header.kind == _LONG_TARGET:
        extended.target = _text(data)
    else:
        said = _pax(data)
        if header.kind == _PAX_GLOBAL:
            # Git writes the commit into one. One that renames every entry is no archiver's work.
            if not {"path", "linkpath", "size"}.isdisjoint(said):
                raise SourceRefused("it has one name or size for all entries", code="archive-ambiguous")
            extended.count -= 1
            return
        extended.name = said.get("path", extended.name)
        extended.target = said.get("linkpath", extended.target)
        if "size" in said:
            extended.size = _decimal(said["size"])


def _pax(data: bytes) -> dict[str, str]:
    """The records of a pax header: `LENGTH key=value` and a line end, the length counting all of it."""
    said: dict[str, str] = {}
    while data.strip(b"\0"):
        digits, space, _ = data[:12].partition(b" ")
        length = _decimal(digits.decode("ascii", "replace"))
        record = data[len(digits) + 1 : length]
        if not space or length > len(data) or not record.endswith(b"\n"):
            raise _damaged("has a pax header with a broken record")
        key, _, value = record[:-1].decode("utf-8", "surrogateescape").partition("=")
        if key.startswith("GNU.sparse") or (key == "hdrcharset" and "UTF-8" not in value):
            raise SourceRefused("it has a sparse file or names of another encoding", code="archive-method")
        said[key] = value
        data = data[length:]
    return said


def _decimal(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < 19) or (int(text) == 0 and len(text) > 1):
        raise _damaged("has a pax header with a number that is none")
    return int(text)


def _completed(header: _Header, extended: _Extended) -> _Header:
    return _Header(
        name=header.name if extended.name is None else extended.name,
        target=header.target if extended.target is None else extended.target,
        size=header.size if extended.size is None else extended.size,
        kind=header.kind,
        mode=header.mode,
    )


def _add(header: _Header, reader: _Reader, into: Unpacking) -> None:
    name = header.name
    if header.kind == _DIRECTORY or (header.kind in _FILES and name.endswith("/")):
        into.directory(name)
    elif header.kind in _FILES:
        into.file(name, reader.body(header.size), executable=bool(header.mode & _RUN))
        return
    elif header.kind == _LINK:
        into.link(name, header.target)
    elif header.kind == _HARD:
        hint = "pack it without hard links, as copies"
        raise SourceRefused(f"{printable(name)} is a hard link", code="link-hard", hint=hint)
    elif header.kind in _SPECIAL:
        raise SourceRefused(f"{printable(name)} is a device or a pipe", code="path-special")
    else:
        shown = printable(header.kind.decode("latin-1"))
        raise SourceRefused(
            f"{printable(name)} is of a kind ({shown}) that is not read", code="archive-method"
        )
    for _ in reader.body(header.size if header.kind in _FILES else 0):
        pass


def _damaged(what: str) -> SourceRefused:
    return SourceRefused(f"the tar {what}", code="archive-damaged", hint="copy or download it again")
