"""How the call path keeps secrets out of what it writes down and what it hands back.

Two functions of text come from outside: one for what people and disks see (patterns and exact
values), one for results (exact values of the credentials that Prowess itself injected). Here they
are applied to whole JSON values. It holds no pattern of a token; names of fields it does know.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from prowess.redact import MASK

Redact = Callable[[str], str]
Free = Callable[[Any], bool]  # of a JSON value, that a Redact certainly changes nothing in it

# Deeper values are written as one word; no honest argument or result comes near it.
MAX_DEPTH = 100
# Asked of every value of every call, in the order that is quickest.
_SCALARS = (int, float)
_NESTED = (dict, list, tuple, Mapping)
TOO_DEEP = "(deeper than 100 levels)"

_SECRET_NAME = re.compile(
    r"(?i)(?:^|[-_.])(?:pass(?:word|wd|phrase)?|secret|(?:auth|access|refresh|api|bearer)[-_]?token|token|"
    r"api[-_]?key|authorization|credentials?|private[-_]?key|cookie)$"
)


def keep(text: str) -> str:
    """The redaction that hides nothing: what a caller without secrets passes."""
    return text


def never(value: Any) -> bool:
    """Of no value it is certain."""
    return False


def secret_name(name: str) -> bool:
    """Whether a field of this name holds a secret by its very name."""
    return _SECRET_NAME.search(name) is not None


def redacted(value: Any, redact: Redact, *, names: bool = False, depth: int = MAX_DEPTH) -> Any:
    """A copy of `value` with every string, keys included, gone through `redact`; order is kept.

    `names` also masks strings under a key such as `password`: right for logs, wrong for results.
    """
    if isinstance(value, str):
        return redact(value)
    if value is None or isinstance(value, _SCALARS) or not isinstance(value, _NESTED):
        return value
    if depth == 0:
        return TOO_DEEP
    if isinstance(value, (dict, Mapping)):
        return {
            redact(str(key)): MASK
            if names and isinstance(each, str) and secret_name(str(key))
            else redacted(each, redact, names=names, depth=depth - 1)
            for key, each in value.items()
        }
    return [redacted(each, redact, names=names, depth=depth - 1) for each in value]
