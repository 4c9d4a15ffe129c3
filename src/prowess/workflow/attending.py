"""Runs as people attend to them: look, approve, refuse, cancel, go on, begin again from a step.

The one way for the command line, HTTP and the console. Each function is one transaction for
`RunDatabase` and takes an `Attendant`: who asks, whose runs that one sees, and which it decides on. A run
out of sight is one that does not exist. It does not know where an attendant's rights come from.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from prowess.errors import Ambiguous, Conflict, NotAllowed, NotFound
from prowess.redact import printable
from prowess.workflow import records_runs as runs
from prowess.workflow.records import LONGEST_QUESTION, Run, StepRow
from prowess.workflow.records_database import Rows
from prowess.workflow.records_retrying import resumed, retried, waiting_approvals

Sight = Literal["none", "own", "all"]
APPROVE = "?approve"


def _everything(workflow: str) -> Sight:
    return "all"


def _nothing_against(workflow: str) -> str:
    return ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Attendant:
    """Who attends to runs; `principal` is put down as the one who answered.

    `sight` says for the name of a workflow which of its runs are seen: none, those that this principal
    began, or all of them. Whoever sees all also decides on them; of its own runs a principal that does not
    may only cancel. `against` is why it may do nothing to runs of a workflow, or an empty text.
    """

    principal: str
    sight: Callable[[str], Sight] = _everything
    against: Callable[[str], str] = _nothing_against


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """An approval that a run waits for: of which step, what is asked, since when (seconds since 1970)."""

    step: str
    text: str
    since: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Attended:
    """A run with its steps by their keys, in the order in which they began."""

    run: Run
    steps: Mapping[str, StepRow]

    @property
    def questions(self) -> tuple[Question, ...]:
        """What it waits to be answered; nothing once it is over."""
        return () if self.run.over else tuple(map(_question, waiting_approvals(self.steps)))


def _question(row: StepRow) -> Question:
    text = printable(str(row.value.get("text", "")), LONGEST_QUESTION)
    return Question(step=row.step.removesuffix(APPROVE), text=text, since=row.began)


def listed(
    rows: Rows, who: Attendant, *, state: str = "", workflow: str = "", asking: bool = False, limit: int = 50
) -> list[Attended]:
    """Runs in sight, the newest first, with the steps that ask; `asking`: only those that have any."""
    seen = {name: who.sight(name) for name in runs.workflows(rows)}
    found = runs.listed(
        rows,
        state=state,
        workflow=workflow,
        limit=limit,
        asking=asking,
        sight=None if all(each == "all" for each in seen.values()) else (who.principal, seen),
    )
    asked = runs.asking(rows, [each.run for each in found if not each.over])
    return [Attended(run=each, steps=asked.get(each.run, {})) for each in found]


def attended(rows: Rows, who: Attendant, run: str) -> Attended:
    """One run by its id, or by the beginning of it for whoever sees all runs there are.

    Raises NotFound, and UsageError for a beginning of several.
    """
    found = runs.get(rows, run.strip())
    if found is None and all(who.sight(each) == "all" for each in runs.workflows(rows)):
        found = runs.meant(rows, run)
    sight = "none" if found is None else who.sight(found.workflow)
    if found is None or sight == "none" or (sight == "own" and found.principal != who.principal):
        raise NotFound(f"there is no run {printable(run.strip(), 80)}", hint="prowess runs list")
    return Attended(run=found, steps=runs.steps_of(rows, found.run))


def approve(
    rows: Rows, who: Attendant, run: str, step: str | None = None, since: float | None = None
) -> Question:
    """Say yes to a step that waits; `step` says which, where several do.

    With `since` (of the question that was read) only that one is answered, and none that came after it.

    Raises NotFound (no such run), NotAllowed, Ambiguous (several wait) and Conflict (none does, or its time
    is over).
    """
    return _answered(rows, who, run, step, since, True)


def refuse(
    rows: Rows, who: Attendant, run: str, step: str | None = None, since: float | None = None
) -> Question:
    """Say no to a step that waits, which then fails. Raises as `approve` does."""
    return _answered(rows, who, run, step, since, False)


def _answered(
    rows: Rows, who: Attendant, run: str, step: str | None, since: float | None, yes: bool
) -> Question:
    one = _decided_on(rows, who, run)
    meant = [
        each
        for each in one.questions
        if step in (None, each.step, each.step + APPROVE) and since in (None, each.since)
    ]
    if one.run.deadline is not None and one.run.deadline <= time.time():
        raise Conflict(f"the time of run {one.run.run} is over", hint=_SHOW + one.run.run)
    if not meant:
        raise Conflict(f"nothing in run {one.run.run} waits for this answer", hint=_SHOW + one.run.run)
    if len(meant) > 1:
        raise Ambiguous("more than one step waits", hint=f"say which: {_names(meant)}")
    # A server lets others write between the look and this: the first answer is the one that holds.
    if not runs.answer(rows, one.run.run, meant[0].step + APPROVE, yes, who.principal):
        raise Conflict(f"{printable(meant[0].step, 80)} was answered already", hint=_SHOW + one.run.run)
    return meant[0]


def _names(questions: Sequence[Question]) -> str:
    return printable(", ".join(each.step for each in questions[:20]), 500)


def cancel(rows: Rows, who: Attendant, run: str) -> Run:
    """End a run; one that is under way is told to. Raises NotFound, NotAllowed and Conflict (it is over)."""
    one = _acted_on(rows, who, run).run
    if one.over:
        raise Conflict(f"run {one.run} is {one.state} already", hint=_SHOW + one.run)
    runs.ask_to_cancel(rows, one.run)
    return _again(rows, one)


def resume(
    rows: Rows, who: Attendant, run: str, *, again: bool = False, result: Mapping[str, Any] | None = None
) -> Run:
    """Go on with a run that stopped; see `records_retrying.resumed`. Raises also NotFound and NotAllowed."""
    one = _decided_on(rows, who, run).run
    resumed(rows, one, again=again, result=result)
    return _again(rows, one)


def retry(rows: Rows, who: Attendant, run: str, step: str) -> Run:
    """A new run that has what this one did before `step`; see `records_retrying.retried`."""
    return retried(rows, _decided_on(rows, who, run).run, step)


_SHOW = "prowess runs show "


def _acted_on(rows: Rows, who: Attendant, run: str) -> Attended:
    one = attended(rows, who, run)
    if why := who.against(one.run.workflow):
        raise NotAllowed(f"{printable(who.principal, 80)} may not: {printable(why, 300)}")
    return one


def _decided_on(rows: Rows, who: Attendant, run: str) -> Attended:
    one = _acted_on(rows, who, run)
    if who.sight(one.run.workflow) != "all":
        raise NotAllowed(
            f"{printable(who.principal, 80)} does not decide on runs of {printable(one.run.workflow, 80)}",
            hint="approves of this caller in [serve] says on which it does",
        )
    return one


def _again(rows: Rows, run: Run) -> Run:
    return runs.get(rows, run.run) or run
