"""Files of cases as plain values that know the line they stand on: YAML, JSON, JSON a line. Pure.

JSON is RFC 8259 and no wider. YAML is the plain part of it: text, whole numbers, true, false and null,
lists and mappings; anchors, tags and second documents are refused, since two parsers would read them
differently. A key that stands twice is an error in all three. It does not know what a case is.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from prowess.errors import UsageError
from prowess.redact import printable
from prowess.spec import limits
from prowess.spec.frontmatter import events_of
from prowess.spec.strict_json import Malformed, parse

LARGEST = 16 << 20  # bytes of a file
MOST = 100_000  # lines of a file that hold a case each
DEPTH = 16

_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*+"|[\[\]{},:\n]|[^\s\[\]{},:"]+', re.DOTALL)
_WHOLE = re.compile(r"[-+]?[0-9]{1,15}")
_WORDS = {"true": True, "false": False, "null": None, "~": None, "": None}


@dataclass(frozen=True, slots=True, kw_only=True)
class Located:
    """A value and its line (from 1). Lists and mappings hold located values; a key is plain text."""

    value: Any
    line: int


def wrong(file: str, line: int | None, what: str, hint: str = "") -> UsageError:
    """The error for a place in `file`."""
    place = f"{printable(file, 300)}:{line}" if line else printable(file, 300)
    return UsageError(f"{place}: {what}", hint=hint)


def read_located(data: bytes, file: str) -> Located:
    """The value of a file, by its ending: `.jsonl` gives the list of its lines, others one value.

    Raises UsageError, with the place, for what cannot be read.
    """
    if len(data) > LARGEST:
        raise wrong(file, None, f"larger than {LARGEST} bytes", "split it")
    if file.endswith(".jsonl"):
        return _lines(data, file)
    return _json(data, file) if file.endswith(".json") else _yaml(_text(data, file), file)


def _text(data: bytes, file: str) -> str:
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise wrong(file, data.count(b"\n", 0, error.start) + 1, "is not UTF-8", "save it as UTF-8") from None


# -- JSON


def _lines(data: bytes, file: str) -> Located:
    lines = data.removeprefix(b"\xef\xbb\xbf").split(b"\n")
    if len(lines) > MOST:
        raise wrong(file, MOST, f"more than {MOST} lines", "split it")
    rows = [_json(row, file, above) for above, row in enumerate(lines) if row.strip()]
    return Located(value=rows, line=1)


def _json(data: bytes, file: str, above: int = 0) -> Located:
    found = parse(data)
    if isinstance(found, Malformed):
        hint = "a set this large is better a case a line, as .jsonl" if len(data) > limits.JSON_BYTES else ""
        raise wrong(file, (found.line or 1) + above, f"is not JSON: {found.reason}", hint)
    lines = dict(_places(data.decode("utf-8-sig"), above + 1))
    for each in found.duplicates:
        line = lines.get(each.path, above + 1)
        raise wrong(file, line, f"the key {printable(each.key, 60)} stands twice in one object")
    return _located(found.value, (), lines, above + 1)


def _located(value: Any, path: tuple[str | int, ...], lines: dict[Any, int], line: int) -> Located:
    line = lines.get(path, line)
    made: Any = value
    if isinstance(value, dict):
        made = {name: _located(each, (*path, name), lines, line) for name, each in value.items()}
    elif isinstance(value, list):
        made = [_located(each, (*path, at), lines, line) for at, each in enumerate(value)]
    return Located(value=made, line=line)


def _places(text: str, line: int) -> Iterator[tuple[tuple[str | int, ...], int]]:
    """The path and the line of every value of valid JSON."""
    path: list[Any] = []
    for found in _TOKEN.finditer(text):
        piece = found.group()
        if piece == "\n":
            line += 1
        elif piece in "]}":
            path.pop()
        elif piece == ",":
            path[-1] = path[-1] + 1 if isinstance(path[-1], int) else None
        elif piece != ":":
            if path and path[-1] is None:
                path[-1] = _key(piece)
                continue
            yield tuple(path), line
            if piece in "[{":
                path.append(0 if piece == "[" else None)


def _key(token: str) -> Any:
    found = parse(token.encode())
    return token if isinstance(found, Malformed) else found.value


# -- YAML


def _yaml(text: str, file: str) -> Located:
    from yaml import YAMLError

    try:
        return _Reader(events_of(text), file).document()
    except YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        what = str(getattr(error, "problem", None) or getattr(error, "reason", None) or "cannot be read")
        raise wrong(file, mark.line + 1 if mark else 1, f"is not YAML: {printable(what)}") from None


class _Reader:
    """Turns events into located values, never deeper than the bound."""

    def __init__(self, following: Callable[[], Any], file: str) -> None:
        self._next = following
        self._file = file

    def document(self) -> Located:
        """The only document."""
        self._next()
        if type(self._next()).__name__ == "StreamEndEvent":
            raise wrong(self._file, 1, "the file is empty")
        value = self._value(self._next(), 0)
        self._next()
        if type(event := self._next()).__name__ != "StreamEndEvent":
            raise wrong(self._file, event.start_mark.line + 1, "a second document")
        return value

    def _value(self, event: Any, depth: int) -> Located:
        kind, line = type(event).__name__, event.start_mark.line + 1
        if kind == "AliasEvent" or event.anchor is not None:
            raise wrong(self._file, line, "an anchor or an alias", "write the value out")
        if event.tag is not None:
            raise wrong(self._file, line, f"a tag: {printable(event.tag, 60)}", "remove it")
        if depth > DEPTH:
            raise wrong(self._file, line, f"nested more than {DEPTH} levels deep")
        if kind == "ScalarEvent":
            return Located(value=_scalar(event.value) if event.implicit[0] else event.value, line=line)
        made = self._mapping(depth) if kind == "MappingStartEvent" else self._sequence(depth)
        return Located(value=made, line=line)

    def _sequence(self, depth: int) -> list[Located]:
        found = []
        while type(event := self._next()).__name__ != "SequenceEndEvent":
            found.append(self._value(event, depth + 1))
        return found

    def _mapping(self, depth: int) -> dict[str, Located]:
        found: dict[str, Located] = {}
        while type(event := self._next()).__name__ != "MappingEndEvent":
            line = event.start_mark.line + 1
            if type(event).__name__ != "ScalarEvent" or event.tag is not None or event.anchor is not None:
                raise wrong(self._file, line, "a key that is not plain text")
            if event.value in found:
                raise wrong(self._file, line, f"the key {printable(event.value, 60)} stands twice")
            found[event.value] = self._value(self._next(), depth + 1)
        return found


def _scalar(written: str) -> Any:
    """What stands without quotation marks; anything but these few words and whole numbers is text."""
    word = written if written in ("True", "False", "Null", "TRUE", "FALSE", "NULL") else ""
    if word or written in _WORDS:
        return _WORDS[word.lower() or written]
    return int(written) if _WHOLE.fullmatch(written) else written
