"""What a ranking says: who was found, by which terms in which fields, and why one stands before the next."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from prowess.choose.tokens import PAIRED


@dataclass(frozen=True, slots=True, kw_only=True)
class Match:
    """One term of the query in one document. `score` is what it added; below 0 for a negative's."""

    term: str
    word: str
    fields: tuple[str, ...]
    score: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranked:
    """One document found. `share` is how much of what was asked it holds, by how much the words tell.

    `similarity` is the cosine with the query's vector, where vectors were given; the score is then
    the mix of both, from 0 to 1, and not comparable with one without.
    """

    id: str
    name: str
    score: float
    share: float
    matches: tuple[Match, ...] = ()
    similarity: float | None = None

    @property
    def matched(self) -> dict[str, tuple[str, ...]]:
        """The words of the query by the field that holds them; what was subtracted under `negatives`.

        Pairs of words, which score beside their words, are in `matches` alone.
        """
        found: dict[str, tuple[str, ...]] = {}
        for match in self.matches:
            for field in match.fields if PAIRED not in match.term else ():
                found[field] = (*found.get(field, ()), match.word)
        return found

    @property
    def why(self) -> dict[str, Any]:
        """The reasons as a JSON value."""
        return {
            "id": self.id,
            "name": self.name,
            "score": round(self.score, 4),
            "share": round(self.share, 4),
            "matched": {field: list(words) for field, words in self.matched.items()},
            "terms": {match.word: round(match.score, 4) for match in self.matches},
            **({} if self.similarity is None else {"similarity": round(self.similarity, 4)}),
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Margin:
    """Why `first` stands before `second`: by how much, and the words with the difference each made.

    The words do not add up to `ahead` where vectors had a part, since scores are mixed then.
    """

    first: str
    second: str
    ahead: float
    words: tuple[tuple[str, float], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranking:
    """The documents found for one query, the best first; equal scores by id.

    `cleared` is False when nothing came over the floor: then `ranked` is empty and `names` are the
    names of all there are, sorted, to show instead. `best` is the share of the first, or else the
    greatest that any document has; `found` is how many documents cleared the floor before the limit,
    `unknown` the words of the query that no document holds.
    """

    query: str
    ranked: tuple[Ranked, ...] = ()
    cleared: bool = False
    best: float = 0.0
    found: int = 0
    names: tuple[str, ...] = ()
    unknown: tuple[str, ...] = ()

    def __iter__(self) -> Iterator[Ranked]:
        return iter(self.ranked)

    def __len__(self) -> int:
        return len(self.ranked)

    def __getitem__(self, place: int) -> Ranked:
        return self.ranked[place]

    @property
    def ids(self) -> tuple[str, ...]:
        """The ids, the best first."""
        return tuple(each.id for each in self.ranked)

    @property
    def margin(self) -> Margin | None:
        """Why the first stands before the runner-up; None where there are not two."""
        return margin(self.ranked[0], self.ranked[1]) if len(self.ranked) > 1 else None

    @property
    def why(self) -> dict[str, Any]:
        """The whole ranking as a JSON value."""
        ahead = self.margin
        return {
            "query": self.query,
            "cleared": self.cleared,
            "best": round(self.best, 4),
            "found": self.found,
            "ranked": [each.why for each in self.ranked],
            "unknown": list(self.unknown),
            **({} if self.cleared else {"names": list(self.names)}),
            **({} if ahead is None else {"runner_up": _why(ahead)}),
        }


def margin(first: Ranked, second: Ranked) -> Margin:
    """What `first` has before `second`, the word that decides most before the others."""
    differences: dict[str, float] = {}
    for match in first.matches:
        differences[match.word] = differences.get(match.word, 0.0) + match.score
    for match in second.matches:
        differences[match.word] = differences.get(match.word, 0.0) - match.score
    words = sorted(
        (pair for pair in differences.items() if pair[1]), key=lambda pair: (-abs(pair[1]), pair[0])
    )
    return Margin(first=first.id, second=second.id, ahead=first.score - second.score, words=tuple(words))


def _why(ahead: Margin) -> dict[str, Any]:
    return {
        "first": ahead.first,
        "second": ahead.second,
        "ahead": round(ahead.ahead, 4),
        "words": {word: round(score, 4) for word, score in ahead.words},
    }
