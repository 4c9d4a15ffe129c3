"""The selector `embed`: BM25 mixed with the cosines of a provider's vectors (OpenAI's `/embeddings`).

A description has a vector for its whole and one for each of its first sentences; the nearest counts.
Everything that will be asked is embedded before the first question, in batches.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from typing import Any

from prowess.choose.documents import Document
from prowess.choose.estimate import tokens
from prowess.choose.ranking import Index
from prowess.choose.tokens import VERSION
from prowess.errors import ConnectionFailed
from prowess.evaluate.selectors import Candidates, Chosen, Estimate, Failed, Identity, Selection
from prowess.evaluate.selectors_http import Endpoint
from prowess.evaluate.selectors_lexical import MOST

BATCH = 64
SENTENCES = 8
CHARACTERS = 2_000  # of one text
_SENTENCES = re.compile(r"(?<=[.!?。！？])\s*|\n+")


class Embedding:
    """Words and vectors as a weighted mean; see `choose.mixing`."""

    def __init__(self, model: str, endpoint: Endpoint) -> None:
        self.identity = Identity(
            name="embed",
            kind="shortlist",
            model=model,
            template=f"terms-{VERSION}",
            deterministic=True,
            paid=True,
        )
        self._endpoint = endpoint
        self._index = Index()
        self._vectors: dict[str, list[list[float]]] = {}
        self._asked: dict[str, list[float]] = {}

    async def begin(self, candidates: Candidates, utterances: Sequence[str]) -> None:
        """Embed the documents and all that will be asked. Raises ConnectionFailed."""
        self._index = Index.of(candidates.documents)
        texts = [(each.id, text) for each in candidates.documents for text in _texts(each)]
        asked = list(dict.fromkeys(utterances))
        vectors = await self._embedded([text for _, text in texts] + [each[:CHARACTERS] for each in asked])
        for (id, _), vector in zip(texts, vectors, strict=False):
            self._vectors.setdefault(id, []).append(vector)
        self._asked = dict(zip(asked, vectors[len(texts) :], strict=True))

    async def select(self, utterance: str, run: int) -> Selection:
        """The mixed ranking."""
        vector = self._asked.get(utterance)
        if vector is None:
            return Failed(code="malformed", message="an utterance that was not embedded before")
        ranking = self._index.rank(utterance, limit=MOST, query_vector=vector, vectors=self._vectors)
        return Chosen(ids=ranking.ids)

    def estimate(self, candidates: Candidates, utterances: Sequence[str]) -> Estimate:
        """Everything once, in batches."""
        texts = [text for each in candidates.documents for text in _texts(each)]
        texts += [each[:CHARACTERS] for each in dict.fromkeys(utterances)]
        return Estimate(calls=-(-len(texts) // BATCH), tokens=sum(map(tokens, texts)))

    async def close(self) -> None:
        """End all connections."""
        await self._endpoint.close()

    async def _embedded(self, texts: Sequence[str]) -> list[list[float]]:
        found: list[list[float]] = []
        for start in range(0, len(texts), BATCH):
            batch = texts[start : start + BATCH]
            body = {"model": self.identity.model, "input": list(batch), "encoding_format": "float"}
            answer = await self._endpoint.ask("/embeddings", body, sum(map(tokens, batch)))
            if isinstance(answer, Failed):
                raise ConnectionFailed(f"no vectors from {self.identity.title}: {answer.message}")
            found += _vectors(answer, len(batch))
        if len({len(each) for each in found}) > 1:
            raise ConnectionFailed("the vectors are of different lengths", hint="name one model")
        return found


def _texts(document: Document) -> Iterator[str]:
    whole = f"{document.name}: {document.description}"
    yield whole[:CHARACTERS]
    sentences = [each.strip() for each in _SENTENCES.split(document.description) if each.strip()]
    if len(sentences) > 1:
        yield from (each[:CHARACTERS] for each in sentences[:SENTENCES])


def _vectors(answer: Any, wanted: int) -> list[list[float]]:
    try:
        rows = sorted(answer["data"], key=lambda each: each["index"])
        found = [[float(number) for number in each["embedding"]] for each in rows]
    except (KeyError, TypeError, ValueError):
        raise ConnectionFailed("the answer of /embeddings has not the form of the protocol") from None
    finite = all(math.isfinite(number) for each in found for number in each)
    if len(found) != wanted or not finite or not all(found):
        raise ConnectionFailed(f"{wanted} vectors were asked for, and other things came")
    return found
