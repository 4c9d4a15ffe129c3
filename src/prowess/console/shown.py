"""Untrusted text on a page: escaped, bounded, and with what cannot be seen made visible.

A control, bidirectional or other unprintable character becomes a small box with its code point (Unicode
Technical Report 36, bidirectional text spoofing). What is left runs in an isolate of its own, so that it
cannot turn the text around it. A text of such characters alone is cut much earlier than another.
"""

from __future__ import annotations

import unicodedata
from itertools import islice

from markupsafe import Markup, escape

LINE = 500
BLOCK = 20_000
FEWEST_BOXES, PER_BOX = 8, 20  # of a limit's characters to each box, which is drawn with seventy
_KEPT = {"\n", "\t"}
_BEGIN, _END = Markup("<bdi>"), Markup("</bdi>")


def shown(value: object, limit: int = LINE) -> Markup:
    """One line of at most `limit` characters; line breaks and tabs are made visible too."""
    return _isolated(str(value), limit, frozenset())


def shown_block(value: object, limit: int = BLOCK) -> Markup:
    """Text of several lines, for a `pre`."""
    return _isolated(str(value), limit, frozenset(_KEPT))


def _isolated(text: str, limit: int, kept: frozenset[str]) -> Markup:
    held = cut(text, limit, kept)
    # A page has hundreds of these: adding up is several times as fast as `format`.
    return _BEGIN + visible(held, kept) + _END + _left(len(text) - len(held))


def cut(text: str, limit: int, kept: frozenset[str] = frozenset()) -> str:
    """The first `limit` characters, and no more than a page can hold of those that become boxes."""
    held = text[:limit]
    if held.isprintable():
        return held
    boxes = (at for at, each in enumerate(held) if not (each.isprintable() or each in kept))
    end = next(islice(boxes, max(FEWEST_BOXES, limit // PER_BOX), None), len(held))
    return held[:end]


def visible(text: str, kept: frozenset[str] = frozenset()) -> Markup:
    """The text with a box for each character that cannot be seen, but for those `kept`."""
    if text.isprintable():
        return escape(text)
    return Markup("").join(_character(each, kept) for each in _runs(text, kept))


def _runs(text: str, kept: frozenset[str]) -> list[str]:
    """Printable runs, and unprintable characters by themselves."""
    found: list[str] = []
    begun = False
    for each in text:
        fine = each.isprintable() or each in kept
        if fine and begun:
            found[-1] += each
        else:
            found.append(each)
        begun = fine
    return found


def _character(run: str, kept: frozenset[str]) -> Markup:
    if run[0].isprintable() or run[0] in kept:
        return escape(run)
    name = unicodedata.name(run, "control character")
    return Markup('<span class="unseen" title="{}">U+{}</span>').format(name.lower(), f"{ord(run):04X}")


def _left(more: int) -> Markup:
    if more <= 0:
        return Markup("")
    return Markup(' <span class="cut">… +{}</span>').format(f"{more:,}")
