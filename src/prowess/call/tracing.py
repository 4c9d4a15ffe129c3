"""Trace ids (W3C Trace Context): one id under which choice, call and outgoing request are read as one story.

An incoming `traceparent` is continued, otherwise a trace begins here. The current one travels in a
context variable, so that a unit's own requests find it without being told. Spans are `spans.py`.
"""

from __future__ import annotations

import re
import secrets
from contextvars import ContextVar
from dataclasses import dataclass

_PARENT = re.compile(
    r"(?!ff)[0-9a-f]{2}-(?P<trace>[0-9a-f]{32})-(?P<span>[0-9a-f]{16})-(?P<flags>[0-9a-f]{2})(?:-.*)?"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Trace:
    """Where one step stands: the trace, its own span, the span above, and the call it belongs to."""

    trace_id: str
    span_id: str
    parent_id: str = ""
    flags: str = "01"
    call: str = ""

    @property
    def traceparent(self) -> str:
        """The header that hands this step on."""
        return f"00-{self.trace_id}-{self.span_id}-{self.flags}"


current: ContextVar[Trace | None] = ContextVar("prowess_trace", default=None)


def parent(traceparent: str | None) -> Trace | None:
    """The step that a `traceparent` names, or None for anything that is not one."""
    found = _PARENT.fullmatch(traceparent or "")
    if found is None or not int(found["trace"], 16) or not int(found["span"], 16):
        return None
    return Trace(trace_id=found["trace"], span_id=found["span"], flags=found["flags"])


def step(traceparent: str | None = None, *, call: str = "") -> Trace:
    """A new step below `traceparent`, below the current step, or at the start of a new trace."""
    above = parent(traceparent) or current.get()
    span = secrets.token_hex(8)
    if above is None:
        return Trace(trace_id=secrets.token_hex(16), span_id=span, call=call)
    return Trace(trace_id=above.trace_id, span_id=span, parent_id=above.span_id, flags=above.flags, call=call)
