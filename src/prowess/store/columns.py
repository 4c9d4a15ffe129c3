"""Values of ours as values of SQL, and back.

Names come from servers: they may hold lone surrogates, which SQLite does not take as text; those
are kept as bytes, so that every name is found again under itself. Structured values are JSON.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

Storable = str | bytes | int | float | None


def text_in(text: str) -> str | bytes:
    """`text` as a column holds it."""
    if text.isascii():
        return text
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-8", "surrogatepass")
    return text


def text_out(column: str | bytes) -> str:
    """The text of a column."""
    return column if isinstance(column, str) else column.decode("utf-8", "surrogatepass")


def json_in(value: Any) -> str:
    """A JSON value as a column holds it; escapes keep it ASCII."""
    return json.dumps(value, default=_plain, separators=(",", ":"))


def json_out(column: str) -> Any:
    """The JSON value of a column. Raises ValueError."""
    return json.loads(column)


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        return dict(value)
    raise TypeError(f"{type(value).__name__} is not JSON")
