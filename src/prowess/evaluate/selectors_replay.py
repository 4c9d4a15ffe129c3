"""The selector `replay`, which plays a cassette, and the one that records another's answers on it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from prowess.choose.tokens import VERSION
from prowess.evaluate import selectors_command, selectors_model
from prowess.evaluate.selectors import (
    CONTROL,
    Candidates,
    Chosen,
    Estimate,
    Failed,
    Identity,
    Selection,
    Selector,
)
from prowess.evaluate.selectors_cassette import Cassette

# The words that each selector asks with now; answers to other words are stale.
TEMPLATES: Mapping[str, str] = {
    "openai-compatible": selectors_model.TEMPLATE,
    "anthropic": selectors_model.TEMPLATE,
    "command": selectors_command.TEMPLATE,
    "embed": f"terms-{VERSION}",
    "bm25": f"terms-{VERSION}",
}


class Replay:
    """Recorded answers; of the same kind as the selector that gave them, and nothing paid."""

    def __init__(self, cassette: Cassette, model: str = "") -> None:
        recorded = cassette.only(model)
        self._cassette = cassette
        self._recorded = replace(recorded, template=TEMPLATES.get(recorded.name, recorded.template))
        self.identity = replace(self._recorded, name="replay", origin=recorded.name)
        self.runs = cassette.runs(recorded)
        self._catalogue = ""
        self._ids: frozenset[str] = frozenset()

    async def begin(self, candidates: Candidates, utterances: Sequence[str]) -> None:
        """Note what the catalogue is now."""
        self._catalogue, self._ids = candidates.digest, frozenset(candidates.ids)

    async def select(self, utterance: str, run: int) -> Selection:
        """What was answered then; of this very catalogue it can only be a name that is in it."""
        answer = self._cassette.get(self._recorded, self._catalogue, utterance, run)
        if isinstance(answer, Chosen) and not answer.stale and not self._ids.issuperset(answer.ids):
            return Failed(code="unknown-name", message="the cassette names somebody who is not there")
        return answer

    def estimate(self, candidates: Candidates, utterances: Sequence[str]) -> Estimate:
        """Nothing."""
        return Estimate()

    async def close(self) -> None:
        """Nothing was begun."""


class Recording:
    """Another selector, whose answers go on a cassette; to everybody else it is that one."""

    def __init__(self, selector: Selector, cassette: Cassette) -> None:
        self._selector = selector
        self._cassette = cassette
        self._catalogue = ""

    @property
    def identity(self) -> Identity:
        """The other's."""
        return self._selector.identity

    async def begin(self, candidates: Candidates, utterances: Sequence[str]) -> None:
        """Begin with the other."""
        self._catalogue = candidates.digest
        await self._selector.begin(candidates, utterances)

    async def select(self, utterance: str, run: int) -> Selection:
        """Ask the other, and keep its answer if it is one."""
        answer = await self._selector.select(utterance, run)
        if isinstance(answer, Chosen) and run != CONTROL:
            self._cassette.put(self.identity, self._catalogue, utterance, run, answer)
        return answer

    def estimate(self, candidates: Candidates, utterances: Sequence[str]) -> Estimate:
        """The other's."""
        return self._selector.estimate(candidates, utterances)

    async def close(self) -> None:
        """Close the other."""
        await self._selector.close()
