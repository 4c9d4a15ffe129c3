"""A zip as the source of a package.

PKWARE's APPNOTE, as far as packages need it: stored and deflated entries, names in ASCII or marked as
UTF-8. What could mean one thing to us and another to somebody else is refused: bytes before or after
what the directory at the end tells, entries that share bytes, encryption, and the forms for archives
that are larger than any package (zip64).
"""

from __future__ import annotations

import stat
import struct
import zipfile
from collections.abc import Iterator
from typing import BinaryIO

from prowess.errors import SourceRefused
from prowess.redact import printable
from prowess.source.archive_bounds import Bounds
from prowess.source.archive_contents import CHUNK
from prowess.source.archive_tree import Unpacking

_END = struct.Struct("<4s4H2LH")  # the end of the central directory
_END_MARK, _LARGE_MARK = b"PK\5\6", b"PK\6\7"
_LARGE_BYTES = 20  # of what stands before the end in a zip64
_COMMENT = 0xFFFF
_LOCAL = 30  # the least bytes before an entry's data
_ENTRY = 46  # the least bytes of an entry in the directory
_EXTRA = 512  # bytes of an entry beside its name, generously
_ENCRYPTED, _UTF8 = 0x1 | 0x40, 0x800
_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
_TARGET = 4096
_RUN = 0o111


def unpack_zip(file: BinaryIO, size: int, into: Unpacking) -> None:
    """Add every entry of the zip in `file`, which has `size` bytes. Raises SourceRefused."""
    _insist_on_plain_end(file, size, into.meter.bounds)
    with zipfile.ZipFile(file) as archive:
        entries = archive.infolist()
        _insist_on_apart(entries, archive.start_dir)
        for entry in entries:
            _insist_on_readable(entry)
            _add(archive, entry, into)


def _insist_on_plain_end(file: BinaryIO, size: int, bounds: Bounds) -> None:
    """Before the directory is read at all: it is of a sensible size, and the archive is nothing else."""
    tail = min(size, _END.size + _COMMENT + _LARGE_BYTES)
    file.seek(size - tail)
    data = file.read(tail)
    at = data.rfind(_END_MARK)
    if at < 0 or len(data) - at < _END.size:
        raise _damaged("has no directory at its end")
    _, disk, first_disk, here, entries, length, start, comment = _END.unpack_from(data, at)
    if data[max(0, at - _LARGE_BYTES) : at].startswith(_LARGE_MARK) or 0xFFFFFFFF in (length, start):
        raise SourceRefused("it is a zip64, for archives larger than any package", code="archive-method")
    if disk or first_disk or here != entries:
        raise SourceRefused("it is one part of a zip of several", code="archive-method")
    if entries > bounds.files or length > bounds.files * (_ENTRY + _EXTRA):
        raise SourceRefused(f"there are more than {bounds.files} entries", code="too-many-files")
    if size - tail + at != start + length or len(data) - at != _END.size + comment:
        hint = "pack it again; a self-extracting zip is none that can be told apart from something else"
        raise SourceRefused(
            "there is more in it than the zip's directory tells", code="archive-ambiguous", hint=hint
        )


def _insist_on_apart(entries: list[zipfile.ZipInfo], end: int) -> None:
    """No two entries share bytes, as in bombs that are read many times over."""
    for entry in sorted(entries, key=lambda each: each.header_offset, reverse=True):
        if entry.header_offset + _LOCAL + entry.compress_size > end:
            raise _refused(entry, "archive-ambiguous", "shares bytes with another entry")
        end = entry.header_offset


def _insist_on_readable(entry: zipfile.ZipInfo) -> None:
    if entry.flag_bits & _ENCRYPTED:
        raise _refused(entry, "archive-encrypted", "is encrypted")
    if entry.compress_type not in _METHODS:
        raise _refused(entry, "archive-method", "is packed in another way than stored or deflated")
    if not entry.orig_filename.isascii() and not entry.flag_bits & _UTF8:
        raise _refused(entry, "path-encoding", "has a name that is not marked as UTF-8")


def _add(archive: zipfile.ZipFile, entry: zipfile.ZipInfo, into: Unpacking) -> None:
    # `filename` has lost what follows a NUL; the name as it stands is judged.
    name, mode = entry.orig_filename, entry.external_attr >> 16
    kind = stat.S_IFMT(mode)
    if kind not in (0, stat.S_IFREG, stat.S_IFDIR, stat.S_IFLNK):
        raise _refused(entry, "path-special", "is a device, a pipe or a socket")
    if name.endswith("/") or kind == stat.S_IFDIR:
        into.directory(name)
    elif kind == stat.S_IFLNK:
        into.link(name, _target(archive, entry))
    else:
        into.file(name, _chunks(archive, entry, into), executable=bool(mode & _RUN))


def _target(archive: zipfile.ZipFile, entry: zipfile.ZipInfo) -> str:
    if entry.file_size > _TARGET:
        raise _refused(entry, "path-long", f"is a link to a path of more than {_TARGET} bytes")
    try:
        return archive.read(entry).decode("utf-8")
    except UnicodeDecodeError:
        raise _refused(entry, "path-encoding", "is a link to a name that is not UTF-8") from None


def _chunks(archive: zipfile.ZipFile, entry: zipfile.ZipInfo, into: Unpacking) -> Iterator[bytes]:
    done = 0
    with archive.open(entry) as file:
        while chunk := file.read(CHUNK):
            done += len(chunk)
            into.meter.packed(entry.orig_filename, done, entry.compress_size)
            yield chunk


def _damaged(what: str) -> SourceRefused:
    return SourceRefused(f"the zip {what}", code="archive-damaged", hint="copy or download it again")


def _refused(entry: zipfile.ZipInfo, code: str, what: str) -> SourceRefused:
    return SourceRefused(f"{printable(entry.orig_filename)} {what}", code=code)
