"""A workflow as the tool that clients see, and a run as what they are answered with. Pure."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from prowess.call.limits import TIMEOUT_META
from prowess.call.resolving import VERSION_META
from prowess.capability.offer import Tool
from prowess.redact import printable
from prowess.workflow.definition import STATUS as STATUS
from prowess.workflow.definition import Workflow
from prowess.workflow.records import Run, StepRow

TRIGGERS_META = "dev.prowess/triggers"
SLACK = 5.0  # seconds that a call has beside waiting for its run

_RUN = {
    "type": "object",
    "required": ["run", "state"],
    "properties": {
        "run": {"type": "string", "description": f"The run's id; {STATUS} reads it."},
        "state": {
            "enum": ["queued", "running", "waiting", "completed", "failed", "cancelled", "attention"],
            "description": "attention: a step may have acted and a person has to look.",
        },
        "workflow": {"type": "string"},
        "output": {"description": "What the workflow gives, once it is completed."},
        "error": {"type": "object"},
        "waits_for": {"type": "array", "items": {"type": "object"}},
        "hint": {"type": "string"},
    },
}


def tool_of(workflow: Workflow, label: str, seconds: float) -> Tool:
    """The tool of one version of a workflow; `seconds` are how long a call waits for its run."""
    return Tool(
        server=label,
        wire={
            "name": workflow.name,
            "description": workflow.description or f"Runs the workflow {workflow.name}.",
            "inputSchema": dict(workflow.input),
            "outputSchema": _RUN,
            "_meta": {
                VERSION_META: workflow.version,
                TIMEOUT_META: seconds + SLACK,
                TRIGGERS_META: list(workflow.triggers),
            },
        },
    )


def status_tool(label: str) -> Tool:
    """The tool that reads a run."""
    return Tool(
        server=label,
        wire={
            "name": STATUS,
            "description": "Says how a run of a workflow stands: its state, its output, what it waits for.",
            "inputSchema": {
                "type": "object",
                "required": ["run"],
                "properties": {
                    "run": {"type": "string", "description": "The id that the workflow answered with."}
                },
                "additionalProperties": False,
            },
            "outputSchema": _RUN,
            "annotations": {"readOnlyHint": True},
        },
    )


def said_of(run: Run, steps: Mapping[str, StepRow]) -> dict[str, Any]:
    """A run for whoever asked for it."""
    said: dict[str, Any] = {"run": run.run, "state": run.state, "workflow": run.title}
    if run.state == "completed":
        said["output"] = run.output
    if run.error is not None:
        said["error"] = dict(run.error)
    if not run.over:
        waiting = [waits_for(each) for each in steps.values() if each.state == "waiting"]
        if waiting:
            said["waits_for"] = waiting
        person = any(each["kind"] == "approval" for each in waiting)
        said["hint"] = (
            "a person has to approve; nothing goes on before that" if person else f"ask {STATUS} again later"
        )
    return said


def waits_for(row: StepRow) -> dict[str, Any]:
    """What one step waits for."""
    value = row.value if isinstance(row.value, dict) else {}
    return {
        "step": row.step,
        "kind": row.kind,
        **{name: each for name, each in value.items() if each is not None},
    }


def failed_wire(message: str, said: Mapping[str, Any]) -> dict[str, Any]:
    """The result of a run that did not complete, as MCP writes one that failed."""
    text = f"{printable(message, 2_000)}\n{json.dumps(said, ensure_ascii=False)}"
    return {"content": [{"type": "text", "text": text}], "isError": True}


def step_states(run: Run, steps: Mapping[str, StepRow]) -> dict[str, str]:
    """The state of each step for a picture: of a loop what weighs most of its items."""
    found: dict[str, str] = {}
    for key, row in steps.items():
        name = key.partition("?")[0].partition("[")[0].partition("/")[0]
        state = _drawn(run, row)
        if key.endswith("?approve") and state == "completed":
            continue
        before = found.get(name)
        found[name] = state if before is None or _WEIGHT[state] > _WEIGHT[before] else before
    if run.error and run.error.get("step"):
        name = str(run.error["step"]).partition("[")[0].partition("/")[0]
        found[name] = "attention" if run.state == "attention" else "failed"
    return found


_WEIGHT = {"skipped": 0, "completed": 1, "waiting": 2, "running": 3, "failed": 4, "attention": 5}


def _drawn(run: Run, row: StepRow) -> str:
    if row.state == "started":
        return "attention" if run.state == "attention" else "running"
    return row.state
