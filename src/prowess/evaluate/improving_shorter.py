"""Shorter wording that is found as well: parts of a description left out one by one, and held against cases.

A part goes when no training case of the whole library comes out worse without it; the part that takes
most tokens is tried first. The first sentence stays, and so does what the advice about descriptions
asks for. What is left has to do as well on cases that nothing was learned from.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace

from prowess.choose.catalogue import ADVISED, entry_text
from prowess.choose.estimate import tokens
from prowess.choose.ranking import Index
from prowess.evaluate.cases import Case
from prowess.evaluate.improving import (
    Improvement,
    Splits,
    Wording,
    compared,
    reworded,
    trials_of,
    wording_of,
)
from prowess.evaluate.selectors import Candidates, Selector
from prowess.spec.advice import advise
from prowess.spec.model import Skill

_SENTENCES = re.compile(r"(?<=[.!?])\s+(?=\S)|(?<=[。！？；])")
_PARTS = re.compile(r"(?<=[,;])\s+(?=\S)|(?<=[，、])")


async def shortened(candidates: Candidates, splits: Splits, id: str, selector: Selector) -> Improvement:
    """The shortest wording of `id` that keeps what it finds; a reason where there is none."""
    entry = next(each for each in candidates.entries if each.name == id)
    old = wording_of(candidates, id)
    advised = ADVISED[entry.kind]
    said = Improvement(
        id=id,
        way="shorter",
        selector=selector.identity.title,
        measures=selector.identity.measures,
        old=old,
        notes=() if splits.declared else ("half of all cases were learned from, since none is for training",),
    )
    if not any(id in each.expect for each in splits.train):
        return replace(said, reason="there is no case to learn from")

    def takes(description: str) -> int:
        return tokens(entry_text(replace(entry, description=description)))

    description = _without(old.description, _Judge(candidates, splits.train, id), takes, advised)
    if description == old.description:
        return replace(said, reason="no part of it can go without losing a request")
    wording = Wording(description=description, triggers=old.triggers)
    changed = reworded(candidates, id, wording)
    learned, final = [
        compared(
            (candidates, await trials_of(selector, candidates, cases)),
            (changed, await trials_of(selector, changed, cases)),
            id,
        )
        for cases in (splits.train, splits.final)
    ]
    if not final.unharmed:
        reason = "what is shorter loses requests that nothing was learned from"
        return replace(said, learned=learned, final=final, reason=reason)
    if not final.before.own.of:
        return replace(said, learned=learned, final=final, reason="there is no case left to prove it by")
    return replace(said, wording=wording, learned=learned, final=final)


class _Judge:
    """Whether a description does as well as the old one on the training cases of the library."""

    def __init__(self, candidates: Candidates, cases: Sequence[Case], id: str) -> None:
        self._index = Index.of(candidates.documents)
        self._document = next(each for each in candidates.documents if each.id == id)
        self._cases = cases
        self._before = self._right(self._document.description)
        self._warnings = _warned(id, self._document.description)

    def keeps(self, description: str) -> bool:
        """No request is lost, and no advice is new."""
        if _warned(self._document.id, description) - self._warnings:
            return False
        return self._before <= self._right(description)

    def _right(self, description: str) -> set[str]:
        self._index.put(replace(self._document, description=description))
        return {each.id for each in self._cases if self._is_right(each)}

    def _is_right(self, case: Case) -> bool:
        first = self._index.rank(case.utterance, limit=1).ids[:1]
        if case.kind == "negative" and case.skill:
            return first != (case.skill,)
        return first in {(each,) for each in case.expect} if case.expect else not first


def _warned(id: str, description: str) -> set[str]:
    skill = Skill(name=id.rpartition("/")[2], description=description, path=f"{id}/SKILL.md")
    return {each.rule for each in advise(skill)}


def _without(description: str, judge: _Judge, takes: Callable[[str], int], advised: int) -> str:
    """The description without the parts that it can do without: whole sentences, then parts of lists."""
    text = " ".join(description.split())
    for cut in (_SENTENCES, _PARTS):
        pieces = cut.split(text)
        for piece in sorted(pieces[1:], key=takes, reverse=True):
            if takes(text) <= advised // 2:
                break
            rest = list(pieces)
            rest.remove(piece)
            shorter = _joined(rest, text)
            if judge.keeps(shorter):
                pieces, text = rest, shorter
    return text if takes(text) < takes(description) else description


def _joined(pieces: Sequence[str], text: str) -> str:
    between = "" if text[-1:] in "。！？；，、" else " "
    joined = between.join(each.strip() for each in pieces).strip()
    if joined[-1:] in ",;" and text[-1:] in ".!?":
        return joined[:-1] + text[-1]
    return joined
