"""How much of a source is ever unpacked: every bound, and the meter that holds them.

All are far above what published packages hold. Sizes count what was really written, whatever an
archive announces.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

from prowess.errors import SourceRefused
from prowess.redact import printable

MIB = 1 << 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Bounds:
    """The bounds of one source.

    `archive` bytes of the file itself, `total` bytes of all files, `file` bytes of one, `files`
    entries of any kind, `steps` names in a path, `path` bytes of one, `ratio` times as many bytes as
    were packed (looked at above `ratio_from` bytes), `seconds` for all of it.
    """

    archive: int = 256 * MIB
    total: int = 256 * MIB
    file: int = 64 * MIB
    files: int = 20_000
    steps: int = 32
    path: int = 1_000
    ratio: int = 200
    ratio_from: int = 4 * MIB
    seconds: float = 120.0


class Meter:
    """What was unpacked so far, held against the bounds."""

    def __init__(self, bounds: Bounds, clock: Callable[[], float] = time.monotonic) -> None:
        self.bounds = bounds
        self._clock = clock
        self._until = clock() + bounds.seconds
        self._entries = 0
        self._bytes = 0

    def entry(self, name: str) -> None:
        """One more entry."""
        self._entries += 1
        self._in_time()
        if self._entries > self.bounds.files:
            raise _over(name, "too-many-files", f"there are more than {self.bounds.files} entries")

    def read(self, name: str, count: int, of_file: int) -> None:
        """`count` more bytes, of a file that has `of_file` now."""
        self._bytes += count
        self._in_time()
        if of_file > self.bounds.file:
            raise _over(name, "file-too-large", f"one file has more than {self.bounds.file} bytes")
        if self._bytes > self.bounds.total:
            raise _over(name, "too-large", f"all files have more than {self.bounds.total} bytes")

    def packed(self, name: str, unpacked: int, packed: int) -> None:
        """That `unpacked` bytes came from `packed` ones."""
        self._in_time()
        if unpacked > self.bounds.ratio_from and unpacked > self.bounds.ratio * max(packed, 1):
            ratio = self.bounds.ratio
            raise _over(name, "too-dense", f"it unpacks to more than {ratio} times its packed size")

    def left(self) -> float:
        """Seconds that are left, above 0; SourceRefused when none are."""
        self._in_time()
        return max(self._until - self._clock(), 0.001)

    def _in_time(self) -> None:
        if self._clock() > self._until:
            raise SourceRefused(
                f"unpacking takes longer than {self.bounds.seconds:g} seconds", code="too-slow"
            )


def _over(name: str, code: str, what: str) -> SourceRefused:
    at = f" (at {printable(name, 200)})" if name else ""
    return SourceRefused(f"{what}{at}", code=code)
