"""Bounds of time in tests: they tell an answer from a hang, never a fast answer from a slow one.

A test that is traced line by line (coverage) takes several times as long, so its bound is wider.
"""

from __future__ import annotations

import sys

TRACED = 6


def bound(seconds: float) -> float:
    """`seconds`, or several times as much while something traces every line."""
    return seconds * TRACED if sys.gettrace() else seconds
