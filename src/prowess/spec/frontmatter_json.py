"""The frontmatter of a SKILL.md as JSON, and a JSON rendering held against the file (MCP Skills, SEP-2640).

The extension wants frontmatter "verbatim" and names no YAML schema. A server of ours renders by the
core schema of YAML 1.2, which is what most parsers do today; `name` and `description` are text
whatever they look like. A host of ours accepts every reading of a plain value that a YAML parser may
give (`1.0` as a number or as text, `yes` as text or as true), and nothing else: a value in quotation
marks has one reading. Bytes and values only; where the file comes from is not known here.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from math import isfinite
from typing import Any, NamedTuple

from prowess.redact import printable
from prowess.spec.frontmatter import Fault, Frontmatter, compose_with, split

ALWAYS_TEXT = ("name", "description")

_NULLS = frozenset({"", "~", "null", "Null", "NULL"})
_TRUE, _FALSE = frozenset({"true", "True", "TRUE"}), frozenset({"false", "False", "FALSE"})
_INTEGER = re.compile(r"[-+]?[0-9]{1,300}")
_OCTAL, _HEXADECIMAL = re.compile(r"0o[0-7]{1,300}"), re.compile(r"0x[0-9a-fA-F]{1,300}")
_FLOAT = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?")
# What YAML 1.1 reads differently, and many parsers still do.
_OLD_TRUE = frozenset({"yes", "Yes", "YES", "on", "On", "ON"})
_OLD_FALSE = frozenset({"no", "No", "NO", "off", "Off", "OFF"})
_OLD_OCTAL = re.compile(r"[-+]?0[0-7]{1,300}")


class Scalar(NamedTuple):
    """A value as it is written; `quoted` holds for quotation marks and blocks of text."""

    text: str
    quoted: bool


def frontmatter_json(data: bytes) -> dict[str, Any] | Fault:
    """The frontmatter of a SKILL.md as a JSON object by YAML 1.2's core schema, or the first fault in it."""
    found = _composed(data)
    if isinstance(found, Fault):
        return found
    rendered = {key: _rendered(value) for key, value in found.fields.items()}
    for key in ALWAYS_TEXT:
        written = found.fields.get(key)
        if isinstance(written, Scalar):
            rendered[key] = written.text
    return rendered


def differing(data: bytes, entry: Mapping[str, Any]) -> tuple[str, ...]:
    """The fields in which `entry` is not the frontmatter of the SKILL.md `data`; empty: it is.

    Where the file has no frontmatter that can be read, that is the one thing named.
    """
    found = _composed(data)
    if isinstance(found, Fault):
        return (f"the frontmatter itself: {found.message}",)
    fields: Mapping[str, Any] = found.fields
    names = sorted({*fields, *entry})
    return tuple(
        printable(name, 80)
        for name in names
        if name not in fields or name not in entry or not _same(fields[name], entry[name])
    )


def _composed(data: bytes) -> Frontmatter | Fault:
    cut = split(data)
    return cut if isinstance(cut, Fault) else compose_with(cut.head, Scalar)


def _rendered(value: Any) -> Any:
    if isinstance(value, Scalar):
        return value.text if value.quoted else _core(value.text)
    if isinstance(value, Mapping):
        return {key: _rendered(each) for key, each in value.items()}
    return [_rendered(each) for each in value]


def _core(text: str) -> Any:
    """A plain value by the core schema of YAML 1.2; what JSON has no number for stays text."""
    if text in _NULLS:
        return None
    if text in _TRUE or text in _FALSE:
        return text in _TRUE
    if _INTEGER.fullmatch(text):
        return int(text)
    if _OCTAL.fullmatch(text) or _HEXADECIMAL.fullmatch(text):
        return int(text, 0)
    if _FLOAT.fullmatch(text) and isfinite(number := float(text)):
        return number
    return text


def _readings(scalar: Scalar) -> list[Any]:
    """Everything that a YAML parser may make of it."""
    if scalar.quoted:
        return [scalar.text]
    text = scalar.text
    found = [text, _core(text)]
    if text in _OLD_TRUE or text in _OLD_FALSE:
        found.append(text in _OLD_TRUE)
    if _OLD_OCTAL.fullmatch(text):
        found.append(int(text, 8))
    return found


def _same(written: Any, value: Any) -> bool:
    if isinstance(written, Scalar):
        return any(_equal(each, value) for each in _readings(written))
    if isinstance(written, Mapping):
        return (
            isinstance(value, Mapping)
            and set(written) == set(value)
            and all(_same(each, value[key]) for key, each in written.items())
        )
    return (
        isinstance(value, list)
        and len(value) == len(written)
        and all(_same(one, other) for one, other in zip(written, value, strict=True))
    )


def _equal(one: Any, other: Any) -> bool:
    """Equal as JSON: true is not 1, and 1 is 1.0."""
    if isinstance(one, bool) or isinstance(other, bool):
        return one is other
    if isinstance(one, int | float) and isinstance(other, int | float):
        return one == other
    return type(one) is type(other) and bool(one == other)
