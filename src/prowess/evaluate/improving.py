"""A change of wording, judged in the whole library: what it finds, what it takes from others. Pure values.

    Wording      what one capability says of itself: description and trigger phrases
    Standing     how it does with one: own recall, near misses, what it takes, its siblings' recall, tokens
    Comparison   two wordings on the same cases: what was fixed, what was broken, and how sure that is
    Improvement  a proposal with its numbers, or the reason why there is none

Cases that gave no answer are part of no number. It does not know who chose, or how a wording came about.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, NamedTuple

from prowess.choose.catalogue import Entry, entry_text
from prowess.choose.documents import Document
from prowess.choose.estimate import tokens
from prowess.evaluate.cases import Case, key
from prowess.evaluate.selectors import Candidates, Selection, Selector
from prowess.evaluate.statistics import mcnemar
from prowess.evaluate.trials import Trial
from prowess.evaluate.trials_report import Rate

SURE = 0.05  # a chance below this counts as shown


@dataclass(frozen=True, slots=True, kw_only=True)
class Wording:
    """What a capability says of itself, as far as it may be changed."""

    description: str
    triggers: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """The JSON value."""
        return {"description": self.description, "triggers": list(self.triggers)}


def wording_of(candidates: Candidates, id: str) -> Wording:
    """What `id` says of itself now."""
    entry = next(each for each in candidates.entries if each.name == id)
    return Wording(description=entry.description, triggers=entry.triggers)


def reworded(candidates: Candidates, id: str, wording: Wording) -> Candidates:
    """The same library, in which `id` says something else."""
    entries = tuple(_entry(each, wording) if each.name == id else each for each in candidates.entries)
    entry = next(each for each in entries if each.name == id)
    return replace(
        candidates,
        documents=tuple(_document(each, wording) if each.id == id else each for each in candidates.documents),
        entries=entries,
        definitions={**candidates.definitions, id: _definition(candidates.definitions[id], entry)},
    )


def _entry(entry: Entry, wording: Wording) -> Entry:
    return replace(entry, description=wording.description, triggers=wording.triggers)


def _document(document: Document, wording: Wording) -> Document:
    return replace(document, description=wording.description, triggers=wording.triggers)


def _definition(old: str, entry: Entry) -> str:
    if entry.kind == "skill":
        return entry_text(entry)
    return json.dumps(
        {**json.loads(old), "description": entry.description}, ensure_ascii=False, separators=(",", ":")
    )


# -- cases


class Splits(NamedTuple):
    """Cases to learn from, cases to choose by, and cases that nothing was learned or chosen from."""

    train: tuple[Case, ...]
    select: tuple[Case, ...]
    final: tuple[Case, ...]
    declared: bool


def splits_of(cases: Iterable[Case], id: str, *, select: bool = False) -> Splits:
    """The cases of a library, split for an improvement of `id`; its examples and boundary cases left out.

    Declared splits are kept: `train` is learned from, `test` is final. Where `id` has no training case,
    half of all cases, by a digest of what they say, are taken for that. With `select` a half of what is
    learned from is held back to choose by. An utterance that measures teaches nothing, whoever expects
    what of it.
    """
    used = [each for each in cases if each.split != "example" and each.kind != "boundary"]
    declared = any(each.split == "train" and id in each.expect for each in used)
    if declared:
        train = [each for each in used if each.split == "train"]
        final = [each for each in used if each.split == "test"]
    else:
        train, final = _halves(used)
    train = _apart(train, final)
    chosen: list[Case] = []
    if select:
        train, chosen = _halves(train)
        train = _apart(train, chosen)
    return Splits(tuple(train), tuple(chosen), tuple(final), declared)


def _apart(cases: Sequence[Case], kept: Iterable[Case]) -> list[Case]:
    """`cases` without those that say what one of `kept` says."""
    said = {key(each.utterance) for each in kept}
    return [each for each in cases if key(each.utterance) not in said]


def _halves(cases: Sequence[Case]) -> tuple[list[Case], list[Case]]:
    """Two halves that hold as many of each sort, the same ones for the same cases."""
    groups: dict[tuple[str, ...], list[Case]] = {}
    for each in sorted(cases, key=lambda each: each.digest):
        groups.setdefault((each.kind, each.skill, *each.expect), []).append(each)
    first = [each for group in groups.values() for each in group[::2]]
    second = [each for group in groups.values() for each in group[1::2]]
    return first, second


# -- judging


async def trials_of(selector: Selector, candidates: Candidates, cases: Sequence[Case]) -> tuple[Trial, ...]:
    """Each case put to `selector` once; who calls closes the selector. Raises what `begin` raises."""
    import asyncio

    await selector.begin(candidates, [each.utterance for each in cases])
    room = asyncio.Semaphore(4)

    async def ask(case: Case) -> Selection:
        async with room:
            return await selector.select(case.utterance, 0)

    found = await asyncio.gather(*map(ask, cases))
    return tuple(Trial(case=case, runs=(each,)) for case, each in zip(cases, found, strict=True))


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """How one capability does among the others. `taken` are positive cases of others that came to it;
    `siblings` is the recall of those others, `tokens` what its entry of the catalogue takes.
    """

    own: Rate
    own_at_5: Rate
    near_miss: Rate
    taken: Rate
    siblings: Rate
    tokens: int
    errors: int = 0

    def to_dict(self) -> dict[str, Any]:
        """The JSON value."""
        rates = {
            name: getattr(self, name).to_dict()
            for name in ("own", "own_at_5", "near_miss", "taken", "siblings")
        }
        return {**rates, "tokens": self.tokens, "errors": self.errors}


def standing(trials: Iterable[Trial], candidates: Candidates, id: str) -> Standing:
    """What `trials` over `candidates` say of `id`."""
    every = list(trials)
    answered = [each for each in every if each.answered]
    positive = [each for each in answered if each.case.kind == "positive"]
    own = [each for each in positive if id in each.case.expect]
    others = [each for each in positive if id not in each.case.expect]
    near = [each for each in answered if each.case.kind == "negative" and each.case.skill == id]
    entry = next(each for each in candidates.entries if each.name == id)
    return Standing(
        own=_rate(own, lambda each: each.right),
        own_at_5=_rate(own, lambda each: each.found_within(5)),
        near_miss=_rate(near, lambda each: each.share(id)),
        taken=_rate(others, lambda each: each.share(id)),
        siblings=_rate(others, lambda each: each.right),
        tokens=tokens(entry_text(entry)),
        errors=len(every) - len(answered),
    )


def _rate(trials: Sequence[Trial], hits: Callable[[Trial], float]) -> Rate:
    return Rate(hits=sum(map(hits, trials), 0.0), of=len(trials))


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """Before and after on the same cases. `fixed` and `broken` are ids of cases, own ones and others'.

    `chance` is McNemar's: of so many changes so many or more would be good ones, if it were all luck.
    """

    before: Standing
    after: Standing
    fixed: tuple[str, ...] = ()
    broken: tuple[str, ...] = ()
    own_fixed: int = 0
    own_broken: int = 0

    @property
    def chance(self) -> float:
        """McNemar's exact test, one-sided."""
        return mcnemar(len(self.fixed), len(self.broken))

    @property
    def shown(self) -> bool:
        """Whether the gain is more than luck would give."""
        return self.chance < SURE

    @property
    def better(self) -> bool:
        """More of its own are found, and nobody else's are lost: not those of siblings, not near misses."""
        others_lost = self.after.siblings.hits < self.before.siblings.hits
        taken = self.after.near_miss.hits > self.before.near_miss.hits
        return self.own_fixed > self.own_broken and not others_lost and not taken

    @property
    def unharmed(self) -> bool:
        """Whether nothing at all came out worse."""
        return not self.broken and self.after.near_miss.hits <= self.before.near_miss.hits

    def to_dict(self) -> dict[str, Any]:
        """The JSON value."""
        return {
            "before": self.before.to_dict(),
            "after": self.after.to_dict(),
            "fixed": list(self.fixed),
            "broken": list(self.broken),
            "p": round(self.chance, 4),
            "shown": self.shown,
        }


def compared(
    before: tuple[Candidates, Sequence[Trial]], after: tuple[Candidates, Sequence[Trial]], id: str
) -> Comparison:
    """Two sets of trials of the same cases; a case without an answer in either is left out of both."""
    later = {each.case.digest: each for each in after[1]}
    pairs = [(each, later[each.case.digest]) for each in before[1] if each.case.digest in later]
    pairs = [(old, new) for old, new in pairs if old.answered and new.answered]
    fixed = [new.case for old, new in pairs if new.right > old.right]
    broken = [new.case for old, new in pairs if new.right < old.right]
    errors = len(before[1]) - len(pairs)
    return Comparison(
        before=replace(standing([old for old, _ in pairs], before[0], id), errors=errors),
        after=replace(standing([new for _, new in pairs], after[0], id), errors=errors),
        fixed=tuple(each.id for each in fixed),
        broken=tuple(each.id for each in broken),
        own_fixed=sum(id in each.expect for each in fixed),
        own_broken=sum(id in each.expect for each in broken),
    )


# -- what comes of it

Way = Literal["words", "model", "shorter"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """One word proposed: how it reads, in how many of the own and of the others' cases it stands."""

    term: str
    word: str
    z: float
    own: int
    others: int
    utterances: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """The JSON value."""
        said = {"word": self.word, "z": round(self.z, 2), "own": self.own, "others": self.others}
        return {**said, "utterances": list(self.utterances)}


@dataclass(frozen=True, slots=True, kw_only=True)
class Improvement:
    """What is proposed for `id`, by which way, judged by which selector; `wording` is None for nothing.

    `learned` is how it does on the cases that it was learned from, which says little; `final` on those
    that nothing was learned from. `reason` says why there is nothing, `notes` what else to know; it is
    `undecided` where that is for want of answers.
    """

    id: str
    way: Way
    selector: str
    measures: str
    old: Wording
    wording: Wording | None = None
    learned: Comparison | None = None
    final: Comparison | None = None
    evidence: tuple[Evidence, ...] = ()
    reason: str = ""
    undecided: bool = False
    notes: tuple[str, ...] = ()
    calls: int = 0
    spent: int = 0

    def to_dict(self) -> dict[str, Any]:
        """The JSON value."""
        return {
            "id": self.id,
            "way": self.way,
            "selector": self.selector,
            "measures": self.measures,
            "improved": self.wording is not None,
            "before": self.old.to_dict(),
            "after": None if self.wording is None else self.wording.to_dict(),
            "train": None if self.learned is None else self.learned.to_dict(),
            "held_out": None if self.final is None else self.final.to_dict(),
            "evidence": [each.to_dict() for each in self.evidence],
            "reason": self.reason,
            "undecided": self.undecided,
            "notes": list(self.notes),
            "spent": {"calls": self.calls, "tokens": self.spent},
        }
