"""`utterances.json`: capabilities described in Chinese or Japanese, and what people would ask of them.

Descriptions and utterances are by the same hand, which flatters a ranker by words; the bound is for
the tokeniser, without which nothing of it is found.
"""

from __future__ import annotations

import json
from collections import defaultdict
from pathlib import Path

from prowess.choose.ranking import Document, Index

CORPUS = json.loads(Path(__file__).with_name("utterances.json").read_text(encoding="utf-8"))
NAMES = {each["name"] for each in CORPUS["documents"]}


def test_the_corpus_is_whole() -> None:
    assert len(NAMES) == len(CORPUS["documents"])
    assert len({each["utterance"] for each in CORPUS["utterances"]}) == len(CORPUS["utterances"]) >= 150
    assert {each["expect"] for each in CORPUS["utterances"]} == NAMES


def test_chinese_japanese_and_mixed_utterances_find_theirs_among_the_first_five() -> None:
    index = Index.of(
        Document(id=each["name"], name=each["name"], description=each["description"])
        for each in CORPUS["documents"]
    )
    found = defaultdict(list)
    for each in CORPUS["utterances"]:
        found[each["lang"]].append(each["expect"] in index.rank(each["utterance"], limit=5).ids)
    assert set(found) == {"zh", "ja", "mixed"}
    for lang, hits in found.items():
        assert sum(hits) / len(hits) >= 0.85, lang
