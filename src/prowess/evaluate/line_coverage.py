"""Which statements of some files ran: line coverage by the interpreter's own trace, no package needed.

A statement counts as run when any of its lines did; of one with a block, its head. Docstrings, and
whatever stands under `# pragma: no cover` or `if TYPE_CHECKING`, do not count. A debugger or another
measurement that traces this thread rests meanwhile and goes on afterwards.
"""

from __future__ import annotations

import ast
import os
import sys
import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from types import CodeType, FrameType
from typing import Any

PRAGMA = "pragma: no cover"


@dataclass(frozen=True, slots=True, kw_only=True)
class Coverage:
    """The statements of one file that can run, and the first lines of those that did not."""

    statements: int
    missing: tuple[int, ...] = ()

    @property
    def percent(self) -> float:
        """The share that ran; a file with nothing to run is covered."""
        if not self.statements:
            return 100.0
        return 100.0 * (self.statements - len(self.missing)) / self.statements

    def missing_words(self) -> str:
        """Such as `14, 20-22`."""
        spans: list[list[int]] = []
        for line in self.missing:
            if spans and line == spans[-1][1] + 1:
                spans[-1][1] = line
            else:
                spans.append([line, line])
        return ", ".join(f"{a}" if a == b else f"{a}-{b}" for a, b in spans)


class Measuring:
    """While it is entered, the lines that run below `roots` are noted; also in threads begun meanwhile."""

    def __init__(self, roots: Sequence[str]) -> None:
        whole = [os.path.realpath(each) for each in roots]
        self._files = frozenset(each for each in whole if os.path.isfile(each))
        self._below = tuple(each + os.sep for each in whole if not os.path.isfile(each))
        self._wanted: dict[str, set[int] | None] = {}
        self._lines: dict[str, set[int]] = {}

    def __enter__(self) -> Measuring:
        self._before = sys.gettrace(), threading.gettrace()
        threading.settrace(self._called)
        sys.settrace(self._called)
        return self

    def __exit__(self, *error: object) -> None:
        sys.settrace(self._before[0])
        threading.settrace(self._before[1])

    def of(self, file: str) -> Coverage:
        """What ran of a file so far. Raises OSError and SyntaxError."""
        with open(file, "rb") as opened:
            source = opened.read()
        ran = self._lines.get(os.path.realpath(file), set())
        statements = list(_statements(source, file))
        missing = sorted(lines[0] for lines in statements if ran.isdisjoint(lines))
        return Coverage(statements=len(statements), missing=tuple(missing))

    def _called(self, frame: FrameType, event: str, argument: Any) -> Any:
        name = frame.f_code.co_filename
        if name not in self._wanted:
            self._wanted[name] = self._place(name)
        lines = self._wanted[name]
        if lines is None:
            return None

        def ran(frame: FrameType, event: str, argument: Any) -> Any:
            lines.add(frame.f_lineno)
            return ran

        return ran

    def _place(self, name: str) -> set[int] | None:
        real = os.path.realpath(name)
        if real not in self._files and not real.startswith(self._below):
            return None
        return self._lines.setdefault(real, set())


def _statements(source: bytes, file: str) -> Iterator[range]:
    """The lines of each statement that can run."""
    tree = ast.parse(source, file)
    text = source.decode("utf-8", "replace").splitlines()
    able = _lines_of(compile(source, file, "exec", dont_inherit=True))
    for node in _nodes(tree, text):
        lines = _head(node)
        if not able.isdisjoint(lines):
            yield lines


def _nodes(node: ast.AST, text: Sequence[str]) -> Iterator[ast.stmt]:
    for each in ast.iter_child_nodes(node):
        if isinstance(each, ast.stmt):
            if PRAGMA in "".join(text[line - 1] for line in _head(each) if line <= len(text)):
                continue
            if isinstance(each, ast.If) and ast.unparse(each.test).endswith("TYPE_CHECKING"):
                continue
            if not _says_nothing(each):
                yield each
        yield from _nodes(each, text)


def _says_nothing(statement: ast.stmt) -> bool:
    if isinstance(statement, ast.Expr):
        return isinstance(statement.value, ast.Constant)
    return isinstance(statement, ast.Global | ast.Nonlocal)


def _head(statement: ast.stmt) -> range:
    first = statement.lineno
    body = getattr(statement, "body", None)
    last = statement.end_lineno or first
    if isinstance(body, list) and body:
        last = max(first, min(body[0].lineno - 1, last))
    elif isinstance(statement, ast.Match):
        last = first
    return range(first, last + 1)


def _lines_of(code: CodeType) -> set[int]:
    found = {line for _, _, line in code.co_lines() if line}
    for each in code.co_consts:
        if isinstance(each, CodeType):
            found |= _lines_of(each)
    return found
