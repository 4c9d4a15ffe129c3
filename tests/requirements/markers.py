"""Which ids the tests name: markers read from the source, so that `-k`, `-m` and xdist change nothing."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

TESTS = Path(__file__).resolve().parents[1]


def named(marker: str, folder: Path = TESTS) -> dict[str, list[str]]:
    """Each id given to `pytest.mark.<marker>(...)` in a test file, and the places that give it.

    Raises ValueError for an id that is not written out: it could not be found by reading.
    """
    places: dict[str, list[str]] = defaultdict(list)
    for path in sorted(folder.rglob("test_*.py")):
        for call in _calls(ast.parse(path.read_text(encoding="utf-8")), marker):
            place = f"{path.relative_to(folder)}:{call.lineno}"
            for each in _literals(call, place):
                places[each].append(place)
    return dict(places)


def _calls(tree: ast.Module, marker: str) -> Iterator[ast.Call]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and ast.unparse(node.func) == f"pytest.mark.{marker}":
            yield node


def _literals(call: ast.Call, place: str) -> Iterator[str]:
    if not call.args or call.keywords:
        raise ValueError(f"{place}: a marker names at least one id, and nothing else")
    for argument in call.args:
        if not isinstance(argument, ast.Constant) or not isinstance(argument.value, str):
            raise ValueError(f"{place}: write the id out: {ast.unparse(argument)}")
        yield argument.value
