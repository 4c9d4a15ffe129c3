"""Somebody else's configuration file: read, kept as it was, replaced whole, and given back.

What the file was before is kept in a private folder of Prowess's own, because such files hold tokens
and a project's folder is shared. A link is written through, and permissions stay.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
from dataclasses import dataclass

from prowess.errors import ProwessError, Unreadable, UsageError
from prowess.redact import printable
from prowess.store.directories import create_private, state_home
from prowess.store.whole_file import PRIVATE, replace_whole

LARGEST = 64_000_000  # bytes; such a file also holds a history
NO_FILE = "no-file"
NO_FOLDER = "no-folder"


@dataclass(frozen=True, slots=True, kw_only=True)
class Before:
    """What was there before: the text, or None with whether its folder was there either."""

    text: str | None
    folder: bool = True


def read(path: str) -> str | None:
    """The text of a file, None where there is none. Raises UsageError and Unreadable."""
    shown = printable(path, 500)
    if not os.path.exists(path):
        if os.path.islink(path):
            raise UsageError(f"{shown}: is a link that leads nowhere")
        return None
    if not os.path.isfile(path):
        raise UsageError(f"{shown}: is no regular file")
    try:
        with open(path, "rb") as file:
            content = file.read(LARGEST + 1)
        if len(content) > LARGEST:
            raise Unreadable(f"{shown}: larger than {LARGEST} bytes")
        return content.decode("utf-8")
    except OSError as error:
        raise Unreadable(f"{shown}: {error.strerror}") from error
    except UnicodeDecodeError as error:
        line = error.object.count(b"\n", 0, error.start) + 1
        raise UsageError(f"{shown}: line {line}: is not UTF-8") from error


def write(path: str, text: str, *, private: bool) -> None:
    """Put `text` there whole; a new file is `private`, or as open as the user's files are."""
    real = os.path.realpath(path)
    try:
        os.makedirs(os.path.dirname(real), exist_ok=True)
        mode = os.stat(real).st_mode & 0o7777 if os.path.exists(real) else PRIVATE if private else _usual()
        replace_whole(real, text.encode("utf-8"), mode=mode)
    except OSError as error:
        raise ProwessError(f"{printable(path, 500)}: cannot be written: {error.strerror}") from error


def give_back(path: str, before: Before, *, private: bool) -> None:
    """The file as it was, or none."""
    if before.text is not None:
        write(path, before.text, private=private)
        return
    try:
        os.unlink(path)
    except OSError as error:
        raise ProwessError(f"{printable(path, 500)}: cannot be removed: {error.strerror}") from error
    if not before.folder:
        with contextlib.suppress(OSError):  # somebody else's files are in it by now
            os.rmdir(os.path.dirname(path))


def _usual() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask


class Backups:
    """What files were before; one for each file, in `connect` of the state folder."""

    def __init__(self, folder: str | None = None) -> None:
        self._folder = folder or os.path.join(state_home(), "connect")

    def keep(self, path: str, text: str | None) -> str:
        """Keep what `path` is now; where it is kept. Raises ProwessError."""
        self.forget(path)
        kind = "before" if text is not None else NO_FILE if _folder_is_there(path) else NO_FOLDER
        place = self._place(path, kind)
        try:
            create_private(self._folder)
            replace_whole(place, (text or "").encode("utf-8"))
        except OSError as error:
            raise ProwessError(f"{printable(place, 500)}: cannot be written: {error.strerror}") from error
        return place

    def before(self, path: str) -> Before | None:
        """What `path` was, as far as it is known."""
        text = read(self._place(path, "before"))
        if text is not None:
            return Before(text=text)
        for kind in (NO_FILE, NO_FOLDER):
            if os.path.isfile(self._place(path, kind)):
                return Before(text=None, folder=kind == NO_FILE)
        return None

    def forget(self, path: str) -> None:
        """What it was is of no use any more."""
        for kind in ("before", NO_FILE, NO_FOLDER):
            with contextlib.suppress(OSError):
                os.unlink(self._place(path, kind))

    def _place(self, path: str, kind: str) -> str:
        real = os.path.realpath(path)
        digest = hashlib.sha256(real.encode("utf-8", "surrogateescape")).hexdigest()[:16]
        return os.path.join(self._folder, f"{os.path.basename(real).lstrip('.')}-{digest}.{kind}")


def _folder_is_there(path: str) -> bool:
    return os.path.isdir(os.path.dirname(os.path.realpath(path)))
