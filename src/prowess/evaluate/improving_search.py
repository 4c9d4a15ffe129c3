"""Improving with a model: a small reflective search, in the manner of GEPA (arXiv 2507.19457).

A model sees what failed on training cases and writes another description; that is judged in the whole
library. Those that no other one beats in everything (own recall, false triggers, siblings' recall,
length) are kept, and the next attempt begins with one of them. The best on the cases held back to
choose by is then held against the old one on final cases that nothing was learned or chosen from, once:
the winner's score elsewhere is biased. A run where nothing improves says so. Calls and tokens are capped by
the meter of whoever is asked; a case without an answer is part of no number.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from prowess.choose.ranking import Index
from prowess.evaluate.cases import Case
from prowess.evaluate.improving import (
    Comparison,
    Improvement,
    Splits,
    Standing,
    Wording,
    compared,
    reworded,
    standing,
    trials_of,
    wording_of,
)
from prowess.evaluate.improving_asking import Author, Brief, Miss, fit
from prowess.evaluate.selectors import Candidates, Failed, Selector
from prowess.evaluate.trials import Trial

ROUNDS = 4
FAILURES = 2  # in a row, after which the model is not asked again
UNANSWERED = 0.2  # of the final cases; with more of them without an answer nothing is decided
NEAREST = 3  # siblings whose cases are judged too, where each costs a call
EACH = 8  # cases of each of these
FEW = 60  # cases that are all judged

Tell = Callable[[str], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Attempt:
    """One wording and how it does: on what it was learned from, and on what is chosen by."""

    wording: Wording
    candidates: Candidates
    train: tuple[Trial, ...]
    select: tuple[Trial, ...]
    standing: Standing

    @property
    def asked(self) -> int:
        """How many cases it was judged by."""
        return len(self.train) + len(self.select)

    @property
    def unanswered(self) -> int:
        """How many of them have no answer."""
        return sum(not each.answered for each in (*self.train, *self.select))

    @property
    def marks(self) -> tuple[float, float, float, int]:
        """What is compared: all of it better when greater."""
        each = self.standing
        return each.own.hits, -each.near_miss.hits - each.taken.hits, each.siblings.hits, -each.tokens

    @property
    def worth(self) -> tuple[float, int]:
        """One number to choose by, and the shorter of equals."""
        own, false, siblings, length = self.marks
        return own + false + siblings, length


async def searched(
    candidates: Candidates,
    splits: Splits,
    id: str,
    selector: Selector,
    author: Author,
    *,
    rounds: int = ROUNDS,
    tell: Tell = lambda line: None,
) -> Improvement:
    """Another description for `id`, judged by `selector`; a reason where none is better."""
    search = _Search(candidates, splits, id, selector, author, tell)
    if not any(id in each.expect for each in splits.train):
        return search.nothing("there is no case to learn from")
    if not any(id in each.expect for each in splits.final):
        return search.nothing("there is no case left to prove anything by")
    unanswered = await search.begin()
    if unanswered:
        return search.nothing(unanswered, undecided=True)
    for _ in range(rounds):
        if not await search.step():
            break
    return await search.end()


class _Search:
    """The pool of attempts of one run."""

    def __init__(
        self,
        candidates: Candidates,
        splits: Splits,
        id: str,
        selector: Selector,
        author: Author,
        tell: Tell,
    ) -> None:
        self._candidates, self._splits, self._id = candidates, splits, id
        self._selector, self._author, self._tell = selector, author, tell
        self._old = wording_of(candidates, id)
        self._pool: list[_Attempt] = []
        self._tried: list[tuple[str, int]] = []
        self._notes: list[str] = []
        self._failed = 0
        self._unwritten: Failed | None = None
        self._unjudged = False
        self._turn = 0

    async def begin(self) -> str:
        """Judge the wording that there is; why nothing can be told of it, or an empty text."""
        if not self._splits.declared:
            self._notes.append("no case of it is marked `split: train`, so all cases were split by digest")
        self._first = await self._judged(self._old)
        self._pool = [self._first]
        unanswered = self._first.unanswered
        if unanswered > UNANSWERED * self._first.asked:
            why = _why([*self._first.train, *self._first.select])
            return f"{unanswered} of {self._first.asked} cases have no answer{why}, so nothing is decided"
        return ""

    async def step(self) -> bool:
        """One attempt; whether another makes sense."""
        parent = self._pool[self._turn % len(self._pool)]
        self._turn += 1
        misses = self._misses(parent)
        if not misses:
            self._tell("every training case comes out right")
            return len(self._pool) > 1 and self._turn < len(self._pool)
        brief = Brief(id=self._id, wording=parent.wording, misses=misses, tried=tuple(self._tried))
        text = await self._author.write(brief)
        self._unwritten = text if isinstance(text, Failed) else None
        text = text if isinstance(text, Failed) else fit(text, self._utterances)
        if isinstance(text, Failed):
            self._failed += 1
            self._notes.append(f"no wording: {text.code}: {text.message}")
            self._tell(self._notes[-1])
            return self._failed < FAILURES and text.code != "cap"
        self._failed = 0
        if any(text == each.wording.description for each in self._pool):
            return True
        attempt = await self._judged(Wording(description=text, triggers=self._old.triggers))
        right = int(sum(each.right for each in attempt.train if each.answered))
        self._tried.append((text, right))
        if attempt.unanswered > UNANSWERED * attempt.asked:
            self._notes.append(f"a wording could not be judged: {attempt.unanswered} cases have no answer")
            self._tell(self._notes[-1])
            self._unjudged = True
            return False
        self._tell(f"a wording of {attempt.standing.tokens} tokens: {right} of {len(attempt.train)} right")
        self._take(attempt)
        return True

    async def end(self) -> Improvement:
        """The best by the cases to choose by, held against the old one on the final ones."""
        best, first = max(self._pool, key=lambda each: each.worth), self._first
        chosen = compared((self._candidates, first.select), (best.candidates, best.select), self._id)
        if best.wording == self._old or len(chosen.fixed) <= len(chosen.broken):
            if self._unwritten is not None and not self._tried:
                return self.nothing(f"no wording came of it ({self._unwritten.code})", undecided=True)
            reason = "no wording was better on the cases to choose by"
            return self.nothing(reason, undecided=self._unjudged)
        cases = self._splits.final
        before = await trials_of(self._selector, self._candidates, cases)
        after = await trials_of(self._selector, best.candidates, cases)
        final = compared((self._candidates, before), (best.candidates, after), self._id)
        learned = compared((self._candidates, first.train), (best.candidates, best.train), self._id)
        lost = final.before.errors
        if lost > UNANSWERED * len(cases):
            why = _why([*before, *after])
            reason = f"{lost} of {len(cases)} final cases have no answer{why}, so nothing is decided"
            return replace(self._answer(None, learned, final, reason), undecided=True)
        if not final.better:
            reason = "on the cases that nothing was learned or chosen from, nothing improves"
            return self._answer(None, learned, final, reason)
        return self._answer(best.wording, learned, final, "")

    def nothing(self, reason: str, *, undecided: bool = False) -> Improvement:
        """The answer where there is no proposal."""
        return replace(self._answer(None, None, None, reason), undecided=undecided)

    def _answer(
        self, wording: Wording | None, learned: Comparison | None, final: Comparison | None, reason: str
    ) -> Improvement:
        identity = self._selector.identity
        return Improvement(
            id=self._id,
            way="model",
            selector=identity.title,
            measures=identity.measures,
            old=self._old,
            wording=wording,
            learned=learned,
            final=final,
            reason=reason,
            notes=tuple(self._notes),
        )

    @property
    def _utterances(self) -> list[str]:
        return [each.utterance for part in self._splits[:3] for each in part]

    async def _judged(self, wording: Wording) -> _Attempt:
        library = reworded(self._candidates, self._id, wording)
        train, select = self._splits.train, self._splits.select
        trials = await trials_of(self._selector, library, [*train, *select])
        learned, chosen = trials[: len(train)], trials[len(train) :]
        return _Attempt(
            wording=wording,
            candidates=library,
            train=learned,
            select=chosen,
            standing=standing(chosen, library, self._id),
        )

    def _take(self, attempt: _Attempt) -> None:
        """Into the pool, unless one there is as good in everything; whom it beats goes."""
        if any(_beats(each, attempt) for each in self._pool):
            return
        self._pool = [attempt, *(each for each in self._pool if not _beats(attempt, each))]
        self._turn = 0

    def _misses(self, attempt: _Attempt) -> tuple[Miss, ...]:
        said = {each.name: each.description for each in attempt.candidates.entries}
        found = []
        for trial in attempt.train:
            if not trial.answered or trial.right == 1:
                continue
            got = next(iter(trial.first), None) or ""
            if self._id in trial.case.expect or got == self._id:
                found.append(
                    Miss(
                        utterance=trial.case.utterance,
                        wanted=trial.case.expect,
                        got=got,
                        got_description=said.get(got, ""),
                    )
                )
        return tuple(found)


def _beats(one: _Attempt, other: _Attempt) -> bool:
    """As good in everything."""
    return all(a >= b for a, b in zip(one.marks, other.marks, strict=True))


def _why(trials: Sequence[Trial]) -> str:
    """The most frequent reason for which there is no answer."""
    codes = Counter(each.code for trial in trials for each in trial.failures).most_common(1)
    return f" ({codes[0][0]})" if codes else ""


def nearby(candidates: Candidates, splits: Splits, id: str) -> Splits:
    """The cases of `id` and of its nearest siblings, where each case costs a call; all, if they are few."""
    if sum(map(len, splits[:3])) <= FEW:
        return splits
    document = next(each for each in candidates.documents if each.id == id)
    own = [each.utterance for each in splits.train if id in each.expect]
    index, votes = Index.of(candidates.documents), Counter[str]()
    for text in (document.description, *own):
        votes.update(index.rank(text, limit=NEAREST + 1).ids)
    near = [each for each, _ in votes.most_common() if each != id][:NEAREST]

    def kept(cases: Sequence[Case]) -> tuple[Case, ...]:
        counts: Counter[str] = Counter()
        found = []
        for case in cases:
            whose = next((each for each in near if each in case.expect), "")
            counts[whose] += 1
            if id in (*case.expect, case.skill) or (whose and counts[whose] <= EACH):
                found.append(case)
        return tuple(found)

    return Splits(kept(splits.train), kept(splits.select), kept(splits.final), splits.declared)
