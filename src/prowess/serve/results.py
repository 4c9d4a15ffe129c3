"""From the Outcome of a call to the result that a client reads.

MCP 2026-07-28 and 2025-11-25, "Calling Tools": what a server sent is handed on whole; what one of our
own functions gave becomes content and structured content; what never reached a tool is a tool error,
because a model can correct itself from that and from a protocol error it cannot.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from prowess.call.running import CallResult, result_of
from prowess.errors import RequestFailed
from prowess.provider import Answered, InputRequired, Refused, ToolFailed
from prowess.serve.request import Era

REFUSED_META = "dev.prowess/refused"
INTERNAL_ERROR = -32603


def result_for(
    called: CallResult, tool: Mapping[str, Any], era: Era, *, relayed: bool = True
) -> dict[str, Any]:
    """The raw result of one call. Raises RequestFailed for a protocol error of the server's own.

    What is `relayed` is handed on even where it is no whole result; of ours it is made one.
    """
    outcome = called.outcome
    if isinstance(outcome, Answered) and not relayed and "content" not in outcome.wire:
        return _own(outcome.value, tool, era)
    if isinstance(outcome, Answered | InputRequired | ToolFailed) and outcome.wire:
        error = outcome.wire.get("error")
        # A result may have a member of that name too, but it has others that make it a failure.
        if isinstance(outcome, ToolFailed) and isinstance(error, Mapping) and len(outcome.wire) == 1:
            raise RequestFailed(
                str(error.get("message", "")),
                number=int(error.get("code", INTERNAL_ERROR)),
                data=error.get("data"),
            )
        return dict(outcome.wire)
    if isinstance(outcome, Answered):
        return _own(outcome.value, tool, era)
    result: dict[str, Any] = {"content": [_text(str(result_of(outcome)))], "isError": True}
    if isinstance(outcome, Refused):
        problems = [asdict(each) for each in outcome.problems]
        result["_meta"] = {
            REFUSED_META: {"code": outcome.code, **({"problems": problems} if problems else {})}
        }
    return result


def _own(value: Any, tool: Mapping[str, Any], era: Era) -> dict[str, Any]:
    """What a function of ours gave: text for the model, and the value itself where the era has room."""
    if _is_content(value):
        return {"content": value, "isError": False}
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)
    result: dict[str, Any] = {"content": [_text(text)], "isError": False}
    fits = isinstance(value, dict) or (era == "modern" and "outputSchema" in tool)
    return {**result, "structuredContent": value} if fits else result


def _is_content(value: Any) -> bool:
    return (
        isinstance(value, list)
        and bool(value)
        and all(isinstance(each, dict) and isinstance(each.get("type"), str) for each in value)
        and {each["type"] for each in value} <= {"text", "image", "audio", "resource", "resource_link"}
    )


def _text(text: str) -> dict[str, Any]:
    return {"type": "text", "text": text}
