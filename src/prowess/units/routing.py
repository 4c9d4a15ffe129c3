"""Which version of a unit a caller gets: the rollout, what was asked for, and the caller's bucket.

Who asks for nothing gets the stable version, or the canary when the caller's bucket is within its
share. Who asks for a range that holds the stable version is treated alike, as far as the range
allows the canary. Who asks for a range beyond the stable version gets what it means, the canary last.
Pure but for one drawn number: a request of no lasting key is on a side by chance.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass

from prowess.choose.bucket import BUCKETS, PER_PERCENT, bucket
from prowess.choose.versions import admitted, match, ordered
from prowess.errors import NotFound
from prowess.provider import Caller
from prowess.redact import printable
from prowess.units.rollout import KeyOf, Rollout, key_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """Callers whose bucket is below `share` get `canary`, the others `version`."""

    version: str
    canary: str = ""
    share: int = 0
    key: KeyOf = "user"
    salt: str = ""

    def choose(self, caller: Caller) -> str:
        """The version of this caller."""
        if not self.share:
            return self.version
        key = key_of(self.key, caller)
        drawn = bucket(key, self.salt) if key else bucket(os.urandom(16).hex(), self.salt)
        return self.canary if drawn < self.share else self.version


def plan(name: str, versions: Sequence[str], asked: str, rollout: Rollout | None) -> Plan:
    """How callers of a unit are served who ask for `asked`. Raises NotFound, and UsageError for no range."""
    if rollout is None:
        return Plan(version=_found(name, versions, asked, match(asked, versions)))
    stable = _stable(versions, rollout)
    canary = rollout.canary if rollout.canary in versions else ""
    meant = admitted(asked, versions) if asked else [stable, canary]
    if stable not in meant:
        others = [each for each in meant if each != canary] or meant
        return Plan(version=_found(name, versions, asked, others[-1] if others else None))
    if canary not in meant or not rollout.running or not canary:
        return Plan(version=stable)
    share = min(BUCKETS, round(rollout.percent * PER_PERCENT))
    return Plan(version=stable, canary=canary, share=share, key=rollout.key, salt=f"{name}@{canary}")


def _stable(versions: Sequence[str], rollout: Rollout) -> str:
    """The stable version, or where it is not there the newest stable one that is not the canary."""
    if rollout.stable in versions:
        return rollout.stable
    others = [each for each in versions if each != rollout.canary]
    return match("", others) or ordered(others or versions)[-1]


def _found(name: str, versions: Sequence[str], asked: str, found: str | None) -> str:
    if found is not None:
        return found
    if not asked and versions:
        return ordered(versions)[-1]  # nothing but prereleases: better the newest of them than nothing
    known = printable(", ".join(ordered(versions)), 500)
    wanted = f"no version {printable(asked, 60)} of" if asked else "there is no"
    raise NotFound(f"{wanted} {printable(name, 80)}", hint=f"there is {known}" if known else "")
