"""A breaker for each server and credential: after failures in a row nothing is sent for a while.

Only what says that the server is in trouble counts: no answer in time, or no answer at all. A tool
that answers, even that it failed, is a server that works. A connection that ends takes every call
that is under way with it, and counts once. After the pause one call goes through as a trial; its end
decides, and that of a call from before the pause does not.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from math import inf

from prowess.call.clock import Clock
from prowess.provider import Answered, InputRequired, Lost, Outcome, TimedOut, ToolFailed


@dataclass(slots=True)
class _State:
    failures: int = 0
    latest: float = -inf
    opened: float | None = None
    trial: bool = False


class Breakers:
    """All breakers of a Host. Keys with nothing against them are forgotten."""

    def __init__(self, failures: int, seconds: float, clock: Clock) -> None:
        self._failures = failures
        self._seconds = seconds
        self._clock = clock
        self._states: dict[Hashable, _State] = {}

    def refuses(self, key: Hashable) -> float | None:
        """None when a call may go (and has to be reported with `heard`), else seconds to wait."""
        state = self._states.get(key)
        if state is None or state.opened is None:
            return None
        left = state.opened + self._seconds - self._clock.monotonic()
        if left > 0:
            return left
        if state.trial:
            return self._seconds
        state.trial = True
        return None

    def heard(self, key: Hashable, outcome: Outcome | None, *, began: float = inf) -> None:
        """What came of a call that was sent at `began`; None and a refusal say nothing about the server."""
        state = self._states.get(key)
        before = state is not None and state.opened is not None and began < state.opened
        if isinstance(outcome, Answered | ToolFailed | InputRequired):
            self._states.pop(key, None)
        elif before:
            return
        elif isinstance(outcome, Lost | TimedOut):
            state = self._states.setdefault(key, _State())
            if isinstance(outcome, TimedOut) or began >= state.latest:
                self._failed(state)
        elif state is not None:
            state.trial = False

    def _failed(self, state: _State) -> None:
        state.failures += 1
        state.trial = False
        state.latest = self._clock.monotonic()
        if state.failures >= self._failures:
            state.opened = state.latest
