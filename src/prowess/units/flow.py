"""Where the text of parameters goes in a unit's code: an abstract walk over its syntax tree.

Each expression has a value: the parameters that its text comes from, and what constant text stands
around them. A call that is not known gives a value that comes from nothing, so what is missed stays
unsaid and what is right is not blamed. Helpers in the same file are followed. Nothing runs.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from prowess.units import sinks

ANY = "*"  # the whole of the parameters, as `**params` or `{params}`
DEPTH = 5  # helpers that call helpers
MOST_STEPS = 20_000
Function = ast.FunctionDef | ast.AsyncFunctionDef
_NOTHING: frozenset[str] = frozenset()


class Value(NamedTuple):
    """What an expression may hold: from which parameters, within which text.

    `whole` is the object of all parameters itself, `client` something that sends HTTP requests.
    """

    names: frozenset[str] = _NOTHING
    text: str = ""
    built: bool = False
    whole: bool = False
    client: bool = False


class Reached(NamedTuple):
    """Parameters that reach a place of a kind, by a call on a line."""

    names: frozenset[str]
    kind: str
    sink: str
    line: int


_CLEAN = Value()


class Flow:
    """The walk through one file; `found` is what was reached."""

    def __init__(self, tree: ast.Module, free: frozenset[str]) -> None:
        self.found: list[Reached] = []
        self._free = free
        self._imported = sinks.imported(tree)
        self._functions = {each.name: each for each in tree.body if isinstance(each, Function)}
        self._constants = {
            target.id: Value(text=step.value.value)
            for step in tree.body
            if isinstance(step, ast.Assign) and isinstance(step.value, ast.Constant)
            and isinstance(step.value.value, str)
            for target in step.targets
            if isinstance(target, ast.Name)
        }  # fmt: skip
        self._methods: dict[str, Function] = {}
        self._clean: set[str] = set()
        self._seen: set[tuple[str, tuple[Value, ...]]] = set()
        self._scopes: list[_Scope] = []
        self._validating = False
        self._depth = 0
        self._steps = 0

    def enter_class(self, of: ast.ClassDef) -> None:
        """Follow `execute` of a class; what its `validate` insists on counts as a whitelist."""
        self._methods = {each.name: each for each in of.body if isinstance(each, Function)}
        for name in ("validate", "execute"):
            self._validating = name == "validate"
            function = self._methods.get(name)
            arguments = _positional(function)[1:] if function is not None else []
            if function is not None and arguments:
                self._walk(function, {arguments[0]: Value(names=frozenset({ANY}), whole=True)})
        self._methods = {}

    def enter_function(self, function: Function) -> None:
        """Follow a function whose own parameters are the unit's."""
        taken = [*_positional(function), *(each.arg for each in function.args.kwonlyargs)]
        self._walk(function, {each: Value(names=frozenset({each})) for each in taken if each in self._free})

    # -- statements ------------------------------------------------------------------------------

    def _walk(self, function: Function, known: Mapping[str, Value]) -> Value:
        scope = dict(known)
        self._scopes.append(_Scope(scope, sinks.confines(function)))
        try:
            self._block(function.body)
            return self._scopes[-1].returned
        finally:
            self._scopes.pop()

    @property
    def _scope(self) -> _Scope:
        return self._scopes[-1]

    def _block(self, body: Sequence[ast.stmt]) -> None:
        for step in body:
            self._steps += 1
            if self._steps < MOST_STEPS:
                self._step(step)

    def _step(self, step: ast.stmt) -> None:
        if isinstance(step, Function):  # a closure: it sees what is known here
            returned = self._scope.returned
            self._block(step.body)
            self._scope.returned = returned
        elif isinstance(step, ast.If):
            self._branch(step)
        elif isinstance(step, ast.Assign | ast.AnnAssign | ast.AugAssign):
            self._assign(step)
        elif isinstance(step, ast.For | ast.AsyncFor):
            self._bind(step.target, self._value(step.iter))
            self._block([*step.body, *step.orelse])
        elif isinstance(step, ast.With | ast.AsyncWith):
            for item in step.items:
                value = self._value(item.context_expr)
                if item.optional_vars is not None:
                    self._bind(item.optional_vars, value)
            self._block(step.body)
        elif isinstance(step, ast.Return):
            self._scope.returned = _together([self._scope.returned, self._value(step.value)])
            if self._validating and step.value is not None:
                checked, positive = self._checked(step.value)
                self._clean |= checked if positive else set()
        else:
            self._others(step)

    def _others(self, step: ast.stmt) -> None:
        """Everything else: its expressions are looked at, its blocks are walked."""
        for _, field in ast.iter_fields(step):
            for each in field if isinstance(field, list) else [field]:
                if isinstance(each, ast.stmt):
                    self._block([each])
                elif isinstance(each, ast.ExceptHandler | ast.match_case):
                    self._block(each.body)
                elif isinstance(each, ast.expr):
                    self._value(each)

    def _branch(self, step: ast.If) -> None:
        self._value(step.test)
        test, negated = step.test, False
        while isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
            test, negated = test.operand, not negated
        checked, positive = self._checked(test)
        inside, after = (checked, set()) if positive is not negated else (set(), checked)
        self._block_without(step.body, inside)
        self._block_without(step.orelse, after)
        if _ends(step.body):
            self._clean |= after
        if step.orelse and _ends(step.orelse):
            self._clean |= inside

    def _block_without(self, body: Sequence[ast.stmt], checked: set[str]) -> None:
        before = set(self._clean)
        self._clean |= checked
        self._block(body)
        self._clean -= checked - before

    def _checked(self, test: ast.expr) -> tuple[set[str], bool]:
        """The parameters that a test holds against a whitelist, and whether passing means that they fit."""
        if isinstance(test, ast.BoolOp):
            found, signs = set(), []
            for each in test.values:
                names, positive = self._checked(each)
                if names:
                    found |= names
                    signs.append(positive)
            wanted = isinstance(test.op, ast.And)
            return (found, wanted) if signs and all(sign is wanted for sign in signs) else (set(), wanted)
        if (
            isinstance(test, ast.Compare)
            and len(test.ops) == 1
            and isinstance(test.ops[0], ast.In | ast.NotIn)
        ):
            return set(self._plain(test.left)), isinstance(test.ops[0], ast.In)
        if (
            isinstance(test, ast.Compare)
            and len(test.ops) == 1
            and isinstance(test.ops[0], ast.Is | ast.IsNot)
        ):
            names, positive = self._checked(test.left)
            none = isinstance(test.comparators[0], ast.Constant) and test.comparators[0].value is None
            return (names, isinstance(test.ops[0], ast.IsNot)) if none and positive else (set(), True)
        if isinstance(test, ast.Call):
            return set(self._plain(sinks.checked_by(test))), True
        if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
            names, positive = self._checked(test.operand)
            return names, not positive
        return set(), True

    def _plain(self, expression: ast.expr | None) -> frozenset[str]:
        return self._value(expression).names - {ANY} if expression is not None else _NOTHING

    def _assign(self, step: ast.Assign | ast.AnnAssign | ast.AugAssign) -> None:
        value = self._value(step.value)
        if isinstance(step, ast.AugAssign):
            value = _together([self._value(_loaded(step.target)), value], built=True)
            self._bind(step.target, value)
            return
        for target in step.targets if isinstance(step, ast.Assign) else [step.target]:
            self._bind(target, value)

    def _bind(self, target: ast.expr, value: Value) -> None:
        if isinstance(target, ast.Name):
            self._scope.known[target.id] = value
        elif isinstance(target, ast.Tuple | ast.List):
            for each in target.elts:
                self._bind(each, value._replace(text="", built=False, whole=False))
        elif isinstance(target, ast.Starred):
            self._bind(target.value, value)

    # -- expressions -----------------------------------------------------------------------------

    def _value(self, of: ast.expr | None) -> Value:
        value = self._raw(of)
        names = value.names - self._clean
        return value if names == value.names else value._replace(names=names)

    def _raw(self, of: ast.expr | None) -> Value:
        match of:
            case None:
                return _CLEAN
            case ast.Constant(value=str(text)):
                return Value(text=text)
            case ast.Name(id=name):
                return self._scope.known.get(name) or self._constants.get(name, _CLEAN)
            case ast.Call():
                return self._call(of)
            case ast.JoinedStr(values=parts):
                return _together([self._value(each) for each in parts], built=True)
            case ast.FormattedValue(value=inner) | ast.Await(value=inner) | ast.Starred(value=inner):
                return self._value(inner)
            case ast.NamedExpr(target=target, value=inner):
                value = self._value(inner)
                self._bind(target, value)
                return value
            case ast.BinOp(left=left, right=right, op=ast.Add() | ast.Mod() | ast.Div()):
                return _together([self._value(left), self._value(right)], built=True)
            case ast.IfExp(test=test, body=body, orelse=other):
                self._value(test)
                return _together([self._value(body), self._value(other)])
            case (
                ast.BoolOp(values=several)
                | ast.Tuple(elts=several)
                | ast.List(elts=several)
                | ast.Set(elts=several)
            ):
                return _together([self._value(each) for each in several])
            case ast.Subscript(value=inner, slice=key):
                return self._member(self._value(inner), key)
            case ast.Attribute(value=inner, attr=attribute):
                value = self._value(inner)
                return (
                    _CLEAN
                    if attribute in sinks.CLEANING_ATTRIBUTES or value.whole
                    else value._replace(client=False)
                )
            case _:
                return self._inside(of)

    def _inside(self, of: ast.expr) -> Value:
        """What no rule is for: looked at for calls, and taken to come from nothing."""
        for each in ast.iter_child_nodes(of):
            if isinstance(each, ast.comprehension):
                self._bind(each.target, self._value(each.iter))
            elif isinstance(each, ast.expr):
                self._value(each)
        if isinstance(of, ast.ListComp | ast.SetComp | ast.GeneratorExp):
            for each in of.generators:
                self._bind(each.target, self._value(each.iter))
            return self._value(of.elt)
        return _CLEAN

    def _member(self, value: Value, key: ast.expr) -> Value:
        self._value(key)
        if not value.whole:
            return value
        name = key.value if isinstance(key, ast.Constant) and isinstance(key.value, str) else ANY
        if name is ANY or name in self._free:
            return Value(names=frozenset({name}))
        return _CLEAN

    def _call(self, of: ast.Call) -> Value:
        name = sinks.dotted(of.func, self._imported)
        last = name.rpartition(".")[2]
        if name in sinks.THREADS and of.args:
            inner = ast.Call(func=of.args[0], args=of.args[1:], keywords=of.keywords)
            return self._call(ast.copy_location(inner, of))
        receiver = self._value(of.func.value) if isinstance(of.func, ast.Attribute) else _CLEAN
        if receiver.whole and last in ("get", "pop") and of.args:
            for each in of.args[1:]:
                self._value(each)
            return self._member(receiver, of.args[0])
        given = [self._value(each) for each in of.args]
        by_name = {each.arg: self._value(each.value) for each in of.keywords if each.arg}
        spread = [self._value(each.value) for each in of.keywords if not each.arg]
        self._look(of, name, receiver, given, by_name)
        local = self._local(of.func)
        if local is not None:
            return self._followed(local, given, by_name, method=isinstance(of.func, ast.Attribute))
        if last in sinks.CLEANING:
            return _CLEAN
        if name in sinks.CLIENTS:
            return Value(client=True)
        if last == "join" and name not in sinks.PATH_JOINS:
            return _together([receiver, *given], built=True)
        if last == "format" and isinstance(of.func, ast.Attribute):
            return _together([receiver, *given, *by_name.values(), *spread], built=True)
        if last in sinks.KEEPING_METHODS and isinstance(of.func, ast.Attribute) and receiver.names:
            return receiver
        if name in sinks.KEEPING:
            return _together(given, built=len(given) > 1)
        return _CLEAN

    def _look(
        self, of: ast.Call, name: str, receiver: Value, given: list[Value], by_name: dict[str, Value]
    ) -> None:
        for kind, value in sinks.reached(of, name, receiver, given, by_name):
            confined = kind == "path" and self._scope.confined
            if value.names and not confined:
                self.found.append(Reached(value.names, kind, f"{name.rpartition('.')[2]}()", of.lineno))

    # -- helpers in the same file ----------------------------------------------------------------

    def _local(self, called: ast.expr) -> Function | None:
        if isinstance(called, ast.Name):
            return self._functions.get(called.id)
        if isinstance(called, ast.Attribute) and isinstance(called.value, ast.Name):
            return self._methods.get(called.attr) if called.value.id in ("self", "cls") else None
        return None

    def _followed(
        self, local: Function, given: list[Value], by_name: Mapping[str, Value], *, method: bool
    ) -> Value:
        names = _positional(local)
        static = any(
            isinstance(each, ast.Name) and each.id == "staticmethod" for each in local.decorator_list
        )
        if method and not static:
            names = names[1:]
        known = {**dict(zip(names, given, strict=False)), **by_name}
        key = (local.name, tuple(known.get(each, _CLEAN) for each in sorted(known)))
        if self._depth >= DEPTH or key in self._seen or not any(each.names for each in known.values()):
            return _CLEAN
        self._seen.add(key)
        self._depth += 1
        try:
            return self._walk(local, known)
        finally:
            self._depth -= 1
            self._seen.discard(key)


class _Scope:
    """The names of one function, what it gives back, and whether it looks where its paths lead."""

    def __init__(self, known: dict[str, Value], confined: bool) -> None:
        self.known = known
        self.returned = _CLEAN
        self.confined = confined


def _together(values: Sequence[Value], *, built: bool = False) -> Value:
    names: frozenset[str] = frozenset().union(*(each.names for each in values))
    return Value(names=names, text=" ".join(each.text for each in values if each.text),
                 built=built or any(each.built for each in values))  # fmt: skip


def _positional(function: Function) -> list[str]:
    return [each.arg for each in (*function.args.posonlyargs, *function.args.args)]


def _loaded(target: ast.expr) -> ast.expr:
    return ast.Name(id=target.id, ctx=ast.Load()) if isinstance(target, ast.Name) else target


def _ends(body: Sequence[ast.stmt]) -> bool:
    return bool(body) and isinstance(body[-1], ast.Raise | ast.Return | ast.Continue | ast.Break)
