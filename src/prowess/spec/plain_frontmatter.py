"""Frontmatter as nearly everybody writes it, read without a YAML parser (Agent Skills, format).

A strict subset of YAML in which each line can be read one way only: `key: value` with a plain or a
quoted value on one line, a folded or literal block of evenly indented lines, and one level of
`key: value` below a key. Whatever else stands in the text, `read_plain` says None and the parser of
`frontmatter` decides; it also names the faults. The reason is the start: importing PyYAML takes
longer than everything else that `prowess check` does. A test holds both readings against each other.
"""

from __future__ import annotations

import re

# The value begins with nothing that YAML gives a meaning to; what may follow is checked in `_scalar`.
_ENTRY = re.compile(r"""([A-Za-z][A-Za-z0-9_-]*):(?: +([^\W_].*|"[^"\\]*"|'[^']*'|[>|]-?))? *""")

Fields = dict[str, "str | dict[str, str]"]


def read_plain(head: str) -> tuple[Fields, dict[str, int]] | None:
    """The fields and the line of each key, as `frontmatter.compose` has them; None: ask the parser."""
    # No tab, carriage return, byte-order mark or odd space, at which YAML readers differ.
    if not head.endswith("\n") or not head.replace("\n", "").isprintable():
        return None
    lines = head.split("\n")  # the last one is empty
    fields: Fields = {}
    places: dict[str, int] = {}
    at, last = 0, len(lines) - 1
    while at < last:
        entry = _ENTRY.fullmatch(lines[at])
        if entry is None:
            return None
        key, written = entry.groups()
        end = at + 1
        while lines[end].startswith(" "):
            end += 1
        if end > at + 1:
            value = _with_lines(written, lines[at + 1 : end])
        else:
            value = None if written is None else _scalar(written)
        if value is None or key in fields:
            return None
        places[key] = at + 2
        fields[key] = value
        at = end
    return fields, places


def _with_lines(written: str | None, below: list[str]) -> str | dict[str, str] | None:
    """What stands after the colon, together with the indented lines that follow."""
    if written is None:
        return _mapping(_dedented(below))
    return _block(written, _dedented(below)) if written[0] in ">|" else None


def _scalar(written: str) -> str | None:
    if written[0] in "\"'":
        return written[1:-1]
    if written[0] in ">|" or ": " in written or " #" in written or written.endswith(":"):
        return None
    return written.rstrip(" ")


def _dedented(below: list[str]) -> list[str] | None:
    """The lines without their indentation, if all have the same and none ends in a space."""
    indent = len(below[0]) - len(below[0].lstrip(" "))
    if any(
        line[:indent].strip(" ") or line[indent : indent + 1] in ("", " ") or line[-1] == " "
        for line in below
    ):
        return None
    return [line[indent:] for line in below]


def _block(written: str, lines: list[str] | None) -> str | None:
    if lines is None:
        return None
    text = (" " if written[0] == ">" else "\n").join(lines)
    return text if written.endswith("-") else text + "\n"


def _mapping(lines: list[str] | None) -> dict[str, str] | None:
    found: dict[str, str] = {}
    for line in lines or [""]:
        entry = _ENTRY.fullmatch(line)
        value = None if entry is None or entry[2] is None else _scalar(entry[2])
        if entry is None or value is None or entry[1] in found:
            return None
        found[entry[1]] = value
    return found
