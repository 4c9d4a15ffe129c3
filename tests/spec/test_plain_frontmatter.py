"""The quick reading of plain frontmatter never differs from what YAML parsers read."""

from __future__ import annotations

from typing import Any

import pytest
import yaml
from hypothesis import example, given, settings
from hypothesis import strategies as st

from prowess.spec.plain_frontmatter import read_plain

LOADERS: list[Any] = [yaml.BaseLoader, *([yaml.CBaseLoader] if yaml.__with_libyaml__ else [])]

# Pieces that meet in real frontmatter, and those with a meaning in YAML that it must not trip over.
KEYS = st.sampled_from(
    ["name", "description", "license", "allowed-tools", "metadata", "yes", "n", "1x", "_a", "a.b"]
)
PIECES = (
    "Reads é 技能 123 1.0 null ~ a:b a: : # a#b - -- --- ... ? [x] {a} , &a *a !t | > >- % @ ` ' \" '' << ="
)
ODD = ("\\", "\\n", "\t", "\r", "\u00a0", "\u2028", "\ufeff", "\x85", "\x00", "\x7f", "\U0001f600")
WORDS = st.sampled_from((*PIECES.split(" "), *ODD))
VALUES = st.lists(WORDS, max_size=5).map(" ".join)
SCALARS = st.one_of(
    VALUES,
    VALUES.map(lambda text: f'"{text}"'),
    VALUES.map(lambda text: f"'{text}'"),
    st.sampled_from([">", ">-", "|", "|-", "|2", ">+", ""]),
)
ENDS = st.sampled_from(["\n", "\n", "\n", " \n", "\n\n", "\r\n", ""])
INDENTS = st.sampled_from(["", "", "", "  ", "  ", "    ", " ", "\t"])
ENTRIES = st.builds("{}{}:{}{}{}".format, INDENTS, KEYS, st.sampled_from([" ", " ", "  ", ""]), SCALARS, ENDS)
LINES = st.builds("{}{}{}".format, INDENTS, VALUES, ENDS)
HEADS = st.lists(st.one_of(ENTRIES, ENTRIES, LINES), max_size=6).map("".join)


def agrees(head: str) -> bool:
    """Whether it was read, after comparing with every loader."""
    found = read_plain(head)
    if found is None:
        return False
    fields, places = found
    for loader in LOADERS:
        assert yaml.load(head, loader) == fields
        node: Any = yaml.compose(head, loader)
        lines = {key.value: key.start_mark.line + 2 for key, _ in node.value}
        assert lines == places
        assert len(node.value) == len(fields), "a key that stands twice is never read here"
    return True


@settings(max_examples=600)
@given(HEADS)
@example("a: >-\n  x\n  y\n")
@example("a: >\n  x\n")
@example("a: |\n  x\n   y\n")
@example("a: 'it''s'\n")
@example("a:\n  b: c\n  d: e\n")
@example("a:\n  b: c\n   d: e\n")
@example("a: b\n  c\n")
def test_what_is_read_is_what_yaml_parsers_read(head: str) -> None:
    agrees(head)


@settings(max_examples=300)
@given(st.text(alphabet="ab: -#>|'\"\n", max_size=24).map(lambda text: f"a: {text}\n"))
def test_short_texts_of_special_characters_are_read_as_yaml_reads_them(head: str) -> None:
    agrees(head)


@pytest.mark.parametrize(
    "head",
    [
        "name: pdf-forms\ndescription: Fills forms. Use when a PDF has fields.\n",
        "name: 123\nlicense: yes\n",
        'description: "Quoted: with a colon # and no comment"\n',
        "description: 'Single [brackets] and \"marks\"'  \n",
        "description: >-\n  Two lines: joined # as one\n  with a space\nname: x\n",
        "description: |\n  kept\n  apart\n",
        'metadata:\n  author: somebody\n  version: "1.0"\nname: x\n',
        "name: 技能\ndescription: Größe, prüfen; 50 % (a:b) c#d\n",
        "allowed-tools: Read Bash(git:*)\n",
    ],
)
def test_common_frontmatter_is_read_without_a_parser(head: str) -> None:
    assert agrees(head)


@pytest.mark.parametrize(
    "head",
    [
        "",
        "name: x",  # no line end
        "name: x\r\n",
        "name:\tx\n",
        "name: a: b\n",
        "name: a #b\n",
        "name: a:\n",
        "name: \n",
        "name:x\n",
        "name: x\nname: y\n",
        "a:\n  b: c\n  b: d\n",
        "a:\n  b:\n",
        "a:\n  - b\n",
        "a: x\n  y\n",
        "a: >-\n  x\n\n  y\n",
        "a: >-\n  x\n   y\n",
        "a: >-\n  x \n  y\n",
        "a: >-\n",
        "a: &b c\n",
        "a: !str c\n",
        "a: [b]\n",
        'a: "b\\n"\n',
        "a: 'b''c'\n",
        "# a comment\n",
        "- a\n",
        "a: b\n\nc: d\n",
        "a: b\u00a0c\n",
    ],
)
def test_anything_that_needs_a_parser_is_left_to_it(head: str) -> None:
    assert read_plain(head) is None
