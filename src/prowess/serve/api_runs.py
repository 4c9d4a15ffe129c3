"""Runs of workflows over HTTP: which there are and what they wait for; yes, no, and whether they go on.

What may be done, and by whom, is decided by the Host's RunDesk, for the Caller that an HTTP front names.
Bodies are judged by the schemas that OpenAPI shows.
"""

from __future__ import annotations

from collections.abc import Callable, Coroutine, MutableMapping
from typing import Annotated, Any

from fastapi import FastAPI, Path, Query, Request, Response

from prowess.call.schemas import Compiled, Schemas
from prowess.call.validation import judged
from prowess.errors import ProwessError
from prowess.host import Host
from prowess.host.run_desk import RunDesk
from prowess.provider import Caller
from prowess.serve.api_intake import JSON, acceptable, body_of, insist_on_json, value_of
from prowess.serve.api_json import JsonResponse
from prowess.serve.api_models import NoQuery
from prowess.serve.api_openapi import described
from prowess.serve.api_problems import invalid, of_error, written
from prowess.serve.api_run_models import (
    ANSWER_REQUEST,
    CANCEL_REQUEST,
    RESUME_REQUEST,
    RETRY_REQUEST,
    RunsQuery,
)
from prowess.workflow.attending import Attended
from prowess.workflow.records import Run

RunId = Annotated[str, Path(min_length=1, max_length=100, description="the run's id")]
_SHOWN = (
    "run",
    "workflow",
    "version",
    "queue",
    "state",
    "principal",
    "created",
    "started",
    "ended",
    "deadline",
)


def add_runs(app: FastAPI, host: Host, caller_of: Callable[[MutableMapping[str, Any]], Caller]) -> None:
    """Add the routes; of a Host without workflows each answers 404."""
    runs = _Runs(host, caller_of)
    for path, method, answer in (
        ("/runs", "GET", runs.runs),
        ("/runs/{run}", "GET", runs.run),
        ("/runs/{run}/approve", "POST", runs.approve),
        ("/runs/{run}/refuse", "POST", runs.refuse),
        ("/runs/{run}/cancel", "POST", runs.cancel),
        ("/runs/{run}/resume", "POST", runs.resume),
        ("/runs/{run}/retry", "POST", runs.retry),
    ):
        app.add_api_route(path, answer, methods=[method], response_model=None, **described(answer.__name__))


def _compiled(schema: dict[str, Any]) -> Compiled:
    made = Schemas().compiled(schema)
    assert isinstance(made, Compiled)
    return made


class _Runs:
    """The answers, one method each."""

    def __init__(self, host: Host, caller_of: Callable[[MutableMapping[str, Any]], Caller]) -> None:
        self._host = host
        self._caller_of = caller_of
        self._answer = _compiled(ANSWER_REQUEST)
        self._cancel = _compiled(CANCEL_REQUEST)
        self._resume = _compiled(RESUME_REQUEST)
        self._retry = _compiled(RETRY_REQUEST)

    async def runs(self, request: Request, query: Annotated[RunsQuery, Query()]) -> Response:
        """Runs that this caller sees, the newest first; of those that wait for a person, what they ask."""

        async def work(desk: RunDesk) -> Any:
            found = await desk.listed(
                state=query.state, workflow=query.workflow, asking=query.asking, limit=query.limit
            )
            return {"runs": [_shown(each) for each in found]}

        return await self._answered(request, work)

    async def run(self, request: Request, run: RunId, query: Annotated[NoQuery, Query()]) -> Response:
        """One run with its input and its steps."""

        async def work(desk: RunDesk) -> Any:
            return _whole(await desk.run(run))

        return await self._answered(request, work)

    async def approve(self, request: Request, run: RunId, query: Annotated[NoQuery, Query()]) -> Response:
        """Say yes to the step that waits; it is put down who did."""
        body = await self._body(request, self._answer)
        step, since = body.get("step"), body.get("since")
        return await self._told(request, run, lambda desk, id: desk.approve(id, step, since))

    async def refuse(self, request: Request, run: RunId, query: Annotated[NoQuery, Query()]) -> Response:
        """Say no to the step that waits, which fails by it; it is put down who did."""
        body = await self._body(request, self._answer)
        step, since = body.get("step"), body.get("since")
        return await self._told(request, run, lambda desk, id: desk.refuse(id, step, since))

    async def cancel(self, request: Request, run: RunId, query: Annotated[NoQuery, Query()]) -> Response:
        """End the run; a call that must not be left halfway is seen to its end first."""
        await self._body(request, self._cancel)
        return await self._told(request, run, lambda desk, id: desk.cancel(id))

    async def resume(self, request: Request, run: RunId, query: Annotated[NoQuery, Query()]) -> Response:
        """Go on with a run that stopped: finished steps are not done again."""
        body = await self._body(request, self._resume)
        known = {"value": body["result"]} if "result" in body else None
        again = body.get("again", False)
        return await self._told(request, run, lambda desk, id: desk.resume(id, again=again, result=known))

    async def retry(self, request: Request, run: RunId, query: Annotated[NoQuery, Query()]) -> Response:
        """A new run that has what this one did before a step."""
        body = await self._body(request, self._retry)

        async def work(desk: RunDesk) -> Any:
            return _whole(await desk.run((await desk.retry(run, body["from"])).run))

        return await self._answered(request, work, status=201)

    async def _body(self, request: Request, schema: Compiled) -> dict[str, Any]:
        acceptable(request.headers.get("accept", ""), (JSON,))
        insist_on_json(request.headers)
        body = value_of(await body_of(request))
        if problems := judged(schema, body):
            raise invalid(written(problems))
        found: dict[str, Any] = body
        return found

    async def _told(
        self, request: Request, run: str, act: Callable[[RunDesk, str], Coroutine[Any, Any, Any]]
    ) -> Response:
        """Do it, and show the run as it is then; what `run` only begins may mean several by then."""

        async def work(desk: RunDesk) -> Any:
            id = (await desk.run(run)).run.run
            await act(desk, id)
            return _whole(await desk.run(id))

        return await self._answered(request, work)

    async def _answered(
        self, request: Request, work: Callable[[RunDesk], Coroutine[Any, Any, Any]], status: int = 200
    ) -> Response:
        acceptable(request.headers.get("accept", ""), (JSON,))
        try:
            return JsonResponse(
                await work(self._host.runs(self._caller_of(request.scope))), status_code=status
            )
        except ProwessError as error:
            raise of_error(error) from None


def _shown(one: Attended) -> dict[str, Any]:
    run = one.run
    said: dict[str, Any] = {name: getattr(run, name) for name in _SHOWN}
    said = {name: each for name, each in said.items() if each is not None}
    return said | {"questions": [_question(each) for each in one.questions]} | _ended(run)


def _question(question: Any) -> dict[str, Any]:
    return {"step": question.step, "text": question.text, "since": question.since}


def _ended(run: Run) -> dict[str, Any]:
    said: dict[str, Any] = {}
    if run.state == "completed":
        said["output"] = run.output
    if run.error is not None:
        said["error"] = dict(run.error)
    if run.retry_of:
        said["retry_of"] = run.retry_of
    return said


def _whole(one: Attended) -> dict[str, Any]:
    steps = [
        {name: getattr(each, name) for name in ("step", "kind", "state", "value", "began")}
        | ({} if each.ended is None else {"ended": each.ended})
        for each in one.steps.values()
    ]
    return _shown(one) | {"input": dict(one.run.input), "steps": steps}
