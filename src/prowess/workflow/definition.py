"""What a workflow is, once read: frozen values, and nothing about how it runs.

A workflow is a list of steps. A step does one thing (call a skill, run another workflow, wait, or run
branches side by side); around it may stand a condition, an approval, a loop, a retry, a time limit and
what happens on an error. The order in which these act is written at `Step`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from prowess.workflow.expressions import Expression
from prowess.workflow.templates import Fields, Fixed, Template, Text

VERSION = "1.0.0"  # of a definition that says none
STATUS = "workflow_status"  # the tool that reads runs, so no workflow's name

ErrorAction = Literal["fail", "continue", "compensate"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """Call a skill: a unit or a tool. `version` is a range; empty means the newest stable one."""

    skill: str
    version: str = ""
    params: Fields = field(default_factory=lambda: Fields(fields={}))


@dataclass(frozen=True, slots=True, kw_only=True)
class Nested:
    """Run another workflow as one step; `params` is its input, its output the result."""

    workflow: str
    version: str = ""
    params: Fields = field(default_factory=lambda: Fields(fields={}))


@dataclass(frozen=True, slots=True, kw_only=True)
class Wait:
    """Wait: for `seconds` (a number, or an expression that gives one), until a time, or for an event.

    Exactly one of the three is there. `until` gives an RFC 3339 date and time with its offset. An event
    ends the wait with its payload as the result (null where it has none); the other two give null. The
    step's `timeout` is how long an event is waited for.
    """

    seconds: Template | None = None
    until: Template | None = None
    event: Template | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Branch:
    """Steps that run one after the other, beside those of other branches."""

    name: str
    steps: tuple[Step, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Parallel:
    """Run branches side by side, and go on when all have ended.

    The result has, for every branch, the result of its last step (null where that one was skipped or
    failed and the run goes on): as a mapping when the branches were `named`, else as a list.
    """

    branches: tuple[Branch, ...]
    named: bool = False


Action = Call | Nested | Wait | Parallel


@dataclass(frozen=True, slots=True, kw_only=True)
class ForEach:
    """Do the step's action once for each item, at most `concurrency` at a time.

    `items` gives a list; params see `item` and `index` (from 0). The result is the list of results in
    the order of the items.
    """

    items: Template
    concurrency: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Retry:
    """Try at most `attempts` times in all, `delay` seconds after the first, then `factor` times as long.

    No wait is longer than `max_delay` seconds. Only what may be done twice is tried again.
    """

    attempts: int
    delay: float = 1.0
    factor: float = 2.0
    max_delay: float = 60.0


@dataclass(frozen=True, slots=True, kw_only=True)
class OnError:
    """What happens when the step has failed for good.

    `fail` ends the run as failed; `continue` goes on, and the step has an `error` in place of a result;
    `compensate` calls `step` (which sees `error`) and then ends the run as failed.
    """

    action: ErrorAction = "fail"
    step: Step | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One step, unique in its workflow by `id`.

    `id` is what the author gave (`named`), else the step's place: `0`, `3.flights.0`, `2.compensate`.
    Before anything runs, `when` is asked (not true: the step is skipped), then `for_each` is filled in,
    then a person approves; each of them happens once for the step, and they do not see `item`. The
    action runs within `timeout` seconds for each attempt (an item of a loop is attempted by itself).
    `line` is where the step stands in its file.
    """

    id: str
    action: Action
    named: bool = False
    when: Expression | None = None
    approve: Fixed | Text | Expression | None = None
    for_each: ForEach | None = None
    retry: Retry | None = None
    timeout: float | None = None
    on_error: OnError = OnError()
    line: int | None = None

    @property
    def title(self) -> str:
        """What people are shown: the id they gave, or what the step does."""
        if self.named:
            return self.id
        match self.action:
            case Call(skill=name) | Nested(workflow=name):
                return name
            case Wait():
                return "wait"
        return "parallel"

    def below(self) -> Iterator[Step]:
        """The steps right inside this one: those of its branches, and the one that compensates."""
        if isinstance(self.action, Parallel):
            for branch in self.action.branches:
                yield from branch.steps
        if self.on_error.step is not None:
            yield self.on_error.step


@dataclass(frozen=True, slots=True, kw_only=True)
class Workflow:
    """A definition. `input` is the JSON Schema of what it is given, `timeout` the seconds for a whole run.

    `output` is what a run gives; without one it is the result of the last step. `document` is the
    definition as plain JSON values: it is what is recorded with a run, and `reading.read_document`
    makes the same workflow of it. `file` and `lines` (of the fields at the top) are for messages.
    """

    name: str
    steps: tuple[Step, ...]
    description: str = ""
    triggers: tuple[str, ...] = ()
    version: str = VERSION
    input: Mapping[str, Any] = field(default_factory=lambda: {"type": "object"})
    output: Template | None = None
    timeout: float | None = None
    document: Mapping[str, Any] = field(default_factory=dict, compare=False)
    file: str = field(default="", compare=False)
    lines: Mapping[str, int | None] = field(default_factory=dict, compare=False)

    @property
    def title(self) -> str:
        """`book_flight@1.0.0`."""
        return f"{self.name}@{self.version}"

    def all_steps(self) -> Iterator[Step]:
        """Every step, also those inside others, in the order of the file."""
        yield from _walked(self.steps)


def _walked(steps: tuple[Step, ...]) -> Iterator[Step]:
    for step in steps:
        yield step
        yield from _walked(tuple(step.below()))
