"""The JSON Schema of a unit's `schema.json`: what loads as a unit, field by field.

Skill units: what `units/metadata.py` reads without a fault fits it, and what has a fault does not; a test
holds the two together. Null stands for a field that is not there. Fields that are not known are let
through, as `check` only notes them.
"""

from __future__ import annotations

from prowess.author.schemas import Schema, titled
from prowess.units.metadata import TIERS
from prowess.units.permissions import NAMES as PERMISSIONS

_NUMBER = r"(0|[1-9][0-9]*)"
_PART = rf"({_NUMBER}|[0-9]*[A-Za-z-][0-9A-Za-z-]*)"
_SEMVER = rf"^{_NUMBER}\.{_NUMBER}\.{_NUMBER}(-{_PART}(\.{_PART})*)?(\+[0-9A-Za-z-]+(\.[0-9A-Za-z-]+)*)?$"
_SAID = r"\S"  # more than blanks


def unit_schema() -> Schema:
    """What a unit's `schema.json` may hold."""
    fields = {
        "name": {"type": "string", "pattern": "^[A-Za-z0-9_][A-Za-z0-9_.-]{0,127}$"},
        "description": {"type": "string", "pattern": _SAID},
        "triggers": _or_null({"type": "array", "items": {"type": "string", "pattern": _SAID}}),
        "parameters": _or_null(_schema_of_an_object()),
        "returns": _or_null(_schema_of_an_object()),
        "timeout": {"type": ["integer", "null"], "exclusiveMinimum": 0, "description": "milliseconds"},
        "idempotent": {"type": ["boolean", "null"]},
        "version": _or_null({"type": "string", "pattern": _SEMVER, "maxLength": 200}),
        "permissions": _permissions(),
        "core": {"enum": [True, False, *TIERS, None]},
        "tier": {"enum": [*TIERS, None]},
        "examples": _or_null({"type": "array", "items": _example()}),
    }
    said = {"type": "object", "properties": fields, "required": ["name", "description"]}
    return titled("unit", "schema.json of a skill unit", said)


def _or_null(schema: Schema) -> Schema:
    return {"anyOf": [schema, {"type": "null"}]}


def _schema_of_an_object() -> Schema:
    """A JSON Schema of an object, as far as one is told from a list of parameters without a frame."""
    return {
        "type": "object",
        "properties": {
            "type": {"const": "object"},
            "properties": {"type": "object", "additionalProperties": {"type": ["object", "boolean"]}},
            "required": {"type": "array", "items": {"type": "string"}},
        },
        "anyOf": [{"maxProperties": 0}, *({"required": [word]} for word in _framing())],
    }


def _framing() -> list[str]:
    from prowess.units.metadata import SAYS_SOMETHING

    return sorted(SAYS_SOMETHING)


def _permissions() -> Schema:
    texts: Schema = {"type": "array", "items": {"type": "string", "minLength": 1}}
    lists = {name: texts for name in PERMISSIONS}  # noqa: C420  # a schema is never changed
    return {"anyOf": [{"type": "object", "properties": lists}, {"type": ["array", "null"]}]}


def _example() -> Schema:
    return {
        "type": "object",
        "properties": {"input": {"type": "object"}, "error": {}, "output": {}},
    }
