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

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from typing import TypeVar

from prowess.choose.documents import Document, Read, Weights, read_document
from prowess.choose.finding import FLOOR, LIMIT, NEAR, Bounds, Label, find
from prowess.choose.mixing import WEIGHT, Vector, Vectors, similarities
from prowess.choose.postings import Postings
from prowess.choose.ranked import Margin, Match, Ranked, Ranking, margin
from prowess.choose.tokens import terms

__all__ = ["Document", "Index", "Margin", "Match", "Ranked", "Ranking", "Weights", "margin"]

V = TypeVar("V")


class Index:
    """Documents ready to be ranked; `put` and `drop` change it, at the price of one document."""

    def __init__(self, weights: Weights | None = None) -> None:
        self.weights = weights or Weights()
        self._postings = Postings(self.weights)
        self._documents: dict[str, Document] = {}
        self._slots: dict[str, int] = {}
        self._labels: list[Label] = []  # by slot; what is dropped leaves an empty one behind
        self._free: list[int] = []
        self._read: dict[int, Read] = {}
        self._pointed: dict[str, dict[int, Counter[str]]] = {}  # by the key of a name, then who points
        self._named: dict[str, dict[int, None]] = {}  # a set that keeps its order

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
        _discard(self._named, name_key(self._documents.pop(id).name), slot)
        affected = self._led_to(slot) - {slot}
        for key in {name_key(pointer.name) for pointer in self._read.pop(slot).pointers}:
            _discard(self._pointed, key, slot)
        self._postings.drop(slot)
        self._labels[slot] = Label("", "")
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
        cosines: dict[int, float] | None = None
        if query_vector is not None and vectors is not None:
            known = {id: each for id, each in vectors.items() if id in self._slots}
            cosines = {self._slots[id]: each for id, each in similarities(query_vector, known).items()}
        bounds = Bounds(limit=limit, floor=floor, near=near, weight=weight)
        found = find(query, self._postings, self._labels, bounds, cosines)
        return found if found.cleared else replace(found, names=self._names())

    def _names(self) -> tuple[str, ...]:
        return tuple(sorted(each.name or each.id for each in self._documents.values()))

    # -- documents in and out

    def _take(self, document: Document) -> int:
        """A slot for `document`, and what it says of others; its own terms come with `_place`."""
        slot = self._free.pop() if self._free else len(self._labels)
        self._labels[slot : slot + 1] = [Label(document.id, document.name)]
        self._documents[document.id] = document
        self._slots[document.id] = slot
        self._named.setdefault(name_key(document.name), {})[slot] = None
        read = self._read[slot] = read_document(document)
        for pointer in read.pointers:
            led = self._pointed.setdefault(name_key(pointer.name), {})
            led.setdefault(slot, Counter()).update(terms(pointer.text))
        return slot

    def _place(self, slot: int) -> None:
        """The terms of the document at `slot`, with what others say of it."""
        others: Counter[str] = Counter()
        for source, said in self._pointed.get(self._key_at(slot), {}).items():
            if self._key_at(source) != self._key_at(slot):
                others.update(said)
        read = self._read[slot]
        self._postings.put(slot, {**read.fields, "pointed": others}, read.negatives)

    def _led_to(self, slot: int) -> set[int]:
        """The documents that the one at `slot` leaves something to."""
        names = {name_key(pointer.name) for pointer in self._read[slot].pointers}
        return {each for name in names for each in self._named.get(name, ())}

    def _key_at(self, slot: int) -> str:
        return name_key(self._labels[slot].name)


def _discard(held: dict[str, dict[int, V]], key: str, slot: int) -> None:
    """Take `slot` out, and the key with its last one: an index may live long."""
    del held[key][slot]
    if not held[key]:
        del held[key]


def name_key(name: str) -> str:
    """What names are compared by: `Query-Invoices` and `query_invoices` are one."""
    return "".join(each for each in name.casefold() if each.isalnum())
