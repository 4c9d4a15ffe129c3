"""The JSON Schema of a workflow's definition, for editors; the definition is YAML, one file each.

Only `name` and `steps` are required. It says which fields there are and what shape each has. Whether a
reference leads to an earlier step, or a skill exists, needs the rest of the project: that is the static
check's matter.
"""

from __future__ import annotations

from prowess.author.schemas import Schema, titled

_TEXT: Schema = {"type": "string"}
_FILLED: Schema = {"type": "string", "pattern": r"\S"}
_NAME: Schema = {"type": "string", "pattern": "^[A-Za-z0-9_][A-Za-z0-9_.-]{0,127}$"}
_SECONDS: Schema = {"type": "number", "exclusiveMinimum": 0, "description": "seconds"}
_STEPS: Schema = {"type": "array", "minItems": 1, "items": {"$ref": "#/$defs/step"}}


def workflow_schema() -> Schema:
    """What a workflow's file may hold."""
    fields = {
        "name": _NAME,
        "description": _FILLED,
        "triggers": {"type": "array", "items": _FILLED},
        "version": _TEXT,
        "input": {"type": "object", "description": "a JSON Schema of what the workflow is given"},
        "steps": _STEPS,
        "output": {"description": "what it gives; {{...}} inside is filled in"},
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
    """One step: a skill with its parameters, steps side by side, a wait, or another workflow."""
    fields: dict[str, Schema] = {
        "id": {"type": "string", "pattern": "^[A-Za-z_][A-Za-z0-9_]*$"},
        "skill": {**_FILLED, "description": "a unit or a tool, also NAME@RANGE"},
        "workflow": _FILLED,
        "params": {"type": "object"},
        "when": _FILLED,
        "approve": _FILLED,
        "for_each": {"description": "a list, or an expression that gives one"},
        "concurrency": {"type": "integer", "minimum": 1},
        "parallel": _STEPS,
        "on_error": {"anyOf": [{"enum": ["fail", "continue"]}, {"type": "object"}]},
        "retry": {"anyOf": [{"type": "integer", "minimum": 0}, {"type": "object"}]},
        "timeout": _SECONDS,
        "wait": {"anyOf": [_SECONDS, _FILLED, {"type": "object"}]},
    }
    kinds = [{"required": [each]} for each in ("skill", "workflow", "parallel", "wait")]
    return {"type": "object", "properties": fields, "oneOf": kinds}
