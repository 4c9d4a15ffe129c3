"""What is kept of a run: the run itself, and one row for each step that began, waited or ended.

Values only; `records_runs` reads and writes them. What they hold was redacted before it came here.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from prowess.errors import UsageError

State = Literal["queued", "running", "waiting", "completed", "failed", "cancelled", "attention"]
"""`attention`: a step may have acted and nobody knows; a person says how to go on."""
OVER: tuple[State, ...] = ("completed", "failed", "cancelled", "attention")

LONGEST_QUESTION = 2_000  # characters of what a person is asked, who has to be shown all of it
StepState = Literal["started", "waiting", "completed", "failed", "skipped"]
Kind = Literal["call", "approval", "time", "event", "skip"]


_NUMBERS = "a number is finite and has at most some thousand digits; nothing is nested very deeply"


class NotJson(UsageError):
    """A value that no database of runs keeps."""

    code = "not-json"


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """One execution of a workflow.

    `definition` is `{"workflow": document, "others": {"name@asked": document}}`: what runs, whatever
    becomes of the files. `execution` counts how often it was put into a queue, `enqueued` is the last of
    them that the engine has taken. `owner` is who may write its steps, `executor` the worker of that
    owner. `news` grows with every approval, event and cancellation. Times are seconds since 1970.
    """

    run: str
    workflow: str
    version: str
    queue: str
    principal: str = "local"
    rollout_key: str = ""
    state: State = "queued"
    definition: Mapping[str, Any] = field(default_factory=dict)
    input: Mapping[str, Any] = field(default_factory=dict)
    output: Any = None
    error: Mapping[str, Any] | None = None
    created: float = 0.0
    started: float | None = None
    ended: float | None = None
    deadline: float | None = None
    wake: float | None = None
    executor: str = ""
    owner: str = ""
    execution: int = 1
    enqueued: int = 0
    asked: str = ""
    news: int = 0
    retry_of: str = ""

    @property
    def over(self) -> bool:
        """Whether nothing goes on by itself any more."""
        return self.state in OVER

    @property
    def title(self) -> str:
        """`book_flight@1.0.0`."""
        return f"{self.workflow}@{self.version}"


@dataclass(frozen=True, slots=True, kw_only=True)
class StepRow:
    """One step of a run, under its key: `search`, `pages[3]`, `pay?approve`, `2/search` of a sub-workflow.

    `value` is the result of a completed step, `code` and `message` of a failed one, what is waited for
    of a waiting one, and of one that started what is known about it.
    """

    run: str
    step: str
    kind: Kind
    state: StepState
    owner: str
    value: Any = None
    began: float = 0.0
    ended: float | None = None


def written(value: Any) -> str:
    """A value as it is kept: the same bytes in every database. Raises NotJson."""
    try:
        return json.dumps(value, ensure_ascii=True, separators=(",", ":"), allow_nan=False)
    except (TypeError, ValueError, RecursionError):
        raise NotJson("a value is no JSON that can be kept", hint=_NUMBERS) from None


def read(text: str | None) -> Any:
    """The value again."""
    return None if text is None else json.loads(text)
