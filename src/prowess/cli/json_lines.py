"""Which line of a JSON file a pointer means, for formats that know lines only.

A tolerant walk over the tokens (the file may be malformed: then what comes after the fault is not
found). A member is where its key stands. A pointer to something that is not there means its parent.
"""

from __future__ import annotations

import json
import re

from prowess.cli.verdict import Verdict
from prowess.source.directory import DirectorySource
from prowess.spec.diagnostics import Place

LARGEST = 1_000_000  # bytes; the line of a finding in a larger file is not looked for
_TOKEN = re.compile(r'\n|"(?:[^"\\\n]|\\.)*"|[{}\[\],:]|[^\s{}\[\],:"]+')


class Lines:
    """The lines of one package's places; each file is read once."""

    def __init__(self, verdict: Verdict) -> None:
        self._source = DirectorySource(verdict.path)
        self._known: dict[str, dict[str, int]] = {}

    def line(self, place: Place) -> int | None:
        """The place's own line, or the one that its pointer means."""
        if place.line is not None or not place.pointer:
            return place.line
        if place.file not in self._known:
            content = self._source.read(place.file, LARGEST)
            text = content.decode("utf-8", "replace") if isinstance(content, bytes) else ""
            self._known[place.file] = pointer_lines(text)
        pointer = place.pointer
        while pointer and pointer not in self._known[place.file]:
            pointer = pointer.rpartition("/")[0]
        return self._known[place.file].get(pointer)


def pointer_lines(text: str) -> dict[str, int]:
    """The line, from 1, of every member and item, by JSON pointer; of two equal keys the first."""
    found: dict[str, int] = {}
    steps: list[str] = []  # one for each open container: the current key or index
    arrays: list[bool] = []
    key_next, line = False, 1
    for match in _TOKEN.finditer(text):
        lexeme = match[0]
        if lexeme == "\n":
            line += 1
            continue
        if key_next and lexeme.startswith('"'):
            steps[-1], key_next = _key(lexeme), False
            found.setdefault(_pointer(steps), line)
        elif arrays and arrays[-1] and lexeme not in ",]":
            found.setdefault(_pointer(steps), line)
        if lexeme in "{[":
            steps.append("0" if lexeme == "[" else "")
            arrays.append(lexeme == "[")
            key_next = lexeme == "{"
        elif lexeme in "}]":
            if not arrays:
                break
            steps.pop()
            arrays.pop()
            key_next = False
        elif lexeme == "," and arrays:
            key_next = not arrays[-1]
            if arrays[-1]:
                steps[-1] = str(int(steps[-1]) + 1)
    return found


def _key(lexeme: str) -> str:
    try:
        return str(json.loads(lexeme))
    except ValueError:
        return lexeme[1:-1]


def _pointer(steps: list[str]) -> str:
    return "".join("/" + step.replace("~", "~0").replace("/", "~1") for step in steps)
