"""Whatever goes wrong on the way to an answer, as a problem document: nothing else leaves the API.

Routing (404, 405), queries that do not fit, and faults of our own; of those only the kind is told,
and where they happened goes to the log `prowess.serve`.
"""

from __future__ import annotations

import logging
import traceback
from typing import Any

from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from prowess.redact import printable
from prowess.serve.api_json import ProblemResponse
from prowess.serve.api_problems import HttpProblem, invalid

LOG = logging.getLogger("prowess.serve")


def refusing(app: FastAPI) -> None:
    """Answer everything that is no answer with a problem document."""
    app.add_exception_handler(HttpProblem, _problem)
    app.add_exception_handler(HTTPException, _routing)
    app.add_exception_handler(RequestValidationError, _query)


class Boundary:
    """An ASGI middleware: a fault of our own is one answer, and no traceback."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass on; answer in place of what failed, if nothing was answered yet."""
        begun = False

        async def sending(message: Message) -> None:
            nonlocal begun
            begun = True
            await send(message)

        try:
            await self._app(scope, receive, sending)
        except Exception as error:  # noqa: BLE001  # boundary: a fault of ours ends one request and says so
            if not begun and scope["type"] == "http":
                await response(problem_of(error))(scope, receive, send)


def problem_of(error: Exception) -> HttpProblem:
    """A problem as it is; anything else is a fault of ours, which is logged."""
    if isinstance(error, HttpProblem):
        return error
    kind = type(error).__name__
    LOG.error("%s in the HTTP API\n%s", kind, "".join(traceback.format_tb(error.__traceback__)))
    detail = f"Prowess itself failed: {printable(kind, 100)}"
    return HttpProblem(500, "internal", detail, error=detail)


def response(problem: HttpProblem) -> Response:
    """The response that says it."""
    return ProblemResponse(problem.document(), status_code=problem.status, headers=problem.headers())


async def _problem(request: Request, error: Exception) -> Response:
    assert isinstance(error, HttpProblem)
    return response(error)


async def _routing(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    known = {404: ("no-such-path", "nothing is at this path; /openapi.json lists what is")}
    known[405] = ("method-not-allowed", "this path answers other methods; the header Allow names them")
    code, detail = known.get(error.status_code, ("refused", printable(str(error.detail))))
    answer = response(HttpProblem(error.status_code, code, detail))
    answer.headers.update(error.headers or {})
    return answer


async def _query(request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)
    return response(invalid([_query_problem(each) for each in error.errors()]))


def _query_problem(found: dict[str, Any]) -> dict[str, str]:
    name = printable("/".join(str(each) for each in found["loc"][1:]), 100)
    expected = printable(str(found["msg"]), 200)
    unknown = found["type"] == "extra_forbidden"
    hint = f"?{name} is not known here" if unknown else f"?{name}: {expected[:1].lower()}{expected[1:]}"
    return {
        "path": f"?{name}",
        "rule": found["type"].replace("_", "-"),
        "expected": "no such parameter" if unknown else expected,
        "received": printable(str(found.get("input")), 80),
        "hint": hint,
    }
