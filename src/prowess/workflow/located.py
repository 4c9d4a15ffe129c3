"""A definition's YAML as plain values that know their line: strict, bounded, and read one way only.

YAML 1.2 with its core schema (section 10.3): what stands without quotation marks is null, true, false, a
number or text, and nothing else (`no` and `2026-01-31` are text). A key that stands twice, a tag, a merge
key and a second document are refused. Aliases count with all that they stand for, so that a short file
cannot become a large value. It does not know what a workflow is.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from prowess.redact import printable
from prowess.spec.frontmatter import events_of

LARGEST = 1 << 20  # bytes of a file
DEEPEST = 40  # containers inside containers
MOST_VALUES = 50_000  # after aliases have been followed

LONGEST_NUMBER = 60  # characters

_WHOLE = re.compile(r"[-+]?[0-9]+")
_DECIMAL = re.compile(r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?")
_WORDS = {"true": True, "false": False, "null": None, "~": None, "": None}
_TAGS = ("!", "tag:yaml.org,2002:str")  # as PyYAML reports a text in quotation marks, on some versions


@dataclass(frozen=True, slots=True, kw_only=True)
class Located:
    """A value and its line (from 1); a member's line is that of its key.

    Lists and mappings hold located values; a key is plain text.
    """

    value: Any
    line: int | None = None

    @property
    def plain(self) -> Any:
        """The value without lines."""
        if isinstance(self.value, Mapping):
            return {name: each.plain for name, each in self.value.items()}
        return [each.plain for each in self.value] if isinstance(self.value, list) else self.value


class Wrong(NamedTuple):
    """Why a file is not such a value."""

    rule: str
    message: str
    line: int | None
    hint: str = ""


class _Refused(Exception):
    def __init__(self, wrong: Wrong) -> None:
        super().__init__(wrong.message)
        self.wrong = wrong


def located(plain: Any) -> Located:
    """Plain JSON values without lines, in the same form."""
    made: Any = plain
    if isinstance(plain, Mapping):
        made = {str(name): located(each) for name, each in plain.items()}
    elif isinstance(plain, list | tuple):
        made = [located(each) for each in plain]
    return Located(value=made)


def read_located(data: bytes) -> Located | Wrong:
    """The value that a file holds, or the first fault in it."""
    if len(data) > LARGEST:
        return Wrong(
            "workflow-bounds", f"larger than {LARGEST} bytes", None, "a part of it can be a workflow"
        )
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        return Wrong("workflow-yaml", "not UTF-8", line, "save the file as UTF-8")
    from yaml import YAMLError

    try:
        return _Reader(events_of(text)).document()
    except _Refused as refused:
        return refused.wrong
    except YAMLError as error:
        return _malformed(error, text)


def _malformed(error: Exception, text: str) -> Wrong:
    mark = getattr(error, "problem_mark", None) or getattr(error, "context_mark", None)
    problem = str(getattr(error, "problem", None) or getattr(error, "reason", None) or "cannot be read")
    line = mark.line + 1 if mark is not None else None
    written = text.split("\n")[line - 1 : line] if line else [""]
    hint = "compare the indentation with the lines above"
    if written and "\t" in written[0][: -len(written[0].lstrip()) or None]:
        hint = "indent with spaces, not tabs"
    elif written and "{{" in written[0]:
        hint = "put a value with {{ in quotation marks"
    elif "mapping values" in problem:
        hint = "put a value that holds a colon in quotation marks"
    return Wrong("workflow-yaml", f"not YAML: {printable(problem)}", line, hint)


class _Reader:
    """Turns events into located values, never deeper or larger than the bounds."""

    def __init__(self, following: Callable[[], Any]) -> None:
        self._next = following
        self._values = 0
        self._deepest = 0
        self._anchors: dict[str, tuple[Located, int, int]] = {}

    def document(self) -> Located:
        """The only document."""
        self._next()  # the stream's start
        if type(self._next()).__name__ == "StreamEndEvent":
            raise _Refused(Wrong("workflow-yaml", "the file is empty", 1, "write name: and steps:"))
        value = self._value(self._next(), 0)
        self._next()  # the document's end
        if type(event := self._next()).__name__ != "StreamEndEvent":
            raise _refused("workflow-yaml-feature", "a second document", event, "one file holds one workflow")
        return value

    def _value(self, event: Any, depth: int) -> Located:
        kind, line = type(event).__name__, event.start_mark.line + 1
        if kind == "AliasEvent":
            return replace(self._alias(event, depth), line=line)
        if event.tag is not None and (kind != "ScalarEvent" or event.tag not in _TAGS):
            raise _refused("workflow-yaml-feature", f"a tag: {printable(event.tag, 60)}", event, "remove it")
        before, above = self._values, self._deepest
        self._count(1, event)
        self._descend(depth, event)
        self._deepest = depth
        if kind == "ScalarEvent":
            value = Located(value=_scalar(event) if event.implicit[0] else event.value, line=line)
        else:
            made = self._mapping(depth) if kind == "MappingStartEvent" else self._sequence(depth)
            value = Located(value=made, line=line)
        if event.anchor is not None:
            self._anchors[event.anchor] = (value, self._values - before, self._deepest - depth)
        self._deepest = max(above, self._deepest)
        return value

    def _alias(self, event: Any, depth: int) -> Located:
        if event.anchor not in self._anchors:
            name = printable(event.anchor, 60)
            raise _refused("workflow-yaml", f"the alias *{name} has no finished anchor before it", event)
        value, size, height = self._anchors[event.anchor]
        self._count(size, event)
        self._descend(depth + height, event)
        return value

    def _descend(self, depth: int, event: Any) -> None:
        self._deepest = max(self._deepest, depth)
        if depth > DEEPEST:
            raise _refused("workflow-bounds", f"nested more than {DEEPEST} levels deep", event)

    def _count(self, more: int, event: Any) -> None:
        self._values += more
        if self._values > MOST_VALUES:
            raise _refused("workflow-bounds", f"more than {MOST_VALUES} values", event)

    def _sequence(self, depth: int) -> list[Located]:
        found = []
        while type(event := self._next()).__name__ != "SequenceEndEvent":
            found.append(self._value(event, depth + 1))
        return found

    def _mapping(self, depth: int) -> dict[str, Located]:
        found: dict[str, Located] = {}
        while type(event := self._next()).__name__ != "MappingEndEvent":
            if type(event).__name__ != "ScalarEvent" or event.tag is not None or event.anchor is not None:
                hint = "put a value that begins with {{ in quotation marks"
                raise _refused("workflow-yaml-feature", "a key that is not plain text", event, hint)
            name = event.value
            if name in found:
                message = f"the key {printable(name, 60)} stands twice"
                raise _refused("workflow-duplicate-key", message, event, "keep one of the two")
            if name == "<<" and event.implicit[0]:
                raise _refused("workflow-yaml-feature", "a merge key", event, "write the fields out")
            line = event.start_mark.line + 1
            found[name] = replace(self._value(self._next(), depth + 1), line=line)
        return found


def _scalar(event: Any) -> Any:
    """What stands without quotation marks."""
    written = event.value
    word = written.lower() if written in (written.lower(), written.upper(), written.title()) else "-"
    if word in _WORDS:
        return _WORDS[word]
    if not _DECIMAL.fullmatch(written):
        return written
    if len(written) <= LONGEST_NUMBER:
        number = int(written) if _WHOLE.fullmatch(written) else float(written)
        if isinstance(number, int) or math.isfinite(number):
            return number
    raise _refused("workflow-bounds", f"the number {printable(written, 40)} is too large", event)


def _refused(rule: str, message: str, event: Any, hint: str = "") -> _Refused:
    return _Refused(Wrong(rule, message, event.start_mark.line + 1, hint))
