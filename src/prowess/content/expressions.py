"""One expression of a URI template read backwards: from the text that it gave to the values it was given.

RFC 6570, section 3.2. A value is a text, a list of texts or a mapping of texts, percent-decoded.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple
from urllib.parse import unquote

from prowess.content.uris import RESERVED

Value = str | Sequence[str] | Mapping[str, str]


class Operator(NamedTuple):
    """How an operator expands: what comes first, what stands between, and what is left as it is."""

    first: str
    between: str
    named: bool = False
    reserved: bool = False


OPERATORS = {
    "": Operator("", ","),
    "+": Operator("", ",", reserved=True),
    "#": Operator("#", ",", reserved=True),
    ".": Operator(".", "."),
    "/": Operator("/", "/"),
    ";": Operator(";", ";", named=True),
    "?": Operator("?", "&", named=True),
    "&": Operator("&", "&", named=True),
}


class Variable(NamedTuple):
    """A variable of an expression; `prefix` is the number of characters it is cut to, or 0."""

    name: str
    explode: bool = False
    prefix: int = 0


class Expression(NamedTuple):
    """What stands between two braces."""

    text: str
    operator: str
    variables: tuple[Variable, ...]


@lru_cache(maxsize=64)
def _characters(first: str, more: str) -> re.Pattern[str]:
    run = rf"(?:[A-Za-z0-9._~\-,{re.escape(more)}]|%[0-9A-F]{{2}})*"
    return re.compile(f"(?:{re.escape(first)}{run})?" if first else run)


def reach(expression: Expression, uri: str, at: int) -> int:
    """How many characters from `at` on can have come from the expression at most."""
    operator = OPERATORS[expression.operator]
    paired = operator.named or any(each.explode for each in expression.variables)
    more = RESERVED if operator.reserved else operator.between + ("=" if paired else "")
    found = _characters(operator.first, more).match(uri, at)
    return 0 if found is None else found.end() - at


def read(expression: Expression, text: str) -> dict[str, Value] | None:
    """The values that give `text`, or None when none do; what is undefined is left out."""
    operator = OPERATORS[expression.operator]
    if not text:
        return {}
    text = text[len(operator.first) :]
    try:
        if operator.named:
            return _named(expression.variables, text.split(operator.between))
        return _in_order(expression, operator, text)
    except (UnicodeDecodeError, _No):
        return None


class _No(Exception):
    """The text did not come from this expression."""


def _decoded(text: str) -> str:
    return unquote(text, errors="strict")


def _in_order(expression: Expression, operator: Operator, text: str) -> dict[str, Value]:
    variables = expression.variables
    if len(variables) == 1 and not variables[0].explode:
        whole = operator.reserved or operator.first == "."
        return {variables[0].name: (_text if whole else _plain)(text, variables[0])}
    shares = _shared(variables, text.split(operator.between), operator)
    return {
        variable.name: _exploded(share) if variable.explode else _one(share, variable, operator)
        for variable, share in zip(variables, shares, strict=False)
    }


def _shared(variables: Sequence[Variable], pieces: list[str], operator: Operator) -> list[list[str]]:
    """Which pieces belong to which variable: one each, what is left over to the one that can have it."""
    over = len(pieces) - len(variables)
    if over <= 0:
        return [[each] for each in pieces]
    exploded = [number for number, each in enumerate(variables) if each.explode]
    if not exploded and not operator.reserved and operator.first != ".":
        raise _No
    taker = exploded[0] if exploded else len(variables) - 1
    after = taker + over + 1
    return [[each] for each in pieces[:taker]] + [pieces[taker:after]] + [[each] for each in pieces[after:]]


def _one(share: list[str], variable: Variable, operator: Operator) -> Value:
    if len(share) == 1 and operator.between != ",":
        return _plain(share[0], variable)
    return _text(operator.between.join(share), variable)


def _exploded(share: list[str]) -> Value:
    """A mapping where every piece is `key=value`, else a list."""
    paired = [each for each in share if "=" in each]
    if not paired:
        return [_decoded(each) for each in share]
    if len(paired) < len(share):
        raise _No
    return {_decoded(key): _decoded(value) for key, _, value in (each.partition("=") for each in share)}


def _named(variables: Sequence[Variable], pieces: list[str]) -> dict[str, Value]:
    by_name = {each.name: each for each in variables}
    exploded = [each for each in variables if each.explode]
    found: dict[str, Value] = {}
    for name, _, value in (piece.partition("=") for piece in pieces):
        variable = by_name.get(name)
        if variable is None:
            if len(exploded) != 1:
                raise _No
            _put(found, exploded[0].name, {_decoded(name): _decoded(value)})
        elif variable.explode:
            _put(found, name, [_decoded(value)])
        elif name in found:
            raise _No
        else:
            found[name] = _plain(value, variable)
    return found


def _put(found: dict[str, Value], name: str, more: Value) -> None:
    """Add to the list or the mapping of an exploded variable, which cannot be both."""
    now = found.get(name)
    if now is None:
        found[name] = more
    elif isinstance(now, list) and isinstance(more, list):
        found[name] = [*now, *more]
    elif isinstance(now, dict) and isinstance(more, dict):
        found[name] = {**now, **more}
    else:
        raise _No


def _plain(text: str, variable: Variable) -> Value:
    """A text, or a list: a comma that belongs to a value is always percent-encoded here."""
    if "," in text and not variable.prefix:
        return [_decoded(each) for each in text.split(",")]
    return _text(text, variable)


def _text(text: str, variable: Variable) -> str:
    value = _decoded(text)
    if variable.prefix and len(value) > variable.prefix:
        raise _No
    return value
