"""Stand-ins for a secret: what an author writes where one belongs, so that nothing is hidden needlessly."""

from __future__ import annotations

import re
from functools import cache

# Words that nobody's random token holds; in a value, they say that a person is to fill it in.
_WORDS = (
    "your",
    "example",
    "placeholder",
    "replace",
    "changeme",
    "change_me",
    "insert",
    "xxxx",
    "redacted",
    "****",
)


@cache
def _forms() -> re.Pattern[str]:
    return re.compile(
        r"\$\{[^}]*\}|\$\([^)]*\)|\{\{[^}]*\}\}|<[^<>]*>|%[A-Za-z_]+%|\$[A-Z_][A-Z0-9_]*(?![\w$])|\*{3,}|\.{3}|…"
    )


@cache
def _scheme() -> re.Pattern[str]:
    return re.compile(r"(?:bearer|basic|token|apikey)(?:\s+|$)", re.IGNORECASE)


def placeholder(value: str) -> bool:
    """Whether the value is empty or a stand-in: `${TOKEN}`, `<your-key>`, `Bearer $TOKEN`, `xxxx`."""
    if not value.isascii() or len(value) > 200:
        return not value.strip()
    rest = _forms().sub("", value) if any(c in value for c in "$<{%*.") else value
    rest = _scheme().sub("", rest.strip(), count=1).strip(" \"'")
    lowered = rest.lower()
    return not rest or any(word in lowered for word in _WORDS)
