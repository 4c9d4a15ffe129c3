"""Advice on descriptions among each other: two that say nearly the same, by their words.

What is chosen by words alone is chosen by those that only one of them has. Words and pairs of Chinese,
Japanese or Korean characters, weighed by how few descriptions hold them, make a cosine. This runs for
every package, so it looks at shared words first and weighs few; whether a description is long, or lacks
the script of its cases, takes a tokeniser and is `choose.advising`.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from prowess.redact import printable
from prowess.spec.advice import FILLER
from prowess.spec.diagnostics import Diagnostic, Place
from prowess.spec.rules import report

ALIKE = 0.55  # cosine; with fewer words in common, two still say different things
SHARED = 0.3  # of the words of the shorter one, below which no cosine is that high
MOST = 500  # descriptions compared with each other
HEARD = 1_024  # characters

_WORD = re.compile(r"[^\W_]+")
_CJK = re.compile("[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]{2,}")


class Described(NamedTuple):
    """A name, what it says of itself, and where that stands."""

    name: str
    description: str
    place: Place


def alike(described: Sequence[Described]) -> Iterator[Diagnostic]:
    """The later of two that say nearly the same, with the nearest of those before it."""
    counts = [_counted(each.description[:HEARD]) for each in described[:MOST]]
    pairs = [(at, before) for at in range(len(counts)) for before in range(at) if _share(counts, at, before)]
    if not pairs:
        return
    vectors = _weighed(counts)
    nearest: dict[int, tuple[float, int]] = {}
    for at, before in pairs:
        found = (_cosine(vectors[at], vectors[before]), -before)
        nearest[at] = max(found, nearest.get(at, found))
    for at, (similarity, before) in nearest.items():
        if similarity >= ALIKE:
            other = printable(described[-before].name, 80)
            yield report(
                "advice-description-alike",
                described[at].place,
                f"the description says nearly what that of {other} says ({similarity:.2f} of 1)",
                hint=f"say what only this one does, and for what {other} is the right one",
            )


def _counted(text: str) -> dict[str, int]:
    words = [_plain(word) for word in _WORD.findall(text.lower()) if word not in FILLER]
    if not text.isascii():
        words = [each for each in words if not _CJK.match(each)]
        words += [run[at : at + 2] for run in _CJK.findall(text) for at in range(len(run) - 1)]
    counted: dict[str, int] = {}
    for word in words:
        counted[word] = counted.get(word, 0) + 1
    return counted


def _plain(word: str) -> str:
    """Without the ending of a plural or of the third person."""
    return word[:-1] if len(word) > 3 and word[-1] == "s" and word[-2] != "s" else word


def _share(counts: Sequence[dict[str, int]], at: int, before: int) -> bool:
    one, other = counts[at].keys(), counts[before].keys()
    return bool(one) and len(one & other) >= SHARED * min(len(one), len(other)) > 0


def _weighed(counts: Sequence[dict[str, int]]) -> list[dict[str, float]]:
    holders: dict[str, int] = {}
    for each in counts:
        for word in each:
            holders[word] = holders.get(word, 0) + 1
    number = len(counts)
    vectors = []
    for each in counts:
        weighed = {
            word: count * (math.log((1 + number) / (1 + holders[word])) + 1) for word, count in each.items()
        }
        size = math.sqrt(sum(value * value for value in weighed.values())) or 1.0
        vectors.append({word: value / size for word, value in weighed.items()})
    return vectors


def _cosine(one: dict[str, float], other: dict[str, float]) -> float:
    return sum(value * other[word] for word, value in one.items() if word in other)
