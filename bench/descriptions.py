"""Descriptions and queries made up for `bench.choose`: the same ones every time, as long as real ones.

Words come from a vocabulary whose frequencies fall as in a language (the n-th about 1/n as often), so
that postings are as uneven as those of real text. What the words mean nobody needs to know.
"""

from __future__ import annotations

import itertools
import random

VOCABULARY = 12_000
WORDS = (25, 60)  # of a description
QUERY_WORDS = (6, 14)
_TWO_LETTERS = "bacodefiguhajokelimonapurasetivowaxeyizu"
_SYLLABLES = [_TWO_LETTERS[at : at + 2] for at in range(0, len(_TWO_LETTERS), 2)]


def made_up(count: int, queries: int, seed: int = 7) -> tuple[list[dict[str, str]], list[str]]:
    """`count` documents, and `queries` that borrow some of their words from one of them."""
    chance = random.Random(seed)
    words = ["".join(chance.choices(_SYLLABLES, k=chance.randint(2, 4))) for _ in range(VOCABULARY)]
    falling = list(itertools.accumulate(1 / place for place in range(2, VOCABULARY + 2)))
    documents = []
    for _ in range(count):
        text = chance.choices(words, cum_weights=falling, k=chance.randint(*WORDS))
        documents.append({"name": "_".join(text[:2]), "description": " ".join(text), "body": ""})
    asked = []
    for _ in range(queries):
        about = chance.choice(documents)["description"].split()
        number = chance.randint(*QUERY_WORDS)
        query = chance.sample(about, number // 2) + chance.choices(
            words, cum_weights=falling, k=number - number // 2
        )
        asked.append(" ".join(query))
    return documents, asked
