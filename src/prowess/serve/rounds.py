"""A server of the newer era that asks back, in front of a client of the older one.

MCP 2026-07-28, multi round-trip requests: a newer client gets the `input_required` result itself. An
older client is asked each question in turn over its session (sampling, elicitation, roots), and the
server gets the answers, until it answers for good.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace
from typing import Any

from prowess.errors import RequestFailed
from prowess.serve.request import Request

ROUNDS_MAX = 16
INTERNAL_ERROR = -32603


async def answered_in_rounds(
    request: Request, ask: Callable[[Request], Awaitable[dict[str, Any]]]
) -> dict[str, Any]:
    """The result of `ask`; for an older client the last one, after its questions were answered."""
    result = await ask(request)
    if request.era == "modern":
        return result
    for _ in range(ROUNDS_MAX):
        if result.get("resultType") != "input_required":
            return result
        result = await ask(replace(request, params={**request.params, **await _answers(request, result)}))
    raise RequestFailed(f"the server asked back more than {ROUNDS_MAX} times", number=INTERNAL_ERROR)


async def _answers(request: Request, result: Mapping[str, Any]) -> dict[str, Any]:
    questions = result.get("inputRequests")
    answers: dict[str, Any] = {}
    for key, question in (questions if isinstance(questions, Mapping) else {}).items():
        if not isinstance(question, Mapping) or not isinstance(question.get("method"), str):
            raise RequestFailed("the server asked back in a form that is not known", number=INTERNAL_ERROR)
        params = question.get("params")
        answers[key] = dict(
            await request.peer.ask(question["method"], params if isinstance(params, Mapping) else {})
        )
    further: dict[str, Any] = {"inputResponses": answers}
    return {**further, "requestState": result["requestState"]} if "requestState" in result else further
