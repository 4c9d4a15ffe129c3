"""What an expression gives in a scope: one walk over its tree. Values are looked at, never read as text
of the language again.

A name or a member that is not there is a fault that says what is; only `default` and `is defined` ask
first. Work is bounded by the size of the expression times the size of the values.
"""

from __future__ import annotations

from collections.abc import Mapping
from difflib import get_close_matches
from typing import Any

from prowess.redact import printable
from prowess.workflow import functions
from prowess.workflow.faults import ExpressionFault
from prowess.workflow.language import (
    Applied,
    Arithmetic,
    Choice,
    Compared,
    ListOf,
    Literal,
    Logic,
    MappingOf,
    Member,
    Name,
    Negated,
    Not,
    Tested,
    Tree,
)

Scope = Mapping[str, Any]


def evaluate(tree: Tree, scope: Scope) -> Any:
    """The value. Raises ExpressionFault: `undefined`, `type` or `limit`."""
    match tree:
        case Literal(value):
            return value
        case Name(name):
            return _named(name, scope)
        case Member(of, key):
            return member(evaluate(of, scope), evaluate(key, scope), tree)
        case ListOf(items):
            return [evaluate(each, scope) for each in items]
        case MappingOf(pairs):
            return {_key(evaluate(key, scope)): evaluate(value, scope) for key, value in pairs}
        case Logic(operator, left, right):
            first = functions.truth(evaluate(left, scope), written(left))
            if first is (operator == "or"):
                return first
            return functions.truth(evaluate(right, scope), written(right))
        case Not(of):
            return not functions.truth(evaluate(of, scope), written(of))
        case Compared(operator, left, right):
            return functions.compare(operator, evaluate(left, scope), evaluate(right, scope))
        case Arithmetic(operator, left, right):
            return functions.arithmetic(operator, evaluate(left, scope), evaluate(right, scope))
        case Negated(of):
            return functions.arithmetic("-", 0, evaluate(of, scope))
        case Choice(test, then, otherwise):
            chosen = functions.truth(evaluate(test, scope), written(test))
            return evaluate(then if chosen else otherwise, scope)
        case Applied(function, of, arguments):
            return _applied(function, of, arguments, scope)
        case Tested(test, of):
            return _tested(test, of, scope)


def member(of: Any, key: Any, tree: Member) -> Any:
    """The member of a mapping under a text, of a list at a whole number. Raises ExpressionFault."""
    if isinstance(of, Mapping):
        # JSON has texts for keys; `steps` alone can be asked for a place.
        if isinstance(key, str | int) and not isinstance(key, bool) and key in of:
            return of[key]
    elif isinstance(of, list | tuple) and isinstance(key, int) and not isinstance(key, bool):
        if -len(of) <= key < len(of):
            return of[key]
    else:
        message = f"{written(tree)}: {written(tree.of)} is {functions.shown(of)}"
        raise ExpressionFault("undefined", f"{message}, which has no such member")
    raise ExpressionFault(
        "undefined", f"{written(tree)} is not there", hint=_there(of, key, written(tree.of))
    )


def _there(of: Any, key: Any, where: str) -> str:
    if not isinstance(of, Mapping):
        return f"{where} has {len(of)} items, counted from 0"
    if key == "result" and of.get("status") in ("skipped", "failed"):
        return f"the step was {of['status']}; {where}.result | default(null) says what then"
    names = [printable(str(each), 40) for each in list(of)[:20]]
    near = get_close_matches(str(key)[:100], names, 1)
    if near:
        return f"did you mean {near[0]}?"
    return f"{where} has {', '.join(names)}" if names else f"{where} is empty"


def _named(name: str, scope: Scope) -> Any:
    if name in scope:
        return scope[name]
    raise ExpressionFault(
        "undefined", f"{printable(name, 60)} is not there", hint=_there(scope, name, "the scope")
    )


def _key(value: Any) -> str:
    if not isinstance(value, str):
        raise ExpressionFault(
            "type", f"{functions.shown(value)} is no key of a mapping", hint="a key is a text"
        )
    return value


def _applied(function: str, of: Tree, arguments: tuple[Tree, ...], scope: Scope) -> Any:
    if function == "default":
        try:
            return evaluate(of, scope)
        except ExpressionFault as fault:
            if fault.code != "undefined":
                raise
            return evaluate(arguments[0], scope)
    given = [evaluate(each, scope) for each in arguments]
    return functions.FUNCTIONS[function].run(evaluate(of, scope), *given)


def _tested(test: str, of: Tree, scope: Scope) -> bool:
    if test == "null":
        return evaluate(of, scope) is None
    try:
        evaluate(of, scope)
    except ExpressionFault as fault:
        if fault.code != "undefined":
            raise
        return False
    return True


def written(tree: Tree) -> str:
    """A name with its members as one would write it; for anything else, a word."""
    match tree:
        case Name(name):
            return printable(name, 60)
        case Member(of, Literal(str() as key)) if key.isidentifier():
            return f"{written(of)}.{printable(key, 60)}"
        case Member(of, Literal(key)):
            return f"{written(of)}[{printable(repr(key), 60)}]"
        case Member(of, _):
            return f"{written(of)}[...]"
        case Literal(value):
            return printable(repr(value), 60)
    return "the value"
