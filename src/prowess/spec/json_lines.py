"""Which line of a JSON file a pointer means, for formats that know lines only.

A tolerant walk over the tokens (the file may be malformed: then what comes after the fault is not
found). A member is where its key stands. A pointer to something that is not there means its parent.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from prowess.spec import limits

_TOKEN = re.compile(r'\n|"(?:[^"\\\n]|\\.)*"|[{}\[\],:]|[^\s{}\[\],:"]+')


@dataclass(slots=True)
class _Member:
    """A member or item that is looked for, or that something looked for is in."""

    line: int | None = None
    below: dict[str, _Member] = field(default_factory=dict)

    def met(self, step: str, line: int) -> _Member | None:
        """The one below named `step`, now met on `line`; None when nobody looks for it."""
        found = self.below.get(step[: limits.POINTER_STEP])
        if found is not None and found.line is None:
            found.line = line
        return found


def pointer_lines(text: str, wanted: Iterable[str]) -> dict[str, int]:
    """The line, from 1, of each wanted JSON pointer that the text leads to; of two equal keys the first.

    Nothing is kept of what nobody wants: keys may be long, members many, and a pointer to each of
    them would fill any memory.
    """
    pointers = list(wanted)
    top = _Member()
    for pointer in pointers:
        member = top
        for step in _steps(pointer):
            member = member.below.setdefault(step, _Member())
    _walk(text, top)
    lines = ((pointer, _nearest(top, pointer)) for pointer in pointers)
    return {pointer: line for pointer, line in lines if line is not None}


def _walk(text: str, top: _Member) -> None:
    """Note the lines at which what is below `top` is met."""
    inside: list[_Member | None] = []  # one for each open container
    places: list[int] = []  # and the index of its next item, or -1 in an object
    coming: _Member | None = top  # what the next value is
    key_next, line = False, 1
    for match in _TOKEN.finditer(text):
        lexeme = match[0]
        if lexeme == "\n":
            line += 1
            continue
        around = inside[-1] if inside else None
        if key_next and lexeme.startswith('"'):
            coming, key_next = around.met(_key(lexeme), line) if around else None, False
        elif places and places[-1] >= 0 and lexeme not in ",]":
            coming = around.met(str(places[-1]), line) if around else None
        if lexeme in "{[":
            inside.append(coming)
            places.append(0 if lexeme == "[" else -1)
            key_next = lexeme == "{"
        elif lexeme in "}]":
            if not inside:
                break
            inside.pop()
            places.pop()
            key_next = False
        elif lexeme == "," and places:
            key_next = places[-1] < 0
            places[-1] += not key_next


def _nearest(top: _Member, pointer: str) -> int | None:
    """The line of what a pointer means, or of the nearest above it that is there."""
    member, line = top, None
    for step in _steps(pointer):
        member = member.below[step]
        if member.line is None:
            break
        line = member.line
    return line


def _steps(pointer: str) -> list[str]:
    return [step.replace("~1", "/").replace("~0", "~") for step in pointer.split("/")[1:]]


def _key(lexeme: str) -> str:
    try:
        return str(json.loads(lexeme))
    except ValueError:
        return lexeme[1:-1]
