"""Params of a step against the schema of what they are given to, before any of their values is known.

The keys are written out, so which parameters are missing and which are unknown is known. A value that an
expression will give is judged by its kind alone; all others are judged by the validator that a call uses.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from prowess.call.explaining import explain
from prowess.call.listing import faults
from prowess.call.redaction import keep
from prowess.call.schemas import Compiled, SchemaFault, Schemas
from prowess.workflow.expressions import Expression
from prowess.workflow.templates import Fields, Fixed, Items, Template, Text
from prowess.workflow.types import Typed, typed

Path = tuple[str | int, ...]
Tell = Callable[[str, int | None, str, str], None]

_SCHEMAS = Schemas()
_RULES = {
    "required": "workflow-missing-parameter",
    "additionalProperties": "workflow-unknown-parameter",
    "unevaluatedProperties": "workflow-unknown-parameter",
}
# Parts of a schema that hold whatever the values are, and keywords that ask only for what is written out.
_ALWAYS = frozenset(
    {"properties", "patternProperties", "items", "prefixItems", "allOf", "$ref", "additionalProperties"}
)
_OF_KEYS = frozenset(
    {
        *("required", "additionalProperties", "falseSchema", "type", "propertyNames", "dependentRequired"),
        *("minProperties", "maxProperties", "minItems", "maxItems"),
    }
)


def judge_params(params: Fields, schema: Mapping[str, Any], kinds: Mapping[Path, Typed], tell: Tell) -> None:
    """Tell what is known to be wrong. `kinds` says what is known of each value that an expression gives."""
    compiled = _SCHEMAS.compiled(schema)
    if isinstance(compiled, SchemaFault):
        message = f"its schema judges nothing, so no call of it is ever sent: {compiled.reason}"
        tell("workflow-parameter", params.line, message, "")
        return
    _judge_written(params, compiled, tell)
    for path, found in kinds.items():
        wanted = _schema_at(typed(schema), path)
        if found.excludes(wanted.kinds):
            message = f"{_shown(path)} must be {wanted.words}; this is {found.words}"
            tell("workflow-type", _line_at(params, path), message, _conversion(found, wanted))


def _judge_written(params: Fields, compiled: Compiled, tell: Tell) -> None:
    open_places = {path for path, each in leaves(params) if not isinstance(each, Fixed)}
    value = _outline(params)
    found, part, _ = faults(compiled, value)
    for fault in found:
        place = tuple(fault.instance_path)
        if any(place[: len(each)] == each for each in open_places):
            continue
        below = any(each[: len(place)] == place for each in open_places)
        if below and not _holds_whatever(list(fault.evaluation_path)):
            continue
        for problem in explain(fault, compiled.schema, part, keep):
            rule = _RULES.get(problem.rule, "workflow-parameter")
            tell(rule, _line_at(params, place), problem.hint, "")


def _holds_whatever(path: list[Any]) -> bool:
    """Whether a fault at this place of the schema stands, whatever the values that are not known will be."""
    if not path or path[-1] not in _OF_KEYS:
        return False
    names = iter(path[:-1])
    for step in names:
        if step not in _ALWAYS:
            return False
        if step in ("properties", "patternProperties", "prefixItems", "allOf"):
            next(names, None)  # a name or a number of the author's
    return True


def leaves(template: Template, path: Path = ()) -> Iterator[tuple[Path, Fixed | Text | Expression]]:
    """Every value of params that holds no others, and where it stands."""
    match template:
        case Fields(fields=fields):
            for name, each in fields.items():
                yield from leaves(each, (*path, name))
        case Items(items=items):
            for place, each in enumerate(items):
                yield from leaves(each, (*path, place))
        case _:
            yield path, template


def _outline(template: Template) -> Any:
    """The value with null for what is not known."""
    match template:
        case Fields(fields=fields):
            return {name: _outline(each) for name, each in fields.items()}
        case Items(items=items):
            return [_outline(each) for each in items]
        case Fixed(value=value):
            return value
    return None


def _schema_at(top: Typed, path: Path) -> Typed:
    for step in path:
        top = top.member(step)
    return top


def _line_at(template: Template, path: Path) -> int | None:
    for step in path:
        below: Template | None = None
        if isinstance(template, Fields) and isinstance(step, str):
            below = template.fields.get(step)
        elif isinstance(template, Items) and isinstance(step, int) and step < len(template.items):
            below = template.items[step]
        if below is None:
            break
        template = below
    return template.line


def _shown(path: Path) -> str:
    from prowess.call.wording import name_of

    return name_of(list(path))


def _conversion(found: Typed, wanted: Typed) -> str:
    if wanted.kinds == {"string"}:
        return "as text: {{VALUE | text}}"
    return "as a number: {{VALUE | number}}" if wanted.kinds == {"number"} and "string" in found.kinds else ""
