"""One table of `prowess.toml` read into its dataclass, unknown keys refused.

Each dataclass lives beside the code that enforces it; this file only knows how to go from plain
TOML values to declared types. It does not open files and names no section itself.
"""

from __future__ import annotations

import types
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from difflib import get_close_matches
from typing import Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

from prowess.errors import UsageError
from prowess.redact import printable

Section = TypeVar("Section")


def read_section(kind: type[Section], mapping: object, where: str) -> Section:
    """`mapping` as a `kind`; `where` names the table, such as `[policy]`. Raises UsageError."""
    if not isinstance(mapping, Mapping):
        raise UsageError(f"{where} must be a table", hint=f"write {where} and its fields below it")
    known = get_type_hints(kind)
    names = [each.name for each in fields(kind)]  # type: ignore[arg-type]  # every section is a dataclass
    for key in mapping:
        if key not in names:
            raise _unknown(str(key), names, where)
    values = {key: _value(known[key], mapping[key], f"{where} {key}") for key in mapping}
    try:
        return kind(**values)
    except UsageError as error:
        raise UsageError(f"{where} {error.message}", hint=error.hint) from None
    except TypeError:
        missing = [each.name for each in fields(kind) if _required(each) and each.name not in values]  # type: ignore[arg-type]
        raise UsageError(f"{where} lacks {', '.join(missing)}") from None


def _required(each: Any) -> bool:
    from dataclasses import MISSING

    return each.default is MISSING and each.default_factory is MISSING


def _unknown(key: str, names: list[str], where: str) -> UsageError:
    near = get_close_matches(key, names, 1)
    hint = f"did you mean {near[0]}?" if near else f"fields of {where}: {', '.join(names)}"
    return UsageError(f"{where} has no field {printable(key)}", hint=hint)


def _value(wanted: Any, given: Any, where: str) -> Any:
    origin, inner = get_origin(wanted), get_args(wanted)
    if origin in (Union, types.UnionType):
        return _value(next(each for each in inner if each is not type(None)), given, where)
    if origin is Literal:
        return _one_of(inner, given, where)
    if origin is tuple:
        return _list(inner[0], given, where)
    if isinstance(wanted, type) and is_dataclass(wanted):
        return read_section(wanted, given, where)
    return _scalar(wanted, given, where)


def _one_of(words: tuple[Any, ...], given: Any, where: str) -> Any:
    if given in words and isinstance(given, str):
        return given
    raise UsageError(f"{where} must be one of {', '.join(words)}; found {printable(repr(given))}")


def _list(inner: Any, given: Any, where: str) -> tuple[Any, ...]:
    if not isinstance(given, list | tuple):
        raise UsageError(f"{where} must be a list; found {printable(repr(given))}")
    return tuple(_value(inner, each, f"{where}[{number}]") for number, each in enumerate(given))


def _scalar(wanted: Any, given: Any, where: str) -> Any:
    if wanted is float and isinstance(given, int) and not isinstance(given, bool):
        return float(given)
    if isinstance(given, wanted) and (wanted is bool or not isinstance(given, bool)):
        return given
    words = {bool: "true or false", int: "a whole number", float: "a number", str: "a string"}
    raise UsageError(f"{where} must be {words[wanted]}; found {printable(repr(given))}")
