"""Packages in archives: a zip or a tar of this machine, unpacked into a directory of its own.

What it is, is told by its first bytes and not by its name. Whatever a parser of the standard library
raises over a hostile archive is one answer: it is damaged.
"""

from __future__ import annotations

import os
import stat
from typing import BinaryIO

from prowess.errors import ProwessError, SourceRefused, Unreadable
from prowess.redact import printable
from prowess.source.archive_inflating import MAGIC, Inflating
from prowess.source.archive_tar import unpack_tar
from prowess.source.archive_tree import Unpacking
from prowess.source.archive_zip import unpack_zip

_ZIP = (b"PK\3\4", b"PK\5\6")
_USTAR = 257  # where a tar says that it is one
_OPEN = os.O_RDONLY | sum(getattr(os, each, 0) for each in ("O_CLOEXEC", "O_NONBLOCK", "O_BINARY"))


def unpack_archive(path: str, into: Unpacking) -> None:
    """Add every entry of the archive at `path`. Raises SourceRefused and Unreadable."""
    try:
        file = os.fdopen(os.open(path, _OPEN), "rb")
    except OSError as error:
        raise Unreadable(f"{printable(path, 500)}: {error.strerror}") from None
    with file:
        found = os.fstat(file.fileno())
        if not stat.S_ISREG(found.st_mode):
            raise Unreadable(f"{printable(path, 500)}: is not a regular file")
        if found.st_size > into.meter.bounds.archive:
            raise SourceRefused(
                f"the archive has more than {into.meter.bounds.archive} bytes", code="too-large"
            )
        try:
            _unpack(file, found.st_size, into)
        except ProwessError:
            raise
        except OSError as error:
            if error.errno is not None:  # of the disk; a parser's own have no number
                raise
            raise _damaged(error) from None
        except Exception as error:  # noqa: BLE001  # boundary: whatever a hostile archive makes a parser raise
            raise _damaged(error) from None


def _unpack(file: BinaryIO, size: int, into: Unpacking) -> None:
    head = file.read(_USTAR + 8)
    file.seek(0)
    if head.startswith(_ZIP):
        unpack_zip(file, size, into)
        return
    packing = next((name for name, magic in MAGIC.items() if head.startswith(magic)), "")
    if packing:
        unpack_tar(_Metered(Inflating(file, packing), into), into)
    elif head[_USTAR : _USTAR + 5] == b"ustar" or _is_old_tar(head):
        unpack_tar(file, into)
    else:
        hint = "a .zip, .tar, .tar.gz, .tar.xz or .tar.bz2; or a directory, or the URL of a repository"
        raise SourceRefused("it is no archive that is known", code="archive-unknown", hint=hint)


def _is_old_tar(head: bytes) -> bool:
    """A tar from before `ustar`: a name, then numbers in octal where the mode and the owner are."""
    return len(head) > _USTAR and head[:1] > b" " and all(each in b"01234567 \0" for each in head[100:124])


class _Metered:
    """An unpacked stream, its size held against how much was packed."""

    def __init__(self, stream: Inflating, into: Unpacking) -> None:
        self._stream = stream
        self._into = into
        self._size = 0

    def read(self, size: int, /) -> bytes:
        data = self._stream.read(size)
        self._size += len(data)
        self._into.meter.packed("", self._size, self._stream.packed)
        return data


def _damaged(error: Exception) -> SourceRefused:
    why = printable(str(error) or type(error).__name__, 120)
    return SourceRefused(
        f"the archive cannot be read: {why}", code="archive-damaged", hint="copy or download it again"
    )
