"""What the HTTP API takes and gives about runs of workflows, as models and schemas.

It does not know a Host.
"""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from prowess.serve.api_models import LONGEST_NAME

State = Literal["queued", "running", "waiting", "completed", "failed", "cancelled", "attention"]

_STEP = {"type": "string", "minLength": 1, "maxLength": LONGEST_NAME}


def _request(title: str, description: str, properties: dict[str, Any], *required: str) -> dict[str, Any]:
    return {
        "title": title,
        "description": description,
        "type": "object",
        "properties": properties,
        **({"required": list(required)} if required else {}),
        "additionalProperties": False,
    }


# JSON Schema 2020-12 of the bodies: what is documented is what is accepted.
ANSWER_REQUEST = _request(
    "AnswerRequest",
    "Which question is answered.",
    {
        "step": {**_STEP, "description": "of a question, where the run has several"},
        "since": {"type": "number", "description": "of the question that was read: no later one is meant"},
    },
)
CANCEL_REQUEST = _request("CancelRequest", "Nothing has to be said.", {})
RESUME_REQUEST = _request(
    "ResumeRequest",
    "How to go on; of a step that may have acted, one of these has to be said.",
    {
        "again": {"type": "boolean", "description": "it did not act: do it once more"},
        "result": {"description": "it did, and this is what it gave"},
    },
) | {"not": {"properties": {"again": {"const": True}}, "required": ["again", "result"]}}
RETRY_REQUEST = _request(
    "RetryRequest",
    "Where the new run begins.",
    {"from": {**_STEP, "description": "the first step that is done anew"}},
    "from",
)
REQUESTS = {each["title"]: each for each in (ANSWER_REQUEST, CANCEL_REQUEST, RESUME_REQUEST, RETRY_REQUEST)}


class Question(BaseModel):
    """What a run asks a person before it goes on."""

    step: str = Field(description="the step that waits for the answer")
    text: str = Field(description="what is asked; it may hold words of a tool, so show it as text alone")
    since: float = Field(description="seconds since 1970")


class RunStep(BaseModel):
    """One step of a run that began, waits or ended."""

    step: str = Field(description="its key: search, pages[3], pay?approve, 2/search of a sub-workflow")
    kind: Literal["call", "approval", "time", "event", "skip"]
    state: Literal["started", "waiting", "completed", "failed", "skipped"]
    value: Any = Field(description="its result, why it failed, what it waits for, or what is known of it")
    began: float
    ended: float | None = None


class RunSummary(BaseModel):
    """One execution of a workflow. Times are seconds since 1970."""

    run: str
    workflow: str
    version: str
    queue: str
    state: State = Field(description="attention: a step may have acted, and a person has to look")
    principal: str = Field(description="who began it")
    created: float
    started: float | None = None
    ended: float | None = None
    deadline: float | None = None
    questions: list[Question] = Field(description="what waits for a yes or a no")
    output: Any = Field(None, description="with completed: what the workflow gives")
    error: dict[str, Any] | None = Field(None, description="why it did not complete")
    retry_of: str | None = Field(None, description="the run whose finished steps this one began with")


class RunDetails(RunSummary):
    """A run with its input and its steps."""

    input: dict[str, Any]
    steps: list[RunStep] = Field(description="in the order in which they began")


class RunList(BaseModel):
    """Runs, the newest first."""

    runs: list[RunSummary]


class RunsQuery(BaseModel):
    """The query of GET /runs."""

    model_config = ConfigDict(extra="forbid")

    state: Literal["", "queued", "running", "waiting", "completed", "failed", "cancelled", "attention"] = (
        Field("", description="only those in this state")
    )
    workflow: str = Field("", max_length=LONGEST_NAME, description="only those of this workflow")
    asking: bool = Field(False, description="only those that wait for a yes or a no")
    limit: int = Field(50, ge=1, le=1_000, description="at most so many")
