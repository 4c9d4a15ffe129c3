"""Workflows that run themselves, directly or through others."""

from __future__ import annotations

from collections.abc import Sequence

from prowess.workflow.catalogue import workflow_of
from prowess.workflow.definition import Action, Call, Nested, Workflow


def loop_from(action: Action, workflow: Workflow, known: Sequence[Workflow]) -> list[str]:
    """The workflows on the way into a loop that a step of `workflow` leads to, in order; empty: none.

    A workflow is also a skill, so a call of one counts. `known` are all workflows, this one included.
    """
    first = _target(action, known)
    return [] if first is None else _into_a_loop(first, known, [workflow.title])


def _into_a_loop(workflow: Workflow, known: Sequence[Workflow], path: list[str]) -> list[str]:
    """Depth first, without recursion: files may name each other a thousand deep."""
    stack = [(workflow, iter(_targets(workflow, known)))]
    on_path = [*path, workflow.title]
    done: set[str] = set()
    if workflow.title in path:
        return on_path
    while stack:
        below = next(stack[-1][1], None)
        if below is None:
            done.add(stack.pop()[0].title)
            on_path.pop()
        elif below.title in on_path:
            return [*on_path[on_path.index(below.title) :], below.title]
        elif below.title not in done:
            on_path.append(below.title)
            stack.append((below, iter(_targets(below, known))))
    return []


def _targets(workflow: Workflow, known: Sequence[Workflow]) -> list[Workflow]:
    found = (_target(step.action, known) for step in workflow.all_steps())
    return [each for each in found if each is not None]


def _target(action: Action, known: Sequence[Workflow]) -> Workflow | None:
    match action:
        case Nested(workflow=name, version=version) | Call(skill=name, version=version):
            return workflow_of(known, name, version)
    return None
