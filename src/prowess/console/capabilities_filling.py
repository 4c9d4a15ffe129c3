"""What stands in the fields of a form, read as arguments, and arguments written back into the fields.

A field that is left empty is left out. What cannot be read as the kind of its field is handed on as it
was typed, so that the one who judges arguments says what is wrong with it; only text that should be
JSON and is none is told here, since nothing could be handed on.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from prowess.console.capabilities_fields import MISSING, Field, Kind, Shape, key_of
from prowess.console.forms import Form
from prowess.provider import Problem
from prowess.spec.strict_json import Malformed, parse

RAW = "arguments"  # the field that holds all arguments as JSON
_INTEGER = re.compile(r"-?(?:0|[1-9][0-9]{0,399})", re.ASCII)
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]{1,3})?", re.ASCII)


@dataclass(frozen=True, slots=True, kw_only=True)
class Filled:
    """A form with values in it: `arguments` (None for none yet), the typed text that is no JSON, problems.

    `texts` and the problems go by the pointers of fields.
    """

    shape: Shape = field(default_factory=Shape)
    arguments: Any = None
    texts: Mapping[str, str] = field(default_factory=dict)
    problems: Sequence[Problem] = ()

    def text(self, of: Field) -> str:
        """What stands in a field."""
        value = self._value(of)
        if of.pointer in self.texts or value is MISSING:
            return self.texts.get(of.pointer, "")
        if of.kind == "json" or (of.kind == "list" and not _scalars(value)):
            return json.dumps(value, ensure_ascii=False, indent=2)
        if of.kind == "list":
            return "\n".join(_typed(each) for each in value)
        return _typed(value)

    def chosen(self, of: Field) -> frozenset[str]:
        """The choices of a field that are made."""
        value = self._value(of)
        if value is MISSING:
            alone = of.kind == "choice" and of.required and len(of.choices) == 1
            return frozenset({of.choices[0].key} if alone else ())
        return frozenset(key_of(each) for each in (value if of.kind == "choices" else [value]))

    def raw(self) -> str:
        """All arguments as JSON."""
        if "" in self.texts:
            return self.texts[""]
        return json.dumps(self.arguments or {}, ensure_ascii=False, indent=2)

    def wrong(self, of: Field) -> list[Problem]:
        """What is wrong with a field; a group's own, not that of its members."""
        below = tuple(each.pointer for each in of.members)
        return [
            each
            for each in self.problems
            if _within(each.path, of.pointer) and not any(_within(each.path, member) for member in below)
        ]

    def place(self, of: Problem) -> Field | None:
        """The field that a problem is about."""
        found = [each for each in self.shape.every() if _within(of.path, each.pointer)]
        return max(found, key=lambda each: len(each.path), default=None)

    @property
    def beside(self) -> bool:
        """Whether the arguments hold what no field shows."""
        declared = {each.path[0] for each in self.shape.fields}
        return isinstance(self.arguments, Mapping) and not declared.issuperset(self.arguments)

    def _value(self, of: Field) -> Any:
        if self.arguments is None:
            return MISSING if of.default is None else of.default
        here = self.arguments
        for step in of.path:
            if not isinstance(here, Mapping) or step not in here:
                return MISSING
            here = here[step]
        if of.kind == "choices" and not isinstance(here, list):
            return MISSING
        return here


def read_raw(form: Form, shape: Shape) -> Filled:
    """The one field that holds everything."""
    text = _lines(form.get(RAW))
    found = parse(text.encode("utf-8", "surrogatepass")) if text.strip() else None
    if isinstance(found, Malformed):
        return Filled(shape=shape, texts={"": text}, problems=[_no_json("", found)])
    return Filled(shape=shape, arguments={} if found is None else found.value)


def read_fields(form: Form, shape: Shape) -> Filled:
    """The fields, each read as what it is for."""
    reading = _Reading(form)
    arguments = reading.object(shape.fields)
    return Filled(shape=shape, arguments=arguments, texts=reading.texts, problems=reading.problems)


class _Reading:
    """One form on its way to arguments."""

    def __init__(self, form: Form) -> None:
        self._form = form
        self.texts: dict[str, str] = {}
        self.problems: list[Problem] = []

    def object(self, fields: Sequence[Field]) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for each in fields:
            value = self._value(each)
            if value is not MISSING:
                found[each.path[-1]] = value
        return found

    def _value(self, of: Field) -> Any:
        if of.kind == "group":
            inside = self.object(of.members)
            return inside if inside or of.required else MISSING
        if of.kind == "choices":
            made = [_chosen(of, each) for each in self._form.all(of.pointer)]
            return made if made or of.required else MISSING
        text = _lines(self._form.get(of.pointer))
        if of.kind == "list":
            values = [_scalar(of.item, each) for each in text.split("\n") if each.strip()]
            return values if values or of.required else MISSING
        if not text.strip() if of.kind != "long" else not text:
            return MISSING
        if of.kind == "choice":
            return _chosen(of, text)
        return self._json(of, text) if of.kind == "json" else _scalar(of.kind, text)

    def _json(self, of: Field, text: str) -> Any:
        found = parse(text.encode("utf-8", "surrogatepass"))
        if not isinstance(found, Malformed):
            return found.value
        self.texts[of.pointer] = text
        self.problems.append(_no_json(of.pointer, found))
        return MISSING


def _chosen(of: Field, key: str) -> Any:
    """The value of a choice; whatever else was sent stays text, and fits nothing."""
    return json.loads(key) if any(each.key == key for each in of.choices) else key


def _scalar(kind: Kind, text: str) -> Any:
    if kind not in ("integer", "number"):
        return text
    plain = text.strip()
    if _INTEGER.fullmatch(plain):
        return int(plain)
    number = float(plain) if _NUMBER.fullmatch(plain) else math.inf
    return number if math.isfinite(number) else text


def _typed(value: Any) -> str:
    if value is None:
        return ""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _scalars(value: Any) -> bool:
    return isinstance(value, list) and not any(
        isinstance(each, dict | list) or (isinstance(each, str) and "\n" in each) for each in value
    )


def _lines(text: str) -> str:
    """Line ends as they were typed: a form sends each as two characters."""
    return text.replace("\r\n", "\n")


def _within(path: str, pointer: str) -> bool:
    return path == pointer or path.startswith(f"{pointer}/")


def _no_json(pointer: str, found: Malformed) -> Problem:
    where = f", line {found.line}, column {found.column}" if found.line and found.column else ""
    hint = f"this is no JSON{where}: {found.reason}"
    return Problem(path=pointer, rule="json", expected="JSON", received="another text", hint=hint)
