"""Says which version of a unit a caller gets, by a `rollout.toml` that may change at any time.

The file is looked at when somebody calls, at most twice a second: one `stat`, and reading it when it
is another one. That needs no thread and no watcher to be installed, and sees what notifications miss
(network file systems, mounted volumes, a link that is turned). A file that has become unreadable or
wrong changes nothing and is reported; so does one that is gone, since without it everybody would get
the new version. What a caller gets for a name and a range is worked out once and remembered.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence

from prowess.errors import ProwessError, Unreadable
from prowess.provider import Caller
from prowess.redact import printable
from prowess.units.rollout import Rollout
from prowess.units.rollout_place import FilePlace, RolloutPlace
from prowess.units.routing import Plan, plan

LOOK_SECONDS = 0.5
MOST_PLANS = 4_096  # callers write ranges, and may write any number of different ones

Report = Callable[..., None]
"""Hears an event by its name, with fields."""


def unheard(event: str, /, **fields: object) -> None:
    """A report that nobody hears."""


class Router:
    """The versions of units under the rollouts of one file; a VersionChoice.

    `report` hears what changed and what is wrong, `on_change` that what callers get has changed, and
    `on_canary` that a caller was sent to a canary.
    """

    def __init__(self, file: str, *, report: Report = unheard, place: RolloutPlace | None = None) -> None:
        """Read the file; there need not be one. Raises Unreadable, and UsageError with the place.

        `place` is where it is kept instead, if that is not the file.
        """
        self.file = file
        self.place = place or FilePlace(file)
        self._report = report
        self.place.changed(time.time())
        found = self.place.read()
        self._there = found is not None
        self._said: Mapping[str, Rollout] = found or {}
        self._stopped: dict[str, tuple[Rollout, Rollout]] = {}
        self._plans: dict[tuple[str, tuple[str, ...], str], Plan] = {}
        self._fault = ""
        self._next = time.monotonic() + LOOK_SECONDS
        self.on_change: Callable[[], None] = _nothing
        self.on_canary: Callable[[], None] = _nothing

    def __call__(self, name: str, versions: Sequence[str], asked: str, caller: Caller) -> str:
        """The version of this caller. Raises NotFound, and UsageError for what is no range."""
        if time.monotonic() >= self._next:
            self.look()
        key = (name, versions if isinstance(versions, tuple) else tuple(versions), asked)
        made = self._plans.get(key) or self._planned(key)
        version = made.choose(caller)
        if version == made.canary:
            self.on_canary()
        return version

    @property
    def rollouts(self) -> Mapping[str, Rollout]:
        """What holds now, by the name of the unit."""
        stopped = {name: after for name, (_, after) in self._stopped.items()}
        return {**self._said, **stopped}

    def look(self) -> None:
        """Read the file if it is another one than before. What is wrong with it is reported, not raised."""
        self._next = time.monotonic() + LOOK_SECONDS
        if not self.place.changed(time.time()):
            return
        try:
            found = self.place.read()
            if found is None and self._there:
                raise Unreadable(f"{printable(self.file, 500)} is gone", hint="what it said holds on")
        except ProwessError as error:
            self._unreadable(error)
            return
        self._fault, self._there = "", found is not None
        self._take(found or {})

    async def refresh(self) -> None:
        """The same, having found out first what a place says that takes waiting."""
        try:
            await self.place.refresh()
        except ProwessError as error:
            self._unreadable(error)
        else:
            self.look()

    def _unreadable(self, error: ProwessError) -> None:
        if error.message != self._fault:
            self._fault = error.message
            self._report("rollout-unreadable", error=error.message)

    def stop(self, unit: str, after: Rollout) -> None:
        """Hold to `after` in this process, until the file says something else of the unit than now."""
        if unit in self._said:
            self._stopped[unit] = (self._said[unit], after)
            self._changed()

    def _take(self, found: Mapping[str, Rollout]) -> None:
        if found == self._said:
            return
        before, self._said = self._said, found
        self._stopped = {
            name: (said, after) for name, (said, after) in self._stopped.items() if found.get(name) == said
        }
        for name in sorted(before.keys() | found.keys()):
            if before.get(name) != found.get(name):
                self._report("rollout-changed", unit=name, **_told(found.get(name)))
        self._changed()

    def _changed(self) -> None:
        self._plans.clear()
        self.on_change()

    def _planned(self, key: tuple[str, tuple[str, ...], str]) -> Plan:
        name, versions, asked = key
        rollout = self.rollouts.get(name)
        made = plan(name, versions, asked, rollout)
        if rollout is not None:
            for each in (rollout.stable, rollout.canary):
                if each and each not in versions:
                    self._report("rollout-version-missing", unit=name, version=each)
        if len(self._plans) >= MOST_PLANS:
            self._plans.clear()
        self._plans[key] = made
        return made


def _nothing() -> None:
    """Nobody wants to know."""


def _told(rollout: Rollout | None) -> dict[str, object]:
    if rollout is None:
        return {"said": "nothing any more"}
    return {
        "stable": rollout.stable,
        "canary": rollout.canary,
        "percent": rollout.percent,
        "halted": rollout.halted,
        "reason": rollout.reason,
    }
