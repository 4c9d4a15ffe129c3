"""The file `rollout.toml`: where it is, reading it, changing it as a whole, one writer at a time.

A reader sees the file before or after a change, never half of it. Writers (`prowess rollout`, the
guard rails of any number of processes) take turns by a lock on a file beside it, and each decides by
what the file says once it has the turn: a rollback never undoes what somebody settled meanwhile.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from prowess.errors import Unreadable, UsageError
from prowess.redact import printable
from prowess.store.whole_file import replace_whole
from prowess.units.rollout import Rollout

if TYPE_CHECKING:
    from prowess.units.rollout_text import Changes

NAME = "rollout.toml"
MAX_BYTES = 1_000_000
LOCK_SECONDS = 5.0
PUBLIC_FILE = 0o644  # it holds no secret, and whoever runs the units reads it

Decide = Callable[[Rollout | None], "Changes | None"]


def rollout_file(path: str) -> str:
    """The file that belongs to `path`: a folder of units, a `prowess.toml`, or the file itself."""
    if os.path.basename(path) == NAME and not os.path.isdir(path):
        return os.path.abspath(path)
    folder = path if os.path.isdir(path) else os.path.dirname(path)
    return os.path.join(os.path.abspath(folder), NAME)


def read_file(file: str) -> str | None:
    """The text of the file, None when there is none. Raises Unreadable."""
    try:
        with open(file, "rb") as opened:
            data = opened.read(MAX_BYTES + 1)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise Unreadable(f"{printable(file, 500)}: {error.strerror}") from None
    if len(data) > MAX_BYTES:
        raise Unreadable(f"{printable(file, 500)} is over {MAX_BYTES} bytes")
    try:
        return data.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError:
        raise Unreadable(f"{printable(file, 500)} is not UTF-8") from None


def read_rollouts(file: str) -> dict[str, Rollout] | None:
    """What the file says, None when there is none. Raises Unreadable, and UsageError with the place."""
    text = read_file(file)
    if text is None:
        return None
    from prowess.units.rollout_text import read_text  # reading TOML is learnt where there is some

    return read_text(text, file)


async def change(file: str, unit: str, decide: Decide) -> tuple[Rollout | None, Rollout | None]:
    """Change what the file says of one unit; what it said before, and what it says now.

    `decide` is given what the file says and answers the fields to change, or None to leave it as it
    is; it may raise. Raises Unreadable when the file cannot be written, UsageError when it is wrong.
    """
    from prowess.store.file_lock import locked
    from prowess.units.rollout_text import edited, read_text

    file, lock = _and_its_lock(file)
    try:
        async with locked(lock, LOCK_SECONDS):
            text = read_file(file) or ""
            before = read_text(text, file).get(unit) if text.strip() else None
            changes = decide(before)
            if changes is None:
                return before, before
            new = edited(text, unit, changes)
            after = read_text(new, file)[unit]
            _replace(file, new)
            return before, after
    except TimeoutError:
        raise Unreadable(f"{printable(file, 500)}: another process keeps it locked") from None
    except OSError as error:
        raise Unreadable(
            f"{printable(file, 500)}: {error.strerror}", hint="the file and its folder must be writable"
        ) from None


def _and_its_lock(file: str) -> tuple[str, str]:
    real = os.path.realpath(file)  # a link stays one
    return real, os.path.join(os.path.dirname(real), f".{os.path.basename(real)}.lock")


def _replace(file: str, text: str) -> None:
    mode = os.stat(file).st_mode & 0o777 if os.path.exists(file) else PUBLIC_FILE
    replace_whole(file, text.encode("utf-8"), mode=mode)


class Stamp:
    """Tells whether a file is another one than it was when it was read.

    Two writes may bear the same time, where clocks of file systems are coarse. So the time proves
    nothing until it is old enough; before that the file counts as changed, and is read again.
    """

    FINE_SECONDS = 2.0  # the coarsest that is about

    def __init__(self) -> None:
        self._seen: tuple[int, int, int, int] | None = None
        self._settled = False

    def changed(self, file: str, now: float) -> bool:
        """Whether to read it (again). `now` is the time of day, as files bear it."""
        try:
            found = os.stat(file)
            seen = (found.st_mtime_ns, found.st_size, found.st_ino, found.st_dev)
            young = abs(now - found.st_mtime) < self.FINE_SECONDS
        except OSError:
            seen, young = (0, 0, 0, 0), False
        if seen == self._seen and self._settled:
            return False
        self._seen, self._settled = seen, not young
        return True


def named(names: Mapping[str, Rollout], unit: str, file: str) -> Rollout:
    """The rollout of a unit. Raises UsageError when the file says nothing of it."""
    found = names.get(unit)
    if found is None:
        known = printable(", ".join(names), 500)
        raise UsageError(
            f"{printable(file, 500)} says nothing of {printable(unit, 80)}",
            hint=f"it names {known}" if known else "prowess rollout set PATH UNIT VERSION PERCENT begins one",
        )
    return found
