"""What operators and functions of the expression language do to JSON values, strictly and within bounds.

A value is null, true or false, a number, a text, a list or a mapping. Kinds are never mixed up: true is
no number, and "1" is not 1. No result is longer than `MOST_TEXT`, no number larger than `LARGEST`.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from prowess.redact import printable
from prowess.workflow.faults import ExpressionFault

MOST_TEXT = 1 << 20  # characters that an expression or a template may make
LARGEST = 10**100  # what arithmetic may give; data may hold larger numbers and passes as it is
DEEPEST = 200  # containers inside containers that a comparison follows


def kind_of(value: Any) -> str:
    """What a JSON value is called in messages, and in the types of JSON Schema."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "boolean"
    if isinstance(value, int | float):
        return "number"
    if isinstance(value, str):
        return "string"
    return "object" if isinstance(value, Mapping) else "array"


def text_of(value: Any) -> str:
    """A value inside text: a text as it is, anything else as JSON without blanks. Raises ExpressionFault."""
    if isinstance(value, str):
        return bounded(value)
    try:
        return bounded(json.dumps(value, ensure_ascii=False, separators=(",", ":")))
    except (RecursionError, ValueError):  # nested too deep; an integer of too many digits
        raise ExpressionFault(
            "limit", f"a value of the kind {kind_of(value)} is too large for text"
        ) from None


def bounded(text: str) -> str:
    """The text itself. Raises ExpressionFault where it is longer than `MOST_TEXT`."""
    if len(text) > MOST_TEXT:
        raise ExpressionFault("limit", f"a text of more than {MOST_TEXT} characters")
    return text


def truth(value: Any, where: str) -> bool:
    """true or false. Raises ExpressionFault for any other value: nothing counts as true by the way."""
    if not isinstance(value, bool):
        hint = "compare it with something: VALUE > 0, VALUE | length > 0, VALUE is null"
        raise ExpressionFault("type", f"{where} is neither true nor false but {shown(value)}", hint=hint)
    return value


def shown(value: Any) -> str:
    """The kind of a value and, where it is short, the value."""
    kind = kind_of(value)
    return f"{kind} {printable(value, 40)!r}" if isinstance(value, str) else kind


# -- comparisons


def same(one: Any, other: Any, depth: int = 0) -> bool:
    """Whether two JSON values are equal: 1 and 1.0 are, 1 and true are not."""
    if depth > DEEPEST:
        raise ExpressionFault("limit", "values nested too deep to compare")
    if kind_of(one) != kind_of(other):
        return False
    if isinstance(one, Mapping):
        return one.keys() == other.keys() and all(same(one[key], other[key], depth + 1) for key in one)
    if isinstance(one, list | tuple):
        return len(one) == len(other) and all(
            same(left, right, depth + 1) for left, right in zip(one, other, strict=True)
        )
    return bool(one == other)


def compare(operator: str, left: Any, right: Any) -> bool:
    """`left operator right`. Raises ExpressionFault for kinds that have no order."""
    if operator in ("==", "!="):
        return same(left, right) is (operator == "==")
    if operator in ("in", "not in"):
        return _holds(right, left) is (operator == "in")
    kind = kind_of(left)
    if kind != kind_of(right) or kind not in ("number", "string"):
        message = f"{shown(left)} {operator} {shown(right)}: only two numbers or two texts have an order"
        raise ExpressionFault("type", message)
    return bool(
        left < right
        if operator == "<"
        else left <= right
        if operator == "<="
        else left > right
        if operator == ">"
        else left >= right
    )


def _holds(container: Any, value: Any) -> bool:
    if isinstance(container, str) and isinstance(value, str):
        return value in container
    if isinstance(container, Mapping) and isinstance(value, str):
        return value in container
    if isinstance(container, list | tuple):
        return any(same(each, value) for each in container)
    raise ExpressionFault("type", f"{shown(value)} in {shown(container)}: it holds no such values")


# -- arithmetic


def number(value: Any, where: str) -> int | float:
    """A number. Raises ExpressionFault for any other kind."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise ExpressionFault("type", f"{where}: {shown(value)} is no number")
    return value


def arithmetic(operator: str, left: Any, right: Any) -> Any:
    """`left operator right`; `+` also joins two texts or two lists. Raises ExpressionFault."""
    if operator == "+" and isinstance(left, str) and isinstance(right, str):
        return bounded(left + right)
    if operator == "+" and isinstance(left, list) and isinstance(right, list):
        return left + right
    one, other = number(left, operator), number(right, operator)
    if abs(one) > LARGEST or abs(other) > LARGEST:
        raise ExpressionFault("limit", f"{operator}: a number is too large to calculate with")
    try:
        return _finite(_OPERATIONS[operator](one, other))
    except ZeroDivisionError:
        raise ExpressionFault("type", f"{operator}: division by zero") from None
    except OverflowError:
        raise ExpressionFault("limit", f"{operator}: the result is too large") from None


_OPERATIONS: dict[str, Callable[[Any, Any], Any]] = {
    "+": lambda one, other: one + other,
    "-": lambda one, other: one - other,
    "*": lambda one, other: one * other,
    "/": lambda one, other: one / other,
    "//": lambda one, other: one // other,
    "%": lambda one, other: one % other,
}


def _finite(value: Any) -> Any:
    if (isinstance(value, float) and not math.isfinite(value)) or abs(value) > LARGEST:
        raise ExpressionFault("limit", "the result is too large a number")
    return value


# -- functions


class Function(NamedTuple):
    """A function: what it does, how it is written, which kinds it takes and gives (empty: any), and how
    many arguments it has."""

    run: Callable[..., Any]
    usage: str
    takes: tuple[str, ...] = ()
    gives: tuple[str, ...] = ()
    fewest: int = 0
    most: int = 0


def _a_text(value: Any, where: str) -> str:
    if not isinstance(value, str):
        raise ExpressionFault("type", f"{where}: {shown(value)} is no text")
    return bounded(value)


def _a_list(value: Any, where: str) -> list[Any]:
    if not isinstance(value, list | tuple):
        raise ExpressionFault("type", f"{where}: {shown(value)} is no list")
    return list(value)


def _a_mapping(value: Any, where: str) -> Mapping[str, Any]:
    if not isinstance(value, Mapping):
        raise ExpressionFault("type", f"{where}: {shown(value)} is no mapping")
    return value


def _length(value: Any) -> int:
    if not isinstance(value, str | list | tuple | Mapping):
        raise ExpressionFault("type", f"length: {shown(value)} has none")
    return len(value)


def _end(name: str, place: int) -> Callable[[Any], Any]:
    def run(value: Any) -> Any:
        items = _a_list(value, name)
        if not items:
            raise ExpressionFault(
                "undefined", f"{name}: the list is empty", hint=f"LIST | {name} | default(null)"
            )
        return items[place]

    return run


def _extreme(name: str, pick: Callable[..., Any]) -> Callable[[Any], Any]:
    def run(value: Any) -> Any:
        items = _a_list(value, name)
        if not items:
            raise ExpressionFault(
                "undefined", f"{name}: the list is empty", hint=f"LIST | {name} | default(0)"
            )
        if {kind_of(each) for each in items} not in ({"number"}, {"string"}):
            raise ExpressionFault("type", f"{name}: the list is not all numbers, or all texts")
        return pick(items)

    return run


def _sum(value: Any) -> Any:
    total: Any = 0
    for each in _a_list(value, "sum"):
        total = arithmetic("+", total, number(each, "sum"))
    return total


def _join(value: Any, between: Any = ",") -> str:
    pieces, total = [], 0
    mark = _a_text(between, "join")
    for each in _a_list(value, "join"):
        pieces.append(text_of(each))
        total += len(pieces[-1]) + len(mark)
        if total > MOST_TEXT + len(mark):
            raise ExpressionFault("limit", f"join: a text of more than {MOST_TEXT} characters")
    return bounded(mark.join(pieces))


def _round(value: Any, digits: Any = 0) -> Any:
    if isinstance(digits, bool) or not isinstance(digits, int) or not 0 <= digits <= 20:
        raise ExpressionFault("type", "round: the number of digits is a whole number from 0 to 20")
    given = number(value, "round")
    return round(given, digits) if digits else round(given)


def _number(value: Any) -> int | float:
    if not isinstance(value, str):
        return number(value, "number")
    text = value.strip() if len(value) <= 100 else ""
    try:
        found = json.loads(text)
    except ValueError:
        found = None
    if isinstance(found, bool) or not isinstance(found, int | float) or not math.isfinite(found):
        raise ExpressionFault("type", f"number: {shown(value)} writes no number")
    return found


def _pluck(value: Any, name: Any) -> list[Any]:
    key, found = _a_text(name, "pluck"), []
    for place, each in enumerate(_a_list(value, "pluck")):
        if key not in _a_mapping(each, "pluck"):
            raise ExpressionFault("undefined", f"pluck: item {place} has no {printable(key, 60)}")
        found.append(each[key])
    return found


def _default(value: Any, otherwise: Any) -> Any:
    return value  # reached only where the value is there; `evaluating` takes the other otherwise


_TEXT, _LIST, _MAPPING, _NUMBER = ("string",), ("array",), ("object",), ("number",)

FUNCTIONS: dict[str, Function] = {
    "default": Function(_default, "VALUE | default(OTHER)", fewest=1, most=1),
    "length": Function(_length, "VALUE | length", (*_TEXT, *_LIST, *_MAPPING), _NUMBER),
    "lower": Function(lambda value: bounded(_a_text(value, "lower").lower()), "TEXT | lower", _TEXT, _TEXT),
    "upper": Function(lambda value: bounded(_a_text(value, "upper").upper()), "TEXT | upper", _TEXT, _TEXT),
    "trim": Function(lambda value: _a_text(value, "trim").strip(), "TEXT | trim", _TEXT, _TEXT),
    "join": Function(_join, 'LIST | join(", ")', _LIST, _TEXT, most=1),
    "first": Function(_end("first", 0), "LIST | first", _LIST),
    "last": Function(_end("last", -1), "LIST | last", _LIST),
    "min": Function(_extreme("min", min), "LIST | min", _LIST, (*_NUMBER, *_TEXT)),
    "max": Function(_extreme("max", max), "LIST | max", _LIST, (*_NUMBER, *_TEXT)),
    "sum": Function(_sum, "LIST | sum", _LIST, _NUMBER),
    "round": Function(_round, "NUMBER | round(2)", _NUMBER, _NUMBER, most=1),
    "number": Function(_number, "TEXT | number", (*_TEXT, *_NUMBER), _NUMBER),
    "text": Function(text_of, "VALUE | text", (), _TEXT),
    "keys": Function(lambda value: list(_a_mapping(value, "keys")), "MAPPING | keys", _MAPPING, _LIST),
    "values": Function(
        lambda value: list(_a_mapping(value, "values").values()), "MAPPING | values", _MAPPING, _LIST
    ),
    "pluck": Function(_pluck, 'LIST | pluck("price")', _LIST, _LIST, fewest=1, most=1),
}
