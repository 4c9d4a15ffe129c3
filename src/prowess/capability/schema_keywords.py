"""JSON Schema 2020-12, keyword by keyword: does what one schema says imply what the other says?

Each rule takes the sender's schema and the taker's (both objects) and answers for one keyword, or
two that belong together: is every value that the sender's keyword lets through let through by the
taker's? Only assertions about a value itself are here; keywords that hold other schemas are in
`schema_walk`. JSON Schema Validation 2020-12, section 6.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from prowess.capability.canonical import canonical
from prowess.capability.effect import Effect

Schema = Mapping[str, Any]
Rule = Callable[[Schema, Schema], Effect]

# `number` is these two, so that inclusion of types is inclusion of sets.
NUMBERS = frozenset({"integer", "fraction"})
ALL_TYPES = frozenset({"null", "boolean", "object", "array", "string"}) | NUMBERS

ANNOTATIONS = frozenset(
    {
        *("title", "description", "default", "examples", "deprecated", "readOnly", "writeOnly", "$comment"),
        *("contentMediaType", "contentEncoding", "contentSchema"),
    }
)


class Malformed(Exception):
    """A keyword has a value that the specification does not give it: nothing can be said."""


def types(schema: Schema) -> frozenset[str]:
    """The types that `type`, and `enum` or `const` where given, leave possible."""
    declared = _declared_types(schema)
    values = _listed(schema)
    return declared if values is None else declared & {kind(value) for value in values}


def _declared_types(schema: Schema) -> frozenset[str]:
    if "type" not in schema:
        return ALL_TYPES
    given = schema["type"]
    found: set[str] = set()
    for name in given if isinstance(given, list) else [given]:
        if name == "number":
            found |= NUMBERS
        elif isinstance(name, str) and name in ALL_TYPES and name != "fraction":
            found.add(name)
        else:
            raise Malformed
    return frozenset(found)


def kind(value: Any) -> str:
    """The type of a JSON value, numbers told apart by whether they are whole."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "boolean"
    if isinstance(value, int | float):
        return "integer" if value == int(value) else "fraction"
    if isinstance(value, str):
        return "string"
    return "object" if isinstance(value, Mapping) else "array"


def _listed(schema: Schema) -> list[Any] | None:
    """The values of `enum` and `const` together, or None where neither is given."""
    listed = schema.get("enum")
    if "enum" in schema and not isinstance(listed, list):
        raise Malformed
    if "const" not in schema:
        return listed
    only = canonical(schema["const"])
    return [schema["const"]] if listed is None else [each for each in listed if canonical(each) == only]


def _possible(schema: Schema) -> set[str] | None:
    """The finitely many values that a schema leaves possible, as canonical texts, or None."""
    listed = _listed(schema)
    declared = _declared_types(schema)
    if listed is not None:
        return {canonical(each) for each in listed if kind(each) in declared}
    if declared <= {"null", "boolean"}:
        return {
            text
            for text in ("null", "true", "false")
            if ("null" if text == "null" else "boolean") in declared
        }
    return None


def _type(sender: Schema, taker: Schema) -> Effect:
    return "compatible" if types(sender) <= _declared_types(taker) else "breaking"


def _values(sender: Schema, taker: Schema) -> Effect:
    listed = _listed(taker)
    possible = _possible(sender)
    if listed is None:
        return "compatible"
    if possible is None:
        return "breaking"
    return "compatible" if possible <= {canonical(each) for each in listed} else "breaking"


def _number(schema: Schema, key: str) -> float | None:
    value = schema.get(key)
    if key in schema and (isinstance(value, bool) or not isinstance(value, int | float)):
        raise Malformed
    return value


def _least(schema: Schema) -> tuple[float, bool] | None:
    """The lower bound of a number and whether it is excluded."""
    given = ((_number(schema, "minimum"), False), (_number(schema, "exclusiveMinimum"), True))
    bounds = [(bound, excluded) for bound, excluded in given if bound is not None]
    return max(bounds) if bounds else None


def _minimum(sender: Schema, taker: Schema) -> Effect:
    has, wants = _least(sender), _least(taker)
    if wants is None or (has is not None and wants <= has):
        return "compatible"
    return "breaking"


def _maximum(sender: Schema, taker: Schema) -> Effect:
    return _minimum(_mirrored(sender), _mirrored(taker))


def _mirrored(schema: Schema) -> Schema:
    """The upper bounds of `schema` as lower bounds of the negative numbers."""
    pairs = (("maximum", "minimum"), ("exclusiveMaximum", "exclusiveMinimum"))
    bounds = {low: _number(schema, high) for high, low in pairs}
    return {key: -bound for key, bound in bounds.items() if bound is not None}


def _multiple(sender: Schema, taker: Schema) -> Effect:
    has, wants = _number(sender, "multipleOf"), _number(taker, "multipleOf")
    if wants is None:
        return "compatible"
    if has is None:
        return "breaking"
    if not (isinstance(has, int) and isinstance(wants, int)) or wants <= 0:
        return "unknown"  # the remainder of two fractions depends on who computes it
    return "compatible" if has % wants == 0 else "breaking"


def _at_least(key: str) -> Rule:
    def rule(sender: Schema, taker: Schema) -> Effect:
        return "compatible" if (_number(taker, key) or 0) <= (_number(sender, key) or 0) else "breaking"

    return rule


def _at_most(key: str) -> Rule:
    def rule(sender: Schema, taker: Schema) -> Effect:
        has, wants = _number(sender, key), _number(taker, key)
        return "compatible" if wants is None or (has is not None and has <= wants) else "breaking"

    return rule


def _pattern(sender: Schema, taker: Schema) -> Effect:
    if "pattern" not in taker:
        return "compatible"
    return "breaking" if "pattern" not in sender else "unknown"


def _format(_: Schema, taker: Schema) -> Effect:
    return "unknown" if "format" in taker else "compatible"  # enforced by some, a remark to others


def _unique(sender: Schema, taker: Schema) -> Effect:
    has, wants = sender.get("uniqueItems", False), taker.get("uniqueItems", False)
    if not isinstance(has, bool) or not isinstance(wants, bool):
        raise Malformed
    return "breaking" if wants and not has else "compatible"


def names(value: Any) -> frozenset[str]:
    """A list of property names, as in `required`."""
    if not isinstance(value, list) or not all(isinstance(each, str) for each in value):
        raise Malformed
    return frozenset(value)


def _dependent(sender: Schema, taker: Schema) -> Effect:
    has, wants = sender.get("dependentRequired", {}), taker.get("dependentRequired", {})
    if not isinstance(has, Mapping) or not isinstance(wants, Mapping):
        raise Malformed
    met = [names(wants[key]) <= names(has.get(key, [])) for key in wants]
    return "compatible" if all(met) else "breaking"


# keywords that belong together, the types they speak of, the rule
RULES: tuple[tuple[tuple[str, ...], frozenset[str], Rule], ...] = (
    (("type",), ALL_TYPES, _type),
    (("enum", "const"), ALL_TYPES, _values),
    (("minimum", "exclusiveMinimum"), NUMBERS, _minimum),
    (("maximum", "exclusiveMaximum"), NUMBERS, _maximum),
    (("multipleOf",), NUMBERS, _multiple),
    (("minLength",), frozenset({"string"}), _at_least("minLength")),
    (("maxLength",), frozenset({"string"}), _at_most("maxLength")),
    (("pattern",), frozenset({"string"}), _pattern),
    (("format",), ALL_TYPES, _format),
    (("minItems",), frozenset({"array"}), _at_least("minItems")),
    (("maxItems",), frozenset({"array"}), _at_most("maxItems")),
    (("uniqueItems",), frozenset({"array"}), _unique),
    (("minProperties",), frozenset({"object"}), _at_least("minProperties")),
    (("maxProperties",), frozenset({"object"}), _at_most("maxProperties")),
    (("dependentRequired",), frozenset({"object"}), _dependent),
)


def effect(rule: Rule, speaks_of: frozenset[str], sender: Schema, taker: Schema) -> Effect:
    """What `rule` says; nothing breaks for types that the sender never sends."""
    try:
        found = rule(sender, taker)
        return found if types(sender) & speaks_of else "compatible"
    except Malformed:
        return "unknown"
