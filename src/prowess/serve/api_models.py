"""What the HTTP API takes and gives, as models: its OpenAPI document is made from them.

A request is judged by `CALL_REQUEST` itself, so what is documented is what is accepted. Problems are
RFC 9457 problem details with members of ours. It does not know a Host.
"""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from prowess.choose.versions import RANGE_PATTERN

LONGEST_NAME = 500
LONGEST_RANGE = 200
LONGEST_KEY = 200

# JSON Schema 2020-12 of the body of POST /call.
CALL_REQUEST: dict[str, Any] = {
    "title": "CallRequest",
    "description": "Which skill, and with what.",
    "type": "object",
    "properties": {
        "skill": {
            "type": "string",
            "minLength": 1,
            "maxLength": LONGEST_NAME,
            "description": "a name of GET /skills, a tool's own name, or server/tool; of a unit name@range",
        },
        "params": {"type": "object", "description": "the arguments, as the skill's parameters describe them"},
        "version": {
            "type": "string",
            "minLength": 1,
            "maxLength": LONGEST_RANGE,
            "description": "of a unit: 1, 1.4, ^1.2, ~1.4.2 or 1.4.2; without it what this caller gets",
        },
        "key": {
            "type": "string",
            "minLength": 1,
            "maxLength": LONGEST_KEY,
            "description": "an idempotency key: the same call with the same key is not made twice",
        },
    },
    "required": ["skill", "params"],
    "additionalProperties": False,
}


class Skill(BaseModel):
    """One skill that can be called, in one version."""

    name: str = Field(description="what POST /call takes as skill")
    server: str = Field(description="the server, or the folder of units, that answers")
    description: str
    parameters: dict[str, Any] = Field(description="JSON Schema of the arguments")
    title: str | None = None
    returns: dict[str, Any] | None = Field(None, description="JSON Schema of the result, if it is declared")
    version: str | None = Field(None, description="of a unit, or as a server declares it")
    default: bool = Field(description="whether this caller gets this version without asking for one")


class Skills(BaseModel):
    """Everything that this caller may call."""

    skills: list[Skill]


class Answer(BaseModel):
    """What the skill answered."""

    result: Any = Field(description="structured content if there is any, else the content blocks")


class ArgumentProblem(BaseModel):
    """One thing wrong with a request."""

    path: str = Field(description="a JSON pointer into the body, or ?name for a parameter of the query")
    rule: str = Field(description="the keyword of the schema that is broken, or a word of ours")
    expected: str
    received: str
    hint: str


class ProblemDetails(BaseModel):
    """Why there is no result (RFC 9457)."""

    type: str = Field(description="urn:prowess:problem: and the code")
    title: str
    status: int
    detail: str
    code: str = Field(description="one stable word")
    hint: str | None = Field(None, description="what to do about it")
    errors: list[ArgumentProblem] | None = Field(None, description="with 400: everything that is wrong")
    error: str | None = Field(None, description="with 500: what the skill says of its own failure")
    nearest: list[str] | None = Field(None, description="with 404: names that are like the one asked for")
    record: str | None = Field(None, description="the id of the call's record, where a call was made")


class ServerHealth(BaseModel):
    """One server."""

    id: str
    type: str
    status: Literal["connected", "failed", "auth-required", "timed-out", "not-started"]
    reason: str | None = Field(None, description="one stable word, where it is not connected")


class Health(BaseModel):
    """Whether calls can be answered: by all servers, by some of them, by none."""

    status: Literal["ok", "degraded", "down"]
    servers: list[ServerHealth]
    rejected: list[str] = Field(description="plugins that do not load")


class SkillsQuery(BaseModel):
    """The query of GET /skills."""

    model_config = ConfigDict(extra="forbid")

    version: str | None = Field(
        None,
        min_length=1,
        max_length=LONGEST_RANGE,
        pattern=RANGE_PATTERN,
        description="only versions that this range means; without it all of them",
    )


class SnapshotQuery(BaseModel):
    """The query of GET /snapshot."""

    model_config = ConfigDict(extra="forbid")

    plugin: str | None = Field(
        None, min_length=1, max_length=LONGEST_NAME, description="of which plugin, where there are several"
    )


class NoQuery(BaseModel):
    """The query of what takes none."""

    model_config = ConfigDict(extra="forbid")
