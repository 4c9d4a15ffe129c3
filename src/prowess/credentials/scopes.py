"""Scopes as OAuth writes them: names with spaces between, of which the order means nothing.

RFC 6749, section 3.3, and RFC 6750, section 3 (the scopes that a refused request would have needed).
They come from servers, so what is no scope name is left out.
"""

from __future__ import annotations

import re

_NAME = re.compile(r"[\x21\x23-\x5b\x5d-\x7e]{1,200}")
NAMES_MAX = 100


def names(scope: str) -> list[str]:
    """The names in `scope`, each once, at most NAMES_MAX."""
    found = dict.fromkeys(each for each in scope.split() if _NAME.fullmatch(each))
    return list(found)[:NAMES_MAX]


def together(*scopes: str) -> str:
    """Every name of these, in the order of first appearance."""
    return " ".join(names(" ".join(scopes)))


def beyond(scope: str, *known: str) -> str:
    """The names of `scope` that are in none of `known`."""
    held = set(names(" ".join(known)))
    return " ".join(each for each in names(scope) if each not in held)
