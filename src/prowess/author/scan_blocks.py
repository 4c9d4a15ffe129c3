"""The paragraphs of a text: where a reader takes things together. Pure.

In Markdown a paragraph, a list item, a row of a table, a block of plain text in a fence; in a file of
data a line; in a program a run of comments. A section goes from one heading to the next.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from prowess.author.scan_context import View
from prowess.author.scan_hidden import hidden_spans

NEAR = 1_200  # characters of a section that are still the same matter
MOST = 4_000  # paragraphs of one text
_HEADING = re.compile(r"\s{0,3}#{1,6}\s")
_REMARK = re.compile(r"(?:^|(?<=\s))(?:#(?!!)|//|/?\*+|--|;;|REM\b|<#)\s*(?P<text>\S.*)$", re.I)
_ENDS = re.compile(r"[.!?](?=[\s\"')\]`*]|$)|[。！？;；]|\n")


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """A paragraph from `start` to `end`. What is the same matter goes on to `until`."""

    start: int
    end: int
    until: int
    hidden: bool = False


def blocks(view: View) -> Iterator[Block]:
    """The paragraphs of a view, in order."""
    text = view.flowed
    lines = _remarks(view) if view.kind == "code" else _lines(text)
    hidden = hidden_spans(view)
    ends = _section_ends(text) if view.kind == "prose" else []
    at = 0
    for number, (start, end) in enumerate(lines):
        if number >= MOST:
            return
        while at < len(ends) and ends[at] <= start:
            at += 1
        section = ends[at] if at < len(ends) else end
        until = max(end, min(section, end + NEAR))
        yield Block(
            start=start,
            end=end,
            until=until,
            hidden=any(low <= start < high or start <= low < end for low, high in hidden),
        )


def _lines(text: str) -> Iterator[tuple[int, int]]:
    at = 0
    for line in text.split("\n"):
        if len(line.strip()) > 7:
            yield at, at + len(line)
        at += len(line) + 1


def _remarks(view: View) -> Iterator[tuple[int, int]]:
    """Runs of comments in a program, each as one paragraph."""
    start = end = -1
    at = 0
    for line in view.flowed.split("\n"):
        found = _REMARK.search(line)
        if found is not None and line[: found.start()].strip() == "":
            start, end = (at + found.start("text"), at + len(line)) if start < 0 else (start, at + len(line))
        elif start >= 0:
            yield start, end
            start = -1
        at += len(line) + 1
    if start >= 0:
        yield start, end


def _section_ends(text: str) -> list[int]:
    """Where each section ends: at the next heading, and at the end of the text."""
    ends, at = [], 0
    for line in text.split("\n"):
        if at and _HEADING.match(line):
            ends.append(at)
        at += len(line) + 1
    return [*ends, len(text)]


def sentences(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """The sentences of a span."""
    at = start
    for found in _ENDS.finditer(text, start, end):
        if found.end() - at > 7:
            yield at, found.end()
        at = found.end()
    if end - at > 7:
        yield at, end
