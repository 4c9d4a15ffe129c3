"""Words that tell one capability's requests from those of all others: informative log-odds. Pure.

Monroe, Colaresi and Quinn (2008), "Fightin' Words": the log-odds of a word among the own utterances
against those of others, with what all of them say as a prior, over its standard error. The prior is
what keeps words of any request, and words said once, from looking like a finding. The unit is the
utterance: a word that stands in one three times counts once.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from prowess.choose.documents import Document
from prowess.choose.tokens import terms, terms_with_words, weak_terms
from prowess.evaluate.improving import Evidence

PRIOR = 500.0  # words; from 300 to 1,000 it makes no difference to speak of
_SHARE = 0.1  # of all words that the prior is at most: a few cases are not drowned in it
SUPPORT = 2  # utterances that a word has to stand in
CLEAR = 1.0  # standard errors
MOST = 10  # words proposed for one capability
_REMEMBERED = 16_384  # utterances whose terms are known already


class Said(NamedTuple):
    """In how many utterances each term stands, and how often it was written in which way."""

    counts: Counter[str]
    written: Mapping[str, Counter[str]]


@lru_cache(_REMEMBERED)
def _said(utterance: str) -> Mapping[str, str]:
    """The terms of an utterance, each with the word that it comes from."""
    found: dict[str, str] = {}
    for each in terms_with_words(utterance):
        found.setdefault(each.text, each.word)
    return found


def terms_of(utterance: str) -> Collection[str]:
    """The terms of an utterance, each once."""
    return _said(utterance).keys()


def said_in(utterances: Iterable[str]) -> Said:
    """The terms of `utterances`, each counted once for an utterance."""
    counts: Counter[str] = Counter()
    written: dict[str, Counter[str]] = {}
    for utterance in utterances:
        said = _said(utterance)
        counts.update(said.keys())
        for term, word in said.items():
            written.setdefault(term, Counter())[word] += 1
    return Said(counts, written)


def log_odds(own: Counter[str], others: Counter[str], prior: float = PRIOR) -> dict[str, float]:
    """Standard errors by which each word of `own` is more frequent there than in `others`."""
    both = own + others
    whole, mine, theirs = both.total(), own.total(), others.total()
    prior = min(prior, _SHARE * whole)
    found = {}
    for term, count in own.items():
        expected = prior * both[term] / whole
        a, b = count + expected, others[term] + expected
        odds = math.log(a / max(mine + prior - a, 1e-9)) - math.log(b / max(theirs + prior - b, 1e-9))
        found[term] = odds / math.sqrt(1 / a + 1 / b)
    return found


def telling(
    document: Document, own: Sequence[str], others: Iterable[str], *, most: int = MOST
) -> tuple[Evidence, ...]:
    """Words of the `own` utterances that `document` does not hold, the most telling first.

    Such as stand in two utterances at least, and are not what any request is phrased with.
    """
    mine, theirs = said_in(own), Counter(term for each in others for term in terms_of(each))
    held = set(
        terms("\n".join((document.name, document.description, *document.triggers, *document.keywords)))
    )
    weak = weak_terms()
    found = [
        Evidence(
            term=term,
            word=mine.written[term].most_common(1)[0][0],
            z=z,
            own=mine.counts[term],
            others=theirs[term],
            utterances=tuple(each for each in own if term in terms_of(each)),
        )
        for term, z in log_odds(mine.counts, theirs).items()
        if z >= CLEAR and mine.counts[term] >= SUPPORT and term not in held and term not in weak
        if any(map(str.isalpha, term))
    ]
    found.sort(key=lambda each: (-each.z, each.term))
    return tuple(_once(found))[:most]


def _once(found: Sequence[Evidence]) -> Iterable[Evidence]:
    """One evidence for a word: an identifier and its parts say the same."""
    words: set[str] = set()
    for each in found:
        if each.word not in words:
            words.add(each.word)
            yield each
