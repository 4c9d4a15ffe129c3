"""URI templates in both directions: variables to a URI by the library, a URI to variables here.

RFC 6570 at all four levels. The RFC defines expansion only, and different variables may give one URI
(an empty list and an undefined one, a comma inside `{+x}`). Where that is so, the longest value for the
first variable counts, and an empty expression means that its variables are undefined. A search never
takes more than a bounded number of steps, whatever template and URI are.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from prowess.content import expressions
from prowess.content.expressions import OPERATORS, Expression, Value, Variable
from prowess.content.uris import LONGEST, normal

MOST_EXPRESSIONS = 32
MOST_STEPS = 20_000

_EXPRESSION = re.compile(r"\{([^{}]*)\}")
_NAME = r"(?:\w|%[0-9A-Fa-f]{2})+(?:\.(?:\w|%[0-9A-Fa-f]{2})+)*"
_SPEC = re.compile(rf"({_NAME})(\*|:[1-9][0-9]{{0,3}})?", re.ASCII)
_LITERAL = re.compile(r"""(?:[^\x00-\x20"'%<>\\^`{|}\x7f]|%[0-9A-Fa-f]{2})*""")
_RESERVED_OPERATORS = ("=", ",", "!", "@", "|")

Part = str | Expression


class BadTemplate(ValueError):
    """A text that is no URI template; says where."""


class UriTemplate(NamedTuple):
    """A template, parsed. `parts` are literals, percent-encoded, and expressions."""

    text: str
    parts: tuple[Part, ...]

    @property
    def variables(self) -> tuple[str, ...]:
        """The names of its variables, each once, in the order of the template."""
        names = (each.name for part in self.parts if not isinstance(part, str) for each in part.variables)
        return tuple(dict.fromkeys(names))

    def expand(self, values: Mapping[str, Value]) -> str:
        """The URI for these variables; those that are left out are undefined."""
        from uritemplate import expand

        encoded = "".join(part if isinstance(part, str) else part.text for part in self.parts)
        return str(expand(encoded, dict(values)))

    def match(self, uri: str) -> dict[str, Value] | None:
        """Variables that give `uri`, or None when there are none."""
        uri = normal(uri)
        return None if len(uri) > LONGEST else _Search(self.parts, uri).found()


def parse(text: str) -> UriTemplate:
    """The template in `text`. Raises BadTemplate."""
    parts: list[Part] = []
    at = 0
    for found in _EXPRESSION.finditer(text):
        _add_literal(parts, text[at : found.start()], at)
        parts.append(_expression(found))
        at = found.end()
    _add_literal(parts, text[at:], at)
    if sum(not isinstance(each, str) for each in parts) > MOST_EXPRESSIONS:
        raise BadTemplate(f"it has more than {MOST_EXPRESSIONS} expressions")
    return UriTemplate(text, tuple(parts))


def _add_literal(parts: list[Part], text: str, at: int) -> None:
    """The text between two expressions, if there is any."""
    fits = _LITERAL.match(text)
    end = fits.end() if fits else 0
    if end < len(text):
        raise BadTemplate(f"character {at + end + 1} belongs into no URI, or a brace is left open there")
    if text:
        parts.append(normal(text))


def _expression(found: re.Match[str]) -> Expression:
    inside, at = found[1], found.start() + 1
    if inside.startswith(_RESERVED_OPERATORS):
        raise BadTemplate(f"{inside[0]} is no operator (in the expression at {at})")
    operator = inside[0] if inside[:1] and inside[0] in OPERATORS else ""
    variables = []
    for spec in inside[len(operator) :].split(","):
        read = _SPEC.fullmatch(spec)
        if read is None:
            raise BadTemplate(f"the expression at {at} names no variable, or one that is no name")
        modifier = read[2] or ""
        variables.append(Variable(read[1], modifier == "*", int(modifier.strip(":*") or 0)))
    return Expression(found[0], operator, tuple(variables))


class _Search:
    """One search through one URI; a place that led nowhere is not tried twice."""

    def __init__(self, parts: tuple[Part, ...], uri: str) -> None:
        self._parts = parts
        self._uri = uri
        self._dead: set[tuple[int, int]] = set()
        self._steps = 0

    def found(self) -> dict[str, Value] | None:
        """The values of all expressions together."""
        each_part = self._from(0, 0)
        if each_part is None:
            return None
        values: dict[str, Value] = {}
        for each in each_part:
            if any(values.get(name, value) != value for name, value in each.items()):
                return None  # one variable that stands twice, with two values
            values.update(each)
        return values

    def _from(self, number: int, at: int) -> list[dict[str, Value]] | None:
        """The values of every expression from part `number` on, if the URI from `at` on fits."""
        if number == len(self._parts):
            return [] if at == len(self._uri) else None
        if (number, at) in self._dead or self._steps > MOST_STEPS:
            return None
        part = self._parts[number]
        if isinstance(part, str):
            rest = self._from(number + 1, at + len(part)) if self._uri.startswith(part, at) else None
        else:
            rest = self._through(part, number, at)
        if rest is None:
            self._dead.add((number, at))
        return rest

    def _through(self, part: Expression, number: int, at: int) -> list[dict[str, Value]] | None:
        for end in self._ends(part, number, at):
            self._steps += 1
            if self._steps > MOST_STEPS:
                return None
            if "%" in self._uri[max(at, end - 2) : end]:
                continue  # in the middle of an encoded byte
            values = expressions.read(part, self._uri[at:end])
            rest = None if values is None else self._from(number + 1, end)
            if values is not None and rest is not None:
                return [values, *rest]
        return None

    def _ends(self, part: Expression, number: int, at: int) -> Iterator[int]:
        """Where an expression that begins at `at` may end, the longest first."""
        furthest = at + expressions.reach(part, self._uri, at)
        following = self._parts[number + 1] if number + 1 < len(self._parts) else None
        if following is None:
            if furthest == len(self._uri):
                yield furthest
        elif isinstance(following, str):
            end = self._uri.rfind(following, at, furthest + len(following))
            while end >= 0:
                yield end
                end = self._uri.rfind(following, at, end + len(following) - 1)
        else:
            yield from range(furthest, at - 1, -1)
