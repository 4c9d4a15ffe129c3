"""The fields of one mapping of a definition, taken one by one; every fault is told with its line."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from difflib import get_close_matches
from typing import Any

from prowess.redact import printable
from prowess.spec.diagnostics import Diagnostic, Place
from prowess.spec.rules import report
from prowess.workflow.durations import seconds_of
from prowess.workflow.expressions import Expression
from prowess.workflow.faults import ExpressionFault
from prowess.workflow.located import Located
from prowess.workflow.templates import (
    Fields,
    Fixed,
    Items,
    Template,
    Text,
    expression_of_text,
    template_of_text,
)

MOST_TOLD = 200  # diagnostics of one file


class Telling:
    """What has been found in one file."""

    def __init__(self, file: str) -> None:
        self.file = file
        self.found: list[Diagnostic] = []

    def tell(self, rule: str, line: int | None, message: str, hint: str = "") -> None:
        """Note a fault, unless there are very many already."""
        if len(self.found) < MOST_TOLD:
            self.found.append(report(rule, Place(file=self.file, line=line), message, hint=hint))


def nearest(name: str, known: Iterable[str]) -> str:
    """What may have been meant: the nearest of the known names, or all of them while they are few."""
    names = [printable(each, 60) for each in known]
    near = get_close_matches(name[:100], names, 1)
    if near:
        return f"did you mean {near[0]}?"
    return f"one of {', '.join(names[:20])}" if 0 < len(names) <= 20 else ""


class Taking:
    """One mapping: `where` is what messages call it, and what is not among `known` is a fault."""

    def __init__(self, said: Located, where: str, known: Sequence[str], telling: Telling) -> None:
        self.line, self.where, self._telling = said.line, where, telling
        self.fields: Mapping[str, Located] = said.value if isinstance(said.value, Mapping) else {}
        if not isinstance(said.value, Mapping):
            self.tell(None, "is no mapping", f"it has the fields {', '.join(known)}")
        for name in self.fields:
            if name not in known:
                message = f"{where} has no field {printable(name, 60)}"
                telling.tell("workflow-unknown-field", self.fields[name].line, message, nearest(name, known))

    def tell(self, name: str | None, what: str, hint: str = "", rule: str = "workflow-field") -> None:
        """A fault of a field, or of the mapping itself."""
        line = self.fields[name].line if name is not None and name in self.fields else self.line
        shown = self.where if name is None else f"{self.where}: {name}"
        self._telling.tell(rule, line, f"{shown} {what}", hint)

    def has(self, name: str) -> bool:
        """Whether the field is there; null counts as not."""
        return name in self.fields and self.fields[name].value is not None

    def text(self, name: str, *, hint: str = "") -> str:
        """A text of more than blanks; empty where it is not there or wrong."""
        if not self.has(name):
            return ""
        value = self.fields[name].value
        if not isinstance(value, str):
            self.tell(name, f"must be a text, not {_kind(value)}", hint or "put it in quotation marks")
        elif not value.strip():
            self.tell(name, "is empty", hint)
        else:
            return value.strip()
        return ""

    def texts(self, name: str) -> tuple[str, ...]:
        """A list of texts."""
        if not self.has(name):
            return ()
        value = self.fields[name].value
        if not isinstance(value, list) or not all(isinstance(each.value, str) for each in value):
            self.tell(name, "must be a list of texts", f"{name}: [one, two]")
            return ()
        return tuple(each.value for each in value)

    def whole(self, name: str, least: int, most: int, otherwise: int) -> int:
        """A whole number within bounds."""
        if not self.has(name):
            return otherwise
        value = self.fields[name].value
        if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
            self.tell(name, f"must be a whole number from {least} to {most}")
            return otherwise
        return value

    def seconds(self, name: str) -> float | None:
        """A duration in seconds."""
        if not self.has(name):
            return None
        found = seconds_of(self.fields[name].value)
        if found is None:
            self.tell(name, "is no duration", "seconds, or a text such as 30s, 5m, 1h30m, 2d; a year at most")
        return found

    def expression(self, name: str) -> Expression | None:
        """An expression, with or without braces; true and false stand for themselves."""
        if not self.has(name):
            return None
        said = self.fields[name]
        if isinstance(said.value, bool):
            return Expression(text="true" if said.value else "false", line=said.line)
        if not isinstance(said.value, str):
            self.tell(name, f"must be an expression, not {_kind(said.value)}", f'{name}: "input.amount > 0"')
            return None
        try:
            return expression_of_text(said.value, said.line)
        except ExpressionFault as fault:
            self.tell(name, f"cannot be read: {fault.message}", fault.hint, "workflow-expression")
            return None

    def template(self, name: str) -> Template | None:
        """A value with expressions in it."""
        return self.filled(self.fields[name], name) if name in self.fields else None

    def filled(self, said: Located, name: str) -> Template:
        """The template that a value is; what cannot be read of it becomes null, and is told."""
        value, line = said.value, said.line
        if isinstance(value, Mapping):
            made = {key: self.filled(each, f"{name}.{printable(key, 60)}") for key, each in value.items()}
            return Fields(fields=made, line=line)
        if isinstance(value, list):
            items = (self.filled(each, f"{name}[{place}]") for place, each in enumerate(value))
            return Items(items=tuple(items), line=line)
        return (
            self.filled_text(value, name, line) if isinstance(value, str) else Fixed(value=value, line=line)
        )

    def filled_text(self, text: str, name: str, line: int | None) -> Fixed | Text | Expression:
        """The same for a text."""
        try:
            return template_of_text(text, line)
        except ExpressionFault as fault:
            message = f"{self.where}: {name} cannot be read: {fault.message}"
            self._telling.tell("workflow-expression", line, message, fault.hint)
            return Fixed(value=None, line=line)


def _kind(value: Any) -> str:
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, int | float):
        return "a number"
    return "a mapping" if isinstance(value, Mapping) else "a list" if isinstance(value, list) else "a text"
