"""Guard rails while units are served: the records of calls are read on, and a bad canary is stopped.

Every process that serves units looks for itself, in the order of the records, so all of them see the
same; the first one changes `rollout.toml` and the others follow the file. If it cannot be written,
this process stops the canary for itself and says so. It looks every second and after every few calls
of a canary, and does nothing at all while there is none.
"""

from __future__ import annotations

import asyncio
import contextlib
import sqlite3
from dataclasses import dataclass, replace

from prowess.errors import ProwessError
from prowess.store.database import Database
from prowess.store.rollouts import Stretch, ended, first_since
from prowess.units.judging import Breach, Comparison
from prowess.units.rollout import Rollout
from prowess.units.rollout_place import FilePlace
from prowess.units.router import Report, Router, unheard
from prowess.units.settling import Settling, judged_by

LOOK_SECONDS = 1.0
LOOK_CALLS = 10  # of canaries
GUARD = "guard"


@dataclass(slots=True, kw_only=True)
class Reading:
    """How far the records of one rollout were read, and what they came to."""

    rollout: Rollout
    comparison: Comparison
    after: int | None = None

    def take(self, stretch: Stretch) -> None:
        """Count a stretch of records in."""
        for version, outcome, milliseconds in stretch.calls:
            self.comparison.add(version, outcome, milliseconds)
        self.after = stretch.until


class GuardRails:
    """Watches the canaries of a Router. `server` is the label that their calls are recorded under.

    Without a `database` there is nothing to judge by: it says so, and stops nothing.
    """

    def __init__(
        self, router: Router, database: Database | None, *, server: str = "units", report: Report = unheard
    ) -> None:
        self._router = router
        self._database = database
        self._server = server
        self._report = report
        self._readings: dict[str, Reading] = {}
        self._canaries = 0
        self._wanted = asyncio.Event()
        self._rounds: asyncio.Task[None] | None = None

    async def begin(self) -> None:
        """Look once, then keep looking until `end`."""
        if self._database is None:
            if any(each.running for each in self._router.rollouts.values()):
                self._report("rollout-unguarded", error="the records of calls are not kept on this machine")
            if isinstance(self._router.place, FilePlace):
                return
        await self._look_and_tell()
        self._router.on_canary = self._count
        self._rounds = asyncio.ensure_future(self._keep_on())

    async def end(self) -> None:
        """Look no more; safe to call twice."""
        self._router.on_canary = _nothing
        if self._rounds is not None:
            self._rounds.cancel()
            await asyncio.wait({self._rounds})
            self._rounds = None

    async def look(self) -> dict[str, Breach]:
        """Read on, and stop what has to be stopped; which units that were. Raises StoreFailed."""
        await self._router.refresh()
        found: dict[str, Breach] = {}
        if self._database is None:
            return found
        for unit, rollout in self._router.rollouts.items():
            if not rollout.running:
                self._readings.pop(unit, None)
                continue
            breach = await self._judged(self._database, unit, rollout)
            if breach is not None and await self._stopped(self._database, unit, breach):
                found[unit] = breach
        return found

    async def _judged(self, database: Database, unit: str, rollout: Rollout) -> Breach | None:
        reading = self._reading(unit, rollout)
        while database.exists():
            stretch = await database.run(lambda connection: _read(connection, self._server, unit, reading))
            reading.take(stretch)
            if stretch.until >= stretch.last:
                break
            await asyncio.sleep(0)
        breach = reading.comparison.breach()
        halted_already = breach is not None and breach.action == "halt" and rollout.halted
        return None if halted_already else breach

    def _reading(self, unit: str, rollout: Rollout) -> Reading:
        reading = self._readings.get(unit)
        if reading is None or judged_by(reading.rollout) != judged_by(rollout):
            reading = self._readings[unit] = Reading(rollout=rollout, comparison=Comparison(rollout))
        return reading

    async def _stopped(self, database: Database, unit: str, breach: Breach) -> bool:
        """Whether it was this process that stopped it."""
        reading = self._readings[unit]
        settling = Settling(
            file=self._router.file,
            database=database,
            who=GUARD,
            evidence=reading.comparison.told(),
            place=self._router.place,
        )
        try:
            settled = await settling.stop(unit, reading.rollout, breach)
        except ProwessError as error:
            after = replace(
                self._router.rollouts[unit],
                **({"percent": 0.0} if breach.action == "rollback" else {"halted": True}),
                reason=breach.reason,
            )
            self._router.stop(unit, after)
            self._report(_EVENT[breach.action], unit=unit, reason=breach.reason, unwritten=error.message)
            return True
        self._router.look()
        if settled.changed:
            self._report(
                _EVENT[breach.action], unit=unit, reason=breach.reason, **_missing(settled.unrecorded)
            )
        return settled.changed

    def _count(self) -> None:
        self._canaries += 1
        if self._canaries >= LOOK_CALLS:
            self._wanted.set()

    async def _keep_on(self) -> None:
        while True:
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._wanted.wait(), LOOK_SECONDS)
            self._wanted.clear()
            self._canaries = 0
            await self._look_and_tell()

    async def _look_and_tell(self) -> None:
        try:
            await self.look()
        except ProwessError as error:
            self._report("rollout-unguarded", error=error.message)


_EVENT = {"rollback": "rollout-rolled-back", "halt": "rollout-halted"}


def _missing(why: str) -> dict[str, str]:
    return {"unrecorded": why} if why else {}


def _nothing() -> None:
    """Nobody counts."""


def _read(connection: sqlite3.Connection, server: str, unit: str, reading: Reading) -> Stretch:
    rollout = reading.rollout
    return ended(
        connection,
        server=server,
        tool=unit,
        versions=(rollout.stable, rollout.canary),
        since=rollout.since,
        after=first_since(connection, rollout.since) if reading.after is None else reading.after,
    )


def compared(connection: sqlite3.Connection, server: str, unit: str, rollout: Rollout) -> Comparison:
    """What the records say of a rollout, without acting on it."""
    reading = Reading(rollout=rollout, comparison=Comparison(rollout))
    while True:
        stretch = _read(connection, server, unit, reading)
        reading.take(stretch)
        if stretch.until >= stretch.last:
            return reading.comparison
