"""A file replaced in one step: a reader sees the old one or the new one, never half of one."""

from __future__ import annotations

import contextlib
import os
import tempfile

PRIVATE = 0o600


def replace_whole(path: str, content: bytes, *, mode: int = PRIVATE, durable: bool = True) -> None:
    """Put `content` at `path`, in a folder that is there; OSError when that cannot be done.

    `durable` means that it survives a loss of power; what can be made again goes without.
    """
    folder = os.path.dirname(path)
    handle, temporary = tempfile.mkstemp(dir=folder, prefix=".new-")  # open to this user only
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            file.flush()
            if durable:
                os.fsync(file.fileno())
        if mode != PRIVATE:
            os.chmod(temporary, mode)
        os.replace(temporary, path)
    except BaseException:  # boundary: whatever happened, the part file goes and the error is raised again
        with contextlib.suppress(OSError):
            os.unlink(temporary)
        raise
    if durable:
        _settle(folder)


def _settle(folder: str) -> None:
    """Make the rename itself last, where a folder can be synced."""
    with contextlib.suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
