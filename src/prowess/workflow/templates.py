"""Values with expressions in them: what a definition holds as params, output and texts.

`{{expr}}` alone is the value itself with its type; inside text each expression becomes text: a text as
it is, anything else as JSON without blanks. What an expression gives is a value, and braces in it are
nothing but braces.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from prowess.workflow.evaluating import Scope
from prowess.workflow.expressions import Expression
from prowess.workflow.faults import ExpressionFault
from prowess.workflow.functions import MOST_TEXT, bounded, text_of

OPEN, CLOSE = "{{", "}}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Fixed:
    """A value without expressions; null, a number, true, false or a text."""

    value: Any
    line: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Text:
    """A text with expressions in it."""

    parts: tuple[str | Expression, ...]
    line: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Items:
    """A list."""

    items: tuple[Template, ...]
    line: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Fields:
    """A mapping; keys are fixed texts."""

    fields: Mapping[str, Template]
    line: int | None = None


Template = Fixed | Text | Items | Fields | Expression


def template_of_text(text: str, line: int | None = None) -> Fixed | Text | Expression:
    """What a text of a definition means. Raises ExpressionFault for what is not in the language."""
    parts = tuple(_parts(text, line))
    if len(parts) == 1 and isinstance(parts[0], Expression):
        return parts[0]
    if any(isinstance(each, Expression) for each in parts):
        return Text(parts=parts, line=line)
    return Fixed(value=text, line=line)


def expression_of_text(text: str, line: int | None = None) -> Expression:
    """The expression that a text is, with or without braces around it. Raises ExpressionFault."""
    stripped = text.strip()
    if stripped.startswith(OPEN) and _end_of_expression(stripped, 2) == len(stripped) - 2:
        stripped = stripped[2:-2]
    made = Expression(text=stripped.strip(), line=line)
    _ = made.tree
    return made


def _parts(text: str, line: int | None) -> Iterator[str | Expression]:
    at = 0
    while (start := text.find(OPEN, at)) >= 0:
        end = _end_of_expression(text, start + 2)
        if end < 0:
            hint = "close it with }}; to write the braces themselves: {{ '{{' }}"
            raise ExpressionFault("syntax", "{{ without }}", hint=hint)
        if start > at:
            yield text[at:start]
        made = Expression(text=text[start + 2 : end].strip(), line=line)
        _ = made.tree
        yield made
        at = end + 2
    if at < len(text):
        yield text[at:]


def _end_of_expression(text: str, at: int) -> int:
    """Where the `}}` stands that ends the expression from `at`, outside of quotation marks; -1: nowhere.

    A brace that the expression opened takes the first of `}}}` for itself.
    """
    quote, depth = "", 0
    while at < len(text):
        mark = text[at]
        if quote:
            if mark == "\\":
                at += 1
            elif mark == quote:
                quote = ""
        elif mark in "\"'":
            quote = mark
        elif mark == "{":
            depth += 1
        elif mark == "}":
            if not depth and text.startswith(CLOSE, at):
                return at
            depth = max(0, depth - 1)
        at += 1
    return -1


def render(template: Template, scope: Scope) -> Any:
    """The value of a template in a scope. Raises ExpressionFault."""
    match template:
        case Fixed(value=value):
            return value
        case Expression():
            return template.evaluate(scope)
        case Text(parts=parts):
            return _joined(parts, scope)
        case Items(items=items):
            return [render(each, scope) for each in items]
        case Fields(fields=fields):
            return {name: render(each, scope) for name, each in fields.items()}


def render_text(template: Fixed | Text | Expression, scope: Scope) -> str:
    """The same where a text is wanted, as for `approve`. Raises ExpressionFault."""
    return text_of(render(template, scope))


def _joined(parts: tuple[str | Expression, ...], scope: Scope) -> str:
    pieces, total = [], 0
    for each in parts:
        pieces.append(each if isinstance(each, str) else text_of(each.evaluate(scope)))
        total += len(pieces[-1])
        if total > MOST_TEXT:
            break
    return bounded("".join(pieces))


def expressions_in(template: Template) -> Iterator[Expression]:
    """Every expression of a template, in the order of the file."""
    match template:
        case Expression():
            yield template
        case Text(parts=parts):
            yield from (each for each in parts if isinstance(each, Expression))
        case Items(items=items):
            for each in items:
                yield from expressions_in(each)
        case Fields(fields=fields):
            for each in fields.values():
                yield from expressions_in(each)


def written(template: Template) -> str:
    """A template as one would write it, for people; lists and mappings only by what they are."""
    match template:
        case Expression(text=text):
            return f"{OPEN}{text}{CLOSE}"
        case Text(parts=parts):
            return "".join(each if isinstance(each, str) else written(each) for each in parts)
        case Fixed(value=value):
            return value if isinstance(value, str) else text_of(value)
        case Items(items=items):
            return f"{len(items)} items"
        case Fields(fields=fields):
            return f"{len(fields)} fields"
