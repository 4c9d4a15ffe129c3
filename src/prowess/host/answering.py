"""What a Host answers a server that asks back while it works on a call.

MCP 2026-07-28, multi round-trip requests: the call ends with questions, and is made again with the
answers and the server's own state, unread. MCP 2025-11-25: the server asks in the middle of the call,
on a session of this Host's own. Either way the questions come to the same two functions, and only what
is given here is declared. Which server asks is always said: a person has to know whom they answer.
"""

from __future__ import annotations

import secrets
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace
from typing import Any

from prowess.call.running import Asked, CallResult
from prowess.capability.offer import Offer
from prowess.errors import ProwessError, RequestFailed
from prowess.provider import InputRequired, Outcome, ToolFailed
from prowess.redact import printable

ROUNDS_MAX = 16
STATELESS = "2026-07-28"  # the first revision without sessions
METHOD_NOT_FOUND, INVALID_PARAMS = -32601, -32602

Elicit = Callable[[str, Mapping[str, Any]], Awaitable[Mapping[str, Any] | None]]
Sample = Callable[[str, Mapping[str, Any]], Awaitable[Mapping[str, Any]]]


class Answers:
    """The answers of one Host.

    `elicit` gets the server's label and the params of an `elicitation/create`, and gives the content of
    the form, or None for a refusal; what it leaves out gets the form's own default. `sample` gets those of
    a `sampling/createMessage` and gives its whole result.
    """

    def __init__(self, *, elicit: Elicit | None = None, sample: Sample | None = None) -> None:
        self._elicit = elicit
        self._sample = sample
        self._session = f"host-{secrets.token_hex(8)}"

    @property
    def capabilities(self) -> dict[str, Any]:
        """What is declared to servers."""
        found: dict[str, Any] = {}
        if self._elicit is not None:
            found["elicitation"] = {"form": {}}
        if self._sample is not None:
            found["sampling"] = {}
        return found

    async def in_rounds(self, offer: Offer, call: Callable[[Asked], Awaitable[CallResult]]) -> CallResult:
        """Make a call of the server of `offer`, again with the answers as often as it asks back."""
        peer = Answering(self, offer)
        result = await call(Asked(peer=peer))
        for _ in range(ROUNDS_MAX):
            outcome = result.outcome
            if not isinstance(outcome, InputRequired):
                return result
            try:
                further = await peer.answers(outcome.wire)
            except ProwessError as error:
                return replace(result, outcome=_failed(error.message, outcome))
            result = await call(Asked(peer=peer, further=further))
        if isinstance(result.outcome, InputRequired):
            words = f"the tool asked back more than {ROUNDS_MAX} times"
            return replace(result, outcome=_failed(words, result.outcome))
        return result

    async def answer(self, server: str, method: str, params: Mapping[str, Any]) -> Mapping[str, Any]:
        """The result of one question. Raises RequestFailed for what is not answered here."""
        if method == "elicitation/create" and self._elicit is not None:
            if params.get("mode", "form") != "form":
                raise RequestFailed("only a form can be filled in here", number=INVALID_PARAMS)
            content = await self._elicit(server, params)
            if content is None:
                return {"action": "decline"}
            return {"action": "accept", "content": with_defaults(params.get("requestedSchema"), content)}
        if method == "sampling/createMessage" and self._sample is not None:
            return await self._sample(server, params)
        raise RequestFailed(f"this client does not answer {printable(method, 80)}", number=METHOD_NOT_FOUND)


class Answering:
    """The Peer of one call: the Host itself, as its server gets to know it."""

    def __init__(self, answers: Answers, offer: Offer) -> None:
        self._answers = answers
        self._offer = offer

    @property
    def session(self) -> str:
        """The session of this Host; empty for a server that keeps none."""
        return "" if (self._offer.protocol or "") >= STATELESS else self._answers._session

    @property
    def capabilities(self) -> Mapping[str, Any]:
        """What can be asked."""
        return self._answers.capabilities

    @property
    def wants_progress(self) -> bool:
        """Nobody here listens to it."""
        return False

    async def progress(self, params: Mapping[str, Any]) -> None:
        """Nobody hears it."""

    async def notify(self, method: str, params: Mapping[str, Any]) -> None:
        """Nobody hears it."""

    async def ask(self, method: str, params: Mapping[str, Any]) -> Mapping[str, Any]:
        """The answer to a question in the middle of a call. Raises RequestFailed."""
        return await self._answers.answer(self._offer.id, method, params)

    async def answers(self, wire: Mapping[str, Any]) -> dict[str, Any]:
        """What a call that ended with questions is made again with. Raises RequestFailed."""
        questions = wire.get("inputRequests")
        further: dict[str, Any] = {}
        if isinstance(questions, Mapping):
            further["inputResponses"] = {key: await self._one(each) for key, each in questions.items()}
        if "requestState" in wire:
            further["requestState"] = wire["requestState"]
        return further

    async def _one(self, question: Any) -> dict[str, Any]:
        if not isinstance(question, Mapping) or not isinstance(question.get("method"), str):
            raise RequestFailed("the server asked back in a form that is not known", number=INVALID_PARAMS)
        params = question.get("params")
        return dict(await self.ask(question["method"], params if isinstance(params, Mapping) else {}))


def with_defaults(schema: Any, content: Mapping[str, Any]) -> dict[str, Any]:
    """`content` with the default of each field of a form that it leaves out."""
    properties = schema.get("properties") if isinstance(schema, Mapping) else None
    fields = properties if isinstance(properties, Mapping) else {}
    defaults = {
        name: each["default"]
        for name, each in fields.items()
        if isinstance(each, Mapping) and "default" in each
    }
    return {**defaults, **content}


def _failed(words: str, outcome: InputRequired) -> Outcome:
    return ToolFailed(message=f"the tool asked back, and got no answer: {words}", wire=outcome.wire)
