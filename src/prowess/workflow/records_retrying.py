"""What people do with a run that stopped: go on where it stands, or begin a new one from one of its steps.

Nothing that may have acted is done again unless a person says so.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from prowess.errors import Conflict, NotFound
from prowess.redact import printable
from prowess.workflow import records_runs as runs
from prowess.workflow.definition import Step, Workflow
from prowess.workflow.reading import read_document
from prowess.workflow.records import Run, StepRow
from prowess.workflow.records_database import Rows
from prowess.workflow.starts import new_id
from prowess.workflow.steps import why_unknown


def resumed(rows: Rows, run: Run, *, again: bool = False, result: Mapping[str, Any] | None = None) -> Run:
    """Go on with a run that failed, was cancelled or needs attention; finished steps are not done again.

    `again` does a step once more that may have acted, `result` is `{"value": ...}`: what it gave. Raises
    Conflict for a run that goes on by itself, is completed, or has such a step and neither is said, and
    for a `result` where not one step, but none or several, may have acted.
    """
    if not run.over or run.state == "completed":
        raise Conflict(
            f"run {run.run} is {run.state}: there is nothing to go on with", hint="prowess runs show"
        )
    steps = runs.steps_of(rows, run.run)
    unknown = [each for each in steps.values() if each.state == "started"]
    if unknown and not again and result is None:
        told = "; ".join(why_unknown(each) for each in unknown[:3])
        hint = "look whether it did; then --result JSON if so, --again if not"
        raise Conflict(f"nobody knows: {printable(told, 500)}", hint=hint)
    if result is not None and len(unknown) != 1:
        raise Conflict(f"{len(unknown)} steps of this run may have acted; --result is for one")
    known = {} if result is None else {unknown[0].step: result["value"]}
    at_fault, undoing = _at_fault(run)
    forget = [
        each.step
        for each in steps.values()
        if (each.state == "failed" and _id(each.step) in at_fault)
        or (each.state != "started" and _id(each.step) in undoing)
    ]
    forget += [each.step for each in unknown] if again else []
    if not runs.go_on(rows, run.run, forget, known):
        raise Conflict(f"run {run.run} goes on already")
    return run


def retried(rows: Rows, run: Run, step: str) -> Run:
    """A new run of the same definition and input, that has what the old one did before `step`.

    `step` and what comes after it is done anew, whatever it did before: the old run stays as it is. What
    failed before it and was passed over stays failed. Raises NotFound for a step that there is not at the
    top, Conflict while the run is not over and for a step behind one at which it stopped.
    """
    if not run.over:
        raise Conflict(f"run {run.run} is {run.state}: cancel it first, or wait")
    workflow = read_document(run.definition["workflow"])
    places = top_places(workflow)
    ids = [each.id for each in workflow.steps]
    if step not in ids:
        known = ", ".join(ids[:30])
        raise NotFound(f"there is no step {printable(step, 80)} at the top", hint=f"steps: {known}")
    _insist_on_reached(rows, run, places, ids.index(step))
    now = time.time()
    new = replace(
        run, run=new_id(), state="queued", output=None, error=None, created=now, started=None, ended=None,
        deadline=None if workflow.timeout is None else now + workflow.timeout, wake=None, executor="",
        owner="", execution=1, enqueued=0, asked="", news=0, retry_of=run.run,
    )  # fmt: skip
    runs.add(rows, new)
    runs.copied(rows, run.run, new.run, lambda key: places[_id(key)] < ids.index(step))
    return new


def _insist_on_reached(rows: Rows, run: Run, places: Mapping[str, int], place: int) -> None:
    """Raise Conflict where the run stopped before a place: that step would be done again unsaid."""
    stopped = [_id(each.step) for each in runs.steps_of(rows, run.run).values() if each.state == "started"]
    stopped.append(_id(str((run.error or {}).get("step", ""))))
    first = min((places.get(each, place) for each in stopped), default=place)
    if first < place:
        step = next(each for each, at in places.items() if at == first)
        raise Conflict(f"run {run.run} stopped before that step", hint=f"begin with {step}, or resume it")


def _at_fault(run: Run) -> tuple[frozenset[str], frozenset[str]]:
    """The ids of the step that a run failed at, and of those inside; not of those left failed on purpose.

    And those of what compensated for it: if the step fails once more, that is done once more.
    """
    at = _id(str((run.error or {}).get("step", "")))
    workflow = read_document(run.definition["workflow"])
    found = [each for each in workflow.all_steps() if each.id == at]
    inside = [each for step in found for each in _all_below(step)]
    undoing = [each.on_error.step for each in (*found, *inside) if each.on_error.step is not None]
    left = {each.id for each in inside if each.on_error.action == "continue"}
    undone = frozenset(each.id for step in undoing for each in (step, *_all_below(step)))
    return frozenset({at, *(each.id for each in inside)} - left), undone


def _all_below(step: Step) -> list[Step]:
    return [found for each in step.below() for found in (each, *_all_below(each))]


def top_places(workflow: Workflow) -> dict[str, int]:
    """For every step, also those inside others, the place of the step at the top that it belongs to."""
    found: dict[str, int] = {}

    def put(step: Step, place: int) -> None:
        found[step.id] = place
        for each in step.below():
            put(each, place)

    for place, step in enumerate(workflow.steps):
        put(step, place)
    return found


def _id(key: str) -> str:
    """The id of a step of the run's own workflow, out of the key of a row."""
    return key.partition("/")[0].partition("?")[0].partition("[")[0]


def waiting_approvals(steps: Mapping[str, StepRow]) -> list[StepRow]:
    """The approvals that wait."""
    return [each for each in steps.values() if each.kind == "approval" and each.state == "waiting"]
