"""The beginning of a run: everything that it will need of definitions, frozen; its input judged.

A run carries its own definition and those of all workflows inside, so that files may change under it.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from prowess.capability.offer import Tool
from prowess.errors import NotFound, ProwessError, UsageError
from prowess.redact import printable
from prowess.spec.diagnostics import Diagnostic, Reach
from prowess.workflow.catalogue import MemoryCatalogue, Offered, offered_of, workflow_of
from prowess.workflow.checking import check
from prowess.workflow.definition import Call, Nested, Workflow
from prowess.workflow.records import Run
from prowess.workflow.starts_judging import misfit

Versions = Callable[[str], Iterable[Tool]]
"""Every version of a skill on offer, by the name that a step uses; none when there is no such skill."""


def new_id() -> str:
    """An id for a run."""
    return secrets.token_hex(8)


def new_run(
    workflow: Workflow,
    workflows: Iterable[Workflow],
    given: Mapping[str, Any],
    *,
    queue: str,
    principal: str = "local",
    rollout_key: str = "",
    id: str = "",
    retry_of: str = "",
) -> Run:
    """A run to be put in. Raises UsageError for an input that does not fit, NotFound for no workflow."""
    wrong = misfit(workflow.input, given)
    if wrong:
        raise UsageError(f"the input of {printable(workflow.title, 200)} does not fit: {wrong}")
    now = time.time()
    return Run(
        run=id or new_id(),
        workflow=workflow.name,
        version=workflow.version,
        queue=queue,
        principal=principal,
        rollout_key=rollout_key,
        definition={"workflow": workflow.document, "others": _others(workflow, tuple(workflows))},
        input=given,
        created=now,
        deadline=None if workflow.timeout is None else now + workflow.timeout,
        retry_of=retry_of,
    )


def _others(workflow: Workflow, workflows: tuple[Workflow, ...]) -> dict[str, Any]:
    """The documents of the workflows inside, by what their steps ask for."""
    found: dict[str, Any] = {}
    left = [workflow]
    while left:
        for each in _nested(left.pop()):
            name = f"{each.workflow}@{each.version}"
            if name in found:
                continue
            meant = workflow_of(workflows, each.workflow, each.version)
            if meant is None:
                raise NotFound(f"there is no workflow {printable(name.rstrip('@'), 120)}")
            found[name] = meant.document
            left.append(meant)
    return found


def _nested(workflow: Workflow) -> list[Nested]:
    return [each.action for each in workflow.all_steps() if isinstance(each.action, Nested)]


def insist_on_right(workflow: Workflow, workflows: Iterable[Workflow], versions: Versions) -> None:
    """Raise UsageError for a workflow that cannot run as it is, with what is on offer now."""
    known = tuple(workflows)
    catalogue = MemoryCatalogue(_skills((workflow, *known), versions), known)
    _insist(workflow, check(workflow, catalogue))


def insist_on_sound(workflow: Workflow, workflows: Iterable[Workflow]) -> None:
    """The same, by what can be told where nobody knows what is on offer: also that it runs itself."""
    _insist(workflow, check(workflow, None, workflows))


def _insist(workflow: Workflow, found: Iterable[Diagnostic]) -> None:
    wrong = [each for each in found if each.reach >= Reach.ENTRY]
    if wrong:
        first = wrong[0]
        raise UsageError(
            f"{printable(workflow.title, 200)} cannot run: {first.message} [{first.rule}]",
            hint=first.hint or "prowess workflow check",
        )


def _skills(workflows: Iterable[Workflow], versions: Versions) -> Iterable[Offered]:
    names = {
        each.action.skill
        for workflow in workflows
        for each in workflow.all_steps()
        if isinstance(each.action, Call)
    }
    for name in sorted(names):
        try:
            tools = tuple(versions(name))
        except ProwessError:
            continue  # the check says that there is none
        yield from (each for each in offered_of(tools) if each.name == name)
