"""From an outcome or an error to a problem document and its status (RFC 9457, RFC 9110 section 15).

A status says who can do something about it: 4xx whoever asked, 500 the skill, 502 and 503 a server
behind us. With 502 the tool may have acted, with 503 nothing was sent.
"""

from __future__ import annotations

import math
from dataclasses import asdict
from typing import Any

from prowess.call.running import CallResult, result_of
from prowess.errors import (
    Ambiguous,
    Conflict,
    ConnectionFailed,
    NotAllowed,
    NotFound,
    ProwessError,
    StoreFailed,
    UsageError,
)
from prowess.provider import Answered, Lost, Problem, Refused, TimedOut, ToolFailed

URN = "urn:prowess:problem:"

# What a refusal's code means to an HTTP client; the rest of them (a unit that does not load, a schema
# that cannot judge) are faults of the skill's own.
_OF_REFUSALS = {
    "invalid-arguments": 400,
    "denied": 403,
    "approval-needed": 403,
    "approval-denied": 403,
    "approval-timeout": 403,
    "not-found": 404,
    "tool-changed": 409,
    "key-reused": 409,
    "arguments-too-large": 413,
    "busy": 429,
    **dict.fromkeys(("auth", "forbidden", "origin"), 502),
    **dict.fromkeys(("credential-missing", "credential-rejected", "credential-forbidden"), 502),
    "credential-unapproved": 502,
    **dict.fromkeys(("unreachable", "session", "connection-failed", "refused", "not-open"), 503),
    **dict.fromkeys(("breaker-open", "cancelled", "credential-unreachable", "credential-exhausted"), 503),
    **dict.fromkeys(("pins-unreadable", "approvals-unavailable"), 503),
}
_OF_ERRORS = (
    (NotFound, 404),
    (NotAllowed, 403),
    (Ambiguous, 409),
    (Conflict, 409),
    (UsageError, 400),
    (ConnectionFailed, 503),
    (StoreFailed, 503),
)
# Seconds to say where a place in a line is waited for and nobody knows how long.
_SOON = 1.0


class HttpProblem(Exception):
    """No result: a status, a code, a sentence, and members of the document beside them."""

    def __init__(
        self, status: int, code: str, detail: str, *, retry_after: float | None = None, **members: Any
    ) -> None:
        super().__init__(detail)
        self.status = status
        self.code = code
        self.detail = detail
        self.retry_after = retry_after
        self.members = {name: each for name, each in members.items() if each}

    def document(self) -> dict[str, Any]:
        """The problem document."""
        title = self.code.replace("-", " ")
        return {
            "type": f"{URN}{self.code}",
            "title": title[:1].upper() + title[1:],
            "status": self.status,
            "detail": self.detail,
            "code": self.code,
            **self.members,
        }

    def headers(self) -> dict[str, str]:
        """`Retry-After`, in whole seconds, where it is known."""
        if self.retry_after is None or not math.isfinite(self.retry_after):
            return {}
        return {"Retry-After": str(max(1, math.ceil(self.retry_after)))}


def invalid(problems: list[dict[str, str]], code: str = "invalid-request") -> HttpProblem:
    """A request that is not as it has to be."""
    return HttpProblem(400, code, "; ".join(each["hint"] for each in problems), errors=problems)


def written(problems: tuple[Problem, ...], below: str = "") -> list[dict[str, str]]:
    """Problems with their places in the body, in which `below` is what they are about."""
    return [{**asdict(each), "path": below + each.path} for each in problems]


def of_error(error: ProwessError) -> HttpProblem:
    """An error of the caller's own, or one of ours."""
    status = next((status for kind, status in _OF_ERRORS if isinstance(error, kind)), 500)
    said = error.message if status == 500 else None
    return HttpProblem(status, error.code, error.message, hint=error.hint, error=said)


def of_result(result: CallResult) -> HttpProblem | None:
    """Why a call has no result, or None when it has one."""
    outcome, record = result.outcome, result.record
    said = str(result_of(outcome))
    match outcome:
        case Answered():
            return None
        case Refused():
            return _refused(outcome, record)
        case TimedOut():
            return HttpProblem(504, "timed-out", said, record=record)
        case Lost():
            return HttpProblem(502, "lost", said, record=record, retry_after=outcome.retry_after)
        case ToolFailed(transient=True):
            wait = outcome.retry_after
            return HttpProblem(503, "tool-failed", said, error=said, record=record, retry_after=wait)
        case _:
            return HttpProblem(500, result.word, said, error=said, record=record)


def _refused(outcome: Refused, record: str) -> HttpProblem:
    status = _OF_REFUSALS.get(outcome.code, 500)
    wait = _SOON if outcome.code == "busy" and outcome.retry_after is None else outcome.retry_after
    members: dict[str, Any] = {"record": record}
    if outcome.code == "invalid-arguments":
        members["errors"] = written(outcome.problems, "/params")
    if status == 500:
        members["error"] = outcome.reason
    return HttpProblem(status, outcome.code, outcome.reason, retry_after=wait, **members)
