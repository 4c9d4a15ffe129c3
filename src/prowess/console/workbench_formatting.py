"""A pasted text formatted, or the place where it stops being JSON, as the page tells it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from prowess.console.workbench_json import Fault, Remark, Spot, parse, remarks, spot, written

AROUND = 60  # characters of a line before and after a place
PART = 20_000  # characters of a result that a page shows


class Excerpt(NamedTuple):
    """A part of a line around a column: what is before, the character itself, what is after."""

    before: str
    sign: str
    after: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """A fault or a remark, by its word, where it is, and the line around it."""

    code: str
    spot: Spot
    excerpt: Excerpt
    what: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Formatted:
    """The formatted text, or the fault that leaves none; the first remarks, and how many there are."""

    text: str = ""
    fault: Told | None = None
    remarks: tuple[Told, ...] = ()
    total: int = 0


def formatted(text: str, indent: int, sort: bool) -> Formatted:
    """`text` formatted, with what is worth knowing about it."""
    root = parse(text)
    if isinstance(root, Fault):
        return Formatted(fault=told(text, Remark(root.code, root.at)))
    first, total = remarks(text, root)
    return Formatted(
        text=written(root, indent=indent, sort=sort),
        remarks=tuple(told(text, each) for each in first),
        total=total,
    )


def told(text: str, remark: Remark) -> Told:
    """A remark with its place, or a fault as one."""
    at = spot(text, remark.at)
    return Told(code=remark.code, spot=at, excerpt=excerpt(at.written, at.column), what=remark.what)


def excerpt(line: str, column: int) -> Excerpt:
    """The part of a line around a column, cut at both ends with a mark."""
    at = column - 1
    begin, end = max(0, at - AROUND), at + 1 + AROUND
    before = ("…" if begin else "") + line[begin:at]
    return Excerpt(before, line[at : at + 1], line[at + 1 : end] + ("…" if end < len(line) else ""))
