"""What expressions of a run can see, built from its input and from how its steps ended.

    {{user.name}}  {{input.user.name}}         a property of the input, and the input as a whole
    {{steps[0].result}}  {{steps.search.result}}  {{search.result}}
                                                a step by its place at the top, by its id, or shorter
    {{item}}  {{index}}                         inside `for_each`
    {{error.code}}  {{error.message}}           inside the step that compensates

A definition in which two of these would have the same name does not pass the check.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from prowess.workflow.definition import Workflow

RESERVED = ("input", "steps", "item", "index", "error")
WORDS = ("true", "false", "null", "none", "and", "or", "not", "in", "is", "if", "else")
"""What the language takes for itself: none of these can be a name."""

Status = Literal["completed", "skipped", "failed"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Ended:
    """How a step ended. `result` counts when it completed, `error` (`code`, `message`) when it failed."""

    status: Status
    result: Any = None
    error: Mapping[str, Any] | None = None

    def seen(self) -> dict[str, Any]:
        """What an expression finds under the step: only what there is."""
        found: dict[str, Any] = {"status": self.status}
        if self.status == "completed":
            found["result"] = self.result
        if self.status == "failed":
            found["error"] = dict(self.error or {})
        return found


class Steps(Mapping[Any, Any]):
    """`steps`: every ended step by its id, those at the top also by their place from 0."""

    def __init__(self, workflow: Workflow, ended: Mapping[str, Ended]) -> None:
        self._ids = tuple(step.id for step in workflow.steps)
        self._known = {step.id for step in workflow.all_steps() if step.named}
        self._ended = ended

    def __getitem__(self, key: Any) -> dict[str, Any]:
        if isinstance(key, bool) or not isinstance(key, int | str):
            raise KeyError(key)
        if isinstance(key, int):
            if not 0 <= key < len(self._ids):
                raise KeyError(key)
            key = self._ids[key]
        elif key not in self._known:
            raise KeyError(key)
        return self._ended[key].seen()

    def __contains__(self, key: object) -> bool:
        try:
            self[key]
        except KeyError:
            return False
        return True

    def __iter__(self) -> Iterator[str]:
        return (each for each in self._ended if each in self._known)

    def __len__(self) -> int:
        return sum(1 for _ in self)


def scope_of(
    workflow: Workflow, given: Mapping[str, Any], ended: Mapping[str, Ended], **more: Any
) -> dict[str, Any]:
    """The scope for one step. `ended` is by the steps' ids; `more` is `item`, `index` or `error`.

    A property of the input that has the name of something else is found as `input.NAME` alone.
    """
    steps = Steps(workflow, ended)
    return {**given, **{each: steps[each] for each in steps}, "input": given, "steps": steps, **more}
