"""What a unit raises, as the outcome that a model reads: may the same call succeed later, and when."""

from __future__ import annotations

import sys
from typing import Any

from prowess.errors import ProwessError
from prowess.provider import Outcome, Refused, ToolFailed
from prowess.redact import printable
from prowess.units.running import Invalid

CODE_META = "dev.prowess/code"
_PASSING = frozenset({"credential-exhausted", "credential-unreachable"})
_LATER = frozenset({429, 502, 503, 504})
_CLIENTS = ("httpx2", "httpx")


def outcome_of(error: BaseException) -> Outcome:
    """One outcome for whatever was raised."""
    if isinstance(error, Invalid):
        return Refused(code=error.code, reason=error.message)
    if isinstance(error, ProwessError):
        return _ours(error)
    words = printable(str(error), 2_000)
    message = f"{type(error).__name__}: {words}" if words else type(error).__name__
    status, headers = _answer(error)
    if status is not None:
        return ToolFailed(message=message, transient=status in _LATER, retry_after=_seconds(headers))
    return ToolFailed(message=message, transient=isinstance(error, TimeoutError) or _unreachable(error))


def _ours(error: ProwessError) -> ToolFailed:
    """What its context refused it, or could not give; the code stands beside the words."""
    message = f"{error.message} ({error.hint})" if error.hint else error.message
    content = [{"type": "text", "text": message}]
    return ToolFailed(
        message=message,
        wire={"isError": True, "content": content, "_meta": {CODE_META: error.code}},
        transient=error.code in _PASSING or bool(getattr(error, "transient", False)),
        retry_after=getattr(error, "retry_after", None),
    )


def _answer(error: BaseException) -> tuple[int | None, Any]:
    """The status and headers of the HTTP answer that a unit gave up on."""
    for client in _modules():
        kind = getattr(client, "HTTPStatusError", None)
        if kind is not None and isinstance(error, kind):
            response: Any = getattr(error, "response", None)
            return response.status_code, response.headers
    return None, None


def _unreachable(error: BaseException) -> bool:
    kinds = (getattr(client, "TransportError", None) for client in _modules())
    return any(kind is not None and isinstance(error, kind) for kind in kinds)


def _modules() -> list[Any]:
    """The HTTP clients that are in use; one that was never imported raised nothing."""
    return [sys.modules[name] for name in _CLIENTS if name in sys.modules]


def _seconds(headers: Any) -> float | None:
    try:
        value = float(headers.get("retry-after", ""))
    except (TypeError, ValueError):
        return None
    return value if value >= 0 else None
