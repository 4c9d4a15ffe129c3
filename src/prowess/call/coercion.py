"""Safe readings of arguments of the wrong type; off unless asked for, and each one reported.

Safe means that only one reading is possible and nothing is lost: `"5"` as 5, `"3.0"` as 3 where an
integer is wanted, `"2.5"` as 2.5, `"true"` as true, a whole number as its digits where a string is
wanted, and a string that is the JSON text of the object or array wanted. Never: an empty string,
null, a rounded number, a boolean as a number, a single value as an array. What fits stays as it is.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from prowess.call.listing import MAX_FAULTS, listable
from prowess.call.redaction import Redact, keep
from prowess.call.schemas import Compiled
from prowess.call.validation import MAX_VALUE_DEPTH, depth_of
from prowess.call.wording import name_of, pointer, received

if TYPE_CHECKING:
    from jsonschema_rs import ValidationError

# Reading one value may bring others to light (an object in a string): as often as this.
MAX_PASSES = 3
MAX_NUMBER_LENGTH = 40

_INTEGER = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.0+)?", re.ASCII)
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]{1,3})?", re.ASCII)
_NOTHING = object()


@dataclass(frozen=True, slots=True, kw_only=True)
class Coercion:
    """One value read as another: `path` is a JSON pointer, `note` the sentence about it."""

    path: str
    note: str


def coerced(compiled: Compiled, arguments: Any, redact: Redact = keep) -> tuple[Any, tuple[Coercion, ...]]:
    """`arguments` with the safe readings done, and what they were; the given value is not touched."""
    done: list[Coercion] = []
    for _ in range(MAX_PASSES):
        found = list(_readings(compiled, arguments))
        for path, value in found:
            done.append(_report(path, _at(arguments, path), value, redact))
            arguments = _with(arguments, path, value)
        if not found:
            break
    return arguments, tuple(done)


def _readings(compiled: Compiled, arguments: Any) -> Iterator[tuple[list[str | int], Any]]:
    if (
        depth_of(arguments) > MAX_VALUE_DEPTH
        or compiled.validator.is_valid(arguments)
        or not listable(compiled.schema, arguments)
    ):
        return
    seen: set[tuple[str | int, ...]] = set()
    for number, fault in enumerate(compiled.validator.iter_errors(arguments)):
        path = tuple(fault.instance_path)
        if number >= MAX_FAULTS:
            return
        if path and path not in seen:
            seen.add(path)
            for wanted in _wanted(fault):
                value = _read(fault.instance, wanted)
                if value is not _NOTHING:
                    yield list(path), value
                    break


def _wanted(fault: ValidationError) -> list[str]:
    """The types that would do here; of alternatives, those that fail by nothing but the type."""
    kind = fault.kind.as_dict()
    if fault.kind.name == "type":
        return list(kind["types"])
    if fault.kind.name not in ("anyOf", "oneOf"):
        return []
    branches = [branch for branch in kind["context"] if len(branch) == 1]
    plain = [branch[0] for branch in branches if branch[0].kind.name == "type"]
    return [
        each
        for one in plain
        if one.instance_path == fault.instance_path
        for each in one.kind.as_dict()["types"]
    ]


def _read(value: Any, wanted: str) -> Any:
    if isinstance(value, str):
        return _read_text(value, wanted)
    if wanted == "string" and isinstance(value, int) and not isinstance(value, bool):
        return str(value) if abs(value) < 10**MAX_NUMBER_LENGTH else _NOTHING
    return _NOTHING


def _read_text(text: str, wanted: str) -> Any:
    if wanted == "boolean":
        return {"true": True, "false": False}.get(text.lower(), _NOTHING)
    if wanted in ("object", "array"):
        return _parsed(text, dict if wanted == "object" else list)
    if len(text) > MAX_NUMBER_LENGTH:
        return _NOTHING
    if wanted == "integer" and _INTEGER.fullmatch(text):
        return int(text.partition(".")[0])
    if wanted == "number" and _NUMBER.fullmatch(text):
        return _exact(text)
    return _NOTHING


def _exact(text: str) -> Any:
    """The number that `text` writes, if the number writes the same: no digit is lost, nothing is infinite."""
    number = json.loads(text)
    return number if Decimal(repr(number)) == Decimal(text) else _NOTHING


def _parsed(text: str, kind: type) -> Any:
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return _NOTHING
    return value if isinstance(value, kind) else _NOTHING


def _report(path: list[str | int], before: Any, after: Any, redact: Redact) -> Coercion:
    was, now = received(before, path, redact, kind=True), received(after, path, redact, kind=True)
    return Coercion(path=pointer(path), note=f"{name_of(path)}: {was} was read as {now}")


def _at(value: Any, path: list[str | int]) -> Any:
    for part in path:
        value = value[part]
    return value


def _with(value: Any, path: list[str | int], new: Any) -> Any:
    """A copy of `value` with `new` at `path`; what is beside the path is shared."""
    if not path:
        return new
    if isinstance(value, Mapping):
        return {**value, path[0]: _with(value[path[0]], path[1:], new)}
    position = int(path[0])
    return [_with(each, path[1:], new) if number == position else each for number, each in enumerate(value)]
