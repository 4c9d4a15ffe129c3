"""A result looked at before it is handed on: held against its schema, redacted, divided into pages.

A result that does not fit its `outputSchema` is kept and the difference noted: the tool did act, and
what it said is all there is (MCP 2026-07-28, tools, output schema).
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from math import isfinite
from typing import Any, TypeVar

from prowess.call.limits import Limits
from prowess.call.paging import Page, Pages, divided, size_of
from prowess.call.policy import Policy
from prowess.call.redaction import MAX_DEPTH, Free, Redact, keep, never, redacted
from prowess.call.running import Running
from prowess.call.schemas import Schemas
from prowess.call.validation import problems
from prowess.capability.canonical import MAX_INTEGER_BITS
from prowess.provider import Answered, InputRequired, Lost, Outcome, Refused, ToolFailed

# A result over this is not judged by its schema: the judging would cost more than it tells.
MAX_JUDGED_BYTES = 5_000_000
MAX_NOTES = 5

Cleanable = TypeVar("Cleanable", Answered, ToolFailed, InputRequired)


class Results:
    """The last steps of a call before its record."""

    def __init__(
        self,
        limits: Limits,
        policy: Policy,
        pages: Pages,
        schemas: Schemas,
        *,
        redact: Redact,
        secrets: Redact,
        free: Free = never,
    ) -> None:
        self._limits = limits
        self._policy = policy
        self._pages = pages
        self._schemas = schemas
        self._redact = redact
        self._secrets = secrets
        self._free = free

    def finished(self, running: Running, outcome: Outcome) -> Outcome:
        """The outcome as it is recorded and handed on."""
        match outcome:
            case Answered():
                outcome = _measured(running, outcome)
                self._judge(running, outcome)
                return self._paged(running, self._clean(running, outcome))
            case ToolFailed():
                running.result_bytes = size_of(outcome.message)
                return self._paged(running, self._clean(running, outcome))
            case InputRequired():
                running.result_bytes = size_of(outcome.wire)
                return self._clean(running, outcome)
            case Refused() | Lost():
                return replace(outcome, reason=self._secrets(self._redact(outcome.reason)))
            case _:
                return outcome

    def _judge(self, running: Running, outcome: Answered) -> None:
        schema = running.found.tool.wire.get("outputSchema")
        if schema is None:
            return
        if "content" in outcome.wire and "structuredContent" not in outcome.wire:
            running.notes.append("the tool declares an outputSchema and answered without structured content")
        elif running.result_bytes > MAX_JUDGED_BYTES:
            running.notes.append("the result is too large to be held against the tool's outputSchema")
        else:
            found = problems(schema, outcome.value, redact=self._redact, schemas=self._schemas)
            if found:
                told = "; ".join(each.hint.removesuffix("; nothing was sent") for each in found[:MAX_NOTES])
                running.notes.append(f"the result does not fit the tool's outputSchema: {told}")

    def _clean(self, running: Running, outcome: Cleanable) -> Cleanable:
        """Injected credentials never come back; everything else only where the policy wants it."""
        full = self._policy.redacts(running.found.tool)
        if not full and (self._secrets is keep or self._untouched(outcome)):
            return outcome
        hide: Redact = (lambda text: self._secrets(self._redact(text))) if full else self._secrets
        wire = redacted(outcome.wire, hide, names=full)
        if isinstance(outcome, InputRequired):
            return replace(outcome, wire=wire)
        if isinstance(outcome, Answered):
            return replace(outcome, value=redacted(outcome.value, hide, names=full), wire=wire)
        return replace(outcome, message=hide(outcome.message), wire=wire)

    def _untouched(self, outcome: Answered | ToolFailed | InputRequired) -> bool:
        """Whether nothing of it has to be hidden, for certain."""
        if isinstance(outcome, InputRequired):
            return self._free(outcome.wire)
        beside = outcome.value if isinstance(outcome, Answered) else outcome.message
        within = any(beside is outcome.wire.get(name) for name in ("structuredContent", "content"))
        return self._free(outcome.wire) and (within or self._free(beside))

    def _paged(self, running: Running, outcome: Answered | ToolFailed) -> Answered | ToolFailed:
        if running.whole:
            return outcome
        limit = self._limits.result_bytes_of(running.found.tool)
        value = outcome.value if isinstance(outcome, Answered) else outcome.message
        parts = divided(value, limit)
        beside = _beside(outcome, limit)
        if len(parts) + len(beside) == 1 and not _over(outcome, limit):
            return outcome
        if len(parts) + len(beside) > 1:
            running.page = self._pages.first([*parts, *beside], running.caller)
            running.notes.append(_how_to_read_on(running.page, running.result_bytes))
        wire = _wire_of(outcome, parts[0])
        if isinstance(outcome, Answered):
            return replace(outcome, value=parts[0], wire=wire)
        return replace(outcome, message=parts[0], wire=wire)


def _measured(running: Running, outcome: Answered) -> Answered:
    """The outcome, its size noted; numbers that JSON does not have give way to null, as in JavaScript.

    Parsers let them pass and Python computes them; whoever reads the result as JSON would lose it all.
    """
    try:
        running.result_bytes = size_of(outcome.value, strictly=True)
    except ValueError:
        outcome = replace(outcome, value=_countable(outcome.value), wire=_countable(outcome.wire))
        running.result_bytes = size_of(outcome.value)
        running.notes.append("the result held numbers that JSON does not have; null stands in their place")
    return outcome


def _countable(value: Any, depth: int = MAX_DEPTH) -> Any:
    if isinstance(value, Mapping) and depth:
        return {key: _countable(each, depth - 1) for key, each in value.items()}
    if isinstance(value, list | tuple) and depth:
        return [_countable(each, depth - 1) for each in value]
    if isinstance(value, float):
        return value if isfinite(value) else None
    return None if isinstance(value, int) and value.bit_length() > MAX_INTEGER_BITS else value


def _how_to_read_on(page: Page, size: int) -> str:
    return f"the result has {size} bytes: this is part 1 of {page.parts}, read on with its handle"


def _over(outcome: Answered | ToolFailed, limit: int) -> bool:
    """Whether the wire object holds more than the value that was measured."""
    content = outcome.wire.get("content")
    has_own_value = isinstance(outcome, ToolFailed) or "structuredContent" in outcome.wire
    return has_own_value and content is not None and size_of(content) > limit


def _beside(outcome: Answered | ToolFailed, limit: int) -> list[Any]:
    """Content that comes beside structured content, is too large, and says something else: read after it."""
    content = outcome.wire.get("content")
    if not _over(outcome, limit) or _same(outcome, content):
        return []
    return [{"content": part} for part in divided(content, limit)]


def _same(outcome: Answered | ToolFailed, content: Any) -> bool:
    """Whether the content is only the text of the value."""
    if not (isinstance(content, list) and len(content) == 1 and isinstance(content[0], Mapping)):
        return False
    text = content[0].get("text")
    if isinstance(outcome, ToolFailed):
        return bool(text == outcome.message)
    try:
        return bool(isinstance(text, str) and json.loads(text) == outcome.value)
    except (ValueError, RecursionError):
        return False


def _wire_of(outcome: Answered | ToolFailed, part: Any) -> Mapping[str, Any]:
    """The wire object of a first part: what a relay may hand on instead of the whole."""
    if not outcome.wire:
        return outcome.wire
    wire = {key: value for key, value in outcome.wire.items() if key not in ("content", "structuredContent")}
    if isinstance(outcome, Answered) and "structuredContent" not in outcome.wire:
        return {**wire, "content": part}
    text = part if isinstance(part, str) else json.dumps(part, ensure_ascii=False, default=str)
    content = {"content": [{"type": "text", "text": text}]}
    return (
        {**wire, **content, "structuredContent": part}
        if isinstance(outcome, Answered)
        else {**wire, **content}
    )
