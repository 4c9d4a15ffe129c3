"""A unit's Python looked at without running it: does it parse, and is there something to execute.

What only running can show (an import that fails, a class made elsewhere) is found when it loads.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass

from prowess.redact import printable
from prowess.spec.diagnostics import Diagnostic, Place
from prowess.spec.rules import report

Function = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True, slots=True, kw_only=True)
class Marked:
    """A function with the unit decorator, and the line of it."""

    name: str
    line: int


def judge_class(source: bytes, file: str, subject: str) -> list[Diagnostic]:
    """What is wrong with the `skill.py` of a folder."""
    tree = _parsed(source, file, subject)
    if isinstance(tree, Diagnostic):
        return [tree]
    classes = [each for each in ast.walk(tree) if isinstance(each, ast.ClassDef)]
    wrong: Function | None = None
    for each in classes:
        execute = _method(each, "execute")
        if isinstance(execute, ast.AsyncFunctionDef):
            return []
        wrong = wrong or execute
    if wrong is None and any(each.bases for each in classes):
        return []  # it may be inherited
    line = wrong.lineno if wrong is not None else 1
    message = "execute is not async" if wrong is not None else "no class with an execute method"
    hint = "async def execute(self, params: dict) -> dict"
    return [report("unit-no-execute", Place(file=file, line=line), message, hint=hint, subject=subject)]


def find_marked(source: bytes, file: str, subject: str) -> tuple[list[Marked], list[Diagnostic]]:
    """The functions of a file that carry the unit decorator, and what is wrong with it."""
    tree = _parsed(source, file, subject)
    if isinstance(tree, Diagnostic):
        return [], [tree]
    marked, found = [], []
    for each in tree.body:
        if isinstance(each, Function) and any(_is_unit(decorator) for decorator in each.decorator_list):
            if isinstance(each, ast.AsyncFunctionDef):
                marked.append(Marked(name=each.name, line=each.lineno))
            else:
                found.append(_not_async(each, file))
    return marked, found


def mentions_units(source: bytes) -> bool:
    """Whether a file can hold decorated units at all; told by its text, before anything is parsed."""
    return b"prowess" in source and b"unit" in source


def _parsed(source: bytes, file: str, subject: str) -> ast.Module | Diagnostic:
    try:
        return ast.parse(source, filename=file)
    except SyntaxError as error:
        place = Place(file=file, line=error.lineno or 1)
        return report("unit-syntax", place, f"not Python: {printable(error.msg)}", subject=subject)
    except (ValueError, RecursionError, MemoryError):  # a NUL byte, or nesting beyond all use
        place = Place(file=file, line=1)
        return report("unit-syntax", place, "not Python: it cannot be parsed", subject=subject)


def _method(of: ast.ClassDef, name: str) -> Function | None:
    return next((each for each in of.body if isinstance(each, Function) and each.name == name), None)


def _is_unit(decorator: ast.expr) -> bool:
    called = decorator.func if isinstance(decorator, ast.Call) else decorator
    if isinstance(called, ast.Attribute):
        return called.attr == "unit" and isinstance(called.value, ast.Name) and called.value.id == "prowess"
    return isinstance(called, ast.Name) and called.id == "unit"


def _not_async(function: ast.FunctionDef, file: str) -> Diagnostic:
    name = printable(function.name, 80)
    place = Place(file=file, line=function.lineno)
    hint = f"async def {name}(...)"
    return report(
        "unit-no-execute", place, f"{name} is not async", hint=hint, subject=f"{file}#{function.name}"
    )
