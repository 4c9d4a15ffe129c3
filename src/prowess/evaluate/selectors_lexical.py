"""The selector `bm25`: the ranking by which capabilities are shortlisted, asked as it is at run time."""

from __future__ import annotations

from collections.abc import Sequence

from prowess.choose.ranking import Index
from prowess.choose.tokens import VERSION
from prowess.evaluate.selectors import Candidates, Chosen, Estimate, Identity, Selection

MOST = 1_000  # ranked; a budget of tokens never holds as many


class Lexical:
    """BM25 over the fields of documents. Exact for our own shortlist, no stand-in for a model.

    `most` are the ranks that are told; whoever looks at the first few alone is answered sooner.
    """

    def __init__(self, most: int = MOST) -> None:
        self._most = most
        self.identity = Identity(
            name="bm25", kind="shortlist", template=f"terms-{VERSION}", deterministic=True
        )
        self._index = Index()

    async def begin(self, candidates: Candidates, utterances: Sequence[str]) -> None:
        """Index the documents."""
        self._index = Index.of(candidates.documents)

    async def select(self, utterance: str, run: int) -> Selection:
        """The ranking; nobody where nothing clears the floor."""
        return Chosen(ids=self._index.rank(utterance, limit=self._most).ids)

    def estimate(self, candidates: Candidates, utterances: Sequence[str]) -> Estimate:
        """Nothing."""
        return Estimate()

    async def close(self) -> None:
        """Nothing was begun."""
