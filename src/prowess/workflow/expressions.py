"""One expression of a definition: its text, what it refers to, and what it gives in a scope.

The text is read once and the tree kept. Reading and evaluating have no effects and take bounded time.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from prowess.workflow.evaluating import Scope, evaluate
from prowess.workflow.grammar import tree_of
from prowess.workflow.language import Literal, Member, Name, Tree, parts

_REMEMBERED = 4_096  # expressions; a long one is a few kilobytes

Key = str | int


@dataclass(frozen=True, slots=True, kw_only=True)
class Reference:
    """A name and the members that are looked up in it, as far as they are written out.

    `steps[0].result[item.place]` is `steps` with the keys 0 and `result`, and `whole` is false.
    """

    name: str
    keys: tuple[Key, ...] = ()
    whole: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Expression:
    """An expression as written, without braces, and the line of the file where it stands."""

    text: str
    line: int | None = None

    @property
    def tree(self) -> Tree:
        """Its tree. Raises ExpressionFault: it is not in the language."""
        return _tree(self.text)

    def evaluate(self, scope: Scope) -> Any:
        """Its value, with the type that the value has. Raises ExpressionFault."""
        return evaluate(self.tree, scope)

    def references(self) -> Iterator[Reference]:
        """Everything that it refers to. Raises ExpressionFault."""
        return references(self.tree)


@lru_cache(_REMEMBERED)
def _tree(text: str) -> Tree:
    return tree_of(text)


def references(tree: Tree) -> Iterator[Reference]:
    """Everything that a tree refers to."""
    keys: list[Tree] = []
    below = tree
    while isinstance(below, Member):
        keys.insert(0, below.key)
        below = below.of
    if isinstance(below, Name):
        fixed: list[Key] = []
        for key in keys:
            if (
                not isinstance(key, Literal)
                or isinstance(key.value, bool)
                or not isinstance(key.value, str | int)
            ):
                break
            fixed.append(key.value)
        yield Reference(name=below.name, keys=tuple(fixed), whole=len(fixed) == len(keys))
        inside = tuple(keys)
    else:
        inside = (*parts(below), *keys)
    for each in inside:
        yield from references(each)
