"""A trial: one case put to a selector, once or several times, and how it came out. Pure values.

The query is the unit: of a case asked several times, the share of its answered runs counts. Runs that
failed are kept apart and are no part of any rate.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass

from prowess.evaluate.cases import Case
from prowess.evaluate.selectors import Chosen, Failed, Selection


@dataclass(frozen=True, slots=True, kw_only=True)
class Trial:
    """One case and what came of each run."""

    case: Case
    runs: tuple[Selection, ...]

    @property
    def answers(self) -> tuple[Chosen, ...]:
        """The runs that were answered."""
        return tuple(each for each in self.runs if isinstance(each, Chosen))

    @property
    def failures(self) -> tuple[Failed, ...]:
        """The runs that were not."""
        return tuple(each for each in self.runs if isinstance(each, Failed))

    @property
    def answered(self) -> bool:
        """Whether it says anything at all."""
        return bool(self.answers)

    @property
    def stale(self) -> bool:
        """Whether an answer was recorded for another catalogue."""
        return any(each.stale for each in self.answers)

    def share(self, *ids: str) -> float:
        """In how much of the answered runs one of `ids` was chosen."""
        return self._share(lambda each: each.first in ids)

    def found_within(self, rank: int) -> float:
        """In how much of them one of the expected was among the first `rank`."""
        wanted = set(self.case.expect)
        return self._share(lambda each: not wanted.isdisjoint(each.ids[:rank]))

    @property
    def abstained(self) -> float:
        """In how much of them nobody was chosen."""
        return self._share(lambda each: not each.ids)

    @property
    def right(self) -> float:
        """In how much of them it came out as it should.

        Who is expected was chosen; of a near miss its own skill was not; of anything else that
        expects nobody, nobody was.
        """
        if self.case.kind == "negative" and self.case.skill:
            return 1 - self.share(self.case.skill)
        return self.share(*self.case.expect) if self.case.expect else self.abstained

    @property
    def first(self) -> dict[str | None, int]:
        """Who was chosen how often, the most frequent first; None for nobody."""
        return dict(Counter(each.first for each in self.answers).most_common())

    @property
    def flaky(self) -> bool:
        """Whether runs of it came out differently."""
        return 0 < self.right < 1

    def _share(self, counts: Callable[[Chosen], bool]) -> float:
        return sum(map(counts, self.answers)) / len(self.answers) if self.answers else 0.0
