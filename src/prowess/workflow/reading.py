"""A file with a workflow as a definition: every fault in it with its line, and the workflow if there is none.

It knows the fields and their forms. Whether skills exist, parameters fit and references lead anywhere is
`checking`; a definition that is read here may still be refused there.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from prowess.errors import UsageError
from prowess.redact import printable
from prowess.spec.diagnostics import Diagnostic
from prowess.workflow.definition import STATUS, VERSION, Workflow
from prowess.workflow.fields import Taking, Telling
from prowess.workflow.located import Located, Wrong, located, read_located
from prowess.workflow.reading_steps import read_steps

FIELDS = ("name", "description", "triggers", "version", "input", "steps", "output", "timeout")
NAME = r"[A-Za-z0-9_][A-Za-z0-9_.-]{0,127}"
"""What a workflow may be called; it is offered as a tool, so the names are a unit's."""
MOST_STEPS = 500  # in all


@dataclass(frozen=True, slots=True, kw_only=True)
class Read:
    """What became of a file: the workflow unless something is wrong, and everything there is to say."""

    workflow: Workflow | None
    diagnostics: tuple[Diagnostic, ...] = ()


def read_workflow(data: bytes, file: str) -> Read:
    """The workflow in the YAML `data`; `file` is what diagnostics call it."""
    telling = Telling(file)
    said = read_located(data)
    if isinstance(said, Wrong):
        telling.tell(said.rule, said.line, said.message, said.hint)
        return Read(workflow=None, diagnostics=tuple(telling.found))
    return _read(said, telling)


def read_document(document: Mapping[str, Any], file: str = "") -> Workflow:
    """The workflow of a `Workflow.document`, as it is recorded with a run. Raises UsageError."""
    read = _read(located(document), Telling(file))
    if read.workflow is None:
        first = read.diagnostics[0]
        raise UsageError(f"the recorded definition cannot be read: {first.message}", hint=first.hint)
    return read.workflow


def _read(said: Located, telling: Telling) -> Read:
    if not isinstance(said.value, Mapping):
        hint = "write name: and steps:"
        telling.tell("workflow-field", said.line, "a workflow is a mapping of fields", hint)
        return Read(workflow=None, diagnostics=tuple(telling.found))
    fields = Taking(said, "the workflow", FIELDS, telling)
    workflow = _workflow(fields, said, telling)
    found = tuple(telling.found)
    return Read(workflow=None if found else workflow, diagnostics=found)


def _workflow(fields: Taking, said: Located, telling: Telling) -> Workflow:
    name = fields.text("name")
    if not fields.has("name"):
        fields.tell("name", "is missing", "name: book_flight", "workflow-required-field")
    elif name and not re.fullmatch(NAME, name):
        fields.tell(
            "name", f"{printable(name, 60)} is no name", "letters, digits, _ - and . such as book_flight"
        )
    elif name == STATUS:
        fields.tell("name", f"{STATUS} is the tool that reads runs", "another name, such as book_flight")
    steps = read_steps(fields, telling)
    workflow = Workflow(
        name=name,
        steps=steps,
        description=fields.text("description"),
        triggers=fields.texts("triggers"),
        version=_version(fields),
        input=_input(fields),
        output=fields.template("output") if fields.has("output") else None,
        timeout=fields.seconds("timeout"),
        document=said.plain,
        file=telling.file,
        lines={name: each.line for name, each in fields.fields.items()},
    )
    _told_twice(workflow, fields, telling)
    return workflow


def _version(fields: Taking) -> str:
    from prowess.choose.versions import parse

    version = fields.text("version", hint='version: "1.0.0"')
    try:
        return str(parse(version)) if version else VERSION
    except UsageError as error:
        fields.tell("version", f"cannot be read: {error.message}", error.hint)
        return VERSION


def _input(fields: Taking) -> Mapping[str, Any]:
    """The schema of the input, closed where it names properties and does not say that it is open."""
    if not fields.has("input"):
        return {"type": "object"}
    said = fields.fields["input"].plain
    hint = "input: {type: object, required: [city], properties: {city: {type: string}}}"
    if not isinstance(said, Mapping):
        fields.tell("input", "must be a JSON Schema", hint)
    elif said.get("type", "object") != "object":
        fields.tell("input", "must be a schema of an object", hint)
    elif not isinstance(said.get("properties", {}), Mapping):
        fields.tell("input", "has properties that are no mapping", hint)
    else:
        open_already = "properties" not in said or {"additionalProperties", "$ref", "allOf"} & said.keys()
        closing = {} if open_already else {"additionalProperties": False}
        return {**said, "type": "object", **closing}
    return {"type": "object"}


def _told_twice(workflow: Workflow, fields: Taking, telling: Telling) -> None:
    seen: dict[str, int | None] = {}
    count = 0
    for step in workflow.all_steps():
        count += 1
        if step.id in seen:
            where = f"line {seen[step.id]}" if seen[step.id] else "an earlier step"
            message = f"the id {printable(step.id, 60)} is also that of {where}"
            telling.tell("workflow-duplicate-id", step.line, message, "ids are unique in the whole workflow")
        seen.setdefault(step.id, step.line)
    if count > MOST_STEPS:
        fields.tell(
            "steps", f"has more than {MOST_STEPS} steps in all", "a part can be a workflow of its own"
        )
