"""How expressions are written: Jinja2's grammar, cut down to the nodes of `language`.

Jinja2 reads the text and gives a tree; whatever in that tree is not one of our nodes is refused here
by its name. Nothing is ever compiled or run by it: `evaluating` walks our own tree. It is imported on
the first expression that is read (0.2 s).
"""

from __future__ import annotations

import math
from functools import cache
from typing import TYPE_CHECKING

from prowess.redact import printable
from prowess.workflow import language as to
from prowess.workflow.faults import ExpressionFault
from prowess.workflow.functions import FUNCTIONS

if TYPE_CHECKING:
    from jinja2 import Environment, nodes

_COMPARISONS = {
    "eq": "==",
    "ne": "!=",
    "lt": "<",
    "lteq": "<=",
    "gt": ">",
    "gteq": ">=",
    "in": "in",
    "notin": "not in",
}
_TESTS = {"defined": "defined", "none": "null", "null": "null"}
_CONSTANTS = {"null": None, "Null": None}
_ABOUT = "names, members, [] {}, + - * / // %, comparisons, in, and, or, not, A if B else C, VALUE | FUNCTION"


def tree_of(text: str) -> to.Tree:
    """The tree of an expression. Raises ExpressionFault: `syntax` or `limit`."""
    if len(text) > to.LONGEST:
        raise ExpressionFault("limit", f"an expression of more than {to.LONGEST} characters")
    if not text.strip():
        raise ExpressionFault("syntax", "the expression is empty", hint="write what is meant: {{user.name}}")
    return _Reading(text).tree(_parsed(text), 0)


@cache
def _environment() -> Environment:
    from jinja2 import Environment

    return Environment(autoescape=False, optimized=False)


def _parsed(text: str) -> nodes.Node:
    from jinja2 import TemplateSyntaxError
    from jinja2.parser import Parser

    try:
        parser = Parser(_environment(), text, state="variable")
        found = parser.parse_expression()
        if not parser.stream.eos:
            raise ExpressionFault("syntax", f"{_shown(text)}: there is more than one expression")
    except TemplateSyntaxError as error:
        raise ExpressionFault("syntax", f"{_shown(text)}: {printable(str(error.message))}") from None
    except (RecursionError, MemoryError):
        raise ExpressionFault("limit", f"{_shown(text)}: nested too deep") from None
    except (ValueError, OverflowError, SyntaxError, UnicodeError) as error:
        # Jinja2 reads numbers and escapes with Python's own functions.
        raise ExpressionFault("syntax", f"{_shown(text)}: {printable(str(error))}") from None
    return found


def _shown(text: str) -> str:
    return printable(text, 80)


class _Reading:
    """One expression on its way into our tree; counts what it has seen."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._seen = 0

    def tree(self, node: nodes.Node, depth: int) -> to.Tree:
        """Our node for one of Jinja2's."""
        self._seen += 1
        if depth > to.DEEPEST or self._seen > to.MOST_NODES:
            raise ExpressionFault("limit", f"{_shown(self._text)}: too many parts, or nested too deep")
        found = getattr(self, f"_{type(node).__name__.lower()}", None)
        if found is None:
            raise self._refused(_WORDS.get(type(node).__name__, type(node).__name__.lower()))
        made: to.Tree = found(node, depth + 1)
        return made

    def _refused(self, what: str, hint: str = "") -> ExpressionFault:
        message = f"{_shown(self._text)}: {what} is not in the language"
        return ExpressionFault("syntax", message, hint=hint or f"there are {_ABOUT}")

    def _const(self, node: nodes.Const, depth: int) -> to.Tree:
        value = node.value
        if isinstance(value, float) and not math.isfinite(value):
            raise self._refused("a number beyond all bounds")
        return to.Literal(value)

    def _templatedata(self, node: nodes.TemplateData, depth: int) -> to.Tree:
        return to.Literal(node.data)

    def _name(self, node: nodes.Name, depth: int) -> to.Tree:
        return to.Literal(None) if node.name in _CONSTANTS else to.Name(node.name)

    def _getattr(self, node: nodes.Getattr, depth: int) -> to.Tree:
        return to.Member(self.tree(node.node, depth), to.Literal(node.attr))

    def _getitem(self, node: nodes.Getitem, depth: int) -> to.Tree:
        return to.Member(self.tree(node.node, depth), self.tree(node.arg, depth))

    def _list(self, node: nodes.List, depth: int) -> to.Tree:
        return to.ListOf(tuple(self.tree(each, depth) for each in node.items))

    def _dict(self, node: nodes.Dict, depth: int) -> to.Tree:
        pairs = ((self.tree(each.key, depth), self.tree(each.value, depth)) for each in node.items)
        return to.MappingOf(tuple(pairs))

    def _not(self, node: nodes.Not, depth: int) -> to.Tree:
        return to.Not(self.tree(node.node, depth))

    def _neg(self, node: nodes.Neg, depth: int) -> to.Tree:
        return to.Negated(self.tree(node.node, depth))

    def _compare(self, node: nodes.Compare, depth: int) -> to.Tree:
        if len(node.ops) > 1:
            raise self._refused("a chain of comparisons", "write each by itself, with and between")
        operand = node.ops[0]
        left, right = self.tree(node.expr, depth), self.tree(operand.expr, depth)
        return to.Compared(_COMPARISONS[operand.op], left, right)

    def _condexpr(self, node: nodes.CondExpr, depth: int) -> to.Tree:
        if node.expr2 is None:
            raise self._refused("if without else", "say what it is otherwise: A if B else null")
        branches = (node.test, node.expr1, node.expr2)
        test, then, otherwise = (self.tree(each, depth) for each in branches)
        return to.Choice(test, then, otherwise)

    def _filter(self, node: nodes.Filter, depth: int) -> to.Tree:
        known = FUNCTIONS.get(node.name)
        if known is None or node.node is None or node.kwargs or node.dyn_args or node.dyn_kwargs:
            hint = f"functions: {', '.join(FUNCTIONS)}; their arguments have no names"
            raise self._refused(f"the function {printable(node.name, 60)}", hint)
        if not known.fewest <= len(node.args) <= known.most:
            raise self._refused(f"{node.name} with {len(node.args)} arguments", known.usage)
        arguments = tuple(self.tree(each, depth) for each in node.args)
        return to.Applied(node.name, self.tree(node.node, depth), arguments)

    def _test(self, node: nodes.Test, depth: int) -> to.Tree:
        name = _TESTS.get(node.name)
        if name is None or node.args or node.kwargs:
            raise self._refused(f"the test {printable(node.name, 60)}", "tests: is defined, is null")
        return to.Tested(name, self.tree(node.node, depth))

    def _logic(self, node: nodes.BinExpr, depth: int) -> to.Tree:
        return to.Logic(node.operator, self.tree(node.left, depth), self.tree(node.right, depth))

    def _arithmetic(self, node: nodes.BinExpr, depth: int) -> to.Tree:
        return to.Arithmetic(node.operator, self.tree(node.left, depth), self.tree(node.right, depth))

    _and = _or = _logic
    _add = _sub = _mul = _div = _floordiv = _mod = _arithmetic


_WORDS = {
    "Call": "a call",
    "Slice": "a slice",
    "Tuple": "a tuple",
    "Concat": "the operator ~",
    "Pow": "the operator **",
    "Pos": "a sign +",
}
