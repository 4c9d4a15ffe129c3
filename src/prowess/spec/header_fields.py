"""HTTP header fields as RFC 9110 (5.1, 5.5) writes them; Agent Plugins 1.0.0 section 7.2.1.

A value may hold the characters U+0080 to U+00FF, which travel as single bytes (obs-text); none
above. Space and tab stand only inside a value.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

_TOKEN = re.compile(r"[!#$%&'*+\-.^_`|~0-9A-Za-z]+")
_VALUE = re.compile(r"(?:[!-~\x80-\xff](?:[\t -~\x80-\xff]*[!-~\x80-\xff])?)?")


def is_field_name(name: str) -> bool:
    """Whether `name` is a token."""
    return _TOKEN.fullmatch(name) is not None


def is_field_value(value: str) -> bool:
    """Whether `value` is a field value; the empty one is."""
    return _VALUE.fullmatch(value) is not None


def repeated_names(names: Iterable[str]) -> list[str]:
    """Names that repeat an earlier one in whatever casing."""
    seen: set[str] = set()
    repeated = []
    for name in names:
        if name.lower() in seen:
            repeated.append(name)
        seen.add(name.lower())
    return repeated
