"""The JSON Schema of a workflow's definition, for editors; the definition is YAML, one file each.

Only `name` and `steps` are required. It says which fields there are and what shape each has, as
`workflow/reading.py` reads them: what the reader takes, this accepts. Whether a reference leads to an
earlier step, or a skill exists, needs the rest of the project: that is the static check's matter.
"""

from __future__ import annotations

from prowess.author.schemas import Schema, titled
from prowess.workflow.durations import LONGEST
from prowess.workflow.reading import NAME
from prowess.workflow.reading_steps import ID, KINDS, MOST_AT_ONCE, MOST_ATTEMPTS

_FILLED: Schema = {"type": "string", "pattern": r"\S"}
_DURATION: Schema = {
    "anyOf": [
        {"type": "number", "exclusiveMinimum": 0, "maximum": LONGEST, "description": "seconds"},
        {"type": "string", "pattern": r"^([0-9]{1,9}(\.[0-9]{1,3})?(ms|s|m|h|d))+$"},
        {"type": "string", "pattern": r"\{\{"},
    ]
}
_STEP: Schema = {"$ref": "#/$defs/step"}
_STEPS: Schema = {"type": "array", "minItems": 1, "items": _STEP}
_BRANCH: Schema = {"anyOf": [_STEP, _STEPS]}


def workflow_schema() -> Schema:
    """What a workflow's file may hold."""
    fields: dict[str, Schema] = {
        "name": {"type": "string", "pattern": f"^{NAME}$"},
        "description": {"type": "string"},
        "triggers": {"type": "array", "items": {"type": "string"}},
        "version": {"type": ["string", "number"]},
        "input": {"type": "object", "description": "a JSON Schema of what the workflow is given"},
        "steps": _STEPS,
        "output": {"description": "what it gives; {{...}} inside is filled in"},
        "timeout": _DURATION,
    }
    return titled(
        "workflow",
        "a workflow's definition",
        {
            "type": "object",
            "properties": fields,
            "required": ["name", "steps"],
            "additionalProperties": False,
            "$defs": {"step": _step()},
        },
    )


def _step() -> Schema:
    """One step: a skill with its parameters, another workflow, a wait, or steps side by side."""
    fields: dict[str, Schema] = {
        "id": {"type": "string", "pattern": f"^{ID}$"},
        "skill": {**_FILLED, "description": "a unit or a tool, also NAME@RANGE"},
        "workflow": _FILLED,
        "wait": {"anyOf": [*_DURATION["anyOf"], _waits()]},
        "parallel": _parallel(),
        "version": {"type": ["string", "number"]},
        "params": {"type": "object"},
        "when": _FILLED,
        "approve": _FILLED,
        "for_each": {"type": ["string", "array"]},
        "concurrency": {"type": "integer", "minimum": 1, "maximum": MOST_AT_ONCE},
        "retry": _retry(),
        "timeout": _DURATION,
        "on_error": _on_error(),
    }
    kinds = [{"required": [each]} for each in KINDS]
    return {"type": "object", "properties": fields, "oneOf": kinds, "additionalProperties": False}


def _waits() -> Schema:
    fields: dict[str, Schema] = {"seconds": _DURATION, "until": _FILLED, "event": _FILLED}
    return {
        "type": "object",
        "properties": fields,
        "additionalProperties": False,
        "oneOf": [{"required": [each]} for each in fields],
    }


def _parallel() -> Schema:
    named = {
        "type": "object",
        "minProperties": 1,
        "propertyNames": {"pattern": f"^{ID}$"},
        "additionalProperties": _BRANCH,
    }
    return {"anyOf": [{"type": "array", "minItems": 1, "items": _BRANCH}, named]}


def _retry() -> Schema:
    attempts: Schema = {"type": "integer", "minimum": 1, "maximum": MOST_ATTEMPTS}
    inner = {
        "type": "object",
        "properties": {
            "attempts": attempts,
            "delay": _DURATION,
            "factor": {"type": "number", "minimum": 1, "maximum": 10},
            "max_delay": _DURATION,
        },
        "required": ["attempts"],
        "additionalProperties": False,
    }
    return {"anyOf": [attempts, inner]}


def _on_error() -> Schema:
    compensating = {
        "type": "object",
        "properties": {"compensate": _STEP},
        "required": ["compensate"],
        "additionalProperties": False,
    }
    return {"anyOf": [{"enum": ["fail", "continue"]}, compensating]}
