"""Which capabilities answer a query: BM25 over weighted fields, with its reasons.

BM25 (Robertson and Zaragoza) with occurrences summed by the weight of their field and one length for
a document; what a description leaves to a sibling counts for the sibling; what its negatives match is
subtracted. A document clears the floor when it holds enough of what was asked; when none does, the
ranking says so and gives names. The same documents and query give the same ranking, equal scores by
id. It does not know what a document stands for. Not for several threads at once.

    index = Index.of([Document(id="a", name="query_invoices", description="Unpaid invoices")])
    index.rank("which invoices are unpaid?").ids
"""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping

from prowess.choose.documents import FIELDS, Document, Read, Weights, read_document
from prowess.choose.mixing import WEIGHT, Vector, Vectors, mixed, similarities
from prowess.choose.postings import Postings
from prowess.choose.ranked import Margin, Match, Ranked, Ranking, margin
from prowess.choose.tokens import terms, terms_with_words

__all__ = ["Document", "Index", "Margin", "Match", "Ranked", "Ranking", "Weights", "margin"]

FLOOR = 0.02  # of what was asked; see docs/decisions/0024-ranking.md
NEAR = 0.5  # a cosine; what is near differs from model to model
QUERY_TERMS = 256  # different ones that count; more is a document, not a question
LIMIT = 20


class Index:
    """Documents ready to be ranked; `put` and `drop` change it, at the price of one document."""

    def __init__(self, weights: Weights | None = None) -> None:
        self.weights = weights or Weights()
        self._postings = Postings(self.weights)
        self._documents: dict[str, Document] = {}
        self._slots: dict[str, int] = {}
        self._ids: list[str] = []  # by slot; what is dropped leaves an empty one behind
        self._free: list[int] = []
        self._read: dict[int, Read] = {}
        self._negatives: dict[str, dict[int, int]] = {}
        self._pointed: dict[str, dict[int, Counter[str]]] = {}  # by the key of a name, then who points
        self._named: dict[str, set[int]] = {}

    @classmethod
    def of(cls, documents: Iterable[Document], *, weights: Weights | None = None) -> Index:
        """An index of `documents`; of two with one id the later counts."""
        index = cls(weights)
        slots = [index._take(each) for each in {each.id: each for each in documents}.values()]
        for slot in slots:
            index._place(slot)
        return index

    def __len__(self) -> int:
        return len(self._documents)

    def __contains__(self, id: object) -> bool:
        return id in self._documents

    @property
    def documents(self) -> tuple[Document, ...]:
        """What is in it, by id."""
        return tuple(self._documents[id] for id in sorted(self._documents))

    def put(self, document: Document) -> None:
        """Add `document`, or replace the one of its id."""
        if self._documents.get(document.id) == document:
            return
        self.drop(document.id)
        slot = self._take(document)
        for each in sorted({slot, *self._led_to(slot)}):
            self._place(each)

    def drop(self, id: str) -> None:
        """Take out the document of that id, if it is there."""
        if id not in self._documents:
            return
        slot = self._slots.pop(id)
        key = _key(self._documents.pop(id).name)
        self._named[key].discard(slot)
        affected = self._led_to(slot) - {slot}
        read = self._read.pop(slot)
        for term in read.negatives:
            del self._negatives[term][slot]
        for pointer in read.pointers:
            self._pointed.get(_key(pointer.name), {}).pop(slot, None)
        self._postings.drop(slot)
        self._ids[slot] = ""
        self._free.append(slot)
        for each in sorted(affected):
            self._place(each)

    def rank(
        self,
        query: str,
        *,
        limit: int = LIMIT,
        floor: float = FLOOR,
        query_vector: Vector | None = None,
        vectors: Vectors | None = None,
        weight: float = WEIGHT,
        near: float = NEAR,
    ) -> Ranking:
        """The best `limit` documents for `query` among those that hold `floor` of what was asked.

        With `query_vector` and `vectors` (by id, one or several each) the cosines have `weight` of
        the score, and a cosine of `near` clears the floor as well: no word in common is needed.
        Raises UsageError for vectors that do not fit together.
        """
        asked = self._asked(query)
        scores = self._scores(asked)
        shares = self._shares(asked)
        cosines: Mapping[str, float] = {}
        if query_vector is not None and vectors:
            known = {id: each for id, each in vectors.items() if id in self._documents}
            cosines = similarities(query_vector, known)
            by_id = mixed({self._ids[slot]: score for slot, score in scores.items()}, cosines, weight)
            scores = {self._slots[id]: score for id, score in by_id.items()}
        cleared = [
            slot
            for slot, score in scores.items()
            if score > 0 and (shares.get(slot, 0.0) >= floor or cosines.get(self._ids[slot], -1.0) >= near)
        ]
        chosen = heapq.nsmallest(max(0, limit), cleared, key=lambda slot: (-scores[slot], self._ids[slot]))
        return Ranking(
            query=query,
            ranked=tuple(
                self._ranked(slot, scores[slot], asked, shares.get(slot, 0.0), cosines.get(self._ids[slot]))
                for slot in chosen
            ),
            cleared=bool(cleared),
            best=max(shares.values(), default=0.0),
            found=len(cleared),
            names=() if cleared else tuple(sorted(each.name for each in self._documents.values())),
            unknown=tuple(word for term, word in asked.items() if not self._postings.impacts(term)),
        )

    # -- scoring

    def _asked(self, query: str) -> dict[str, str]:
        """The different terms of the query, each with the word it comes from."""
        asked: dict[str, str] = {}
        for term, word in terms_with_words(query):
            asked.setdefault(term, word)
            if len(asked) >= QUERY_TERMS:
                break
        return asked

    def _scores(self, asked: Mapping[str, str]) -> dict[int, float]:
        scores: dict[int, float] = {}
        held = scores.get
        for term in asked:
            for slot, impact in self._postings.impacts(term):
                scores[slot] = held(slot, 0.0) + impact
        for term in asked:
            for slot in self._negatives.get(term, ()):
                if slot in scores:
                    scores[slot] -= self._subtracted(term, slot)
        return scores

    def _subtracted(self, term: str, slot: int) -> float:
        number = self._negatives.get(term, {}).get(slot, 0)
        k1 = self.weights.saturation
        return self.weights.negatives * self._postings.idf(term) * number * (k1 + 1) / (number + k1)

    def _shares(self, asked: Mapping[str, str]) -> dict[int, float]:
        """How much of the query each document holds, by how much its terms tell: from 0 to 1."""
        told = {term: self._postings.idf(term) for term in asked}
        whole = sum(told.values())
        shares: dict[int, float] = {}
        held = shares.get
        for term, idf in told.items():
            part = idf / whole
            for slot, _ in self._postings.impacts(term):
                shares[slot] = held(slot, 0.0) + part
        return shares

    # -- saying why

    def _ranked(
        self,
        slot: int,
        score: float,
        asked: Mapping[str, str],
        share: float,
        cosine: float | None,
    ) -> Ranked:
        document = self._documents[self._ids[slot]]
        return Ranked(
            id=document.id,
            name=document.name,
            score=score,
            share=share,
            matches=tuple(self._matches(slot, asked)),
            similarity=cosine,
        )

    def _matches(self, slot: int, asked: Mapping[str, str]) -> Iterator[Match]:
        for term, word in asked.items():
            added = self._postings.impact(term, slot)
            if added:
                counts = self._postings.at(term, slot)
                fields = tuple(name for name, count in zip(FIELDS, counts, strict=True) if count)
                yield Match(term=term, word=word, fields=fields, score=added)
            lost = self._subtracted(term, slot)
            if lost:
                yield Match(term=term, word=word, fields=("negatives",), score=-lost)

    # -- documents in and out

    def _take(self, document: Document) -> int:
        """A slot for `document`, and what it says of others; its own terms come with `_place`."""
        slot = self._free.pop() if self._free else len(self._ids)
        self._ids[slot : slot + 1] = [document.id]
        self._documents[document.id] = document
        self._slots[document.id] = slot
        self._named.setdefault(_key(document.name), set()).add(slot)
        read = self._read[slot] = read_document(document)
        for term, number in read.negatives.items():
            self._negatives.setdefault(term, {})[slot] = number
        for pointer in read.pointers:
            led = self._pointed.setdefault(_key(pointer.name), {})
            led.setdefault(slot, Counter()).update(terms(pointer.text))
        return slot

    def _place(self, slot: int) -> None:
        """The terms of the document at `slot`, with what others say of it."""
        others: Counter[str] = Counter()
        for source, said in self._pointed.get(self._key_at(slot), {}).items():
            if self._key_at(source) != self._key_at(slot):
                others.update(said)
        self._postings.put(slot, {**self._read[slot].fields, "pointed": others})

    def _led_to(self, slot: int) -> set[int]:
        """The documents that the one at `slot` leaves something to."""
        names = {_key(pointer.name) for pointer in self._read[slot].pointers}
        return {each for name in names for each in self._named.get(name, ())}

    def _key_at(self, slot: int) -> str:
        return _key(self._documents[self._ids[slot]].name)


def _key(name: str) -> str:
    """What names are compared by: `Query-Invoices` and `query_invoices` are one."""
    return "".join(each for each in name.casefold() if each.isalnum())
