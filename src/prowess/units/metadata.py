"""What a unit says about itself, judged: one object in, a Unit and diagnostics out.

The published fields: name, description, triggers, parameters, returns, timeout (milliseconds),
idempotent, version (SemVer), permissions, core, examples. The object comes from a `schema.json` or
from a decorated function; this file does not know which, and touches no disk.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from difflib import get_close_matches
from typing import Any

from prowess.choose.versions import parse
from prowess.errors import UsageError
from prowess.redact import printable
from prowess.spec.diagnostics import Diagnostic, Place, Reach
from prowess.spec.rules import report
from prowess.spec.strict_json import pointer
from prowess.units.model import TIMEOUT_MS, VERSION, Form, Permissions, Unit
from prowess.units.permissions import read_permissions

# What every published client accepts as a tool's name; how a good one reads is a lint.
_NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]{0,127}")
REQUIRED = ("name", "description")
TIERS = {"core": True, "extended": False}
# field: the Python types its value may have, and how they are called
KINDS: dict[str, tuple[tuple[type, ...], str]] = {
    "name": ((str,), "a string"),
    "description": ((str,), "a string"),
    "triggers": ((list,), "a list of strings"),
    "parameters": ((dict,), "a JSON Schema object"),
    "returns": ((dict,), "a JSON Schema object"),
    "timeout": ((int,), "a whole number of milliseconds above 0"),
    "idempotent": ((bool,), "true or false"),
    "version": ((str,), "a string"),
    "permissions": ((dict, list), "an object"),
    "core": ((bool, str), "true, false, or core or extended"),
    "tier": ((str,), "core or extended"),
    "examples": ((list,), "a list of objects with input and output"),
}
# Keywords that say something about names beside `properties`; a schema with one of them is left as it is.
_OPEN = frozenset(
    {"additionalProperties", "unevaluatedProperties", "patternProperties", "propertyNames", "$ref"}
) | {"$dynamicRef", "allOf", "anyOf", "oneOf", "not", "if", "dependentSchemas"}

# A schema of an object holds at least one of these, unless it is empty.
SAYS_SOMETHING = frozenset({"type", "properties", *_OPEN})


class Reading:
    """One object on its way to a Unit; what is wrong with it is collected, never raised."""

    def __init__(self, place: Place, subject: str) -> None:
        self.place = place
        self.subject = subject
        self.found: list[Diagnostic] = []

    def tell(self, rule: str, message: str, *path: str | int, hint: str = "") -> None:
        """A diagnostic at `path` inside the object."""
        at = self.place
        if at.line is None:
            at = Place(file=at.file, pointer=pointer(*path) or None)
        self.found.append(report(rule, at, message, hint=hint, subject=self.subject))

    @property
    def broken(self) -> bool:
        """Whether something was found that leaves no unit."""
        return any(each.reach >= Reach.ENTRY for each in self.found)


def read_unit(
    said: Mapping[str, Any],
    *,
    place: Place,
    subject: str,
    file: str = "",
    home: str = "",
    form: Form = "folder",
    folder: str = "",
) -> tuple[Unit | None, list[Diagnostic]]:
    """The unit that `said` describes, or None, and all there is to report.

    `folder` is the name of the folder that it stands in: a version there counts where none is said.
    """
    reading = Reading(place, subject)
    _judge_fields(said, reading)
    said = {name: value for name, value in said.items() if value is not None}  # null is a field not given
    version = _version(said, folder, reading)
    permissions = read_permissions(said.get("permissions"), reading.tell)
    if reading.broken:
        return None, reading.found
    returns = said.get("returns")
    unit = Unit(
        name=said["name"],
        description=said["description"].strip(),
        triggers=tuple(said.get("triggers", ())),
        parameters=_closed(said.get("parameters", {})),
        returns=None if returns is None else _object(returns),
        timeout_ms=said.get("timeout", TIMEOUT_MS),
        idempotent=said.get("idempotent", False),
        version=version,
        permissions=permissions or Permissions(),
        core=_core(said),
        examples=tuple(said.get("examples", ())),
        place=str(place),
        file=file,
        home=home,
        form=form,
    )
    return unit, reading.found


def _judge_fields(said: Mapping[str, Any], reading: Reading) -> None:
    for name in REQUIRED:
        if said.get(name) is None or (isinstance(said[name], str) and not said[name].strip()):
            reading.tell("unit-required-field", f"{name} is missing", hint=f'write "{name}": "..."')
    for name, value in said.items():
        if name not in KINDS:
            _unknown(name, reading)
        elif value is not None and not _fits(name, value):
            message = f"{name} must be {KINDS[name][1]}; found {printable(repr(value), 80)}"
            reading.tell("unit-field-type", message, name, hint=_type_hint(name, value))
    if not reading.broken:
        _judge_values(said, reading)


def _judge_values(said: Mapping[str, Any], reading: Reading) -> None:
    if not _NAME.fullmatch(said["name"]):
        reading.tell(
            "unit-name-invalid",
            f"{printable(said['name'], 80)} cannot be a tool's name",
            "name",
            hint="letters, digits, _, - and ., at most 128: such as query_weather",
        )
    for name in ("parameters", "returns"):
        if said.get(name) is not None:
            fault = schema_fault(said[name])
            if fault is not None:
                reading.tell("unit-schema-invalid", f"{name}: {fault[0]}", name, hint=fault[1])


def _unknown(name: str, reading: Reading) -> None:
    near = get_close_matches(name, KINDS, 1)
    hint = f"did you mean {near[0]}?" if near else f"fields: {', '.join(KINDS)}"
    reading.tell("unit-unknown-field", f"{printable(name, 80)} is no field of a unit", name, hint=hint)


def _fits(name: str, value: Any) -> bool:
    kinds = KINDS[name][0]
    return isinstance(value, kinds) and (not isinstance(value, bool) or bool in kinds) and _holds(name, value)


def _holds(name: str, value: Any) -> bool:
    if name == "triggers":
        return all(isinstance(each, str) and each.strip() for each in value)
    if name == "examples":
        return all(isinstance(each, dict) and isinstance(each.get("input", {}), dict) for each in value)
    if name in ("core", "tier"):
        return isinstance(value, bool) or value in TIERS
    return bool(name != "timeout" or value > 0)


def _type_hint(name: str, value: Any) -> str:
    if name == "timeout" and isinstance(value, float) and value > 0:
        return f"milliseconds: {max(1, round(value * 1_000))} if seconds were meant"
    return 'one list: ["weather today", "forecast"]' if name == "triggers" and isinstance(value, str) else ""


def is_version(text: str) -> bool:
    """Whether a text is a version (SemVer)."""
    try:
        parse(text)
    except UsageError:
        return False
    return True


def _version(said: Mapping[str, Any], folder: str, reading: Reading) -> str:
    named = folder if is_version(folder) else ""
    version = said.get("version")
    if not isinstance(version, str):
        return named or VERSION
    if not is_version(version):
        message = f"version {printable(version, 60)} is not SemVer"
        reading.tell("unit-version-invalid", message, "version", hint="three numbers, such as 1.4.2")
    elif named and named != version:
        message = f"the folder says {named} and the unit says {version}; {version} counts"
        reading.tell("unit-version-folder", message, "version", hint=f"rename the folder to {version}")
    return version


def _core(said: Mapping[str, Any]) -> bool:
    value = said.get("core", said.get("tier", False))
    return TIERS[value] if isinstance(value, str) else bool(value)


def schema_fault(schema: Mapping[str, Any]) -> tuple[str, str] | None:
    """Why this is no schema of an object, and what to do; None when it may be one."""
    kind = schema.get("type", "object")
    if kind != "object":
        return f"type must be object; found {printable(repr(kind), 40)}", "a unit takes and gives an object"
    members = schema.get("properties", {})
    if not isinstance(members, dict):
        return "properties must be an object", '"properties": {"city": {"type": "string"}}'
    for name, member in members.items():
        if not isinstance(member, dict | bool):
            return f"{printable(name, 60)} must be a schema", f'"{printable(name, 60)}": {{"type": "string"}}'
    required = schema.get("required", [])
    if not isinstance(required, list) or not all(isinstance(each, str) for each in required):
        return "required must be a list of names", '"required": ["city"] beside "properties"'
    if schema and not set(schema) & SAYS_SOMETHING:
        return "neither type nor properties stand in it", 'put the parameters into "properties": { ... }'
    return None


def _object(schema: Mapping[str, Any]) -> dict[str, Any]:
    return {"type": "object", **schema}


def _closed(schema: Mapping[str, Any]) -> dict[str, Any]:
    """The same schema; a plain list of properties takes no other names, so that a misspelling is told."""
    whole = {"type": "object", "properties": {}, **schema}
    return whole if _OPEN & set(schema) else {**whole, "additionalProperties": False}
