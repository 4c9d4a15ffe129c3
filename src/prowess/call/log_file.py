"""A log file of bounded size that several processes may write at once, readable by this user only.

A file that would grow over its limit is put aside as `NAME.1`, what was `NAME.1` becomes `NAME.2`,
and the oldest is deleted. Who puts it aside holds the lock of that very file, so that two processes
never both do; the others find another file under the name and go on in that one.
"""

from __future__ import annotations

import contextlib
import os
import stat
import sys

from prowess.errors import UsageError
from prowess.redact import printable
from prowess.store.file_lock import PRIVATE_FILE, try_lock

_FLAGS = os.O_WRONLY | os.O_APPEND | os.O_CREAT | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_NOFOLLOW", 0)


class LogFile:
    """Lines appended to the file at `path`, which is opened at once and made when it is missing."""

    def __init__(self, path: str, *, max_bytes: int, kept: int) -> None:
        self._path = path
        self._max_bytes = max_bytes
        self._kept = kept
        try:
            self._handle = self._opened()
        except OSError as error:
            raise UsageError(
                f"{printable(path)}: {error.strerror}", hint="the log needs a file that can be written"
            ) from None

    def write(self, line: str) -> None:
        """Append one line, in one piece. Raises OSError when that cannot be done."""
        content = line.encode("utf-8", "backslashreplace")
        if self._handle < 0:
            raise OSError("the log is closed")
        if self._full(len(content)):
            self._begin_another()
        os.write(self._handle, content)

    def close(self) -> None:
        """No more lines."""
        handle, self._handle = self._handle, -1
        if handle >= 0:
            os.close(handle)

    def _opened(self) -> int:
        handle = os.open(self._path, _FLAGS, PRIVATE_FILE)
        if sys.platform != "win32" and stat.S_ISREG(os.fstat(handle).st_mode):
            with contextlib.suppress(OSError):  # not this user's own
                os.fchmod(handle, PRIVATE_FILE)
        return handle

    def _full(self, more: int) -> bool:
        known = os.fstat(self._handle)
        return stat.S_ISREG(known.st_mode) and 0 < known.st_size > self._max_bytes - more

    def _begin_another(self) -> None:
        if self._still_named():
            if not try_lock(self._handle):
                return  # another process is putting it aside; this line still goes where it was
            if self._still_named():
                self._put_aside()
        os.close(self._handle)
        self._handle = -1
        self._handle = self._opened()

    def _still_named(self) -> bool:
        """Whether the name still means the file that is open."""
        try:
            return os.path.samestat(os.lstat(self._path), os.fstat(self._handle))
        except FileNotFoundError:
            return False

    def _put_aside(self) -> None:
        if self._kept == 0:
            os.unlink(self._path)
            return
        for number in range(self._kept, 0, -1):
            older = f"{self._path}.{number}"
            newer = f"{self._path}.{number - 1}" if number > 1 else self._path
            with contextlib.suppress(FileNotFoundError):
                os.replace(newer, older)
