"""Which document holds which term, how often in which field: what BM25 counts over.

One document is put in or taken out for about the price of its own terms. Lengths and totals are
whole numbers, so an index that was changed ranks to the last bit like one made anew.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from prowess.choose.common_words import common_terms
from prowess.choose.documents import FIELDS, Counts, Weights
from prowess.choose.tokens import PAIRED, weak_terms

_NONE: Counts = (0,) * len(FIELDS)
Profile = tuple[float, Counts]  # the weighted sum of the counts, and the counts


@dataclass(frozen=True, slots=True, kw_only=True)
class Corpus:
    """What is known of all documents where only some of them are at hand: see `store.ranked`.

    `totals` are the terms in each of FIELDS, `holders` how many documents hold a term.
    """

    documents: int
    totals: Counts
    holders: Mapping[str, int]


class Postings:
    """Terms of documents, each at a slot; a slot is used again when its document is gone.

    With a `corpus` the documents put in are part of a larger whole, and weighed as such.
    """

    def __init__(self, weights: Weights, corpus: Corpus | None = None) -> None:
        self.weights = weights
        self._corpus = corpus
        self._weak = weak_terms()
        self._common = common_terms()
        self._fields = weights.by_field
        self._held: dict[str, dict[int, Profile]] = {}
        self._profiles: dict[tuple[Counts, int, int], Profile] = {}  # one for all that are alike
        self._terms: dict[int, tuple[str, ...]] = {}
        self._lengths: dict[int, Counts] = {}
        self._totals: Counts = (0,) * len(FIELDS)
        self._against: dict[str, dict[int, int]] = {}
        self._negatives: dict[int, Counter[str]] = {}
        self._impacts: dict[str, list[tuple[int, float]]] = {}
        self._norms: dict[int, float] = {}

    def put(
        self,
        slot: int,
        fields: Mapping[str, Counter[str]],
        negatives: Counter[str],
        lengths: Counts | None = None,
    ) -> None:
        """What is at `slot` from now on; `lengths` where `fields` are not all of the document."""
        self.drop(slot)
        profiles: dict[str, Profile] = {}
        for place, name in enumerate(FIELDS):
            for term, number in fields.get(name, {}).items():
                known = profiles.get(term)
                counts = _NONE if known is None else known[1]
                profiles[term] = self._with(counts, place, number)
        held = self._held
        for term, profile in profiles.items():
            if term in held:
                held[term][slot] = profile
            else:
                held[term] = {slot: profile}
        for term, number in negatives.items():
            self._against.setdefault(term, {})[slot] = number
        self._terms[slot] = tuple(profiles)
        self._negatives[slot] = negatives
        self._lengths[slot] = lengths or lengths_of(fields)
        self._count(self._lengths[slot], 1)

    def drop(self, slot: int) -> None:
        """Nothing is at `slot` from now on."""
        if slot not in self._terms:
            return
        _taken_out(self._held, self._terms.pop(slot), slot)
        _taken_out(self._against, self._negatives.pop(slot), slot)
        self._count(self._lengths.pop(slot), -1)

    def holders(self, term: str) -> int:
        """How many documents hold `term`."""
        return len(self._held.get(term, ())) if self._corpus is None else self._corpus.holders.get(term, 0)

    def idf(self, term: str) -> float:
        """How much `term` tells: the more the fewer documents hold it, and less for a weak or common one."""
        documents = len(self._terms) if self._corpus is None else self._corpus.documents
        number = self.holders(term)
        rare = math.log(1 + (documents - number + 0.5) / (number + 0.5))
        if PAIRED in term:
            return rare * self.weights.pair
        place = self._common.get(term)
        if place is not None:
            rare *= self.weights.common[place]
        return rare * self.weights.weak if term in self._weak else rare

    def subtractions(self, term: str) -> list[tuple[int, float]]:
        """What `term` takes from the score of each document whose negatives hold it."""
        return [(slot, self.subtraction(term, slot)) for slot in self._against.get(term, ())]

    def subtraction(self, term: str, slot: int) -> float:
        """What `term` takes from the score of the document at `slot`, 0 or more."""
        number = self._against.get(term, {}).get(slot, 0)
        k1 = self.weights.saturation
        return self.weights.negatives * self.idf(term) * number * (k1 + 1) / (number + k1)

    def impacts(self, term: str) -> list[tuple[int, float]]:
        """What `term` adds to the score of each document that holds it, remembered until a change."""
        known = self._impacts.get(term)
        if known is None:
            known = self._impacts[term] = list(self._added(term))
        return known

    def impact(self, term: str, slot: int) -> float:
        """What `term` adds to the score of the document at `slot`; 0 where it does not hold it."""
        found = self._held.get(term, {}).get(slot)
        return self._adds(self.idf(term), found[0], slot) if found else 0.0

    def holds(self, term: str, slot: int) -> bool:
        """Whether the document at `slot` holds `term`."""
        return slot in self._held.get(term, ())

    def at(self, term: str, slot: int) -> Counts:
        """How often `term` stands in each field at `slot`."""
        found = self._held.get(term, {}).get(slot)
        return found[1] if found else (0,) * len(FIELDS)

    def _added(self, term: str) -> Iterable[tuple[int, float]]:
        idf = self.idf(term)
        for slot, (weighted, _) in self._held.get(term, {}).items():
            yield slot, self._adds(idf, weighted, slot)

    def _adds(self, idf: float, weighted: float, slot: int) -> float:
        k1 = self.weights.saturation
        return idf * weighted * (k1 + 1) / (weighted + k1 * self._norm(slot)) if weighted else 0.0

    def _norm(self, slot: int) -> float:
        """1 for a document of average length, more for a longer one."""
        known = self._norms.get(slot)
        if known is None:
            average = self._average()
            b = self.weights.length
            length = self._weighted(self._lengths[slot])
            known = self._norms[slot] = 1 - b + b * length / average if average else 1.0
        return known

    def _average(self) -> float:
        if self._corpus is None:
            return self._weighted(self._totals) / len(self._terms)
        return self._weighted(self._corpus.totals) / max(1, self._corpus.documents)

    def _weighted(self, counts: Iterable[int]) -> float:
        return sum(weight * number for weight, number in zip(self._fields, counts, strict=True))

    def _with(self, counts: Counts, place: int, number: int) -> Profile:
        """The profile of `counts` with `number` at `place`, where there was none."""
        key = (counts, place, number)
        known = self._profiles.get(key)
        if known is None:
            more = (*counts[:place], number, *counts[place + 1 :])
            known = self._profiles[key] = (self._weighted(more), more)
        return known

    def _count(self, lengths: Counts, sign: int) -> None:
        self._totals = tuple(a + sign * b for a, b in zip(self._totals, lengths, strict=True))
        # An average has changed, and with it every impact.
        self._impacts.clear()
        self._norms.clear()


def lengths_of(fields: Mapping[str, Counter[str]]) -> Counts:
    """How many terms each of FIELDS holds."""
    return tuple(sum(fields.get(name, {}).values()) for name in FIELDS)


def _taken_out(held: dict[str, dict[int, Any]], terms: Iterable[str], slot: int) -> None:
    for term in terms:
        del held[term][slot]
        if not held[term]:
            del held[term]
