"""What is ranked: a document with its fields, and the weight of each. Pure values.

A document is one capability as the ranker sees it. Examples are utterances to be found by; they are
indexed, so they are no test of it. A plugin's manifest has no place here: its description and
keywords help people and catalogues, and would lift everything in the plugin alike.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import NamedTuple

from prowess.choose.clauses import Pointer, read
from prowess.choose.tokens import pairs, terms, terms_with_words

BODY_CHARACTERS = 4_000  # what was measured; further down a body speaks of ever more other things
TEXTS = 200  # triggers, keywords, examples or negatives of one document that count


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """One capability to be found. `id` is unique in an index; `name` is what others call it by.

    `negatives` are utterances or phrases that it is not for; what they match is subtracted.
    """

    id: str
    name: str = ""
    description: str = ""
    triggers: tuple[str, ...] = ()
    keywords: tuple[str, ...] = ()
    examples: tuple[str, ...] = ()
    body: str = ""
    negatives: tuple[str, ...] = ()


FIELDS = ("name", "description", "triggers", "keywords", "examples", "body", "pointed")
Counts = tuple[int, ...]  # how often a term stands in each of FIELDS


@dataclass(frozen=True, slots=True, kw_only=True)
class Weights:
    """What one occurrence of a term counts in each field, and how occurrences add up.

    `pointed` is what siblings leave to this one ("For X use Y"); what is left to others does not count
    for oneself. `weak` is how much of itself a term counts that any request is phrased with, `common`
    the same for the three classes of words that are common everywhere, `pair` how much two words that
    stand together count beside each of them.
    `saturation` is BM25's k1, `length` its b. docs/decisions/0027-ranking.md says on what data the
    numbers were chosen.
    """

    name: float = 2.0
    description: float = 1.0
    triggers: float = 1.0
    keywords: float = 1.0
    examples: float = 0.5
    body: float = 0.3
    pointed: float = 1.0
    negatives: float = 0.5
    weak: float = 0.5
    common: tuple[float, float, float] = (0.5, 0.625, 0.75)
    pair: float = 0.3
    saturation: float = 3.0
    length: float = 0.5

    @property
    def by_field(self) -> tuple[float, ...]:
        """The weights in the order of FIELDS."""
        return tuple(float(getattr(self, name)) for name in FIELDS)


class Read(NamedTuple):
    """A document as terms: counts by field, negatives, and what it leaves to others."""

    fields: dict[str, Counter[str]]
    negatives: Counter[str]
    pointers: tuple[Pointer, ...]


def read_document(document: Document) -> Read:
    """The terms of `document`; what siblings say of it is not among them."""
    said = read(document.description)
    texts = {
        "name": document.name,
        "description": said.own,
        "triggers": _joined(document.triggers),
        "keywords": _joined(document.keywords),
        "examples": _joined(document.examples),
        "body": document.body[:BODY_CHARACTERS],
    }
    return Read(
        fields={name: _counted(text) for name, text in texts.items() if text},
        negatives=Counter(terms(_joined(document.negatives))),
        pointers=said.pointers,
    )


def _counted(text: str) -> Counter[str]:
    """The terms of a text, and the pairs of its words."""
    found = tuple(terms_with_words(text))
    return Counter([*(each.text for each in found), *(each.text for each in pairs(found))])


def _joined(texts: tuple[str, ...]) -> str:
    return "\n".join(texts[:TEXTS])
