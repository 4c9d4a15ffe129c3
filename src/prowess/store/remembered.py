"""The values that are remembered: pins, requests for approval, records of what was done.

Pure dataclasses, so that the call path makes them, the store keeps them and neither knows the other.
Whatever is secret has been taken out before one of these is made.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from prowess.provider import Caller

OutcomeWord = Literal["answered", "tool-failed", "input-required", "timed-out", "lost", "refused"]
# The code of a `lost` call that was sent and has not come to its end, or whose process was killed before.
UNFINISHED = "unfinished"


@dataclass(frozen=True, slots=True, kw_only=True)
class Pin:
    """What one tool was when it was seen first, or last approved. `scope` tells packages apart."""

    scope: str
    server: str
    tool: str
    digest: str
    definition: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class ApprovalRequest:
    """What somebody is asked. `arguments` are redacted; `digest` is what an answer is bound to.

    `asked` and `expires` are seconds since 1970. `question` is put to somebody who is there and is not
    kept; where it is empty, a call is meant.
    """

    digest: str
    tool: str
    server: str
    arguments: Mapping[str, Any] = field(default_factory=dict)
    caller: Caller = field(default_factory=Caller)
    reason: str = ""
    question: str = field(default="", compare=False)
    asked: float = 0.0
    expires: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class CallRecord:
    """One call. `started` is in seconds since 1970, sizes are bytes of JSON.

    `code` is a refusal's, or UNFINISHED.
    """

    id: str
    tool: str
    server: str
    version: str
    outcome: OutcomeWord
    code: str
    attempts: int
    duration_ms: float
    argument_bytes: int
    result_bytes: int
    principal: str
    conversation: str
    skill: str
    trace_id: str
    started: float


@dataclass(frozen=True, slots=True, kw_only=True)
class DecisionRecord:
    """One choice: what was asked (redacted), what was shown, what was chosen, which calls followed."""

    id: str
    trace_id: str
    utterance: str
    shown: tuple[str, ...]
    chosen: str
    calls: tuple[str, ...] = ()
    principal: str = ""
    conversation: str = ""
    started: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class RequestRecord:
    """One outgoing API request of a unit: method, URL without query, status (0 without an answer)."""

    id: str
    trace_id: str
    call: str
    method: str
    url: str
    status: int
    duration_ms: float
    started: float


@dataclass(frozen=True, slots=True, kw_only=True)
class RolloutChange:
    """One change of who gets which version of a unit, as it was afterwards.

    `place` is the file that says it, `who` made the change (a person, or `guard`), `evidence` is
    what a guard rail saw. `at` is in seconds since 1970.
    """

    place: str
    unit: str
    action: str
    stable: str
    canary: str
    percent: float
    who: str
    reason: str
    evidence: Mapping[str, Any] = field(default_factory=dict)
    at: float = 0.0


Record = CallRecord | DecisionRecord | RequestRecord
