"""From a raw tools/call result, an error or a fault to the Outcome that a model reads.

MCP 2026-07-28, "Calling Tools". The wire object is kept whole: a result that breaks its own output
schema, or holds a kind of content that nobody knows, is still the tool's answer.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from mcp.shared.exceptions import MCPError

from prowess.link.faults import Fault
from prowess.provider import Answered, InputRequired, Lost, Outcome, Refused, ToolFailed
from prowess.redact import printable


def outcome_of(result: Mapping[str, Any], *, asks_back: bool = False) -> Outcome:
    """The outcome that a raw result stands for; `asks_back` when there is a client to ask for more."""
    kind = result.get("resultType")
    if kind == "input_required":
        if asks_back:
            return InputRequired(wire=result)
        return ToolFailed(
            message="the tool asks for further input, which this client does not give", wire=result
        )
    if kind not in (None, "complete"):
        return ToolFailed(
            message=f"the tool answered with an unknown type of result: {printable(str(kind))}", wire=result
        )
    content, structured = result.get("content"), result.get("structuredContent")
    if result.get("isError") is True:
        return ToolFailed(message=_text(content) or printable(str(structured), 2_000), wire=result)
    value = structured if structured is not None else content
    # Even an empty result is the server's own, which no wire at all would not tell.
    return Answered(value=[] if value is None else value, wire=result or {"resultType": "complete"})


def _text(content: Any) -> str:
    blocks = content if isinstance(content, list) else []
    texts = [block.get("text") for block in blocks if isinstance(block, dict)]
    return "\n".join(text for text in texts if isinstance(text, str))


def outcome_of_error(error: MCPError) -> Outcome:
    """A JSON-RPC error: the server speaks, so the tool failed."""
    wire: dict[str, Any] = {"code": error.code, "message": error.message}
    if error.error.data is not None:
        wire["data"] = error.error.data
    return ToolFailed(message=f"{error.message} (error {error.code})", wire={"error": wire})


def outcome_of_fault(fault: Fault) -> Outcome:
    """A fault in between: what may have happened decides."""
    if fault.kind in ("unsendable", "unreachable", "auth", "forbidden", "origin", "session"):
        known = fault.kind == "unreachable"  # why it could not be reached is for people
        return Refused(reason=fault.reason, code=fault.kind if known else fault.code or fault.kind)
    if fault.http_status in (429, 503):  # the server says that it did not look at the call
        return ToolFailed(message=fault.reason, transient=True, retry_after=fault.retry_after)
    if fault.kind == "lost" or fault.http_status >= 500:
        return Lost(reason=fault.reason, retry_after=fault.retry_after)
    return ToolFailed(message=fault.reason)
