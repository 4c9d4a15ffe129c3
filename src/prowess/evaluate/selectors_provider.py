"""The selectors `openai-compatible` and `anthropic`: a model asked over HTTP for one forced choice."""

from __future__ import annotations

from collections.abc import Sequence

from prowess.choose.estimate import tokens
from prowess.evaluate.selectors import Candidates, Estimate, Failed, Identity, Selection
from prowess.evaluate.selectors_http import Endpoint, Key, leads_here
from prowess.evaluate.selectors_model import (
    ANSWER_TOKENS,
    TEMPLATE,
    VERSION,
    Protocol,
    insist_on_none,
    request,
    selection,
    system,
    used,
)

URLS: dict[Protocol, str] = {
    "openai-compatible": "https://api.openai.com/v1",
    "anthropic": "https://api.anthropic.com",
}
KEYS: dict[Protocol, str] = {"openai-compatible": "OPENAI_API_KEY", "anthropic": "ANTHROPIC_API_KEY"}
_PATHS: dict[Protocol, str] = {"openai-compatible": "/chat/completions", "anthropic": "/v1/messages"}
_AROUND = 200  # tokens of a request beside the catalogue and the names


def key_for(protocol: Protocol, url: str | None, name: str | None) -> Key:
    """The key for `url`, where None is the provider's own; `name` is the variable that holds it.

    A key goes to whom it is meant for: the provider, this machine, or where the user names it. Raises
    UsageError where it is named, or the provider needs it, and is not there.
    """
    needed = bool(name or not url)
    if needed or leads_here(url or ""):
        return Key.of(name or KEYS[protocol], needed=needed)
    return Key()


def headers(protocol: Protocol, key: Key) -> dict[str, str]:
    """What a provider wants to see of the key."""
    if protocol == "anthropic":
        return {"x-api-key": key.value, "anthropic-version": VERSION} if key.value else {}
    return {"authorization": f"Bearer {key.value}"} if key.value else {}


class Model:
    """A model that is shown the whole catalogue and says which it would use, or none."""

    def __init__(self, protocol: Protocol, model: str, endpoint: Endpoint) -> None:
        self.identity = Identity(name=protocol, kind="choice", model=model, template=TEMPLATE, paid=True)
        self._protocol = protocol
        self._endpoint = endpoint
        self._candidates = Candidates(documents=(), entries=(), definitions={})
        self._around = 0

    async def begin(self, candidates: Candidates, utterances: Sequence[str]) -> None:
        """Nothing is asked yet. Raises UsageError where the word for nobody is somebody's name."""
        insist_on_none(candidates)
        self._weigh(candidates)

    async def select(self, utterance: str, run: int) -> Selection:
        """One request, and retries where they help."""
        price = self._price(utterance)
        body = request(self._protocol, self.identity.model, self._candidates, utterance)
        answer = await self._endpoint.ask(_PATHS[self._protocol], body, price)
        if isinstance(answer, Failed):
            return answer
        self._endpoint.settle(price, used(self._protocol, answer))
        return selection(self._protocol, answer, self._candidates)

    def estimate(self, candidates: Candidates, utterances: Sequence[str]) -> Estimate:
        """A request each: the prompt, and the most that an answer may take."""
        self._weigh(candidates)
        return Estimate(calls=len(utterances), tokens=sum(map(self._price, utterances)))

    async def close(self) -> None:
        """End all connections."""
        await self._endpoint.close()

    def _weigh(self, candidates: Candidates) -> None:
        names = sum(map(tokens, candidates.ids))
        self._candidates = candidates
        self._around = tokens(system(candidates)) + names + _AROUND + ANSWER_TOKENS

    def _price(self, utterance: str) -> int:
        return self._around + tokens(utterance)
