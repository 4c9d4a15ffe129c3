"""One fault of the JSON Schema validator as Problems a model can act on.

A table from schema keyword to sentence. It reads the validator's own account of what failed
(keyword, place, limit) and the piece of schema that asked for it; it judges nothing itself.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from prowess.call.redaction import Redact
from prowess.call.schema_cost import at_pointer, resolve
from prowess.call.wording import (
    FORMATS,
    SHOWN,
    counted,
    example,
    meaning,
    name_of,
    nearest,
    pointer,
    quoted,
    received,
    shown,
    some,
    type_words,
)
from prowess.provider import Problem
from prowess.redact import printable

if TYPE_CHECKING:
    from jsonschema_rs import ValidationError

MAX_ALTERNATIVES = 6
# Unknown names that get a problem each, and names given among which a missing one is looked for.
MAX_UNKNOWN = 20
MAX_GIVEN = 50


def explain(fault: ValidationError, root: Mapping[str, Any], whole: Any, redact: Redact) -> list[Problem]:
    """The problems that one fault stands for: one, or one for each unknown name."""
    rule = str(fault.kind.name)
    path = list(fault.instance_path)
    schema = _around(root, fault.schema_path)
    if rule == "required":
        return [_missing(path, fault, schema, root)]
    if rule in ("additionalProperties", "unevaluatedProperties"):
        unexpected: Sequence[str] = fault.kind.as_dict()["unexpected"]
        return _all_unknown(path, unexpected, rule, schema, fault.instance, redact)
    if rule == "falseSchema" and fault.schema_path[-1:] == ["additionalProperties"]:
        # Where no property at all is declared, the validator says it this way and for one name only.
        here = at_pointer(whole, path)
        return _all_unknown(path, _keys(here), "additionalProperties", schema, here, redact)
    if rule in ("anyOf", "oneOf"):
        return [_alternatives(fault, rule, path, schema, root, whole, redact)]
    if rule == "propertyNames":
        return [_bad_name(path, fault, redact)]
    return [_must(path, rule, fault, schema, redact)]


def _around(root: Mapping[str, Any], path: Sequence[str | int]) -> Mapping[str, Any]:
    """The schema object that holds the keyword at the end of `path`."""
    found = at_pointer(root, list(path[:-1]))
    return found if isinstance(found, Mapping) else {}


def _dereferenced(schema: Any, root: Mapping[str, Any]) -> Mapping[str, Any]:
    """`schema`, or what it refers to, its own description kept."""
    if not isinstance(schema, Mapping):
        return {}
    if isinstance(schema.get("$ref"), str):
        target = resolve(root, schema["$ref"])
        return {**target, **schema} if isinstance(target, Mapping) else schema
    return schema


def _missing(
    path: list[str | int], fault: ValidationError, schema: Mapping[str, Any], root: Mapping[str, Any]
) -> Problem:
    name = str(fault.kind.as_dict()["property"])
    properties = schema.get("properties")
    declared: Mapping[str, Any] = properties if isinstance(properties, Mapping) else {}
    wanted = meaning(_dereferenced(declared.get(name), root))
    given = [each for each in _keys(fault.instance) if each not in declared]
    near = nearest(name, given) if len(given) <= MAX_GIVEN else ""
    sent = f"; {quoted(near)} was given instead" if near else ""
    place = [*path, name]
    return Problem(
        path=pointer(place),
        rule="required",
        expected=wanted,
        received="nothing",
        hint=f"{name_of(place)} is required and missing: {wanted}{sent}",
    )


def _all_unknown(
    path: list[str | int],
    names: Sequence[str],
    rule: str,
    schema: Mapping[str, Any],
    instance: Any,
    redact: Redact,
) -> list[Problem]:
    told = [_unknown(path, name, rule, schema, instance, redact) for name in names[:MAX_UNKNOWN]]
    if len(names) > MAX_UNKNOWN:
        rest = f"{len(names) - MAX_UNKNOWN} more names in {name_of(path)} are not known"
        told.append(Problem(path=pointer(path), rule=rule, expected="nothing", received="more", hint=rest))
    return told


def _unknown(
    path: list[str | int], name: str, rule: str, schema: Mapping[str, Any], instance: Any, redact: Redact
) -> Problem:
    properties = schema.get("properties")
    declared = list(properties) if isinstance(properties, Mapping) else []
    near = nearest(name, declared)
    place = [*path, name]
    if near:
        expected, advice = quoted(near), f"did you mean {quoted(near)}?"
    elif declared:
        expected, advice = some(declared), f"known are {some(declared)}"
    else:
        expected, advice = "nothing", "none is taken here"
    value = instance.get(name) if isinstance(instance, Mapping) else None
    noun = "parameter" if not path else f"member of {name_of(path)}"
    return Problem(
        path=pointer(place),
        rule=rule,
        expected=expected,
        received=received(value, place, redact),
        hint=f"{name_of(place) if not path else quoted(name)} is not a {noun}; {advice}",
    )


def _bad_name(path: list[str | int], fault: ValidationError, redact: Redact) -> Problem:
    inner: ValidationError = fault.kind.error  # type: ignore[attr-defined]  # this kind carries it
    name = str(inner.instance)
    expected = _expected(str(inner.kind.name), inner, {}) or "another name"
    hint = f"the name {quoted(redact(name))} in {name_of(path)} must {expected}"
    return Problem(
        path=pointer(path), rule="propertyNames", expected=expected, received=quoted(redact(name)), hint=hint
    )


def _must(
    path: list[str | int], rule: str, fault: ValidationError, schema: Mapping[str, Any], redact: Redact
) -> Problem:
    expected = _expected(rule, fault, schema) or f"satisfy the schema's {printable(rule, 40)}"
    came = received(fault.instance, path, redact, kind=rule == "type")
    if rule in ("minLength", "maxLength") and isinstance(fault.instance, str) and came.startswith("`"):
        came += f" ({counted(len(fault.instance), 'character')})"
    return Problem(
        path=pointer(path),
        rule=rule,
        expected=expected,
        received=came,
        hint=f"{name_of(path)} must {expected}; received {came}{_nearest_choice(rule, fault)}",
    )


def _nearest_choice(rule: str, fault: ValidationError) -> str:
    if rule != "enum" or not isinstance(fault.instance, str):
        return ""
    choices = {str(each).casefold(): str(each) for each in fault.kind.as_dict()["options"]}
    near = nearest(fault.instance.casefold(), list(choices))
    return f"; did you mean {quoted(choices[near])}?" if near else ""


def _expected(rule: str, fault: ValidationError, schema: Mapping[str, Any]) -> str:
    words = _SENTENCES.get(rule)
    return words(fault.kind.as_dict(), schema) if words else ""


def _pattern(kind: Mapping[str, Any], schema: Mapping[str, Any]) -> str:
    if "pattern" not in kind:
        return "match the pattern"
    what = example(schema) or _described(schema)
    return f"match {quoted_whole(kind['pattern'])}" + (f" {what}" if what else "")


def quoted_whole(pattern: str) -> str:
    """A pattern is shown longer than other things: cut, it would say something else."""
    return f"`{printable(pattern, 4 * SHOWN)}`"


def _described(schema: Mapping[str, Any]) -> str:
    description = schema.get("description")
    return (
        f"({printable(' '.join(description.split()), 160)})"
        if isinstance(description, str) and description
        else ""
    )


def _limit(words: str) -> Callable[[Mapping[str, Any], Mapping[str, Any]], str]:
    return lambda kind, _: f"be {words} {shown(kind['limit']).strip('`')}"


def _size(words: str, noun: str) -> Callable[[Mapping[str, Any], Mapping[str, Any]], str]:
    return lambda kind, _: f"have {words} {counted(kind['limit'], noun)}"


_SENTENCES: Mapping[str, Callable[[Mapping[str, Any], Mapping[str, Any]], str]] = {
    "type": lambda kind, _: f"be {type_words(kind['types'])}",
    "enum": lambda kind, _: f"be one of {some(kind['options'])}",
    "const": lambda kind, _: f"be {shown(kind['expected_value'])}",
    "pattern": _pattern,
    "format": lambda kind, _: f"be {FORMATS.get(kind['format'], printable(kind['format'], 40))}",
    "minimum": _limit("at least"),
    "maximum": _limit("at most"),
    "exclusiveMinimum": _limit("greater than"),
    "exclusiveMaximum": _limit("less than"),
    "multipleOf": lambda kind, _: f"be a multiple of {kind['multiple_of']}",
    "minLength": _size("at least", "character"),
    "maxLength": _size("at most", "character"),
    "minItems": _size("at least", "item"),
    "maxItems": _size("at most", "item"),
    "minProperties": _size("at least", "property"),
    "maxProperties": _size("at most", "property"),
    "uniqueItems": lambda *_: "hold no item twice",
    "contains": lambda _, schema: f"hold an item that is {meaning(_mapping(schema.get('contains')))}",
    "not": lambda _, schema: f"not be {meaning(_mapping(schema.get('not')))}",
    "falseSchema": lambda *_: "not be given",
    "additionalItems": lambda *_: "hold no further items",
    "unevaluatedItems": lambda *_: "hold no further items",
}


def _mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def _keys(value: Any) -> list[str]:
    return [str(each) for each in value] if isinstance(value, Mapping) else []


def _alternatives(
    fault: ValidationError,
    rule: str,
    path: list[str | int],
    schema: Mapping[str, Any],
    root: Mapping[str, Any],
    whole: Any,
    redact: Redact,
) -> Problem:
    """What the alternatives are, and what keeps the nearest from fitting."""
    branches = schema.get(rule)
    listed = [meaning(_dereferenced(each, root)) for each in branches] if isinstance(branches, list) else []
    kinds = "; or ".join(listed[:MAX_ALTERNATIVES])
    kinds += f"; or {len(listed) - MAX_ALTERNATIVES} other forms" if len(listed) > MAX_ALTERNATIVES else ""
    context: list[list[ValidationError]] = fault.kind.as_dict()["context"]
    came = received(fault.instance, path, redact, kind=True)
    if rule == "oneOf" and any(not branch for branch in context):
        expected = f"fit exactly one of: {kinds}"
        hint = f"{name_of(path)} must {expected}; it fits more than one"
        return Problem(path=pointer(path), rule=rule, expected=expected, received=came, hint=hint)
    expected = f"be {kinds}" if kinds else "fit one of the alternatives"
    hint = f"{name_of(path)} must {expected}; received {came}"
    nearest = _nearest(context, path)
    if nearest is not None:
        reasons = [each.hint for one in nearest[:3] for each in explain(one, root, whole, redact)]
        hint += f". For the nearest alternative: {'; '.join(reasons)}"
    return Problem(path=pointer(path), rule=rule, expected=expected, received=came, hint=hint)


def _nearest(context: list[list[ValidationError]], path: list[str | int]) -> list[ValidationError] | None:
    """The alternative of the right type and choice with the fewest faults, if there is one."""
    here = len(path)
    plausible = [
        branch
        for branch in context
        if not any(len(each.instance_path) == here and _decides(each) for each in branch)
    ]
    return min(plausible, key=len) if plausible else None


def _decides(fault: ValidationError) -> bool:
    """A wrong type, choice or constant says that this alternative was not meant."""
    return fault.kind.name in ("type", "enum", "const")
