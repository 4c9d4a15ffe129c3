"""A canary held against the stable version: what its calls come to, and whether a rail is crossed. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from prowess.units.evidence import Evidence, Slowness
from prowess.units.rollout import Rollout

# A call that was refused never reached the unit, and says nothing about it.
FAILED = frozenset({"tool-failed", "timed-out", "lost"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Breach:
    """A guard rail that was crossed; `reason` says by how much, in words."""

    rail: Literal["errors", "latency"]
    action: Literal["rollback", "halt"]
    reason: str


class Comparison:
    """The calls of one rollout, in the order in which they ended."""

    def __init__(self, rollout: Rollout) -> None:
        self.rollout = rollout
        self.errors = Evidence()
        self.latency = Slowness(factor=rollout.guard.slow_factor, given=rollout.guard.slow_ms)
        rails = [each for each in (rollout.guard.errors, rollout.guard.latency) if each != "off"]
        # Two rails, each of which may be wrong once in a while: they share what is allowed.
        self._allowed = rollout.guard.false_alarm / max(1, len(rails))

    def add(self, version: str, outcome: str, milliseconds: float) -> None:
        """One call that reached the unit."""
        canary = version == self.rollout.canary
        self.errors.add(canary=canary, bad=outcome in FAILED)
        self.latency.add(canary=canary, milliseconds=milliseconds)

    def breach(self) -> Breach | None:
        """The guard rail that is crossed now, errors first."""
        guard, errors, slow = self.rollout.guard, self.errors, self.latency.evidence
        difference = (errors.canary_rate - errors.stable_rate) * 100
        if guard.errors != "off" and self._worse(errors) and difference > guard.tolerance:
            reason = f"{self.rollout.canary} fails more often than {self.rollout.stable}: {_words(errors)}"
            return Breach(rail="errors", action=guard.errors, reason=reason)
        if guard.latency != "off" and self._worse(slow):
            reason = (
                f"{self.rollout.canary} is slower than {self.rollout.stable}: "
                f"above {self.latency.above:.4g} ms are {_words(slow)}"
            )
            return Breach(rail="latency", action=guard.latency, reason=reason)
        return None

    def _worse(self, evidence: Evidence) -> bool:
        fewest = min(evidence.canary_calls, evidence.stable_calls)
        return fewest >= self.rollout.guard.min_calls and evidence.p_value <= self._allowed

    def told(self) -> dict[str, Any]:
        """Everything in numbers, as JSON."""
        return {
            "errors": _numbers(self.errors),
            "latency": {**_numbers(self.latency.evidence), "slow_above_ms": self.latency.above or None},
        }


def _words(evidence: Evidence) -> str:
    return (
        f"{evidence.canary_bad} of {evidence.canary_calls} calls ({evidence.canary_rate:.1%}) against "
        f"{evidence.stable_bad} of {evidence.stable_calls} ({evidence.stable_rate:.1%}), "
        f"p = {evidence.p_value:.1g}"
    )


def _numbers(evidence: Evidence) -> dict[str, Any]:
    return {
        "canary": {"calls": evidence.canary_calls, "bad": evidence.canary_bad},
        "stable": {"calls": evidence.stable_calls, "bad": evidence.stable_bad},
        "p": evidence.p_value,
    }
