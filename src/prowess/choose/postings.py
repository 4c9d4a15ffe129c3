"""Which document holds which term, how often in which field: what BM25 counts over.

One document is put in or taken out for about the price of its own terms. Lengths and totals are
whole numbers, so an index that was changed ranks to the last bit like one made anew.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping

from prowess.choose.documents import FIELDS, Counts, Weights

Profile = tuple[float, Counts]  # the weighted sum of the counts, and the counts


class Postings:
    """Terms of documents, each at a slot; a slot is used again when its document is gone."""

    def __init__(self, weights: Weights) -> None:
        self.weights = weights
        self._fields = weights.by_field
        self._held: dict[str, dict[int, Profile]] = {}
        self._profiles: dict[Counts, Profile] = {}  # one for all that are alike
        self._terms: dict[int, tuple[str, ...]] = {}
        self._lengths: dict[int, Counts] = {}
        self._totals = [0] * len(FIELDS)
        self._impacts: dict[str, list[tuple[int, float]]] = {}
        self._norms: dict[int, float] = {}

    def __len__(self) -> int:
        return len(self._terms)

    def put(self, slot: int, fields: Mapping[str, Counter[str]]) -> None:
        """What is at `slot` from now on."""
        self.drop(slot)
        counts: dict[str, list[int]] = {}
        for place, name in enumerate(FIELDS):
            for term, number in fields.get(name, {}).items():
                counts.setdefault(term, [0] * len(FIELDS))[place] = number
        for term, each in counts.items():
            self._held.setdefault(term, {})[slot] = self._profile(tuple(each))
        self._terms[slot] = tuple(counts)
        self._lengths[slot] = tuple(sum(fields.get(name, {}).values()) for name in FIELDS)
        self._count(self._lengths[slot], 1)

    def drop(self, slot: int) -> None:
        """Nothing is at `slot` from now on."""
        for term in self._terms.pop(slot, ()):
            held = self._held[term]
            del held[slot]
            if not held:
                del self._held[term]
        if slot in self._lengths:
            self._count(self._lengths.pop(slot), -1)

    def idf(self, term: str) -> float:
        """How much `term` tells: above 0, and the more the fewer documents hold it."""
        number = len(self._held.get(term, ()))
        return math.log(1 + (len(self._terms) - number + 0.5) / (number + 0.5))

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
            average = self._weighted(self._totals) / len(self._terms)
            b = self.weights.length
            length = self._weighted(self._lengths[slot])
            known = self._norms[slot] = 1 - b + b * length / average if average else 1.0
        return known

    def _weighted(self, counts: Iterable[int]) -> float:
        return sum(weight * number for weight, number in zip(self._fields, counts, strict=True))

    def _profile(self, counts: Counts) -> Profile:
        known = self._profiles.get(counts)
        if known is None:
            known = self._profiles[counts] = (self._weighted(counts), counts)
        return known

    def _count(self, lengths: Counts, sign: int) -> None:
        self._totals = [total + sign * length for total, length in zip(self._totals, lengths, strict=True)]
        # An average has changed, and with it every impact.
        self._impacts.clear()
        self._norms.clear()
