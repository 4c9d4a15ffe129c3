"""Where it is kept what is rolled out: a file, or a text that several machines share.

A place is looked at (`changed`, `read`) without waiting, since that happens while somebody calls;
`refresh` and `change` may wait.
"""

from __future__ import annotations

from typing import Protocol

from prowess.units.rollout import Rollout
from prowess.units.rollout_file import Decide, Stamp, change, read_rollouts

Settled = tuple[Rollout | None, Rollout | None]  # what was said of a unit before, and what is now


class RolloutPlace(Protocol):
    """One place, with rollouts by the names of units."""

    def changed(self, now: float) -> bool:
        """Whether to read it (again). `now` is the time of day."""
        ...

    def read(self) -> dict[str, Rollout] | None:
        """What it says, None when there is nothing. Raises Unreadable, and UsageError with the place."""
        ...

    async def refresh(self) -> None:
        """Find out what it says now, where that takes waiting. Raises ProwessError."""
        ...

    async def change(self, unit: str, decide: Decide) -> Settled:
        """Change what it says of one unit, one writer at a time; `decide` is told what it says then."""
        ...


class FilePlace:
    """A `rollout.toml` on this machine."""

    def __init__(self, file: str) -> None:
        self._file = file
        self._stamp = Stamp()

    def changed(self, now: float) -> bool:
        """Whether the file is another one than it was."""
        return self._stamp.changed(self._file, now)

    def read(self) -> dict[str, Rollout] | None:
        """What the file says."""
        return read_rollouts(self._file)

    async def refresh(self) -> None:
        """A file takes no waiting."""

    async def change(self, unit: str, decide: Decide) -> Settled:
        """Change the file."""
        return await change(self._file, unit, decide)
