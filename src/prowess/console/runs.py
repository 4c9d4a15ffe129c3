"""The area Runs: workflows and how they are made, their runs with the state of every step, and what waits.

Issue 9, page 4. What may be seen and done is decided by the Host's RunDesk, as for the command line and
HTTP; what a run keeps was masked before it was kept.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from importlib.util import find_spec
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from prowess.console import runs_attending, runs_starting
from prowess.console.console import console_of
from prowess.console.forms import failure
from prowess.console.rows import rows
from prowess.console.runs_drawing import boxes
from prowess.errors import NotFound, ProwessError
from prowess.host import Host
from prowess.host.workflow_folders import LABEL
from prowess.workflow.attending import Attended
from prowess.workflow.picture import picture
from prowess.workflow.provider_tools import step_states
from prowess.workflow.reading import read_document
from prowess.workflow.records import OVER
from prowess.workflow.records_runs import MOST_LISTED

STATES = ("queued", "running", "waiting", *OVER)


async def _page(request: Request) -> Response:
    """What waits for an answer, runs, workflows."""
    host = console_of(request).host
    if host.workflows is None:
        return console_of(request).pages.page(request, "runs_none.html")
    given = request.query_params
    state = given.get("state", "") if given.get("state", "") in STATES else ""
    workflow, desk = given.get("workflow", "")[:200], host.runs()
    found = await desk.listed(state=state, workflow=workflow, limit=MOST_LISTED)
    page = rows(request, found, lambda each: f"{each.run.run} {each.run.title} {each.run.principal}")
    return console_of(request).pages.page(
        request,
        "runs.html",
        rows=page,
        asking=(await desk.listed(asking=True, limit=20)),
        active=any(not each.run.over for each in page.shown),
        workflows=_newest(host),
        names=sorted(
            {each.run.workflow for each in found} | {each.name for each in host.workflows.workflows}
        ),
        state=state,
        workflow=workflow,
        states=STATES,
        notes=_notes(host),
        engine=find_spec("dbos") is not None,
        took=took,
    )


def _newest(host: Host) -> list[tuple[str, list[str], str]]:
    """Each workflow by its name: its versions, the oldest first, and what it says of itself."""
    from prowess.choose.versions import ordered

    assert host.workflows is not None
    named: dict[str, dict[str, str]] = {}
    for each in host.workflows.workflows:
        named.setdefault(each.name, {})[each.version] = each.description
    found = ((name, list(ordered(versions)), versions) for name, versions in sorted(named.items()))
    return [(name, order, versions[order[-1]]) for name, order, versions in found]


def _notes(host: Host) -> tuple[str, ...]:
    """What is wrong with files of workflows, or why there are none yet."""
    offer = next((each for each in host.offers if each.id == LABEL), None)
    if offer is None:
        return ()
    reason = (offer.reason,) if offer.reason and offer.status != "connected" else ()
    return (*reason, *offer.notes)


async def _run(request: Request) -> Response:
    """One run: drawn, its steps in the order they began, and what can be done about it."""
    host = console_of(request).host
    try:
        one = await host.runs().run(request.path_params["run"])
    except NotFound as error:
        return failure(request, 404, error.message, error.hint or "")
    except ProwessError as error:  # the beginning of several ids
        return failure(request, 404, str(error), error.hint or "")
    steps = list(one.steps.values())
    return console_of(request).pages.page(
        request,
        "runs_run.html",
        one=one,
        run=one.run,
        rows=rows(request, steps, lambda each: f"{each.step} {each.kind} {each.state}"),
        unknown=[each for each in steps if each.state == "started"] if one.run.over else [],
        poll=_poll(one),
        took=took,
        as_json=as_json,
        **_drawn(one),
    )


async def _step(request: Request) -> Response:
    """One step of a run with the whole of what it gave, or waits for."""
    try:
        one = await console_of(request).host.runs().run(request.path_params["run"])
    except ProwessError as error:
        return failure(request, 404, error.message, error.hint or "")
    row = one.steps.get(request.query_params.get("key", ""))
    if row is None:
        return failure(request, 404, "This run has no such step")
    said = as_json(row.value)
    return console_of(request).pages.page(request, "runs_step.html", one=one, row=row, said=said, took=took)


def _drawn(one: Attended) -> dict[str, Any]:
    """The run's own definition, whatever became of its file."""
    try:
        workflow = read_document(one.run.definition["workflow"])
    except (ProwessError, KeyError):  # kept by another version of ours
        return {"flow": (), "more": 0, "mermaid": "", "tops": ()}
    states = step_states(one.run, one.steps)
    flow, more = boxes(workflow, states, list(one.steps.values()))
    return {
        "flow": flow,
        "more": more,
        "mermaid": picture(workflow, states),
        "tops": [(each.id, each.title) for each in workflow.steps],
    }


def _poll(one: Attended) -> str:
    """When to look again: soon while it works, seldom while it waits, never over a form to be filled in."""
    if one.run.over or one.questions:
        return ""
    return "every 5s" if one.run.state == "waiting" else "every 1s"


# -- how things are shown


def took(began: float | None, ended: float | None) -> str:
    """How long it took, in a unit that fits."""
    if began is None or ended is None:
        return ""
    seconds = max(0.0, ended - began)
    if seconds < 1:
        return f"{1000 * seconds:.0f} ms"
    return f"{seconds:.1f} s" if seconds < 120 else f"{seconds / 60:.0f} min"


def as_json(value: object) -> str:
    """A value as it would be typed."""
    return json.dumps(value, ensure_ascii=False, indent=2)


ROUTES: Sequence[BaseRoute] = [
    Route("/runs", _page),
    *runs_starting.ROUTES,
    *runs_attending.ROUTES,
    Route("/runs/{run}", _run),
    Route("/runs/{run}/step", _step),
]
