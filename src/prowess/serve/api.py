"""The HTTP API of a Host: its skills, calls, runs, snapshot, health and metrics, with OpenAPI (extra `api`).

Every call goes down the Host's one call path. Whatever goes wrong is a problem document (RFC 9457).
Who asks is settled before: an HTTP front leaves the Caller in the scope's state. Nothing here
loads anything from elsewhere, so there is no page of documentation, only `/openapi.json`.
"""

from __future__ import annotations

import time
from collections.abc import Callable, MutableMapping
from typing import Annotated, Any

from prowess.errors import UsageError

try:
    import prometheus_client  # noqa: F401  # said here, where the other one is missed too
    from fastapi import FastAPI, Query, Request, Response
except ImportError:
    raise UsageError(
        "the HTTP API needs fastapi and prometheus-client", hint="pip install 'prowess[api]'"
    ) from None

from prowess import __version__
from prowess.call.policy import EVERYTHING
from prowess.call.running import Asked, CallResult, result_of
from prowess.call.schemas import Compiled, Schemas
from prowess.call.validation import judged
from prowess.capability.canonical import digest, plain
from prowess.errors import ProwessError
from prowess.host import Host
from prowess.provider import Caller
from prowess.serve.api_health import health_of
from prowess.serve.api_intake import EVENTS, JSON, acceptable, body_of, insist_on_json, value_of
from prowess.serve.api_json import JsonResponse
from prowess.serve.api_keys import KEPT_SECONDS, Keys
from prowess.serve.api_metrics import CONTENT_TYPE, Metrics
from prowess.serve.api_models import CALL_REQUEST, NoQuery, SkillsQuery, SnapshotQuery
from prowess.serve.api_openapi import described, documented
from prowess.serve.api_problems import HttpProblem, invalid, of_error, of_result, written
from prowess.serve.api_refusing import Boundary, problem_of, refusing
from prowess.serve.api_runs import add_runs
from prowess.serve.api_skills import Meant, listed, meant, within
from prowess.serve.api_stream import CallStream, Event, Gone, StreamPeer, unless_gone
from prowess.serve.request import CALLER_STATE

CallerOf = Callable[[MutableMapping[str, Any]], Caller]

_GONE = 499  # what nginx notes where the client went away; nobody reads it


def caller_in(scope: MutableMapping[str, Any]) -> Caller:
    """Who an HTTP front says is asking; without one it is the local user."""
    caller = (scope.get("state") or {}).get(CALLER_STATE)
    return caller if isinstance(caller, Caller) else Caller()


def api_app(
    host: Host,
    *,
    caller_of: CallerOf = caller_in,
    key_seconds: float = KEPT_SECONDS,
    now: Callable[[], float] = time.monotonic,
) -> FastAPI:
    """The API of an open `host` as an ASGI application.

    `caller_of` reads who asks from the ASGI scope. `key_seconds` is how long the result of a call that
    came with a key is answered again, by `now`, in this process.
    """
    api = _Api(host, caller_of, Keys(seconds=key_seconds, now=now))
    app = FastAPI(title="Prowess", version=__version__, docs_url=None, redoc_url=None, redirect_slashes=False)
    for path, method, answer in (
        ("/skills", "GET", api.skills),
        ("/call", "POST", api.call),
        ("/snapshot", "GET", api.snapshot),
        ("/health", "GET", api.health),
        ("/metrics", "GET", api.metrics),
    ):
        app.add_api_route(path, answer, methods=[method], response_model=None, **described(answer.__name__))
    add_runs(app, host, caller_of)
    documented(app)
    refusing(app)
    app.add_middleware(Boundary)
    return app


class _Api:
    """The answers, one method each."""

    def __init__(self, host: Host, caller_of: CallerOf, keys: Keys) -> None:
        self._host = host
        self._caller_of = caller_of
        self._keys = keys
        self._metrics = Metrics(host.path.journal)
        compiled = Schemas().compiled(CALL_REQUEST)
        assert isinstance(compiled, Compiled)
        self._request = compiled

    async def skills(self, request: Request, query: Annotated[SkillsQuery, Query()]) -> Response:
        """Every skill that can be called: tools of servers and units, in one version or in all."""
        acceptable(request.headers.get("accept", ""), (JSON,))
        try:
            found = await listed(self._host, self._caller_of(request.scope), query.version)
        except ProwessError as error:
            raise of_error(error) from None
        return JsonResponse({"skills": found})

    async def snapshot(self, request: Request, query: Annotated[SnapshotQuery, Query()]) -> Response:
        """What is on offer now, as `prowess snapshot` prints it."""
        acceptable(request.headers.get("accept", ""), (JSON,))
        try:
            caller = self._caller_of(request.scope)
            found = self._host.snapshot(query.plugin, caller=caller)
            return JsonResponse(within(found, self._host, caller).to_dict())
        except ProwessError as error:
            raise of_error(error) from None

    async def health(self, request: Request, query: Annotated[NoQuery, Query()]) -> Response:
        """Whether calls can be answered, and the status of each server; 503 when by none."""
        acceptable(request.headers.get("accept", ""), (JSON,))
        found = health_of(self._host, self._caller_of(request.scope))
        return JsonResponse(found, status_code=503 if found["status"] == "down" else 200)

    async def metrics(self, request: Request, query: Annotated[NoQuery, Query()]) -> Response:
        """Counts and durations of all calls of this Host, for Prometheus."""
        acceptable(request.headers.get("accept", ""), ("text/plain",))
        if self._host.path.reach(self._caller_of(request.scope).principal) != EVERYTHING:
            raise HttpProblem(403, "denied", "metrics name every tool, and this caller may not know of all")
        return Response(self._metrics.text(), headers={"Content-Type": CONTENT_TYPE})

    async def call(self, request: Request, query: Annotated[NoQuery, Query()]) -> Response:
        """Call a skill: validated, allowed, attempted, redacted and recorded like any other call."""
        kind = acceptable(",".join(request.headers.getlist("accept")), (JSON, EVENTS))
        insist_on_json(request.headers)
        body = value_of(await body_of(request))
        problems = judged(self._request, body)
        if problems:
            raise invalid(written(problems))
        caller = self._caller_of(request.scope)
        skill = meant(self._host, body["skill"], body.get("version"), caller)
        if kind == EVENTS:
            return CallStream(lambda peer: self._event(skill, body, caller, peer), self._host.path.secrets)
        try:
            result = await unless_gone(self._called(skill, body, caller, None), request.receive)
        except Gone:
            return Response(status_code=_GONE)
        if (problem := of_result(result)) is not None:
            raise problem
        return JsonResponse({"result": result_of(result.outcome)}, headers={"Prowess-Record": result.record})

    async def _event(self, skill: Meant, body: dict[str, Any], caller: Caller, peer: StreamPeer) -> Event:
        """The last event of a streamed call."""
        try:
            result = await self._called(skill, body, caller, peer)
        except Exception as error:  # noqa: BLE001  # boundary: the status is sent, so this is the one way left
            return "problem", problem_of(error).document()
        problem = of_result(result)
        return (
            ("problem", problem.document()) if problem else ("result", {"result": result_of(result.outcome)})
        )

    async def _called(
        self, skill: Meant, body: dict[str, Any], caller: Caller, peer: StreamPeer | None
    ) -> CallResult:
        async def work() -> CallResult:
            asked = Asked(peer=peer, whole=True)
            name, server, params = skill.tool, skill.server, body["params"]
            try:
                return await self._host.call_recorded(
                    name, params, server=server, version=skill.version, caller=caller, asked=asked
                )
            except ProwessError as error:
                raise of_error(error) from None

        key = body.get("key")
        if key is None:
            return await work()
        wanted = digest(plain([skill.server, skill.tool, skill.version, body["params"]]))
        return await self._keys.once(caller, key, wanted, work)
