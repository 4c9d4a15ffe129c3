"""What a model is asked, and how its answer is read: one forced choice among names and `none`. Pure.

The catalogue stands in the system prompt as it does at run time; the utterance is the whole of the
user's message; the model has to call one tool whose only argument is an enumeration of the names. What
cases expect, and negatives of any kind, are in none of it. Two protocols: OpenAI's chat completions,
which many servers speak, and Anthropic's messages.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Literal

from prowess.errors import UsageError
from prowess.evaluate.selectors import NONE, Candidates, Chosen, Failed, Selection, digest
from prowess.redact import printable

Protocol = Literal["openai-compatible", "anthropic"]
ANSWER_TOKENS = 1_024  # that an answer may take; a name takes a few, thinking takes the rest
VERSION = "2023-06-01"  # of Anthropic's protocol

TOOL = "choose_capability"
ABOUT = "Say which capability you use for the user's message, or none."
SYSTEM = (
    "You are an assistant with the capabilities below. Decide which one of them you would use for the user's "
    f"message. If none of them fits, the answer is {NONE}. Answer by calling {TOOL} once."
)
TEMPLATE = digest("\n".join((SYSTEM, TOOL, ABOUT, NONE)))


def system(candidates: Candidates) -> str:
    """The system prompt."""
    return f"{SYSTEM}\n\n{candidates.text}"


def insist_on_none(candidates: Candidates) -> None:
    """Raises UsageError where a capability has the name that means nobody."""
    if NONE in candidates.ids:
        raise UsageError(f"something here is called {NONE}, which means that nothing is chosen")


def request(protocol: Protocol, model: str, candidates: Candidates, utterance: str) -> dict[str, Any]:
    """The body of a request."""
    schema = {
        "type": "object",
        "properties": {"name": {"type": "string", "enum": [*candidates.ids, NONE]}},
        "required": ["name"],
        "additionalProperties": False,
    }
    said = {"role": "user", "content": utterance}
    if protocol == "anthropic":
        return {
            "model": model,
            "max_tokens": ANSWER_TOKENS,
            "system": system(candidates),
            "messages": [said],
            "tools": [{"name": TOOL, "description": ABOUT, "input_schema": schema}],
            "tool_choice": {"type": "tool", "name": TOOL},
        }
    tool = {"name": TOOL, "description": ABOUT, "parameters": schema}
    return {
        "model": model,
        "max_completion_tokens": ANSWER_TOKENS,
        "messages": [{"role": "system", "content": system(candidates)}, said],
        "tools": [{"type": "function", "function": tool}],
        "tool_choice": {"type": "function", "function": {"name": TOOL}},
    }


def selection(protocol: Protocol, answer: Any, candidates: Candidates) -> Selection:
    """What an answer chose. One that calls no tool, another or several is malformed: no answer at all."""
    calls = _anthropic_calls(answer) if protocol == "anthropic" else _openai_calls(answer)
    if calls is None:
        return Failed(code="malformed", message="the answer has not the form of the protocol")
    if len(calls) != 1 or calls[0][0] != TOOL:
        told = f"the model called {len(calls)} tools" if len(calls) != 1 else "the model called another tool"
        return Failed(code="malformed", message=f"{told}, where one choice was asked for")
    return chosen(calls[0][1].get("name"), candidates, used(protocol, answer))


def chosen(name: Any, candidates: Candidates, tokens: int = 0) -> Selection:
    """The selection that a name is; one that is not in the catalogue is a failure."""
    if not isinstance(name, str):
        return Failed(code="malformed", message="the answer holds no name")
    if name == NONE:
        return Chosen(tokens=tokens)
    if name not in candidates.ids:
        return Failed(code="unknown-name", message=f"nothing is called {printable(name, 80)}")
    return Chosen(ids=(name,), tokens=tokens)


def used(protocol: Protocol, answer: Any) -> int:
    """The tokens that an answer says it took; 0 where it does not say."""
    usage = answer.get("usage") if isinstance(answer, Mapping) else None
    names = ("input_tokens", "output_tokens") if protocol == "anthropic" else ("total_tokens",)
    if not isinstance(usage, Mapping):
        return 0
    counts = [usage.get(name) for name in names]
    return sum(each for each in counts if isinstance(each, int) and not isinstance(each, bool) and each > 0)


Calls = list[tuple[str, Mapping[str, Any]]]


def _openai_calls(answer: Any) -> Calls | None:
    try:
        calls = answer["choices"][0]["message"].get("tool_calls") or []
        found = [(each["function"]["name"], json.loads(each["function"]["arguments"])) for each in calls]
    except (KeyError, IndexError, TypeError, AttributeError, ValueError, RecursionError):
        return None
    return _with_objects(found)


def _anthropic_calls(answer: Any) -> Calls | None:
    try:
        found = [(each["name"], each["input"]) for each in answer["content"] if each["type"] == "tool_use"]
    except (KeyError, TypeError):
        return None
    return _with_objects(found)


def _with_objects(calls: list[tuple[Any, Any]]) -> Calls | None:
    good = all(isinstance(name, str) and isinstance(given, Mapping) for name, given in calls)
    return calls if good else None
