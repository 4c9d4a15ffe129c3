"""Durations as people write them: `30`, `30s`, `5m`, `1h30m`, `2d`; in seconds."""

from __future__ import annotations

import re

LONGEST = 366 * 86_400.0  # a year

_UNITS = {"ms": 0.001, "s": 1.0, "m": 60.0, "h": 3_600.0, "d": 86_400.0}
_ONE = r"([0-9]{1,9}(?:\.[0-9]{1,3})?)(ms|s|m|h|d)"
_PART = re.compile(_ONE)
PATTERN = f"^(?:{_ONE})+$"


def seconds_of(value: object) -> float | None:
    """How many seconds a number or a text means; None when it is no duration, or longer than a year."""
    if isinstance(value, bool):
        return None
    if isinstance(value, int | float):
        return float(value) if 0 < value <= LONGEST else None
    if not isinstance(value, str) or not _PART.match(value) or _PART.sub("", value):
        return None
    found = sum(float(number) * _UNITS[unit] for number, unit in _PART.findall(value))
    return found if 0 < found <= LONGEST else None
