"""Whether a change breaks who relies on what was, and how a changed value is shown."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Literal

from prowess.capability.canonical import canonical
from prowess.redact import printable

Effect = Literal["breaking", "compatible", "unknown"]

IN_WORDS: dict[Effect, str] = {
    "breaking": "breaks callers",
    "unknown": "may break callers",
    "compatible": "compatible",
}


def worst(effects: Iterable[Effect]) -> Effect:
    """The effect of several changes together."""
    seen = set(effects)
    order: tuple[Effect, ...] = ("breaking", "unknown")
    return next((effect for effect in order if effect in seen), "compatible")


def excerpt(value: Any, limit: int = 60) -> str:
    """A JSON value in a message: one line, bounded."""
    return printable(canonical(value), limit)


def contrast(old: Any, new: Any, limit: int = 60) -> str:
    """Two values in one message: what lists lost and gained, else both from where they part."""
    if isinstance(old, list) and isinstance(new, list):
        before, after = [canonical(each) for each in old], [canonical(each) for each in new]
        kept = set(before) & set(after)
        gone = [each for each in before if each not in kept]
        come = [each for each in after if each not in kept]
        if gone or come:
            lost = [f"{printable(', '.join(gone), limit)} removed"] if gone else []
            gained = [f"{printable(', '.join(come), limit)} added"] if come else []
            return "; ".join(lost + gained)
    one, other = canonical(old), canonical(new)
    parting = (at for at, (left, right) in enumerate(zip(one, other, strict=False)) if left != right)
    shared = next(parting, min(len(one), len(other)))
    start = max(0, shared - limit // 3) if max(len(one), len(other)) > limit else 0
    lead = "..." if start else ""
    return f"{lead}{printable(one[start:], limit)} -> {lead}{printable(other[start:], limit)}"
