"""Who gets which version of a unit, for whoever looks or decides: what is settled, what was seen, the steps.

It works on the place that running processes follow (`rollout.toml`, or the store that several machines
share), starts no unit and imports none.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from prowess.errors import NotFound, ProwessError, UsageError
from prowess.host.unit_folders import LABEL
from prowess.redact import printable

if TYPE_CHECKING:
    from prowess.host.storing import Store
    from prowess.store.database import Database
    from prowess.store.remembered import RolloutChange
    from prowess.units.judging import Comparison
    from prowess.units.rollout import KeyOf, Rollout
    from prowess.units.rollout_place import RolloutPlace
    from prowess.units.settling import Settled, Settling

KEPT = 200  # changes shown at most


@dataclass(frozen=True, slots=True, kw_only=True)
class RolloutDesk:
    """The rollouts of one `file`. `paths` are where the units are, `who` is the person that decides."""

    file: str
    store: Store
    paths: Sequence[str] = ()
    who: str = ""

    @property
    def place(self) -> RolloutPlace:
        """Where they are kept: the shared store if there is one, or the file."""
        from prowess.units.rollout_place import FilePlace

        return FilePlace(self.file) if self.store.shared is None else self.store.shared.rollouts(self.file)

    async def read(self) -> Mapping[str, Rollout]:
        """What is settled, by unit. Raises ProwessError for a file that is wrong."""
        place = self.place
        await place.refresh()
        return place.read() or {}

    def versions(self) -> tuple[Mapping[str, Sequence[str]], Sequence[ProwessError]]:
        """The versions of every unit in folders, oldest first; and what could not be read. Blocking."""
        from prowess.choose.versions import ordered
        from prowess.units.discovery import judge

        found: dict[str, set[str]] = {}
        faults: list[ProwessError] = []
        for path in self.paths:
            try:
                for each in judge(path).units:
                    found.setdefault(each.unit.name, set()).add(each.unit.version)
            except ProwessError as error:
                faults.append(error)
        return {name: ordered(each) for name, each in found.items()}, faults

    def seen(self, unit: str, rollout: Rollout) -> Comparison | None:
        """What the records say of a rollout; None where there is nothing to compare. Blocking."""
        from prowess.units.guarding import compared

        database = self.store.database
        if not rollout.running or database is None or not database.exists():
            return None
        return database.now(lambda connection: compared(connection, LABEL, unit, rollout))

    def changes(self, unit: str = "", limit: int = KEPT) -> Sequence[RolloutChange]:
        """The latest changes, the latest first; of one unit or of all. Blocking."""
        from prowess.store.rollouts import history

        database = self.store.database
        if database is None or not database.exists():
            return ()
        return database.now(lambda connection: history(connection, self.file, unit, limit))

    async def share(
        self,
        unit: str,
        version: str,
        percent: float,
        *,
        known: Sequence[str],
        stable: str = "",
        key: KeyOf | None = None,
        reason: str = "",
        anyway: bool = False,
    ) -> Settled:
        """Give `version` to `percent` of callers; `known` are the unit's versions, as far as one knows.

        Raises NotFound for a version that there is not, Held and UsageError.
        """
        insist_on_known(unit, known, version, stable)
        if not stable and unit not in await self.read():
            from prowess.choose.versions import match

            stable = match("", [each for each in known if each != version]) or ""
        return await self._settling.share(
            unit, version, percent, stable=stable, key=key, reason=reason, anyway=anyway
        )

    async def promote(self, unit: str, *, reason: str = "", anyway: bool = False) -> Settled:
        """Make the canary the stable version of everybody. Raises Held and UsageError."""
        return await self._settling.promote(unit, reason=reason, anyway=anyway)

    async def rollback(self, unit: str, *, reason: str = "") -> Settled:
        """Give the canary to nobody, or go back to the version before. Raises UsageError."""
        return await self._settling.rollback(unit, reason=reason)

    @property
    def _settling(self) -> Settling:
        from prowess.units.settling import Settling

        database: Database | None = self.store.database
        if database is None:
            raise UsageError(
                "the store of this Host keeps no records, so no rollout can be changed with it",
                hint="open it with the store of this user",
            )
        return Settling(file=self.file, database=database, who=self.who, place=self.place)


def insist_on_known(unit: str, known: Sequence[str], *versions: str) -> None:
    """Raise NotFound for a version that the unit has not; where none is known, each may be there."""
    for each in versions:
        if known and each and each not in known:
            raise NotFound(
                f"there is no {printable(unit, 80)}@{printable(each, 60)}",
                hint=f"there is {printable(', '.join(known), 500)}",
            )


def share_of(text: str) -> float:
    """A share in percent as people write it. Raises UsageError."""
    try:
        value = float(text.strip().removesuffix("%"))
    except ValueError:
        value = -1.0
    if not 0 <= value <= 100:
        raise UsageError(f"{printable(text, 40)} is no share", hint="a number from 0 to 100")
    return value


def state_of(rollout: Rollout) -> str:
    """How a rollout stands, in a word: settled, stopped, halted or running."""
    if not rollout.canary:
        return "settled"
    if not rollout.running:
        return "stopped"
    return "halted" if rollout.halted else "running"


def person() -> str:
    """Who decides: this user, as the machine calls them."""
    import getpass

    try:
        return printable(getpass.getuser(), 80)
    except (OSError, KeyError, ImportError):
        return "somebody"
