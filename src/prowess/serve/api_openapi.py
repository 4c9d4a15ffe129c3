"""What FastAPI is told about each route, and the OpenAPI document put right afterwards.

FastAPI documents a 422 of its own, which never happens here, and problems as plain JSON.
"""

from __future__ import annotations

from typing import Any

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi

from prowess.capability.schema import SNAPSHOT_SCHEMA
from prowess.serve.api_intake import EVENTS
from prowess.serve.api_models import CALL_REQUEST, Answer, Health, ProblemDetails, Skills
from prowess.serve.api_run_models import REQUESTS, RunDetails, RunList

_PROBLEM = "application/problem+json"
_ANY = (400, 406, 500)  # what every operation can answer
_WAIT = {
    "Retry-After": {"description": "seconds", "schema": {"type": "string", "pattern": "^[0-9]+$"}},
}


def _body(schema: str) -> dict[str, Any]:
    ref = {"schema": {"$ref": f"#/components/schemas/{schema}"}}
    return {"requestBody": {"required": True, "content": {"application/json": ref}}}


def _of_a_run(id: str, summary: str, schema: str, status: int = 200) -> dict[str, Any]:
    """What is done to a run, and answered with the run as it is then."""
    return {
        "operation_id": id,
        "summary": summary,
        "responses": {
            status: {"model": RunDetails, "description": "the run as it is now"},
            **{status: {"model": ProblemDetails} for status in (403, 404, 409, 413, 415, 503)},
        },
        "openapi_extra": _body(schema),
    }


_OPERATIONS: dict[str, dict[str, Any]] = {
    "skills": {
        "operation_id": "listSkills",
        "summary": "List skills",
        "responses": {200: {"model": Skills, "description": "the skills"}},
    },
    "call": {
        "operation_id": "callSkill",
        "summary": "Call a skill",
        "responses": {
            200: {
                "model": Answer,
                "description": "the skill answered; as events: progress, log, and then result or problem",
                "content": {EVENTS: {"schema": {"type": "string"}}},
                "headers": {
                    "Prowess-Record": {"description": "the record's id", "schema": {"type": "string"}}
                },
            },
            **{status: {"model": ProblemDetails} for status in (403, 404, 409, 413, 415, 502, 504)},
            **{status: {"model": ProblemDetails, "headers": _WAIT} for status in (429, 503)},
        },
        "openapi_extra": _body("CallRequest"),
    },
    "runs": {
        "operation_id": "listRuns",
        "summary": "List runs of workflows, and what they ask",
        "responses": {
            200: {"model": RunList, "description": "runs that this caller sees"},
            **{status: {"model": ProblemDetails} for status in (404, 503)},
        },
    },
    "run": {
        "operation_id": "getRun",
        "summary": "One run with its steps",
        "responses": {
            200: {"model": RunDetails, "description": "the run"},
            **{status: {"model": ProblemDetails} for status in (404, 503)},
        },
    },
    "approve": _of_a_run("approveRun", "Say yes to a step that waits", "AnswerRequest"),
    "refuse": _of_a_run("refuseRun", "Say no to a step that waits", "AnswerRequest"),
    "cancel": _of_a_run("cancelRun", "End a run", "CancelRequest"),
    "resume": _of_a_run("resumeRun", "Go on with a run that stopped", "ResumeRequest"),
    "retry": _of_a_run("retryRun", "Begin a new run from a step", "RetryRequest", 201),
    "snapshot": {
        "operation_id": "getSnapshot",
        "summary": "What is on offer",
        "responses": {
            200: {
                "description": "the snapshot",
                "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Snapshot"}}},
            },
            404: {"model": ProblemDetails},
        },
    },
    "health": {
        "operation_id": "getHealth",
        "summary": "Whether calls can be answered",
        "responses": {
            200: {"model": Health, "description": "by all servers, or by some"},
            503: {"model": Health, "description": "by none"},
        },
    },
    "metrics": {
        "operation_id": "getMetrics",
        "summary": "Metrics for Prometheus",
        "responses": {
            200: {
                "description": "the text format 0.0.4",
                "content": {"text/plain": {"schema": {"type": "string"}}},
            },
            403: {"model": ProblemDetails},
        },
    },
}


def described(name: str) -> dict[str, Any]:
    """What `add_api_route` is told about the operation `name`."""
    operation = _OPERATIONS[name]
    responses = {status: {"model": ProblemDetails} for status in _ANY} | operation["responses"]
    return {**operation, "responses": responses}


def documented(app: FastAPI) -> None:
    """Make the document once, as the API really answers."""
    document: dict[str, Any] = {}

    def openapi() -> dict[str, Any]:
        if not document:
            document.update(_made(app))
        return document

    app.openapi = openapi  # type: ignore[method-assign]  # the way that FastAPI describes


def _made(app: FastAPI) -> dict[str, Any]:
    made = get_openapi(title=app.title, version=app.version, routes=app.routes, summary="Skills over HTTP")
    schemas = made["components"]["schemas"]
    for unused in ("HTTPValidationError", "ValidationError"):
        schemas.pop(unused, None)
    schemas["CallRequest"] = CALL_REQUEST
    schemas.update(REQUESTS)
    schemas["Snapshot"] = {
        key: each for key, each in SNAPSHOT_SCHEMA.items() if key not in ("$schema", "$id")
    }
    for operations in made["paths"].values():
        for operation in operations.values():
            operation["responses"].pop("422", None)
            for parameter in operation.get("parameters", ()):
                parameter["schema"] = _without_null(parameter["schema"])
            for answer in operation["responses"].values():
                _named_right(answer)
    return made


def _without_null(schema: dict[str, Any]) -> dict[str, Any]:
    """A parameter that may be left out is text where it is given; a query cannot hold null."""
    text, *_ = schema.get("anyOf", [schema])
    return {**{key: each for key, each in schema.items() if key != "anyOf"}, **text}


def _named_right(answer: dict[str, Any]) -> None:
    """Problems under their own media type, and no JSON where there is none."""
    content = answer.get("content", {})
    schema = content.get("application/json", {}).get("schema", {})
    if schema.get("$ref", "").endswith("/ProblemDetails"):
        content[_PROBLEM] = content.pop("application/json")
    elif schema == {} and len(content) > 1:
        content.pop("application/json")
