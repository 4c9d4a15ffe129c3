"""Whether a call is made again, and when. Pure.

Only a tool that declares itself safe to repeat is tried again: `idempotentHint` or `readOnlyHint`
explicitly true (MCP 2026-07-28, ToolAnnotations; a unit that is idempotent says so the same way).
Nothing is assumed from a name. Of the outcomes, `Lost` is tried again, and a failure of the tool
that calls itself transient; a timeout is not, because the timeout is that of the whole call, and a
refusal is not, because it says what to do instead.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from prowess.capability.offer import Tool
from prowess.provider import Lost, Outcome, ToolFailed

WAITS = (1.0, 2.0)
JITTER = 0.25


def annotation(tool: Tool, name: str) -> bool | None:
    """An annotation of the tool as it was sent: true, false, or not said."""
    annotations = tool.wire.get("annotations")
    value: Any = annotations.get(name) if isinstance(annotations, Mapping) else None
    return value if isinstance(value, bool) else None


def idempotent(tool: Tool) -> bool:
    """Whether the tool says that a second time does no harm."""
    return annotation(tool, "readOnlyHint") is True or annotation(tool, "idempotentHint") is True


def may_repeat(outcome: Outcome) -> bool:
    """Whether this end of an attempt can be another the next time."""
    return isinstance(outcome, Lost) or (isinstance(outcome, ToolFailed) and outcome.transient)


def wait_before(attempt: int, outcome: Outcome, chance: float, max_retry_after: float) -> float | None:
    """Seconds before the attempt that follows number `attempt`; None when the server asks for too many.

    `chance` from 0 to 1 spreads callers by a quarter either way. Retry-After is a lower bound.
    """
    base = WAITS[min(attempt, len(WAITS)) - 1] * (1 - JITTER + 2 * JITTER * chance)
    asked = outcome.retry_after if isinstance(outcome, Lost | ToolFailed) else None
    if asked is None:
        return base
    return None if asked > max_retry_after else max(asked, base)
