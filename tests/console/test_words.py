"""Every text of the console has its Chinese, none is left over, and what is filled in is the same."""

from __future__ import annotations

import ast
import string
import tomllib
from collections import Counter
from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from pathlib import Path

import pytest
from jinja2 import Environment, nodes

from prowess.console.language import words
from prowess.spec.diagnostics import Reach

CONSOLE = Path(str(files("prowess.console")))
TEMPLATES = sorted((CONSOLE / "templates").glob("*.html"))
SOURCES = sorted(CONSOLE.glob("*.py"))
CHINESE = sorted((CONSOLE / "zh").glob("*.toml"))

# Functions whose texts are translated where they are drawn: how many arguments come before the texts.
DRAWN = {"t": 0, "failure": 2}


def of_template(path: Path) -> Iterator[str]:
    tree = Environment().parse(path.read_text(encoding="utf-8"))
    for call in tree.find_all(nodes.Call):
        if isinstance(call.node, nodes.Name) and call.node.name == "t" and call.args:
            yield from in_template(call.args[0])


def in_template(node: nodes.Node | None) -> Iterator[str]:
    if isinstance(node, nodes.Const) and isinstance(node.value, str):
        yield node.value
    elif isinstance(node, nodes.CondExpr):
        yield from in_template(node.expr1)
        yield from in_template(node.expr2)


def of_source(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in DRAWN:
            first = DRAWN[node.func.id]
            for each in node.args[first : first + 1 if node.func.id == "t" else None]:
                yield from in_source(each)


def in_source(node: ast.expr) -> Iterator[str]:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value
    elif isinstance(node, ast.IfExp):
        yield from in_source(node.body)
        yield from in_source(node.orelse)


@cache
def everything_said() -> frozenset[str]:
    """Every text of the templates, and every constant of the program, whose words a template may say."""
    said = {each.word for each in Reach}
    for path in TEMPLATES:
        tree = Environment().parse(path.read_text(encoding="utf-8"))
        said |= {each.value for each in tree.find_all(nodes.Const) if isinstance(each.value, str)}
    for path in CONSOLE.parent.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                said.add(node.value)
    return frozenset(said)


def placeholders(text: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(text) if name is not None}


@pytest.mark.parametrize("path", [*TEMPLATES, *SOURCES], ids=lambda path: path.name)
def test_every_text_has_its_chinese(path: Path) -> None:
    said = of_template(path) if path.suffix == ".html" else of_source(path)
    missing = sorted({each for each in said if each} - words("zh").keys())
    assert not missing, f"{path.name} says what zh/ does not: {missing}"


@pytest.mark.parametrize("path", CHINESE, ids=lambda path: path.name)
def test_no_chinese_text_is_left_over(path: Path) -> None:
    left = sorted(tomllib.loads(path.read_text(encoding="utf-8")).keys() - everything_said())
    assert not left, f"zh/{path.name} translates what nothing says: {left}"


@pytest.mark.parametrize("path", CHINESE, ids=lambda path: path.name)
def test_what_is_filled_in_is_the_same_in_both_languages(path: Path) -> None:
    for english, chinese in tomllib.loads(path.read_text(encoding="utf-8")).items():
        assert placeholders(english) == placeholders(chinese), english


def test_no_text_is_translated_twice_in_different_words() -> None:
    every = [pair for path in CHINESE for pair in tomllib.loads(path.read_text(encoding="utf-8")).items()]
    told = Counter(english for english, _ in set(every))
    assert sorted(english for english, times in told.items() if times > 1) == []


def test_texts_are_found_at_all() -> None:
    assert "Skip to the page" in set(of_template(CONSOLE / "templates" / "page.html"))
    assert "This form has expired" in set(of_source(CONSOLE / "forms.py"))
    call = Environment().parse('{{ t("a" if x else "b") }}').find(nodes.Call)
    assert call is not None
    assert list(in_template(call.args[0])) == ["a", "b"]
