"""On which line of a TOML file a key stands; the parser of the standard library does not say.

Only a file that the parser accepted is looked at, so a few plain rules are enough: a line that
opens a table, a line that begins with a key, and no look inside texts of several lines. Keys within
an inline table or array are found at the line where that begins.
"""

from __future__ import annotations

import json
import re
from collections import Counter

Keys = tuple[str | int, ...]

_PART = r"""(?:"(?:[^"\\]|\\.)*"|'[^']*'|[A-Za-z0-9_-]+)"""
_PATH = rf"{_PART}(?:\s*\.\s*{_PART})*"
_TABLE = re.compile(rf"\s*(\[\[?)\s*({_PATH})\s*\]")
_KEY = re.compile(rf"\s*({_PATH})\s*=")
_FENCES = ('"""', "'''")


def line_of(text: str, keys: Keys) -> int | None:
    """The line of the key that `keys` lead to, or of the nearest one above it."""
    lines = lines_of(text)
    while keys:
        if keys in lines:
            return lines[keys]
        keys = keys[:-1]
    return None


def lines_of(text: str) -> dict[Keys, int]:
    """The first line on which every key and every table stands."""
    found: dict[Keys, int] = {}
    counts: Counter[Keys] = Counter()
    table: Keys = ()
    fence = ""
    for number, line in enumerate(text.split("\n"), 1):
        if fence:
            fence = "" if fence in line else fence
            continue
        if opened := _TABLE.match(line):
            path = _numbered(_split(opened[2]), counts)
            if opened[1] == "[[":
                counts[path] += 1
                path = (*path, counts[path] - 1)
            table = path
            for end in range(1, len(path) + 1):
                found.setdefault(path[:end], number)
        elif key := _KEY.match(line):
            path = table
            for part in _split(key[1]):
                path = (*path, part)
                found.setdefault(path, number)
            fence = next((each for each in _FENCES if line.count(each) % 2), "")
    return found


def _split(path: str) -> tuple[str, ...]:
    return tuple(_unquoted(part) for part in re.findall(_PART, path))


def _unquoted(part: str) -> str:
    if part.startswith('"'):
        try:
            return str(json.loads(part))  # TOML's escapes are JSON's, but for \U and \e
        except ValueError:
            return part
    return part.strip("'")


def _numbered(path: tuple[str, ...], counts: Counter[Keys]) -> Keys:
    """The path with the number of the current element after every array of tables above its end."""
    keys: Keys = ()
    for part in path[:-1]:
        keys = (*keys, part)
        if counts[keys]:
            keys = (*keys, counts[keys] - 1)
    return (*keys, path[-1])
