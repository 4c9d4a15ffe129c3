"""What a JSON value is called when a message speaks of it."""

from __future__ import annotations

from typing import Any


def kind_name(value: Any) -> str:
    """`a string`, `an object`, ..."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "a boolean"
    if isinstance(value, str):
        return "a string"
    if isinstance(value, dict):
        return "an object"
    return "an array" if isinstance(value, list) else "a number"
