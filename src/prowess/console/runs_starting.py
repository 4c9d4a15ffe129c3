"""A workflow's page: how it is made, and a form that starts a run of it down the one call path.

The input is JSON and is checked against the workflow's own `input` before anybody is asked; saying yes is
the approval that a policy may ask for.
"""

from __future__ import annotations

import asyncio
import json
import secrets
import time
from collections.abc import Sequence
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from prowess.call.running import Asked
from prowess.call.validation import problems
from prowess.console.capabilities_calling import Confirmed
from prowess.console.console import console_of
from prowess.console.forms import Form, confirm, done, failure, writing
from prowess.console.language import translator
from prowess.console.pages import language_of
from prowess.console.runs_attending import can_be_shown
from prowess.console.runs_drawing import boxes
from prowess.errors import NotFound
from prowess.host import Host
from prowess.provider import Answered, Caller, Problem, Refused
from prowess.spec.strict_json import Malformed, parse
from prowess.workflow.definition import Workflow
from prowess.workflow.picture import picture
from prowess.workflow.provider import KEY_META, LABEL, id_of

SCHEMA_SHOWN = 20_000
SECONDS = 10.0  # that a run has to be put in
LOOK = 0.02

_CALLER = Caller()
_UNDER_WAY: set[asyncio.Task[Any]] = set()


def _named(request: Request, name: str, version: str) -> Workflow | None:
    provider = console_of(request).host.workflows
    every = provider.workflows if provider is not None else ()
    return next((each for each in every if (each.name, each.version) == (name, version)), None)


async def _page(request: Request) -> Response:
    """One version of a workflow."""
    given = request.query_params
    workflow = _named(request, given.get("name", ""), given.get("version", ""))
    return _missing(request) if workflow is None else _drawn(request, workflow)


def _missing(request: Request) -> Response:
    return failure(request, 404, "There is no such workflow", "The page Runs names those there are.")


def _drawn(
    request: Request,
    workflow: Workflow,
    *,
    text: str | None = None,
    fault: str = "",
    found: Sequence[Problem] = (),
) -> Response:
    flow, more = boxes(workflow)
    return console_of(request).pages.page(
        request,
        "runs_workflow.html",
        workflow=workflow,
        flow=flow,
        more=more,
        mermaid=picture(workflow),
        schema=json.dumps(workflow.input, ensure_ascii=False, indent=2),
        most=SCHEMA_SHOWN,
        text=_example(workflow) if text is None else text,
        fault=fault,
        problems=found,
    )


def _example(workflow: Workflow) -> str:
    """An input to begin with: every property that is required, as nothing of its type."""
    empty: dict[str, Any] = {
        "string": "",
        "integer": 0,
        "number": 0,
        "boolean": False,
        "array": [],
        "object": {},
    }
    properties = workflow.input.get("properties", {})
    required = workflow.input.get("required", [])
    if not isinstance(properties, dict) or not isinstance(required, list):
        return "{}"
    made: dict[str, Any] = {}
    for name in required[:50]:
        said = properties.get(name, {}) if isinstance(name, str) else {}
        kind = said.get("type") if isinstance(said, dict) else None
        made[str(name)] = said.get("default", empty.get(str(kind))) if isinstance(said, dict) else None
    return json.dumps(made, ensure_ascii=False, indent=2)


async def _start(request: Request, form: Form) -> Response:
    """Start a run, once its input fits and a person has seen it."""
    workflow = _named(request, form.get("name"), form.get("version"))
    if workflow is None:
        return _missing(request)
    text = form.get("input")
    if not can_be_shown(text):
        hint = "Start it with prowess call, which reads its arguments from a file."
        return failure(request, 400, "That is too long to be shown whole before you say yes", hint)
    read = parse(text.encode("utf-8", "replace"))
    if isinstance(read, Malformed) or not isinstance(read.value, dict):
        return _drawn(request, workflow, text=text, fault="This is no JSON object")
    if wrong := await asyncio.to_thread(problems, dict(workflow.input), read.value):
        return _drawn(request, workflow, text=text, found=wrong[:50])
    if not form.confirmed:
        return _ask(request, workflow, read.value)
    host = console_of(request).host
    run = await _begun(host, workflow, read.value)
    if isinstance(run, tuple):
        return failure(request, 409, *run)
    return done(f"/runs/{run}")


def _ask(request: Request, workflow: Workflow, given: dict[str, Any]) -> Response:
    t = translator(language_of(request))
    fields = (
        ("name", workflow.name),
        ("version", workflow.version),
        ("input", json.dumps(given, ensure_ascii=False)),  # one line: a browser changes line ends
    )
    skills = ", ".join(dict.fromkeys(each.title for each in workflow.all_steps()))
    return confirm(
        request,
        Form(fields=fields, confirmed=False),
        question=t("Start a run with just this input?"),
        details=[(t("Workflow"), workflow.title), (t("Steps"), skills)],
        text=json.dumps(given, ensure_ascii=False, indent=2),
        yes=t("Start it"),
        back=f"/runs/workflow?name={workflow.name}&version={workflow.version}",
    )


async def _begun(host: Host, workflow: Workflow, given: dict[str, Any]) -> str | tuple[str, str]:
    """The id of the run, as soon as it is put in; or why it is not. The call that waits for it goes on."""
    key = secrets.token_hex(16)
    call = host.call_recorded(
        workflow.name,
        given,
        server=LABEL,
        version=workflow.version,
        caller=_CALLER,
        asked=Asked(meta={KEY_META: key}, approver=Confirmed()),
    )
    task = asyncio.create_task(call)
    _UNDER_WAY.add(task)
    task.add_done_callback(_ended)
    run, desk, until = id_of(_CALLER.principal, key), host.runs(_CALLER), time.monotonic() + SECONDS
    while not task.done():
        try:
            return (await desk.run(run)).run.run
        except NotFound:
            await asyncio.sleep(LOOK)
        if time.monotonic() > until:
            return "The run is not begun yet", "Look at the page Runs in a moment."
    outcome = task.result().outcome
    if isinstance(outcome, Answered):
        return str(outcome.value["run"])
    reason = outcome.reason if isinstance(outcome, Refused) else getattr(outcome, "message", "")
    try:
        return (await desk.run(run)).run.run  # it ran and failed at once
    except NotFound:
        return "The run was not started", str(reason)


def _ended(task: asyncio.Task[Any]) -> None:
    _UNDER_WAY.discard(task)
    if not task.cancelled():
        task.exception()  # told by the page, or by the run itself


ROUTES: Sequence[BaseRoute] = [
    Route("/runs/workflow", _page),
    writing("/runs/start", _start),
]
