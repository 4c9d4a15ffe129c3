"""Arguments taken in: a copy that nobody can change any more, made of plain JSON values only.

Between the check and the sending, somebody may be asked for minutes; what is sent must be what was
checked and approved. What JSON cannot carry is a problem like any other.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from prowess.call.validation import MAX_PROBLEMS, MAX_VALUE_DEPTH
from prowess.call.wording import name_of, pointer
from prowess.capability.canonical import MAX_INTEGER_BITS
from prowess.provider import Problem

Place = tuple[str | int, ...]


def taken(arguments: object) -> tuple[dict[str, Any], tuple[Problem, ...]]:
    """A deep copy, and everything in it that is not JSON; None counts as no arguments."""
    if arguments is None:
        return {}, ()
    found: list[Problem] = []
    copy = _copy(arguments, (), found)
    if not isinstance(copy, dict):
        kind = "an array" if isinstance(copy, list) else f"a single value ({type(arguments).__name__})"
        return {}, (_problem((), "type", "be an object", kind),)
    return copy, tuple(found[:MAX_PROBLEMS])


def _copy(value: object, place: Place, found: list[Problem]) -> Any:
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, str):
        return _text(value, place, found)
    if isinstance(value, int | float):
        return _number(value, place, found)
    if len(place) >= MAX_VALUE_DEPTH:
        found.append(_problem(place, "depth", f"have at most {MAX_VALUE_DEPTH} levels of nesting", "more"))
        return None
    if isinstance(value, Mapping):
        return _object(value, place, found)
    if isinstance(value, Sequence) and not isinstance(value, bytes | bytearray):
        return [_copy(each, (*place, number), found) for number, each in enumerate(value)]
    found.append(_problem(place, "json", "be a JSON value", f"a {type(value).__name__}"))
    return None


def _object(value: Mapping[Any, Any], place: Place, found: list[Problem]) -> dict[str, Any]:
    copy: dict[str, Any] = {}
    for key, each in value.items():
        if not isinstance(key, str):
            found.append(
                _problem(place, "json", "have names that are strings", f"a {type(key).__name__} as a name")
            )
        else:
            copy[_text(key, place, found)] = _copy(each, (*place, key), found)
    return copy


def _text(text: str, place: Place, found: list[Problem]) -> str:
    try:
        text.encode()
    except UnicodeEncodeError:
        found.append(_problem(place, "json", "be Unicode text", "half of a surrogate pair"))
    return text


def _number(value: float, place: Place, found: list[Problem]) -> float:
    if isinstance(value, int):
        if value.bit_length() > MAX_INTEGER_BITS:
            found.append(
                _problem(place, "json", "be a number that JSON readers accept", "thousands of digits")
            )
    elif not math.isfinite(value):
        found.append(_problem(place, "json", "be a finite number", str(value)))
    return value


def _problem(place: Place, rule: str, expected: str, received: str) -> Problem:
    hint = f"{name_of(place)} must {expected}; received {received}"
    return Problem(path=pointer(place), rule=rule, expected=expected, received=received, hint=hint)
