"""Listing the faults of a value, within a bound: of a large value only the beginning is looked at.

The validator makes all faults before it shows the first, and each carries what it was about: the
value, every choice of an enum, every alternative with its own faults. Fifty thousand wrong items against five
thousand choices would fill the memory. So what could fail is counted first, from above, along the
value; where that is too much, the arrays and objects of the value are cut after a few members, and
faults that may come of the cutting are left out.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import islice
from typing import TYPE_CHECKING, Any

from prowess.call.schema_cost import TooMuch, in_place

if TYPE_CHECKING:
    from jsonschema_rs import ValidationError

    from prowess.call.schemas import Compiled

# How many faults are looked at, and how many places may fail: a third of a second on an ordinary core.
MAX_FAULTS = 1_000
MAX_STEPS = 30_000
# How many choices, names or members weigh as much as one fault.
A_FAULT = 50
# Members that are kept of each array and object, tried in this order.
KEPT = (50, 10, 3, 1)

_OBJECT_MEMBERS = ("additionalProperties", "unevaluatedProperties")
_ARRAY_MEMBERS = ("items", "additionalItems", "unevaluatedItems")
# What is true of the beginning of an array or object is true of the whole; and these ask for nothing
# but its own members, whatever is missing further down.
_OF_THE_BEGINNING = frozenset({"type", "additionalProperties", "maxItems", "maxProperties"})
_OF_ITS_OWN = frozenset({"required", "propertyNames", "dependentRequired", "minItems", "minProperties"})
# Keywords that are one fault of a value each, and may all fail at once.
_ONE_FAULT_EACH = frozenset(
    [
        "type",
        "enum",
        "const",
        "not",
        "anyOf",
        "oneOf",
        "minimum",
        "maximum",
        "exclusiveMinimum",
        "exclusiveMaximum",
        "multipleOf",
        "minLength",
        "maxLength",
        "pattern",
        "format",
        "contentEncoding",
        "contentMediaType",
        "contains",
        "minContains",
        "maxContains",
        "minItems",
        "maxItems",
        "uniqueItems",
        "additionalItems",
        "unevaluatedItems",
        "minProperties",
        "maxProperties",
        "additionalProperties",
        "unevaluatedProperties",
    ]
)

Path = tuple[str | int, ...]


def listable(schema: Mapping[str, Any], value: Any) -> bool:
    """Whether every fault of `value` can be listed within the bound."""
    left = MAX_STEPS
    sizes: dict[int, int] = {}
    _measure(value, sizes)
    waiting: list[tuple[Any, Any]] = [(schema, value)]
    try:
        while waiting:
            here, part = waiting.pop()
            left -= _weight(here, sizes.get(id(part), 1))
            for pair in _below(schema, here, part):
                if isinstance(pair[0], Mapping) or pair[0] is False:
                    waiting.append(pair)
                if len(waiting) > left:
                    return False
    except TooMuch:
        return False
    return left >= 0


def _measure(value: Any, sizes: dict[int, int]) -> int:
    """How many values there are in `value`, kept for each array and object in it."""
    if not isinstance(value, Mapping | list | tuple):
        return 1
    members = value.values() if isinstance(value, Mapping) else value
    sizes[id(value)] = size = 1 + sum([_measure(each, sizes) for each in members])
    return size


def _weight(schema: Any, size: int) -> int:
    """What the faults of one subschema at one place come to."""
    if not isinstance(schema, Mapping):
        return 1
    choices, names = schema.get("enum"), schema.get("required")
    one = 1 + (size + (len(choices) if isinstance(choices, list) else 0)) // A_FAULT
    at_once = max(1, len(schema.keys() & _ONE_FAULT_EACH))
    return one * (at_once + (len(names) if isinstance(names, list) else 0))


def _below(root: Mapping[str, Any], schema: Any, value: Any) -> Iterator[tuple[Any, Any]]:
    """Every subschema of `schema` with what it judges: this value, or a member of it."""
    if not isinstance(schema, Mapping):
        return
    for each in in_place(root, schema):
        yield each, value
    if isinstance(value, Mapping):
        yield from _of_object(schema, value)
    elif isinstance(value, list | tuple):
        yield from _of_array(schema, value)


def _of_object(schema: Mapping[str, Any], value: Mapping[str, Any]) -> Iterator[tuple[Any, Any]]:
    declared = schema.get("properties")
    if isinstance(declared, Mapping):
        for name in value:
            yield declared.get(name), value[name]
    patterns = schema.get("patternProperties")
    every = list(patterns.values()) if isinstance(patterns, Mapping) else []
    # `false` is one fault for all names, and has its weight above.
    every += [schema[word] for word in _OBJECT_MEMBERS if isinstance(schema.get(word), Mapping)]
    for each in every:
        for member in value.values():
            yield each, member
    if isinstance(schema.get("propertyNames"), Mapping):
        for name in value:
            yield schema["propertyNames"], name


def _of_array(schema: Mapping[str, Any], value: list[Any] | tuple[Any, ...]) -> Iterator[tuple[Any, Any]]:
    for word in ("prefixItems", "items"):
        if isinstance(schema.get(word), list):
            yield from zip(schema[word], value, strict=False)
    for word in _ARRAY_MEMBERS:
        each = schema.get(word)
        if isinstance(each, Mapping) or each is False:
            for member in value:
                yield each, member


def faults(compiled: Compiled, value: Any) -> tuple[list[ValidationError], Any, bool]:
    """Faults of a value that does not fit, the value they are about, and whether it is the whole.

    No fault at all means that none can be listed within the bound.
    """
    if listable(compiled.schema, value):
        return list(islice(compiled.validator.iter_errors(value), MAX_FAULTS)), value, True
    for most in KEPT:
        cut: set[Path] = set()
        part = _beginning(value, most, (), cut)
        if listable(compiled.schema, part):
            found = islice(compiled.validator.iter_errors(part), MAX_FAULTS)
            above = {path[:length] for path in cut for length in range(len(path))}
            true = [each for each in found if _of_the_whole(each, cut, above)]
            if true:
                return true, part, False
    return [], value, False


def _of_the_whole(fault: ValidationError, cut: set[Path], above: set[Path]) -> bool:
    """Whether the fault is one of the whole value too."""
    path, rule = tuple(fault.instance_path), fault.kind.name
    if path in cut:
        return rule in _OF_THE_BEGINNING
    return path not in above or rule in _OF_THE_BEGINNING or rule in _OF_ITS_OWN


def _beginning(value: Any, most: int, path: Path, cut: set[Path]) -> Any:
    """The value with at most so many members of each array and object; `cut` is where some are missing."""
    if not isinstance(value, Mapping | list | tuple):
        return value
    if len(value) > most:
        cut.add(path)
    if isinstance(value, Mapping):
        return {key: _beginning(each, most, (*path, key), cut) for key, each in islice(value.items(), most)}
    return [_beginning(each, most, (*path, number), cut) for number, each in enumerate(value[:most])]
