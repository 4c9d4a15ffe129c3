"""Improving without a model: words for missed requests, proposed from training cases, held against others.

The words are those of `improving_terms`; one that costs more training cases of the library than it
brings is left out. What they are worth is measured on cases that nothing was learned from. Wording
against false triggers is not proposed: words that are taken out of a request that way do not generalise
(docs/decisions/0027-ranking.md), so there `improving_evidence` shows what happened and a person decides.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from prowess.choose.catalogue import Kind
from prowess.choose.documents import Document
from prowess.choose.ranking import Index
from prowess.evaluate.cases import Case
from prowess.evaluate.improving import (
    Evidence,
    Improvement,
    Splits,
    Wording,
    compared,
    reworded,
    trials_of,
    wording_of,
)
from prowess.evaluate.improving_terms import SUPPORT, telling, terms_of
from prowess.evaluate.selectors import Candidates, Selector
from prowess.spec.skill import DESCRIPTION_CHARACTERS

FEWEST = 6  # training cases from which words have been seen to generalise
_CJK = "。，、；！？"


async def improved_by_words(
    candidates: Candidates, splits: Splits, id: str, selector: Selector
) -> Improvement:
    """Words for `id`, judged by `selector` on the final cases; a reason where there are none."""
    document = next(each for each in candidates.documents if each.id == id)
    kind = next(each.kind for each in candidates.entries if each.name == id)
    old = wording_of(candidates, id)
    own = [each.utterance for each in splits.train if each.kind == "positive" and id in each.expect]
    notes = _notes(len(own), splits)
    words = proposed_words(Index.of(candidates.documents), document, splits.train)
    wording = with_words(old, [each.word for each in words], kind)
    said = _Said(id, selector, old, notes)
    if not words or wording == old:
        return said.nothing(_why_none(own))
    changed = reworded(candidates, id, wording)
    cases = [*splits.train, *splits.final]
    before = await trials_of(selector, candidates, cases)
    after = await trials_of(selector, changed, cases)
    learnt = len(splits.train)
    learned = compared((candidates, before[:learnt]), (changed, after[:learnt]), id)
    final = compared((candidates, before[learnt:]), (changed, after[learnt:]), id)
    better = final.better
    return Improvement(
        id=id,
        way="words",
        selector=selector.identity.title,
        measures=selector.identity.measures,
        old=old,
        wording=wording if better else None,
        learned=learned,
        final=final,
        evidence=words,
        reason="" if better else "on the cases that nothing was learned from, nothing improves",
        notes=notes,
    )


class _Said:
    """What every answer holds."""

    def __init__(self, id: str, selector: Selector, old: Wording, notes: tuple[str, ...]) -> None:
        self._id, self._selector, self._old, self._notes = id, selector, old, notes

    def nothing(self, reason: str) -> Improvement:
        return Improvement(
            id=self._id,
            way="words",
            selector=self._selector.identity.title,
            measures=self._selector.identity.measures,
            old=self._old,
            reason=reason,
            notes=self._notes,
        )


def _notes(own: int, splits: Splits) -> tuple[str, ...]:
    notes = []
    if not splits.declared:
        notes.append("no case of it is marked `split: train`, so half of all cases were learned from")
    if own < FEWEST:
        notes.append(f"{own} training cases; it takes about {FEWEST} for words that hold for others")
    return tuple(notes)


def _why_none(own: Sequence[str]) -> str:
    if not own:
        return "there is no case to learn from"
    return f"no word that is missing stands in {SUPPORT} of its training cases and tells them from others'"


def proposed_words(
    index: Index, document: Document, train: Sequence[Case], *, careful: bool = True
) -> tuple[Evidence, ...]:
    """The words that `document` of `index` should hold, by the training cases of the whole library alone.

    A `careful` one is put into the index before it counts: it must not lose more of those cases than it
    brings. The index is as it was afterwards.
    """
    id = document.id
    positive = [each for each in train if each.kind == "positive"]
    own = [each.utterance for each in positive if id in each.expect]
    others = [each.utterance for each in train if each.kind != "positive" or id not in each.expect]
    if len(others) < len(own):  # too few to tell from; what the others say of themselves tells it too
        others += [each.description for each in index.documents if each.id != id]
    found = telling(document, own, others)
    return _worth_it(index, document, positive, found) if found and careful else found


def _worth_it(
    index: Index, document: Document, train: Sequence[Case], found: Sequence[Evidence]
) -> tuple[Evidence, ...]:
    """Those that, put into the index one after the other, lose no more cases than they bring."""
    kept: list[Evidence] = []
    for each in found:
        touched = [case for case in train if each.term in terms_of(case.utterance)]
        before = _right(index, touched)
        index.put(_with_triggers(document, [*kept, each]))
        if _right(index, touched) >= before:
            kept.append(each)
        else:
            index.put(_with_triggers(document, kept))
    index.put(document)
    return tuple(kept)


def _right(index: Index, cases: Sequence[Case]) -> int:
    return sum(index.rank(each.utterance, limit=1).ids[:1] in {(id,) for id in each.expect} for each in cases)


def _with_triggers(document: Document, words: Sequence[Evidence]) -> Document:
    return replace(document, triggers=(*document.triggers, *(each.word for each in words)))


def with_words(old: Wording, words: Sequence[str], kind: Kind) -> Wording:
    """The wording with these words: a unit's as trigger phrases, any other's at the end of the description.

    As many as there is room for; a person says them better.
    """
    if kind == "unit":
        return Wording(description=old.description, triggers=(*old.triggers, *words))
    return Wording(description=_described(old.description, words), triggers=old.triggers)


def _described(description: str, words: Sequence[str]) -> str:
    text = " ".join(description.split())
    chinese = text[-1:] in _CJK
    opening, between, end = ("也用于：", "、", "。") if chinese else (" Also for: ", ", ", ".")
    if text and not chinese and text[-1] not in ".!?":
        text += "."
    for count in range(len(words), 0, -1):
        longer = f"{text}{opening}{between.join(words[:count])}{end}"
        if len(longer) <= DESCRIPTION_CHARACTERS:
            return longer.strip()
    return description
