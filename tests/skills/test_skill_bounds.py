"""No SKILL.md, however made, crashes the judge or keeps it busy (spec/frontmatter.py, spec/skill.py)."""

from __future__ import annotations

import subprocess
import sys
import time
from typing import Any

import pytest
import yaml
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from tests.bounds import bound

from prowess.spec.advice import advise
from prowess.spec.frontmatter import (
    FRONTMATTER_ALIASES,
    FRONTMATTER_CHARACTERS,
    FRONTMATTER_DEPTH,
    Frontmatter,
    compose,
)
from prowess.spec.rules import RULES
from prowess.spec.skill import SkillVerdict, parse_skill, read_body

HEAD = "name: sort-lines\ndescription: Sorts the lines of a file. Use it when a sorted list is asked for.\n"
SECONDS = 2.0


def judged(data: bytes) -> SkillVerdict:
    """Both profiles judge within the bound, agree on the letter, and say why when there is no skill."""
    before = time.process_time()
    verdict = parse_skill(data, directory="sort-lines", path="skills/sort-lines/SKILL.md")
    lenient = parse_skill(data, directory="sort-lines", path="skills/sort-lines/SKILL.md", profile="lenient")
    read_body(data)
    if lenient.skill is not None:
        advise(lenient.skill)
    assert time.process_time() - before < bound(SECONDS)
    assert verdict.strict == lenient.strict == (verdict.skill is not None)
    for each in (verdict, lenient):
        assert each.skill is not None or each.diagnostics
        assert {found.rule for found in each.diagnostics} <= set(RULES)
        assert all((found.message + found.hint).isprintable() for found in each.diagnostics)
    return verdict


PIECES = st.sampled_from(
    [
        *(
            "---\n",
            "---",
            "...\n",
            "name: sort-lines\n",
            "description: ",
            "Use when: x\n",
            "metadata:\n",
            "  ",
        ),
        *(
            "a: b\n",
            "a: &x [",
            "*x",
            "&x ",
            "!!str ",
            "! ",
            "%YAML 1.2\n",
            "? ",
            ": ",
            "- ",
            "[",
            "]",
            "{",
            "}",
        ),
        *(
            ",",
            '"',
            "'",
            "|\n",
            ">-\n",
            "#",
            "\t",
            "\r\n",
            "\r",
            "\n",
            "\ufeff",
            "\x00",
            "\x85",
            "\u2028",
            "é",
        ),
        *("\x1b", "\u202e", "<<: *x\n", "@", "`", "\\", "0", "~", "字", "😀", "\ud7ff", "\uffff", "%"),
    ]
)
TEXTS = st.lists(PIECES, max_size=40).map("".join)


@settings(max_examples=300, suppress_health_check=[HealthCheck.too_slow])
@given(st.binary(max_size=300))
@example(b"\xef\xbb\xbf")
@example(b"---\n\x00\n---\n")
def test_arbitrary_bytes_are_judged(data: bytes) -> None:
    judged(data)
    judged(b"---\n" + data + b"\n---\n")


@settings(max_examples=600, suppress_health_check=[HealthCheck.too_slow])
@given(TEXTS)
@example("a: &x [*x]\n")
@example("'\n---\n")
def test_pieces_of_yaml_in_any_order_are_judged(text: str) -> None:
    judged(text.encode())
    judged(f"---\n{text}\n---\n".encode())
    judged(f"---\n{HEAD}{text}\n---\n".encode())


@settings(max_examples=200, suppress_health_check=[HealthCheck.too_slow])
@given(TEXTS)
@example("extra: [a, {b: c}]\n")
def test_the_parser_in_python_reads_what_the_one_in_c_reads(text: str) -> None:
    head = f"{HEAD}{text}"
    first = compose(head)
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(sys.modules, "yaml._yaml", None)  # as in a build without libyaml
        second = compose(head)
    if isinstance(first, Frontmatter) and isinstance(second, Frontmatter):
        assert first.fields == second.fields


@settings(max_examples=300)
@given(TEXTS)
@example("a: [b, {c: d}]\n")
@example("a: &x [&x ]\n")
def test_what_is_composed_is_what_a_loader_of_text_reads(text: str) -> None:
    found = compose(HEAD + text)
    if isinstance(found, Frontmatter):
        loader: Any = yaml.CBaseLoader if yaml.__with_libyaml__ else yaml.BaseLoader
        try:
            loaded = yaml.load(HEAD + text, loader)
        except yaml.composer.ComposerError as error:
            # YAML lets an anchor be set twice (the later one counts); this loader does not.
            assert "duplicate anchor" in str(error)
        else:
            assert loaded == found.fields


BOMBS = {
    "a mebibyte of opening brackets": "[" * 2**20,
    "a mebibyte of opening braces": "{" * 2**20,
    "opening brackets within the length": "x: " + "[" * 60_000,
    "mappings in one line": "x: " + "{a: " * 15_000,
    "sequences by indentation": "\n".join(" " * n + "-" for n in range(300)),
    "sequences in one line": "- " * 30_000,
    "explicit keys": "? " * 30_000,
    "keys by indentation": "\n".join(" " * n + "k:" for n in range(300)),
    "aliases that double": "a0: &a0 [x, x]\n"
    + "".join(f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]\n" for n in range(1, 9)),
    "as many aliases as fit": "x: [&a b" + ", *a" * 15_000 + "]",
    "as many anchors as fit": "x: [" + ", ".join(f"&a{n} b" for n in range(6_000)) + "]",
    "as many keys as fit": "".join(f"k{n}: v\n" for n in range(6_000)),
    "a long plain scalar": "x: " + "word " * 13_000,
    "a long quoted scalar": 'x: "' + "\\u0041" * 10_000 + '"',
    "an open quoted scalar": 'x: "' + "a " * 30_000,
    "long indentation": "x:\n" + " " * 60_000 + "y: z",
    "comments": "#" * 60_000,
    "empty lines": "x: |\n" + "\n" * 60_000,
    "colons": "description: " + "a: " * 20_000,
    "closing fences that are none": "---x\n" * 200_000,
    "apostrophes in a description": "description: x: " + "'" * 50_000,
}


@pytest.mark.parametrize("bomb", BOMBS.values(), ids=BOMBS.keys())
def test_a_bomb_is_judged_in_bounded_time(bomb: str) -> None:
    judged(f"---\n{HEAD}{bomb}\n---\n".encode())
    judged(f"---\n{HEAD}{bomb}".encode())
    judged(f"---\n{bomb}\n---\n".encode())


def test_a_long_body_costs_little() -> None:
    body = "\n---x" * 400_000
    assert judged(f"---\n{HEAD}---\n{body}".encode()).strict


@pytest.mark.req("AP-7.1-2")
def test_each_bound_is_where_it_says() -> None:
    def extra(text: str) -> SkillVerdict:
        return judged(f"---\n{HEAD}extra: {text}\n---\n".encode())

    inner = FRONTMATTER_DEPTH - 1  # the frontmatter itself is one level
    assert extra("[" * inner + "x" + "]" * inner).strict
    assert not extra("[" * (inner + 1) + "x" + "]" * (inner + 1)).strict
    assert extra("[&a x" + ", *a" * FRONTMATTER_ALIASES + "]").strict
    assert not extra("[&a x" + ", *a" * (FRONTMATTER_ALIASES + 1) + "]").strict
    length = len(f"{HEAD}extra: \n")
    assert extra("x" * (FRONTMATTER_CHARACTERS - length)).strict
    refused = extra("x" * (FRONTMATTER_CHARACTERS - length + 1))
    assert [each.rule for each in refused.diagnostics] == ["skill-frontmatter-bounds"]


def test_yaml_is_imported_only_for_frontmatter_that_is_not_plain() -> None:
    code = (
        "import sys\n"
        "from prowess.spec.skill import parse_skill\n"
        f"head = {HEAD!r}\n"
        "def run(text): parse_skill(text.encode(), directory='sort-lines', path='skills/x/SKILL.md')\n"
        "run(f'---\\n{head}---\\n')\n"
        "assert 'yaml' not in sys.modules\n"
        "run(f'---\\n{head}allowed-tools: [Read]\\n---\\n')\n"
        "assert 'yaml' in sys.modules\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True, timeout=20)
