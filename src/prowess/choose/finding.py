"""From a query and postings to a ranking: scores added up, the floor, the best few, their reasons.

It does not know where the postings come from: all of an index, or the nearest documents of a store.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, islice
from typing import NamedTuple

from prowess.choose.documents import FIELDS
from prowess.choose.mixing import WEIGHT, mixed
from prowess.choose.postings import Postings
from prowess.choose.ranked import Match, Ranked, Ranking
from prowess.choose.tokens import PAIRED, pairs, terms_with_words

FLOOR = 0.02  # of what was asked; see docs/decisions/0027-ranking.md
NEAR = 0.5  # a cosine; what is near differs from model to model
LIMIT = 20
QUERY_TERMS = 256  # that count; more is a document, not a question

Asked = dict[str, str]  # terms of a query, each with the word it comes from


class Label(NamedTuple):
    """What the document at a slot is called."""

    id: str
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Bounds:
    """How many are wanted, what clears the floor, and how much of a score cosines make up."""

    limit: int = LIMIT
    floor: float = FLOOR
    near: float = NEAR
    weight: float = WEIGHT


def asked_in(query: str) -> Asked:
    """The different terms of `query` in its order, then the pairs of its words."""
    found = tuple(islice(terms_with_words(query), QUERY_TERMS))
    asked: Asked = {}
    for term, word in chain(found, pairs(found)):
        asked.setdefault(term, word)
    return asked


def find(
    query: str,
    postings: Postings,
    labels: Sequence[Label] | Mapping[int, Label],
    bounds: Bounds,
    cosines: Mapping[int, float] | None = None,
) -> Ranking:
    """The ranking of what `postings` hold, without the names to fall back to; `cosines` by slot.

    Raises UsageError for a weight that is not between 0 and 1.
    """
    asked = asked_in(query)
    parts = _parts(asked, postings)
    scores = _scores(asked, postings)
    near = cosines or {}
    if cosines is not None:
        scores = mixed(scores, cosines, bounds.weight)
    cleared = _cleared(scores, parts, postings, near, bounds)
    ranked = tuple(
        Ranked(
            id=labels[slot].id,
            name=labels[slot].name,
            score=scores[slot],
            share=_share(slot, parts, postings),
            matches=tuple(_matches(slot, asked, postings)),
            similarity=near.get(slot),
        )
        for slot in _best(cleared, labels, bounds.limit)
    )
    return Ranking(
        query=query,
        ranked=ranked,
        cleared=bool(cleared),
        best=ranked[0].share if ranked else max(_shares(parts, postings).values(), default=0.0),
        found=len(cleared),
        unknown=tuple(
            word for term, word in asked.items() if PAIRED not in term and not postings.holders(term)
        ),
    )


def _parts(asked: Asked, postings: Postings) -> dict[str, float]:
    """How much of the query each of its words is, by how much it tells: together 1."""
    told = {term: postings.idf(term) for term in asked if PAIRED not in term}
    whole = sum(told.values()) or 1.0
    return {term: idf / whole for term, idf in told.items()}


def _cleared(
    scores: Mapping[int, float],
    parts: Mapping[str, float],
    postings: Postings,
    near: Mapping[int, float],
    bounds: Bounds,
) -> dict[int, float]:
    """The scores of what comes over the floor. Most queries are so short that one term is enough for it."""
    if not near and min(parts.values(), default=0.0) >= bounds.floor:
        return {slot: score for slot, score in scores.items() if score > 0}
    shares = _shares(parts, postings)
    return {
        slot: score
        for slot, score in scores.items()
        if score > 0 and (shares.get(slot, 0.0) >= bounds.floor or near.get(slot, -1.0) >= bounds.near)
    }


def _best(
    cleared: Mapping[int, float], labels: Sequence[Label] | Mapping[int, Label], limit: int
) -> list[int]:
    """The slots of the best `limit`, equal scores by id. Only those that can be among them are sorted."""
    least = heapq.nlargest(max(0, limit), cleared.values())[-1:]
    among = [slot for slot, score in cleared.items() if least and score >= least[0]]
    return sorted(among, key=lambda slot: (-cleared[slot], labels[slot]))[: max(0, limit)]


def _scores(asked: Asked, postings: Postings) -> dict[int, float]:
    scores: dict[int, float] = {}
    held = scores.get
    for term in asked:
        for slot, impact in postings.impacts(term):
            scores[slot] = held(slot, 0.0) + impact
    for term in asked:
        for slot, lost in postings.subtractions(term):
            if slot in scores:
                scores[slot] -= lost
    return scores


def _shares(parts: Mapping[str, float], postings: Postings) -> dict[int, float]:
    """How much of the query each document holds, from 0 to 1."""
    shares: dict[int, float] = {}
    held = shares.get
    for term, part in parts.items():
        for slot, _ in postings.impacts(term):
            shares[slot] = held(slot, 0.0) + part
    return shares


def _share(slot: int, parts: Mapping[str, float], postings: Postings) -> float:
    """The same of one document."""
    return sum((part for term, part in parts.items() if postings.holds(term, slot)), 0.0)


def _matches(slot: int, asked: Asked, postings: Postings) -> Iterator[Match]:
    for term, word in asked.items():
        added = postings.impact(term, slot)
        if added:
            counts = postings.at(term, slot)
            fields = tuple(name for name, count in zip(FIELDS, counts, strict=True) if count)
            yield Match(term=term, word=word, fields=fields, score=added)
        lost = postings.subtraction(term, slot)
        if lost:
            yield Match(term=term, word=word, fields=("negatives",), score=-lost)
