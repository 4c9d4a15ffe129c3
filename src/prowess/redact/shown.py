"""Text from elsewhere, made fit to print."""

from __future__ import annotations

MASK = "***"


def printable(text: str, limit: int = 200) -> str:
    """Untrusted text of at most `limit` characters; control, bidi and surrogate characters as escapes."""
    cut = text[:limit]
    if not cut.isprintable():
        cut = "".join(c if c.isprintable() else f"\\u{{{ord(c):x}}}" for c in cut)
    return cut + ("..." if len(text) > limit else "")
