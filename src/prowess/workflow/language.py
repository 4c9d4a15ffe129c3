"""The expression language as a tree: every node there is, and nothing else can be said.

What the nodes mean is `evaluating`, how they are written is `grammar`, and which types they give is
`types`. The language has no calls, no loops, no assignment and no attributes: a member is looked up in
a mapping or a list that came from JSON, whatever it is named.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

LONGEST = 2_000  # characters of an expression
MOST_NODES = 200
DEEPEST = 40


@dataclass(frozen=True, slots=True)
class Literal:
    """A number, a text, true, false or null."""

    value: Any


@dataclass(frozen=True, slots=True)
class Name:
    """What the scope holds under a name."""

    name: str


@dataclass(frozen=True, slots=True)
class Member:
    """`of.key`, `of[0]` or `of[key]`."""

    of: Tree
    key: Tree


@dataclass(frozen=True, slots=True)
class ListOf:
    """`[a, b]`."""

    items: tuple[Tree, ...]


@dataclass(frozen=True, slots=True)
class MappingOf:
    """`{"a": b}`."""

    pairs: tuple[tuple[Tree, Tree], ...]


@dataclass(frozen=True, slots=True)
class Logic:
    """`left and right`, `left or right`."""

    operator: str
    left: Tree
    right: Tree


@dataclass(frozen=True, slots=True)
class Not:
    """`not of`."""

    of: Tree


@dataclass(frozen=True, slots=True)
class Compared:
    """`left operator right`, where the operator is one of `== != < <= > >=`, `in` and `not in`."""

    operator: str
    left: Tree
    right: Tree


@dataclass(frozen=True, slots=True)
class Arithmetic:
    """`left operator right`, where the operator is one of `+ - * / // %`."""

    operator: str
    left: Tree
    right: Tree


@dataclass(frozen=True, slots=True)
class Negated:
    """`-of`."""

    of: Tree


@dataclass(frozen=True, slots=True)
class Choice:
    """`then if test else otherwise`."""

    test: Tree
    then: Tree
    otherwise: Tree


@dataclass(frozen=True, slots=True)
class Applied:
    """`of | function(arguments)`."""

    function: str
    of: Tree
    arguments: tuple[Tree, ...]


@dataclass(frozen=True, slots=True)
class Tested:
    """`of is defined`, `of is null`."""

    test: str
    of: Tree


Tree = (
    Literal
    | Name
    | Member
    | ListOf
    | MappingOf
    | Logic
    | Not
    | Compared
    | Arithmetic
    | Negated
    | Choice
    | Applied
    | Tested
)


def parts(tree: Tree) -> tuple[Tree, ...]:
    """The nodes right below one."""
    match tree:
        case Literal() | Name():
            return ()
        case Member(of, key):
            return (of, key)
        case ListOf(items):
            return items
        case MappingOf(pairs):
            return tuple(each for pair in pairs for each in pair)
        case Logic(_, left, right) | Compared(_, left, right) | Arithmetic(_, left, right):
            return (left, right)
        case Choice(test, then, otherwise):
            return (test, then, otherwise)
        case Applied(_, of, arguments):
            return (of, *arguments)
        case Not(of) | Negated(of) | Tested(_, of):
            return (of,)
