"""One call on its way, and what comes of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any

from prowess.call.coercion import Coercion
from prowess.call.paging import Page
from prowess.call.recording import word
from prowess.call.resolving import Found
from prowess.call.spans import Step
from prowess.call.tracing import Trace
from prowess.provider import (
    Answered,
    Caller,
    InputRequired,
    Lost,
    Outcome,
    Peer,
    Problem,
    Refused,
    ToolFailed,
)
from prowess.store.remembered import OutcomeWord

if TYPE_CHECKING:
    from prowess.call.approvals import Approver


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What comes with a call that a client of an endpoint makes, beside the name and the arguments.

    `meta` and `further` are the request's `_meta` and its other members, as sent; `peer` is the client.
    A `whole` result is handed on in one piece whatever its size: the client divides it, not we.
    `approver` is who sits before this very call, and is asked in the place of the Host's own.
    """

    peer: Peer | None = None
    meta: Mapping[str, Any] = field(default_factory=dict)
    further: Mapping[str, Any] = field(default_factory=dict)
    whole: bool = False
    approver: Approver | None = None


ALONE = Asked()


@dataclass(slots=True, kw_only=True)
class Running:
    """A call that has begun; the steps of the path write into it what they find."""

    id: str
    found: Found
    caller: Caller
    seconds: float
    step: Step
    started: float
    began: float
    skill: str = ""
    arguments: dict[str, Any] = field(default_factory=dict)
    argument_bytes: int = 0
    result_bytes: int = 0
    attempts: int = 0
    sent: bool = False
    ended: bool = False
    coercions: tuple[Coercion, ...] = ()
    notes: list[str] = field(default_factory=list)
    page: Page | None = None
    whole: bool = False
    approver: Approver | None = None
    peer: Peer | None = None
    meta: Mapping[str, Any] = field(default_factory=dict)
    further: Mapping[str, Any] = field(default_factory=dict)

    @property
    def trace(self) -> Trace:
        """Where the call stands in its trace."""
        return self.step.trace


@dataclass(frozen=True, slots=True, kw_only=True)
class CallResult:
    """How a call ended. `record` is the id of its record; `page` says how to read on, if there is more."""

    outcome: Outcome
    record: str
    attempts: int = 0
    coercions: tuple[Coercion, ...] = ()
    notes: tuple[str, ...] = ()
    page: Page | None = None

    @property
    def word(self) -> OutcomeWord:
        """The outcome in one word: answered, tool-failed, input-required, timed-out, lost, refused."""
        return word(self.outcome)

    @property
    def problems(self) -> tuple[Problem, ...]:
        """What was wrong with the arguments, if that is why the call was refused."""
        return self.outcome.problems if isinstance(self.outcome, Refused) else ()

    def to_json(self) -> dict[str, Any]:
        """What `prowess call --json` prints."""
        shown: dict[str, Any] = {
            "outcome": self.word,
            "result": result_of(self.outcome),
            "problems": [asdict(each) for each in self.problems],
            "attempts": self.attempts,
            "record": self.record,
        }
        if isinstance(self.outcome, Refused):
            shown["code"] = self.outcome.code
        if self.coercions:
            shown["coercions"] = [asdict(each) for each in self.coercions]
        if self.notes:
            shown["notes"] = list(self.notes)
        if self.page is not None:
            shown["page"] = {"part": self.page.part, "parts": self.page.parts, "next": self.page.handle}
        return shown


def result_of(outcome: Outcome) -> Any:
    """What a model reads of an outcome: the value, or the sentence that says why there is none."""
    match outcome:
        case Answered():
            return outcome.value
        case ToolFailed():
            return outcome.message
        case Refused() | Lost():
            return outcome.reason
        case InputRequired():
            return "the tool asks for more before it answers"
        case _:
            return f"no answer within {outcome.seconds:g} seconds; the tool may or may not have acted"


def interrupted(running: Running) -> Outcome:
    """What a cancelled call ends with."""
    if running.sent:
        return Lost(reason="the caller gave up before the answer; the tool may or may not have acted")
    return Refused(code="cancelled", reason="the caller gave up before anything was sent")
