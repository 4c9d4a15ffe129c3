"""A docstring read: what the function does, and what each of its parameters means.

The first paragraph is the description. Parameters are found in the three ways in common use:
`Args:` with indented names, a `Parameters` heading with a rule under it, and `:param name:` lines.
"""

from __future__ import annotations

import inspect
import re

_SECTION = re.compile(r"^(args|arguments|parameters|params):\s*$", re.IGNORECASE)
_ARGUMENT = re.compile(r"^(\s+)\*{0,2}(\w+)\s*(?:\([^)]*\))?:\s*(.*)$")
_FIELD = re.compile(r"^\s*:param\s+(?:[^:]*\s)?(\w+):\s*(.*)$")
_RULED = re.compile(r"^(\w+)(?:\s*:.*)?$")


def read(text: str | None) -> tuple[str, dict[str, str]]:
    """The first paragraph on one line, and the parameters' descriptions by name."""
    lines = inspect.cleandoc(text or "").split("\n")
    first: list[str] = []
    for line in lines:
        if not line.strip() or _SECTION.match(line) or _FIELD.match(line):
            break
        first.append(line.strip())
    return " ".join(first), {**_indented(lines), **_ruled(lines), **_fields(lines)}


def _indented(lines: list[str]) -> dict[str, str]:
    found: dict[str, str] = {}
    depth, last, inside = 0, "", False
    for line in lines:
        if _SECTION.match(line):
            inside, depth, last = True, 0, ""
            continue
        if inside and line.strip() and not line[:1].isspace():
            inside = False
        match = _ARGUMENT.match(line) if inside else None
        if match and (not depth or len(match[1]) == depth):
            depth, last = len(match[1]), match[2]
            found[last] = match[3].strip()
        elif inside and last and line.strip():
            found[last] = f"{found[last]} {line.strip()}".strip()
    return found


def _ruled(lines: list[str]) -> dict[str, str]:
    found: dict[str, str] = {}
    start = next(
        (
            number
            for number, line in enumerate(lines[:-1])
            if line.strip() == "Parameters" and re.fullmatch(r"-{3,}", lines[number + 1].strip())
        ),
        None,
    )
    last = ""
    for line in lines[start + 2 :] if start is not None else []:
        if re.fullmatch(r"-{3,}", line.strip()):
            found.pop(last, None)  # what was taken for a name is the next heading
            break
        if line[:1].isspace() and last:
            found[last] = f"{found[last]} {line.strip()}".strip()
        elif match := _RULED.match(line):
            last = match[1]
            found[last] = ""
    return {name: words for name, words in found.items() if words}


def _fields(lines: list[str]) -> dict[str, str]:
    found: dict[str, str] = {}
    last = ""
    for line in lines:
        match = _FIELD.match(line)
        if match:
            last = match[1]
            found[last] = match[2].strip()
        elif last and line[:1].isspace() and line.strip():
            found[last] = f"{found[last]} {line.strip()}"
        else:
            last = ""
    return found
