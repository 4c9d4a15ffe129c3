"""Vectors beside words: cosines mixed into scores as a weighted mean. Vectors come in ready made.

Scores of words are taken by the greatest, cosines from the least to the greatest of this query, since
neither has a scale of its own. A document may have several vectors (one a sentence); the nearest
counts. Ranks are not mixed: with equal votes the weaker ranker makes the stronger one worse. It does
not know what made the vectors.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from operator import mul
from typing import TypeVar

from prowess.errors import UsageError
from prowess.redact import printable

K = TypeVar("K", str, int)
Vector = Sequence[float]
Vectors = Mapping[str, Sequence[Vector]]  # by document id

WEIGHT = 0.3  # of the cosine; measured best between 0.2 and 0.4


def similarities(query: Vector, vectors: Vectors) -> dict[str, float]:
    """The greatest cosine of each document, from -1 to 1; those without a vector are left out.

    Raises UsageError for a vector of another length, or one with a number that is none.
    """
    size = _size(query, "the query")
    found: dict[str, float] = {}
    for id, several in vectors.items():
        cosines = [_cosine(query, size, each, id) for each in several]
        if cosines:
            found[id] = max(cosines)
    return found


def mixed(words: Mapping[K, float], cosines: Mapping[K, float], weight: float = WEIGHT) -> dict[K, float]:
    """Both in one score from 0 to 1, for everything that either knows.

    Raises UsageError for a weight that is not between 0 and 1.
    """
    if not 0 <= weight <= 1:
        raise UsageError(f"a weight of {weight:g} for vectors", hint="a number from 0 to 1")
    most = max(words.values(), default=0.0)
    low, high = min(cosines.values(), default=0.0), max(cosines.values(), default=0.0)
    span = high - low
    return {
        id: (1 - weight) * (max(0.0, words.get(id, 0.0)) / most if most > 0 else 0.0)
        + weight * ((cosines[id] - low) / span if span > 0 and id in cosines else 0.0)
        for id in {**words, **cosines}
    }


def _size(vector: Vector, whose: str) -> float:
    size = math.sqrt(sum(map(mul, vector, vector)))
    if not math.isfinite(size):
        raise UsageError(f"the vector of {printable(whose, 80)} holds a number that is none")
    return size


def _cosine(query: Vector, size: float, vector: Vector, id: str) -> float:
    if len(vector) != len(query):
        raise UsageError(
            f"the vector of {printable(id, 80)} has {len(vector)} numbers, that of the query {len(query)}",
            hint="make both with one model",
        )
    both = size * _size(vector, id)
    return sum(map(mul, query, vector)) / both if both else 0.0
