"""A directory of this machine as the source of a package: its files copied, none of its links followed.

A file with several names (hard links) is copied like any other: the user who names a directory may
read it. Whatever is neither file, directory nor symbolic link refuses the whole.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from itertools import islice
from typing import BinaryIO

from prowess.errors import SourceRefused, Unreadable
from prowess.redact import printable
from prowess.source.archive_contents import CHUNK
from prowess.source.archive_names import is_passed_over
from prowess.source.archive_tree import Unpacking

_OPEN = os.O_RDONLY
_OPEN |= sum(getattr(os, each, 0) for each in ("O_CLOEXEC", "O_NOFOLLOW", "O_NONBLOCK", "O_BINARY"))
_RUN = 0o111


def copy_directory(root: str, into: Unpacking) -> None:
    """Add every entry below `root`. Raises SourceRefused, and Unreadable for what cannot be read."""
    waiting = [""]
    while waiting:
        below = waiting.pop()
        try:
            with os.scandir(os.path.join(root, below)) as entries:
                first = islice(
                    entries, into.meter.bounds.files + 1
                )  # one too many is noticed when it is added
                for entry in sorted(first, key=lambda each: each.name):
                    path = f"{below}/{entry.name}".lstrip("/")
                    if _add(entry, path, into):
                        waiting.append(path)
        except OSError as error:
            raise Unreadable(f"{printable(below or root, 500)}: {error.strerror}") from None


def _add(entry: os.DirEntry[str], path: str, into: Unpacking) -> bool:
    """Add one entry; whether it is a directory to look into."""
    if entry.is_symlink():
        into.link(path, os.readlink(entry.path))
    elif entry.is_dir(follow_symlinks=False):
        into.directory(path)
        return not is_passed_over((entry.name,))  # what may be large is not even looked through
    elif entry.is_file(follow_symlinks=False):
        _copy(entry.path, path, into)
    else:
        raise _special(path)
    return False


def _copy(real: str, path: str, into: Unpacking) -> None:
    with os.fdopen(os.open(real, _OPEN), "rb") as file:
        mode = os.fstat(file.fileno()).st_mode
        if not stat.S_ISREG(mode):  # another thing since it was listed
            raise _special(path)
        into.file(path, _chunks(file), executable=bool(mode & _RUN))


def _chunks(file: BinaryIO) -> Iterator[bytes]:
    while chunk := file.read(CHUNK):
        yield chunk


def _special(path: str) -> SourceRefused:
    return SourceRefused(
        f"{printable(path)} is neither a file nor a directory nor a link", code="path-special"
    )
