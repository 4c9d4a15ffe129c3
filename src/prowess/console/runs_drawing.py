"""A workflow as boxes in their order, and a run of it with the state of every step. Pure.

`workflow/picture.py` says the same in Mermaid's language; here it is values for a page, which draws it
as ordered lists, so that it is read aloud in the order in which it happens.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from prowess.workflow.definition import Call, Nested, Parallel, Step, Wait, Workflow
from prowess.workflow.picture import waiting
from prowess.workflow.records import StepRow
from prowess.workflow.templates import written

MOST = 100  # boxes on one page
Kind = Literal["skill", "workflow", "wait", "parallel"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Box:
    """One step. `conditions` are pairs of a word (a key of the words of the page) and a text.

    `state` and `rows` are those of a run. `branches` run side by side, `instead` is what makes up for it
    after an error.
    """

    id: str
    title: str
    kind: Kind
    what: str
    conditions: tuple[tuple[str, str], ...] = ()
    state: str = ""
    rows: tuple[StepRow, ...] = ()
    branches: tuple[tuple[str, tuple[Box, ...]], ...] = ()
    instead: Box | None = None

    @property
    def counted(self) -> str:
        """Of a loop, how many items are done of those that began; empty for anything else."""
        items = [each for each in self.rows if "[" in each.step and "/" not in each.step]
        done = sum(each.state in ("completed", "skipped") for each in items)
        return f"{done} / {len(items)}" if items else ""


def boxes(
    workflow: Workflow, states: Mapping[str, str] | None = None, rows: Sequence[StepRow] = ()
) -> tuple[tuple[Box, ...], int]:
    """The steps of `workflow`, at most MOST of them, and how many more there are.

    `states` are by the ids of steps, `rows` those of a run.
    """
    by: dict[str, list[StepRow]] = {}
    for row in rows:
        by.setdefault(step_of(row.step), []).append(row)
    drawing = _Drawing(states or {}, by)
    drawn = drawing.boxes(workflow.steps)
    return drawn, sum(1 for _ in workflow.all_steps()) - drawing.count


def step_of(key: str) -> str:
    """The id of the step that a row belongs to."""
    return key.partition("/")[0].partition("?")[0].partition("[")[0]


class _Drawing:
    def __init__(self, states: Mapping[str, str], rows: Mapping[str, Sequence[StepRow]]) -> None:
        self._states, self._rows = states, rows
        self.count = 0

    def boxes(self, steps: Sequence[Step]) -> tuple[Box, ...]:
        found = []
        for each in steps:
            if self.count >= MOST:
                break
            found.append(self._box(each))
        return tuple(found)

    def _box(self, step: Step) -> Box:
        self.count += 1
        kind, what = _action(step)
        branches = step.action.branches if isinstance(step.action, Parallel) else ()
        instead = self.boxes((step.on_error.step,)) if step.on_error.step is not None else ()
        return Box(
            id=step.id,
            title=step.title,
            kind=kind,
            what=what,
            conditions=tuple(_conditions(step)),
            state=self._states.get(step.id, ""),
            rows=tuple(self._rows.get(step.id, ())),
            branches=tuple((each.name, self.boxes(each.steps)) for each in branches),
            instead=next(iter(instead), None),
        )


def _action(step: Step) -> tuple[Kind, str]:
    match step.action:
        case Call(skill=name, version=version):
            return "skill", f"{name}@{version}" if version else name
        case Nested(workflow=name, version=version):
            return "workflow", f"{name}@{version}" if version else name
        case Wait() as wait:
            return "wait", waiting(wait)
    return "parallel", ""


def _conditions(step: Step) -> list[tuple[str, str]]:
    found = []
    if step.when is not None:
        found.append(("only when", step.when.text))
    if step.for_each is not None:
        found.append(("for each of", written(step.for_each.items)))
        if step.for_each.concurrency > 1:
            found.append(("at a time", str(step.for_each.concurrency)))
    if step.approve is not None:
        found.append(("a person approves", written(step.approve)))
    if step.retry is not None:
        found.append(("attempts at most", str(step.retry.attempts)))
    if step.timeout is not None:
        found.append(("seconds at most", f"{step.timeout:g}"))
    if step.on_error.action == "continue":
        found.append(("goes on after an error", ""))
    return found
