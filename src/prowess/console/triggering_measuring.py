"""One measurement of triggering at a time, in a thread beside the pages, and the last one's results.

What it measures is shortlist recall by our own ranking (`evaluate/selectors_lexical.py`): nothing is asked
of any model, and nothing is written.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from datetime import UTC, datetime

from starlette.requests import Request

from prowess.choose.ranking import Index
from prowess.console.console import one_of
from prowess.errors import ProwessError
from prowess.evaluate.trials_report import Report
from prowess.evaluate.trigger_host import Among
from prowess.evaluate.trigger_readiness import lexical_report


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """A report, on whom, and the index that tells why each utterance went where it did."""

    among: Among
    report: Report
    index: Index
    when: datetime


class Measuring:
    """The measurement that is under way, and what the last one found."""

    def __init__(self) -> None:
        self.last: Measured | None = None
        self.fault: ProwessError | None = None
        self.answered = 0
        self.of = 0
        self._task: asyncio.Task[None] | None = None
        self._ended = False

    @property
    def busy(self) -> bool:
        """Whether one is under way."""
        return self._task is not None and not self._task.done()

    async def begin(self, among: Among, wait: float) -> None:
        """Measure `among` unless one is under way, and wait so many seconds for it to be done."""
        if not self.busy:
            self.answered, self.of, self.fault, self._ended = 0, len(among.library.tests), None, False
            self._task = asyncio.create_task(self._work(among))
        assert self._task is not None
        await asyncio.wait({self._task}, timeout=wait)

    async def _work(self, among: Among) -> None:
        try:
            self.last = await asyncio.to_thread(self._measured, among)
        except ProwessError as error:
            self.fault = error
        finally:
            self._ended = True

    def _measured(self, among: Among) -> Measured:
        report = asyncio.run(lexical_report(among.library, progress=self._heard))
        index = Index.of(among.library.candidates.documents)
        return Measured(among=among, report=report, index=index, when=datetime.now(UTC))

    def _heard(self, answered: int, of: int) -> None:
        """Told in the thread; a console that has ended waits for nothing."""
        if self._ended:
            raise asyncio.CancelledError
        self.answered, self.of = answered, of


def measuring_of(request: Request) -> Measuring:
    """The one of this console."""
    return one_of(request, Measuring)
