"""Arguments and results held against a tool's schema (JSON Schema 2020-12), every problem at once.

`problems` answers with what is wrong, in words that let a model correct itself; nothing is changed
and nothing is coerced. A schema that cannot judge is one problem whose rule is its fault code.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from prowess.call.explaining import explain
from prowess.call.listing import faults
from prowess.call.redaction import Redact, keep
from prowess.call.schemas import Compiled, SchemaFault, Schemas
from prowess.call.wording import nearest, quoted, some
from prowess.provider import Problem

# What one answer holds; a model that gets twenty right has understood the rest.
MAX_PROBLEMS = 20
# How many faults are put into words before the first twenty are chosen.
MAX_EXPLAINED = 60
# No honest argument is nested deeper, and judging recurses.
MAX_VALUE_DEPTH = 64

_SHARED = Schemas()


def problems(
    schema: object, arguments: Any, *, redact: Redact = keep, schemas: Schemas = _SHARED
) -> tuple[Problem, ...]:
    """All that is wrong with `arguments`, ordered by place; empty when they fit."""
    compiled = schemas.compiled(schema)
    if isinstance(compiled, SchemaFault):
        return (schema_problem(compiled),)
    return judged(compiled, arguments, redact)


def schema_problem(fault: SchemaFault) -> Problem:
    """A schema that judges nothing, as a problem."""
    return Problem(
        path="",
        rule=fault.code,
        expected="a usable schema",
        received="another",
        hint=f"{fault.reason}; nothing was sent",
    )


def judged(compiled: Compiled, value: Any, redact: Redact = keep) -> tuple[Problem, ...]:
    """All that is wrong with `value` by a schema that is ready."""
    if depth_of(value) > MAX_VALUE_DEPTH:
        return (_too_deep(),)
    if compiled.validator.is_valid(value):
        return ()
    found, part, whole = faults(compiled, value)
    if not found:
        return (_unexplained(),)
    # In the order of their places, so that what is left unexplained is what nobody would read.
    found.sort(key=lambda fault: _order(tuple(fault.instance_path)))
    told = [each for fault in found[:MAX_EXPLAINED] for each in explain(fault, compiled.schema, part, redact)]
    ordered = sorted(dict.fromkeys(told), key=_place)
    more = len(ordered) + max(0, len(found) - MAX_EXPLAINED) - MAX_PROBLEMS
    if not whole:
        return (*ordered[: MAX_PROBLEMS - 1], _beginning_only())
    if more <= 0:
        return tuple(ordered)
    return (*ordered[: MAX_PROBLEMS - 1], _more(more + 1))


def _place(problem: Problem) -> tuple[Any, ...]:
    """Items by their number, members by their name; what only looks like a number is a name."""
    parts = [_step(part) for part in problem.path.split("/")[1:]]
    return (parts, problem.rule)


def _step(part: str) -> tuple[int, int, str]:
    number = part.isascii() and part.isdigit() and len(part) < 10
    return (0, int(part), "") if number else (1, 0, part)


def _order(path: tuple[str | int, ...]) -> list[tuple[int, int, str]]:
    return [(0, part, "") if isinstance(part, int) else (1, 0, part) for part in path]


def _more(number: int) -> Problem:
    hint = f"{number} more problems are not shown; correct these first"
    return Problem(path="", rule="more", expected="fewer problems", received=f"{number} more", hint=hint)


def _beginning_only() -> Problem:
    hint = "the value is too large to list all that is wrong: only its beginning was looked at"
    return Problem(path="", rule="more", expected="fewer problems", received="a large value", hint=hint)


def _too_deep() -> Problem:
    expected = f"at most {MAX_VALUE_DEPTH} levels of nesting"
    return Problem(
        path="", rule="depth", expected=expected, received="more", hint=f"the value must have {expected}"
    )


def _unexplained() -> Problem:
    hint = "the value does not fit the schema; value and schema are too large to say where"
    return Problem(path="", rule="unexplained", expected="a value that fits", received="another", hint=hint)


def depth_of(value: Any) -> int:
    """Levels of arrays and objects, counted without recursion and no further than the bound."""
    level, depth = [value], 0
    while level and depth <= MAX_VALUE_DEPTH:
        below: list[Any] = []
        for each in level:
            if isinstance(each, Mapping):
                below.extend(each.values())
            elif isinstance(each, list | tuple):
                below.extend(each)
        depth += any(isinstance(each, Mapping | list | tuple) for each in level)
        level = [each for each in below if isinstance(each, Mapping | list | tuple)]
    return depth


def undeclared(schema: Mapping[str, Any], arguments: Mapping[str, Any]) -> tuple[str, ...]:
    """Notes on arguments that the schema lets pass and never mentions: most often a misspelling."""
    declared = schema.get("properties")
    if not isinstance(declared, Mapping) or not declared or _open(schema):
        return ()
    notes = []
    for name in [each for each in arguments if each not in declared][:MAX_PROBLEMS]:
        near = nearest(name, list(declared))
        known = f"did you mean {quoted(near)}?" if near else f"declared are {some(list(declared))}"
        notes.append(f"{quoted(name)} is not declared by the tool; {known}")
    return tuple(notes)


def _open(schema: Mapping[str, Any]) -> bool:
    """Whether the schema says itself that it takes names it does not list."""
    words = (
        "additionalProperties",
        "patternProperties",
        "unevaluatedProperties",
        "allOf",
        "anyOf",
        "oneOf",
        "$ref",
        "if",
    )
    return any(word in schema for word in words)
