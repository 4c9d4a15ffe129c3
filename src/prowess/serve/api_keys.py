"""Idempotency keys: the same key, caller and call answer what was answered, and nothing is called twice.

Kept in the memory of this process, for a time and within a bound. What did not reach the tool (a
refusal, a server that was not there) is not kept: the same key tries again.
"""

from __future__ import annotations

import asyncio
import time
from collections import Counter, OrderedDict
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from typing import Any

from prowess.call.paging import size_of
from prowess.call.running import CallResult, result_of
from prowess.provider import Caller, Refused, ToolFailed
from prowess.serve.api_problems import HttpProblem

KEPT_SECONDS = 3_600.0
MOST = 10_000
MOST_OF_ONE_CALLER = 1_000
MOST_BYTES = 50_000_000

_Key = tuple[str, str, str]
Work = Callable[[], Coroutine[Any, Any, CallResult]]


@dataclass(slots=True)
class _Kept:
    """One call under a key. `until` is 0 as long as it runs."""

    wanted: str
    task: asyncio.Task[CallResult]
    until: float = 0.0
    size: int = 0


class Keys:
    """The calls of the last while that came with a key."""

    def __init__(self, *, seconds: float = KEPT_SECONDS, now: Callable[[], float] = time.monotonic) -> None:
        self._seconds = seconds
        self._now = now
        self._kept: OrderedDict[_Key, _Kept] = OrderedDict()
        self._of: Counter[tuple[str, str]] = Counter()
        self._bytes = 0

    def __len__(self) -> int:
        return len(self._kept)

    async def once(self, caller: Caller, key: str, wanted: str, work: Work) -> CallResult:
        """The result of the call that has `key`; `wanted` is the digest of what is asked.

        `work` runs to its end whoever stops waiting. Raises HttpProblem for a key that was used for
        another call.
        """
        self._drop_old()
        place = (caller.principal, caller.conversation, key)
        kept = self._kept.get(place)
        if kept is None:
            kept = self._begun(place, wanted, work)
        elif kept.wanted != wanted:
            raise HttpProblem(409, "key-reused", "this key was used for another call; take a new one")
        return await asyncio.shield(kept.task)

    def _begun(self, place: _Key, wanted: str, work: Work) -> _Kept:
        self._make_room(place[:2])
        kept = _Kept(wanted, asyncio.ensure_future(work()))
        self._kept[place] = kept
        self._of[place[:2]] += 1
        kept.task.add_done_callback(lambda task: self._ended(place, kept))
        return kept

    def _ended(self, place: _Key, kept: _Kept) -> None:
        if kept.task.cancelled() or kept.task.exception() is not None or not _acted(kept.task.result()):
            self._forget(place)
            return
        kept.until = self._now() + self._seconds
        kept.size = size_of(result_of(kept.task.result().outcome))
        self._bytes += kept.size
        self._kept.move_to_end(place)
        while self._bytes > MOST_BYTES and self._forget_oldest(None):
            pass

    def _make_room(self, owner: tuple[str, str]) -> None:
        mine = self._of[owner] < MOST_OF_ONE_CALLER or self._forget_oldest(owner)
        if not mine or not (len(self._kept) < MOST or self._forget_oldest(None)):
            raise HttpProblem(429, "busy", "too many calls with a key are running", retry_after=1)

    def _forget_oldest(self, owner: tuple[str, str] | None) -> bool:
        """Forget the call that ended first, of one caller or of all; False when all of them run."""
        for place, kept in self._kept.items():
            if kept.until and owner in (None, place[:2]):
                self._forget(place)
                return True
        return False

    def _drop_old(self) -> None:
        now = self._now()
        for place in [place for place, kept in self._kept.items() if kept.until and kept.until <= now]:
            self._forget(place)

    def _forget(self, place: _Key) -> None:
        self._bytes -= self._kept.pop(place).size
        self._of[place[:2]] -= 1
        if not self._of[place[:2]]:
            del self._of[place[:2]]


def _acted(result: CallResult) -> bool:
    """Whether the tool did, or may have done, what was asked."""
    outcome = result.outcome
    return not isinstance(outcome, Refused) and not (isinstance(outcome, ToolFailed) and outcome.transient)
