"""What may be shown: text from elsewhere made fit to print, and secrets kept out of it.

Everything that writes text for people or disks goes through here.
"""

from __future__ import annotations

MASK = "***"


def printable(text: str, limit: int = 200) -> str:
    """Untrusted text of at most `limit` characters; control, bidi and surrogate characters as escapes."""
    cut = text[:limit]
    shown = "".join(c if c.isprintable() else f"\\u{{{ord(c):x}}}" for c in cut)
    return shown + ("..." if len(text) > limit else "")
