"""One table of `prowess.toml` read into its dataclass, unknown keys refused.

Each dataclass lives beside the code that enforces it; this file only knows how to go from plain
TOML values to declared types. It does not open files and names no section itself.
"""

from __future__ import annotations

import types
from collections import abc
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from datetime import datetime
from difflib import get_close_matches
from typing import Any, Literal, NamedTuple, TypeVar, Union, get_args, get_origin, get_type_hints

from prowess.errors import UsageError
from prowess.redact import printable

Section = TypeVar("Section")


class Place(NamedTuple):
    """Where in the file something stands: the table as it is written, and the keys below it."""

    table: str
    keys: tuple[str | int, ...] = ()

    def __str__(self) -> str:
        parts = [f"[{key}]" if isinstance(key, int) else f" {printable(key)}" for key in self.keys]
        return self.table + "".join(parts)

    def below(self, key: str | int) -> Place:
        """One step further down."""
        return Place(self.table, (*self.keys, key))


class SectionFault(UsageError):
    """A table that is not as it should be; `keys` lead from the table to the fault."""

    def __init__(self, message: str, *, hint: str = "", keys: tuple[str | int, ...] = ()) -> None:
        super().__init__(message, hint=hint)
        self.keys = keys


def _fault(place: Place, message: str, hint: str = "") -> SectionFault:
    return SectionFault(f"{place} {message}", hint=hint, keys=place.keys)


def read_section(kind: type[Section], mapping: object, where: str | Place) -> Section:
    """`mapping` as a `kind`; `where` names the table, such as `[policy]`. Raises SectionFault.

    A class may say in `SHORT` which of its fields a plain text stands for.
    """
    place = Place(where) if isinstance(where, str) else where
    short = getattr(kind, "SHORT", None)
    if short is not None and isinstance(mapping, str):
        mapping = {short: mapping}
    if not isinstance(mapping, Mapping):
        what = "a table" if short is None else "text, or a table"
        raise _fault(place, f"must be {what}", f"write {place} and its fields below it")
    known = get_type_hints(kind)
    names = [each.name for each in fields(kind)]  # type: ignore[arg-type]  # every section is a dataclass
    for key in mapping:
        if key not in names:
            raise _unknown(str(key), names, place)
    values = {key: _value(known[key], mapping[key], place.below(key)) for key in mapping}
    try:
        return kind(**values)
    except UsageError as error:
        word = error.message.partition(" ")[0]
        keys = (*place.keys, word) if word in values else place.keys
        raise SectionFault(f"{place} {error.message}", hint=error.hint, keys=keys) from None
    except TypeError:
        missing = [each.name for each in fields(kind) if _required(each) and each.name not in values]  # type: ignore[arg-type]
        raise _fault(place, f"lacks {', '.join(missing)}") from None


def _required(each: Any) -> bool:
    from dataclasses import MISSING

    return each.default is MISSING and each.default_factory is MISSING


def _unknown(key: str, names: list[str], place: Place) -> SectionFault:
    near = get_close_matches(key, names, 1)
    hint = f"did you mean {near[0]}?" if near else f"fields of {place}: {', '.join(names)}"
    return SectionFault(f"{place} has no field {printable(key)}", hint=hint, keys=(*place.keys, key))


def _value(wanted: Any, given: Any, where: Place) -> Any:
    origin, inner = get_origin(wanted), get_args(wanted)
    if origin in (Union, types.UnionType):
        return _value(next(each for each in inner if each is not type(None)), given, where)
    if origin is Literal:
        return _one_of(inner, given, where)
    if origin is tuple:
        return _list(inner[0], given, where)
    if origin is abc.Mapping:
        return _table(inner[1], given, where)
    if isinstance(wanted, type) and is_dataclass(wanted):
        return read_section(wanted, given, where)
    return _scalar(wanted, given, where)


def _table(inner: Any, given: Any, where: Place) -> dict[str, Any]:
    if not isinstance(given, Mapping):
        raise _fault(where, "must be a table")
    return {key: _value(inner, each, where.below(key)) for key, each in given.items()}


def _one_of(words: tuple[Any, ...], given: Any, where: Place) -> Any:
    if given in words and isinstance(given, str):
        return given
    raise _fault(where, f"must be one of {', '.join(words)}; found {printable(repr(given))}")


def _list(inner: Any, given: Any, where: Place) -> tuple[Any, ...]:
    if not isinstance(given, list | tuple):
        raise _fault(where, f"must be a list; found {printable(repr(given))}")
    return tuple(_value(inner, each, where.below(number)) for number, each in enumerate(given))


def _scalar(wanted: Any, given: Any, where: Place) -> Any:
    if wanted is float and isinstance(given, int) and not isinstance(given, bool):
        return float(given)
    if isinstance(given, wanted) and (wanted is bool or not isinstance(given, bool)):
        return given
    words = {
        datetime: "a date and time",
        bool: "true or false",
        int: "a whole number",
        float: "a number",
        str: "a string",
    }
    raise _fault(where, f"must be {words[wanted]}; found {printable(repr(given))}")
