"""A time as people write it: how long ago, or a date. Nothing is asked of a record."""

from __future__ import annotations

import time
from datetime import datetime

from prowess.errors import UsageError
from prowess.redact import printable

UNITS = {"s": 1, "m": 60, "h": 3_600, "d": 86_400}


def moment(text: str) -> float:
    """The time that an AGE means, in seconds since 1970."""
    number, unit = text[:-1], text[-1:]
    if unit in UNITS and number.isascii() and number.isdigit() and len(number) < 10:
        return time.time() - int(number) * UNITS[unit]
    try:
        return datetime.fromisoformat(text).timestamp()
    except (ValueError, OverflowError, OSError):
        raise UsageError(
            f"{printable(text, 60) or 'an empty text'} is no age and no date",
            hint="such as 90m, 7d or 2026-07-31",
        ) from None
