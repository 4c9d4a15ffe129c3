"""The house itself as data: sizes, docstrings, boundaries, pages, and what must never be written."""

from __future__ import annotations

import ast
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from prowess.spec.rules import RULES

ROOT = Path(__file__).resolve().parents[2]
SOURCES = sorted((ROOT / "src" / "prowess").rglob("*.py"))
PAGES = ROOT / "src" / "prowess" / "spec" / "pages"


def tracked() -> list[Path]:
    listed = subprocess.run(
        ["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=False, timeout=20
    ).stdout.split("\0")
    return [ROOT / name for name in listed if name and (ROOT / name).is_file()]


def functions(tree: ast.Module) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node


@pytest.mark.parametrize("path", SOURCES, ids=lambda p: str(p.relative_to(ROOT / "src")))
def test_a_source_file_says_what_it_is_and_stays_small(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    tree = ast.parse(text)
    assert ast.get_docstring(tree), "a module opens by saying what it is"
    assert text.count("\n") <= 500, "over 500 lines is a design question: split it by what it does"
    long = [f.name for f in functions(tree) if f.end_lineno is not None and f.end_lineno - f.lineno > 80]
    assert not long, f"functions over 80 lines: {long}"


@pytest.mark.parametrize("path", SOURCES, ids=lambda p: str(p.relative_to(ROOT / "src")))
def test_a_broad_except_raises_again_or_is_a_marked_boundary(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    lines = text.splitlines()
    for node in ast.walk(ast.parse(text)):
        if not isinstance(node, ast.ExceptHandler):
            continue
        caught = (
            {each.id for each in ast.walk(node.type) if isinstance(each, ast.Name)} if node.type else set()
        )
        broad = node.type is None or caught & {"Exception", "BaseException"}
        last = node.body[-1]
        if broad and not (isinstance(last, ast.Raise) and last.exc is None):
            near = "\n".join(lines[max(0, node.lineno - 2) : node.lineno + 1])
            assert "boundary:" in near, f"{path.name}:{node.lineno} catches everything without a reason"


def test_every_rule_has_a_page_and_every_page_a_rule() -> None:
    assert {page.stem for page in PAGES.glob("*.md")} == set(RULES)


def test_every_rule_page_opens_with_its_own_id() -> None:
    for rule in RULES:
        first = (PAGES / f"{rule}.md").read_text(encoding="utf-8").splitlines()[0]
        assert first == f"# {rule}", f"pages/{rule}.md opens with {first!r}"


def test_no_tracked_text_holds_a_machine_path_or_a_registry_host() -> None:
    words = re.compile(
        r"(?<![\w.])/(?:wo" r"rk|fa" r"rm|ro" r"ot)/|py" r"pi\.org|python" r"hosted\.org|registry\.npm" r"js"
    )
    for path in tracked():
        try:
            text = path.read_text(encoding="utf-8")
        except UnicodeDecodeError:
            continue
        found = words.search(text)
        held = found.group() if found else ""
        assert not held, f"{path.relative_to(ROOT)} holds {held!r}"


def test_no_source_file_is_left_half_done() -> None:
    for path in SOURCES:
        found = re.search(r"\b(TODO|FIXME|XXX)\b|raise NotImplementedError", path.read_text(encoding="utf-8"))
        said = found.group() if found else ""
        assert not said, f"{path.name} says {said}"


def test_no_folder_has_a_name_that_says_nothing() -> None:
    empty = {"utils", "common", "helpers", "core", "base", "manager"}
    for path in SOURCES:
        assert not empty & {part.removesuffix(".py") for part in path.relative_to(ROOT).parts}, path


def test_every_decision_is_listed_once_in_the_index() -> None:
    folder = ROOT / "docs" / "decisions"
    index = (folder / "README.md").read_text(encoding="utf-8")
    for page in folder.glob("[0-9]*.md"):
        assert index.count(f"({page.name})") == 1, f"{page.name} is not in docs/decisions/README.md"


def test_every_relative_link_in_the_documents_leads_somewhere() -> None:
    documents = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]
    for document in documents:
        for target in re.findall(
            r"\]\((?!https?:|#|mailto:)([^)#\s]+)", document.read_text(encoding="utf-8")
        ):
            assert (document.parent / target).exists(), f"{document.relative_to(ROOT)} -> {target}"
