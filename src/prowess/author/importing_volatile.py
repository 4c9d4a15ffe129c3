"""Data that changes, told from knowledge that stays: prices, counts, dates, ids. Pure.

A skill that holds last month's prices is worse than none: it is believed. What is mostly data is left
where it is, to be read when it is needed; single places in a text are shown to whoever approves it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

MOST_MARKS = 200
SHARE = 0.2  # of the lines that hold something
FEW, MANY = 2, 12

What = Literal["price", "date", "count", "id", "state"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Mark:
    """A place that looks like data: what kind, which line (from 1), and the text itself."""

    what: What
    line: int
    text: str


_MONTH = (
    r"(?:Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sep(?:tember)?|"
    r"Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?)"
)
_KINDS: tuple[tuple[What, re.Pattern[str]], ...] = (
    (
        "price",
        re.compile(
            r"[$€£¥]\s?\d[\d.,]*|\b\d[\d.,]*\s?(?:USD|EUR|GBP|CHF|CNY|JPY|cents?|dollars?|euros?)\b|"
            r"\d[\d.,]*\s?(?:元|€|£)"
        ),
    ),
    (
        "date",
        re.compile(
            rf"\b20\d\d-(?:\d\d-\d\d|W\d\d)\b|\b\d{{1,2}}[./]\d{{1,2}}[./](?:20)?\d\d\b|"
            rf"\b{_MONTH}\.? \d{{1,2}}(?:st|nd|rd|th)?,? 20\d\d\b|\b\d{{1,2}}\.? {_MONTH} 20\d\d\b|"
            rf"20\d\d年\d{{1,2}}月|"
            r"\b\d{1,2}:\d{2}(?::\d{2})? ?(?:UTC|GMT|Z|am|pm)\b",
            re.I,
        ),
    ),
    (
        "id",
        re.compile(
            r"\b[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}\b|\b[A-Z]{2,6}-?\d{3,}\b|"
            r"\b(?=[0-9a-f]*\d)(?=\d*[a-f])[0-9a-f]{12,64}\b|\b\d{7,}\b|#\d{3,}\b"
        ),
    ),
    (
        "count",
        re.compile(
            r"\b\d{1,3}(?:[,']\d{3})+\b|\b\d+(?:\.\d+)?\s?%|\b\d+ (?:items?|users?|orders?|invoices?|"
            r"tickets?|rows?|records?|customers?|in stock|left|remaining|open|total|pending)\b|\d+ ?(?:件|"
            r"个用户|单|条记录)"
        ),
    ),
    (
        "state",
        re.compile(
            r"\b(?:as of|last updated|updated (?:on|at)|currently|at the moment|in stock|out of stock|"
            r"on call (?:this|today)|this week's|today's)\b|截至|目前|最后更新",
            re.I,
        ),
    ),
)
_DATA_MEDIA = re.compile(r"(?:^|[/+])(?:json|csv|tab-separated-values|xml|x-ndjson|yaml|x-yaml|sql)\b", re.I)


def marks(text: str) -> tuple[Mark, ...]:
    """The places in a text that look like data, by line."""
    found: list[Mark] = []
    for number, line in enumerate(text.split("\n"), 1):
        for what, pattern in _KINDS:
            for each in pattern.finditer(line[:2_000]):
                found.append(Mark(what=what, line=number, text=each[0]))
                if len(found) >= MOST_MARKS:
                    return tuple(found)
    return tuple(found)


def changes(text: str, media: str) -> str:
    """Why a text is taken for data that changes, in words; empty where it is knowledge."""
    if _DATA_MEDIA.search(media.partition(";")[0]):
        return f"it is data ({media.partition(';')[0]})"
    found = marks(text)
    lines = {each.line for each in found if each.what != "state"}
    held = sum(bool(line.strip()) for line in text.split("\n"))
    if len(lines) > MANY or (len(lines) >= FEW and len(lines) > SHARE * held):
        kinds = sorted({each.what for each in found})
        return f"it holds data that changes ({', '.join(kinds)})"
    return ""
