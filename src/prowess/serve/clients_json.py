"""One entry put into somebody else's JSON and taken out again; every other character stays.

JSON (RFC 8259), and JSON with comments and trailing commas as VS Code reads it. The text is never
written anew: places are found in a copy in which comments are blanks, and the text is cut there.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NoReturn

from prowess.errors import UsageError
from prowess.redact import printable

_TOKENS = re.compile(r'"(?:[^"\\\n]|\\.)*"|(//[^\n\r]*|/\*.*?\*/)', re.DOTALL)
_COMMAS = re.compile(r'"(?:[^"\\\n]|\\.)*"|(,)(?=\s*[}\]])')
_BLANK = re.compile(r"[^\r\n]")
_SPACE = re.compile(r"[ \t\r\n]*")
_DECODER = json.JSONDecoder()


@dataclass(frozen=True, slots=True, kw_only=True)
class _Member:
    key: str
    start: int
    value: int
    end: int


@dataclass(frozen=True, slots=True, kw_only=True)
class _Object:
    """Where an object stands: its braces, and each member from its name to the end of its value."""

    open: int
    close: int
    members: tuple[_Member, ...]

    def find(self, key: str) -> _Member | None:
        found = [each for each in self.members if each.key == key]
        if len(found) > 1:
            raise UsageError(f"{printable(key)} stands there more than once")
        return found[0] if found else None


class _Text:
    """A document: as it is, without comments, and without trailing commas too; all of one length."""

    def __init__(self, text: str, *, comments: bool) -> None:
        self.text = text
        self.marked = "\ufeff" if text.startswith("\ufeff") else ""
        as_is = " " + text[1:] if self.marked else text
        self.comments = [found.span(1) for found in _TOKENS.finditer(as_is) if found[1]] if comments else []
        self.uncommented = _blanked(_TOKENS, as_is) if comments else as_is
        self.plain = _blanked(_COMMAS, self.uncommented) if comments else as_is
        self.newline = "\r\n" if "\r\n" in text else "\n"
        self.value = self._parsed() if self.plain.strip() else None

    def _parsed(self) -> Any:
        try:
            value = json.loads(self.plain, parse_constant=_refuse)
        except json.JSONDecodeError as error:
            raise UsageError(f"line {error.lineno}, column {error.colno}: {_said(error)}") from None
        except (ValueError, RecursionError) as error:
            what = "nested too deeply" if isinstance(error, RecursionError) else str(error)
            raise UsageError(f"no JSON: {printable(what, 200)}") from None
        if not isinstance(value, dict):
            raise UsageError("line 1: the document is no JSON object")
        return value

    def root(self) -> _Object:
        return self.object_at(self._after(0))

    def object_at(self, at: int) -> _Object:
        opened, members = at, []
        at = self._after(at + 1)
        while self.plain[at] != "}":
            key, behind = _DECODER.raw_decode(self.plain, at)
            value = self._after(self._after(behind) + 1)
            _, end = _DECODER.raw_decode(self.plain, value)
            members.append(_Member(key=key, start=at, value=value, end=end))
            at = self._after(end)
            if self.plain[at] == ",":
                at = self._after(at + 1)
        return _Object(open=opened, close=at, members=tuple(members))

    def container(self, root: _Object, name: str) -> _Object | None:
        """The object of servers; UsageError when something else stands there."""
        member = root.find(name)
        if member is None:
            return None
        if self.plain[member.value] != "{":
            line = self.text.count("\n", 0, member.value) + 1
            raise UsageError(f"line {line}: {printable(name)} is no JSON object")
        return self.object_at(member.value)

    def _after(self, at: int) -> int:
        found = _SPACE.match(self.plain, at)
        return found.end() if found else at

    # -- how it is laid out ----------------------------------------------------------------------

    def margin(self, at: int) -> str | None:
        """The blanks that `at` has before it on its line; None when something else is there."""
        before = self.text[max(self.text.rfind("\n", 0, at) + 1, len(self.marked)) : at]
        return before if not before.strip() else None

    def indent(self, at: int) -> str:
        """The blanks that the line of `at` begins with."""
        line = self.text[max(self.text.rfind("\n", 0, at) + 1, len(self.marked)) :]
        return line[: len(line) - len(line.lstrip(" \t"))]

    def unit(self, root: _Object) -> str:
        """One step of indentation."""
        margin = self.margin(root.members[0].start) if root.members else None
        return (margin or "").removeprefix(self.indent(root.open)) or "  "

    def past_comments(self, at: int) -> int:
        """The end of the comments that follow on the line of `at`."""
        for start, end in self.comments:
            if start >= at and not self.text[at:start].strip(" \t"):
                at = end
        return at


def _blanked(pattern: re.Pattern[str], text: str) -> str:
    return pattern.sub(lambda found: _BLANK.sub(" ", found[1]) if found[1] else found[0], text)


def _refuse(word: str) -> NoReturn:
    raise ValueError(f"{word} is no JSON value")


def _said(error: json.JSONDecodeError) -> str:
    return "comments are not JSON" if error.doc[error.pos :].startswith(("//", "/*")) else error.msg.lower()


def servers(text: str, container: str, *, comments: bool) -> dict[str, Any]:
    """The entries of a document by name. Raises UsageError with the place of what is wrong."""
    document = _Text(text, comments=comments)
    if document.value is None:
        return {}
    found = document.container(document.root(), container)
    if found is None:
        return {}
    entries: dict[str, Any] = document.value[container]
    return entries


def added(text: str, container: str, name: str, entry: Mapping[str, Any], *, comments: bool) -> str:
    """`text` with the entry in it, in the place of one of that name. Raises UsageError."""
    document = _Text(text, comments=comments)
    if document.value is None:
        return _begun(document, container, name, entry)
    root = document.root()
    held = document.container(root, container)
    if held is None:
        return _inserted(document, root, root, container, {name: entry})
    there = held.find(name)
    if there is None:
        return _inserted(document, root, held, name, entry)
    margin = document.margin(there.start)
    written = _written(document, root, entry, margin)
    return text[: there.value] + written + text[there.end :]


def removed(text: str, container: str, name: str, *, comments: bool) -> str:
    """`text` without the entry. Raises UsageError."""
    document = _Text(text, comments=comments)
    held = document.container(document.root(), container) if document.value is not None else None
    there = held.find(name) if held is not None else None
    if held is None or there is None:
        return text
    return _cut(document, held, held.members.index(there))


def _begun(document: _Text, container: str, name: str, entry: Mapping[str, Any]) -> str:
    newline = document.newline
    whole = json.dumps({container: {name: entry}}, indent=2, ensure_ascii=False).replace("\n", newline)
    before = document.text if document.text.strip("\ufeff \t\r\n") else document.marked
    joint = newline if before.strip("\ufeff") and not before.endswith("\n") else ""
    return f"{before}{joint}{whole}{newline}"


def _written(document: _Text, root: _Object, value: Any, margin: str | None) -> str:
    if margin is None:
        return json.dumps(value, ensure_ascii=False)
    text = json.dumps(value, indent=document.unit(root), ensure_ascii=False)
    return text.replace("\n", document.newline + margin)


def _inserted(document: _Text, root: _Object, held: _Object, key: str, value: Any) -> str:
    """A new last member of the object `held`."""
    text, newline = document.text, document.newline
    quoted = json.dumps(key, ensure_ascii=False)
    if not held.members:
        outer = document.indent(held.open)
        margin = outer + document.unit(root)
        piece = f"{newline}{margin}{quoted}: {_written(document, root, value, margin)}"
        at = max([held.open + 1, *(end for _, end in document.comments if held.open < end <= held.close)])
        rest = text[at : held.close]
        return text[:at] + piece + (rest if "\n" in rest else newline + outer) + text[held.close :]
    last = held.members[-1]
    comma = document.uncommented.find(",", last.end, held.close)
    at = document.past_comments(last.end if comma < 0 else comma + 1)
    alone = document.margin(last.start)
    if alone is None and at > max(last.end, comma + 1):
        alone = document.indent(last.start)  # behind a comment that may reach to the end of its line
    start = " " if alone is None else newline + alone
    piece = f"{start}{quoted}: {_written(document, root, value, alone)}"
    if comma >= 0:
        return text[:at] + piece + "," + text[at:]
    return text[: last.end] + "," + text[last.end : at] + piece + text[at:]


def _cut(document: _Text, held: _Object, number: int) -> str:
    """Without one member, the blanks before it, and the comma that it needed."""
    text, there = document.text, held.members[number]
    before = len(text[: there.start].rstrip(" \t\r\n"))
    behind = held.members[number + 1].start if number + 1 < len(held.members) else held.close
    comma = document.uncommented.find(",", there.end, behind)
    if comma >= 0:  # its own comma goes with it
        return text[:before] + text[there.end : comma] + text[comma + 1 :]
    if number == 0:
        inner = text[held.open + 1 : before] + text[there.end : held.close]
        return text[: held.open + 1] + (inner if inner.strip() else "") + text[held.close :]
    comma = document.uncommented.find(",", held.members[number - 1].end, there.start)
    return text[:comma] + text[comma + 1 : before] + text[there.end :]
