"""Reading and writing the files that the user names on the command line."""

from __future__ import annotations

import contextlib
import os

from prowess.errors import Unreadable, UsageError
from prowess.redact import printable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from prowess.capability.snapshot import Snapshot

LARGEST = 64_000_000  # bytes of a snapshot; far above any that was ever taken


def read_bounded(path: str) -> bytes:
    """The bytes of a regular file that the user named."""
    shown = printable(path, 500)
    if not os.path.lexists(path):
        raise UsageError(f"{shown}: no such file")
    if os.path.isdir(path):
        raise UsageError(f"{shown}: is a directory")
    if not os.path.isfile(path):  # a pipe would be waited for for ever
        raise UsageError(f"{shown}: is not a regular file")
    try:
        with open(path, "rb") as file:
            content = file.read(LARGEST + 1)
    except OSError as error:
        raise Unreadable(f"{shown}: {error.strerror}") from error
    if len(content) > LARGEST:
        raise Unreadable(f"{shown}: larger than {LARGEST} bytes")
    return content


def read_snapshot(path: str) -> Snapshot:
    """The snapshot in a file that the user named."""
    from prowess.capability.snapshot import Snapshot

    shown = printable(path, 500)
    try:
        text = read_bounded(path).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise UsageError(f"{shown}: is not UTF-8 text, so it is no snapshot") from error
    return Snapshot.from_json(text, source=shown)


def write_whole(path: str, content: bytes) -> None:
    """Write a file so that a reader sees the old one or the new one, never half of one.

    A link is written through, and something that is not a regular file (a terminal, `/dev/null`)
    is written to directly.
    """
    path = os.path.realpath(path)
    if os.path.lexists(path) and not os.path.isfile(path):
        with open(path, "wb") as file:
            file.write(content)
        return
    temporary = f"{path}.{os.getpid()}.part"
    try:
        with open(temporary, "xb") as file:
            file.write(content)
        if os.path.exists(path):
            os.chmod(temporary, os.stat(path).st_mode & 0o7777)
        os.replace(temporary, path)
    except BaseException:  # boundary: whatever happened, the part file goes and the error is raised again
        with contextlib.suppress(OSError):
            os.unlink(temporary)
        raise
