"""What led to a false trigger: the words, who should have come, and what a threshold would have done. Pure.

Evidence for a person, no proposal: wording that takes such requests away on the cases that it was made
from does not keep others away. A clause that would send them on is drafted and marked as untried.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from prowess.choose.ranked import Ranked, Ranking
from prowess.choose.ranking import Index
from prowess.evaluate.cases import Case
from prowess.evaluate.selectors import Candidates

MOST = 20  # false triggers that are shown
WORDS = 6


@dataclass(frozen=True, slots=True, kw_only=True)
class FalseTrigger:
    """One request that came to `id` and should not have.

    `words` are what brought it there, the strongest first; `instead` is who was expected, or of its own
    near miss the next in the ranking. A floor above `share` of the request would have stopped it, and
    `costs` of the `of` right ones with it. `clause` is a draft that nobody has tried.
    """

    case: str
    utterance: str
    near_miss: bool
    words: tuple[str, ...]
    instead: str
    share: float
    costs: int
    of: int
    clause: str

    def to_dict(self) -> dict[str, Any]:
        """The JSON value."""
        return {
            "case": self.case,
            "utterance": self.utterance,
            "near_miss": self.near_miss,
            "words": list(self.words),
            "instead": self.instead or None,
            "threshold": round(self.share, 4),
            "costs": self.costs,
            "of": self.of,
            "draft": self.clause,
        }


def false_triggers(candidates: Candidates, cases: Sequence[Case], id: str) -> tuple[FalseTrigger, ...]:
    """The requests among `cases` that are ranked for `id` and are not for it, near misses first."""
    index = Index.of(candidates.documents)
    shares = _right_shares(index, cases, id)
    found = []
    for case in cases:
        if case.kind == "boundary" or case.split == "example" or not _is_wrong_for(id, case):
            continue
        ranking = index.rank(case.utterance, limit=5)
        if ranking.ids[:1] == (id,):
            found.append(_explained(case, ranking, shares, id))
    found.sort(key=lambda each: not each.near_miss)
    return tuple(found[:MOST])


def _is_wrong_for(id: str, case: Case) -> bool:
    """Whether `id` is not to be chosen; a near miss of another says nothing of it."""
    return id not in case.expect and case.skill in ("", id)


def _right_shares(index: Index, cases: Sequence[Case], id: str) -> list[float]:
    """How much of each of its own requests it holds, of those that it is first for."""
    rankings = [index.rank(each.utterance, limit=1) for each in cases if id in each.expect]
    return [each[0].share for each in rankings if each.ids == (id,)]


def _explained(case: Case, ranking: Ranking, shares: Sequence[float], id: str) -> FalseTrigger:
    first = ranking[0]
    following = ranking.ids[1] if len(ranking) > 1 and case.skill == id else ""
    instead = next(iter(case.expect), following)
    words = _words(first)
    return FalseTrigger(
        case=case.id,
        utterance=case.utterance,
        near_miss=case.skill == id,
        words=words,
        instead=instead,
        share=first.share,
        costs=sum(each <= first.share for each in shares),
        of=len(shares),
        clause=_clause(words, instead),
    )


def _words(ranked: Ranked) -> tuple[str, ...]:
    strongest = sorted(ranked.matches, key=lambda each: (-each.score, each.word))
    return tuple(dict.fromkeys(each.word for each in strongest if each.score > 0))[:WORDS]


def _clause(words: Sequence[str], instead: str) -> str:
    about = " ".join(words[:3])
    return f"Not for {about}" + (f" (use {instead})." if instead else ".")
