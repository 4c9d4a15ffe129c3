"""Changing what is rolled out, by a person or by a guard rail: the file, then the record of it.

`rollout.toml` says what holds now and why; the store keeps every change with its reason. The steps
are here once, whoever takes them: set, promote, roll back, halt. None of them starts a unit.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from prowess.choose.versions import parse
from prowess.errors import ProwessError, UsageError
from prowess.redact import printable
from prowess.store.database import Database
from prowess.store.remembered import RolloutChange
from prowess.store.rollouts import Rollouts
from prowess.units.judging import Breach
from prowess.units.rollout import KeyOf, Rollout
from prowess.units.rollout_file import Decide
from prowess.units.rollout_place import FilePlace, RolloutPlace
from prowess.units.rollout_text import Changes

LONGEST_REASON = 500


class Held(ProwessError):
    """A guard rail has halted the rollout, and nobody has said that it may go on."""

    code = "rollout-halted"


@dataclass(frozen=True, slots=True, kw_only=True)
class Settled:
    """What the file said before and says now; `unrecorded` is why the store did not keep the change."""

    before: Rollout | None
    after: Rollout | None
    unrecorded: str = ""

    @property
    def changed(self) -> bool:
        """Whether anything is different."""
        return self.before != self.after


@dataclass(frozen=True, slots=True, kw_only=True)
class Settling:
    """One file, or the `place` that is kept instead, and where its changes are recorded."""

    file: str
    database: Database
    who: str
    place: RolloutPlace | None = None
    evidence: Mapping[str, Any] = field(default_factory=dict)

    async def share(
        self,
        unit: str,
        canary: str,
        percent: float,
        *,
        stable: str = "",
        key: KeyOf | None = None,
        reason: str = "",
        anyway: bool = False,
    ) -> Settled:
        """Give `canary` to `percent` of callers. A canary that is on its way goes on being judged.

        `stable` is needed for a unit that the file does not know yet. Raises Held and UsageError.
        """
        parse(canary)

        def decide(now: Rollout | None) -> Changes | None:
            usual = stable or (now.stable if now else "")
            if not usual:
                raise UsageError(
                    f"which version of {printable(unit, 80)} everybody else gets is not settled",
                    hint="name it with --stable",
                )
            same = now is not None and now.canary == canary and now.stable == usual
            going_on = same and now is not None and now.running
            if going_on and now is not None and percent > now.percent:
                _insist_on_free(now, anyway)
            begun = now.since if going_on and now is not None and not anyway else time.time()
            fields: dict[str, str | float | bool | None] = {
                "stable": usual,
                "canary": canary,
                "percent": percent,
                "since": begun,
                "halted": True if going_on and now is not None and now.halted and not anyway else None,
                "reason": _clean(reason) or None,
            }
            return fields if key is None else {**fields, "key": key}

        return await self._settle(unit, "set", decide)

    async def promote(self, unit: str, *, reason: str = "", anyway: bool = False) -> Settled:
        """Make the canary the stable version of everybody. Raises Held and UsageError."""

        def decide(now: Rollout | None) -> Changes | None:
            known = _insist_on_known(now, unit)
            if not known.canary:
                raise UsageError(f"{printable(unit, 80)} has no canary to promote")
            _insist_on_free(known, anyway)
            return {
                "stable": known.canary,
                "canary": None,
                "percent": None,
                "halted": None,
                "since": None,
                "previous": known.stable,
                "reason": _clean(reason) or None,
            }

        return await self._settle(unit, "promote", decide)

    async def rollback(self, unit: str, *, reason: str = "") -> Settled:
        """Give the canary to nobody; without one, go back to the version before the last promotion.

        Raises UsageError where there is nothing to go back to.
        """

        def decide(now: Rollout | None) -> Changes | None:
            known = _insist_on_known(now, unit)
            if known.canary:
                return _none_of_it(reason) if known.running else None
            if not known.previous:
                raise UsageError(f"{printable(unit, 80)} has neither a canary nor a version before")
            return {
                "stable": known.previous,
                "canary": known.stable,
                "percent": 0.0,
                "previous": None,
                "since": time.time(),
                "reason": _clean(reason) or None,
            }

        return await self._settle(unit, "rollback", decide)

    async def stop(self, unit: str, judged: Rollout, breach: Breach) -> Settled:
        """What a guard rail does, unless the rollout is not the one that was judged any more."""

        def decide(now: Rollout | None) -> Changes | None:
            if now is None or not now.running or judged_by(now) != judged_by(judged):
                return None
            if breach.action == "rollback":
                return _none_of_it(breach.reason)
            return None if now.halted else {"halted": True, "reason": _clean(breach.reason)}

        return await self._settle(unit, breach.action, decide)

    async def _settle(self, unit: str, action: str, decide: Decide) -> Settled:
        before, after = await (self.place or FilePlace(self.file)).change(unit, decide)
        if before == after or after is None:
            return Settled(before=before, after=after)
        try:
            await Rollouts(self.database).commit(self._change(unit, action, after))
        except ProwessError as error:
            return Settled(before=before, after=after, unrecorded=error.message)
        return Settled(before=before, after=after)

    def _change(self, unit: str, action: str, after: Rollout) -> RolloutChange:
        return RolloutChange(
            place=self.file,
            unit=unit,
            action=action,
            stable=after.stable,
            canary=after.canary,
            percent=after.percent,
            who=self.who,
            reason=after.reason,
            evidence=self.evidence,
            at=time.time(),
        )


def judged_by(rollout: Rollout) -> tuple[object, ...]:
    """What makes it the same trial; the share may grow meanwhile."""
    return (rollout.stable, rollout.canary, rollout.since, rollout.guard)


def _none_of_it(reason: str) -> Changes:
    # Whoever tries again with the same version is judged by what happens then.
    return {"percent": 0.0, "halted": None, "since": time.time(), "reason": _clean(reason) or None}


def _clean(reason: str) -> str:
    return printable(reason, LONGEST_REASON)


def _insist_on_known(now: Rollout | None, unit: str) -> Rollout:
    if now is None:
        raise UsageError(
            f"nothing is settled about {printable(unit, 80)}",
            hint="prowess rollout set PATH UNIT VERSION PERCENT begins a rollout",
        )
    return now


def _insist_on_free(now: Rollout, anyway: bool) -> None:
    if now.halted and not anyway:
        raise Held(
            f"{printable(now.canary, 80)} is halted: {printable(now.reason, LONGEST_REASON)}",
            hint="roll it back, or say --anyway if it is good as it is",
        )
