"""The frontmatter of a SKILL.md, read as text: bytes in, a mapping of text out (Agent Skills, format).

Every scalar is text, as the reference library reads it: `name: 123` is the string 123 and `name: yes`
the string yes. Everything is bounded, and whatever two YAML parsers might read differently (a second
key of one name, a tag, a second document, an alias past the bound) is refused. Plain frontmatter is
read by `plain_frontmatter`; for the rest PyYAML supplies parser events, and is imported only then.
This module does not know which keys a skill has; that is spec/skill.py.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from prowess.redact import printable
from prowess.spec.plain_frontmatter import read_plain

Value = str | list["Value"] | Mapping[str, "Value"]

FRONTMATTER_CHARACTERS = 65_536  # the published keys need under 3,000; others may add tables of their own
FRONTMATTER_DEPTH = 32  # containers inside containers
FRONTMATTER_ALIASES = 64  # anchors are rare in frontmatter; each use of one counts

_TWO_DOCUMENTS = "the frontmatter holds more than one YAML document"


class Fault(NamedTuple):
    """Why a skill is not valid: a rule id, and the line of the file (from 1) where it shows."""

    rule: str
    message: str
    line: int
    hint: str = ""


class Split(NamedTuple):
    """A SKILL.md cut at its fences. `head` is the YAML between them, which starts on line 2."""

    head: str
    body: str
    bom: bool = False


class Frontmatter(NamedTuple):
    """The fields in their order, and the line (from 1) of each field's key."""

    fields: dict[str, Value]
    lines: dict[str, int]


def split(data: bytes) -> Split | Fault:
    """Cut a file at its fences: lines of exactly `---`, nothing but a byte-order mark before the first."""
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        message = f"not UTF-8: byte 0x{data[error.start]:02x} at offset {error.start}"
        return Fault(rule="skill-encoding", message=message, line=line, hint="save the file as UTF-8")
    bom = text.startswith("\ufeff")
    if bom:
        text = text[1:]
    start = _after_fence(text, 0)
    if start is None:
        return _no_frontmatter(text)
    close = start - 1  # the newline of the opening fence, so that an empty frontmatter is found as well
    while (close := text.find("\n---", close)) >= 0:
        end = _after_fence(text, close + 1)
        if end is not None:
            break
        close += 1
    else:
        hint = "end the frontmatter with a line of exactly ---"
        return Fault(rule="skill-frontmatter-open", message="the frontmatter has no end", line=1, hint=hint)
    if close + 1 - start > FRONTMATTER_CHARACTERS:
        return _bounds(f"the frontmatter is longer than {FRONTMATTER_CHARACTERS} characters", 1)
    return Split(head=text[start : close + 1], body=text[end:], bom=bom)


def _after_fence(text: str, at: int) -> int | None:
    """Where the line after the fence at `at` begins, or None when that line is not exactly `---`."""
    if not text.startswith("---", at):
        return None
    end = at + 3
    if text.startswith("\r\n", end):
        return end + 2
    if text.startswith("\n", end):
        return end + 1
    return end if end == len(text) else None


def _no_frontmatter(text: str) -> Fault:
    hint = "begin the file with a line of exactly ---, then name and description, then --- again"
    first = text[:200].split("\n", 1)[0].rstrip("\r")
    if first.strip() == "---":
        hint = "remove the white space around the first ---"
    elif text[:2000].lstrip().startswith("---\n"):
        hint = "remove what precedes the first ---"
    message = f'the first line is not --- but "{printable(first, 60)}"' if text else "the file is empty"
    return Fault(rule="skill-frontmatter-missing", message=message, line=1, hint=hint)


def _bounds(message: str, line: int) -> Fault:
    hint = "keep the frontmatter small and flat; long text belongs in the body"
    return Fault(rule="skill-frontmatter-bounds", message=message, line=line, hint=hint)


def compose(head: str) -> Frontmatter | Fault:
    """The mapping that the YAML between the fences holds, or the first fault in it."""
    plain = read_plain(head)
    if plain is not None:
        return Frontmatter(fields=dict(plain[0]), lines=plain[1])
    return compose_with(head, lambda written, quoted: written)


def compose_with(head: str, scalar: Callable[[str, bool], Any]) -> Frontmatter | Fault:
    """The same with values that `scalar` makes of each text, told whether it stands in quotation marks.

    A block of text counts as quoted. Keys stay text.
    """
    from yaml import YAMLError

    try:
        return _Composer(events_of(head), scalar).document()
    except _Refused as refused:
        return refused.fault
    except YAMLError as error:
        return _malformed(error, head)


def events_of(head: str) -> Callable[[], Any]:
    """The next event of YAML at each call: libyaml's parser, or the one in Python where that is not built."""
    import yaml

    parser: Any
    try:
        from yaml._yaml import CParser
    except ImportError:
        parser = yaml.SafeLoader(head)
    else:
        parser = CParser(head)
    following: Callable[[], Any] = parser.get_event
    return following


def _malformed(error: Exception, head: str) -> Fault:
    mark = getattr(error, "problem_mark", None) or getattr(error, "context_mark", None)
    problem = str(getattr(error, "problem", None) or getattr(error, "reason", None) or "cannot be read")
    line = mark.line + 2 if mark is not None else 2
    if "<document start>" in problem:
        return Fault(rule="skill-yaml-feature", message=_TWO_DOCUMENTS, line=line)
    written = head.split("\n")[line - 2 : line - 1]
    hint = "compare the indentation with the lines above; quote values that hold : or # or quotation marks"
    if written and "\t" in written[0][: -len(written[0].lstrip()) or None]:
        hint = "indent with spaces, not tabs"
    elif "cannot start any token" in problem:
        hint = "put the value in quotation marks"
    return Fault(rule="skill-yaml", message=f"not YAML: {printable(problem)}", line=line, hint=hint)


class _Refused(Exception):
    def __init__(self, fault: Fault) -> None:
        super().__init__(fault.message)
        self.fault = fault


class _Composer:
    """Turns events into text values, one container at a time, never deeper than the bound."""

    def __init__(self, following: Callable[[], Any], scalar: Callable[[str, bool], Any]) -> None:
        self._next = following
        self._scalar = scalar
        self._anchors: dict[str, Value] = {}
        self._aliases = 0
        self._lines: dict[str, int] = {}

    def document(self) -> Frontmatter:
        """The only document of the stream, which is a mapping."""
        from yaml.events import DocumentEndEvent, MappingStartEvent, StreamEndEvent

        self._next()  # the stream's start
        event = self._next()
        if isinstance(event, StreamEndEvent):
            return Frontmatter(fields={}, lines={})
        event = self._next()  # past the document's start
        if not isinstance(event, MappingStartEvent):
            raise _refused("skill-yaml", "the frontmatter is not a mapping of keys to values", event)
        value = self._value(event, 0)
        while isinstance(event := self._next(), DocumentEndEvent):
            pass
        if not isinstance(event, StreamEndEvent):
            raise _refused("skill-yaml-feature", _TWO_DOCUMENTS, event)
        return Frontmatter(fields=value if isinstance(value, dict) else {}, lines=self._lines)

    def _value(self, event: Any, depth: int) -> Value:
        kind = type(event).__name__
        if kind == "AliasEvent":
            return self._alias(event)
        if event.tag is not None:
            hint = "remove the tag; every value is text"
            raise _refused("skill-yaml-feature", f"a YAML tag: {printable(event.tag, 60)}", event, hint)
        value: Value
        if kind == "ScalarEvent":
            value = self._scalar(event.value, not event.implicit[0])
        elif depth >= FRONTMATTER_DEPTH:
            raise _Refused(
                _bounds(f"nested deeper than {FRONTMATTER_DEPTH} levels", event.start_mark.line + 2)
            )
        elif kind == "MappingStartEvent":
            value = self._mapping(depth + 1)
        else:
            value = self._sequence(depth + 1)
        if event.anchor is not None:
            self._anchors[event.anchor] = value
        return value

    def _mapping(self, depth: int) -> Value:
        found: dict[str, Value] = {}
        while type(event := self._next()).__name__ != "MappingEndEvent":
            key = self._key(event, depth)
            if key in found:
                hint = "keep one of the two"
                raise _refused(
                    "skill-duplicate-key", f"the key {printable(key, 60)} stands twice", event, hint
                )
            if depth == 1:
                self._lines[key] = event.start_mark.line + 2
            found[key] = self._value(self._next(), depth)
        return found

    def _key(self, event: Any, depth: int) -> str:
        if type(event).__name__ == "ScalarEvent" and event.tag is None and event.anchor is None:
            return str(event.value)
        key = self._value(event, depth)
        if not isinstance(key, str):
            raise _refused("skill-yaml", "a key that is not text", event)
        return key

    def _sequence(self, depth: int) -> Value:
        found: list[Value] = []
        while type(event := self._next()).__name__ != "SequenceEndEvent":
            found.append(self._value(event, depth))
        return found

    def _alias(self, event: Any) -> Value:
        self._aliases += 1
        if self._aliases > FRONTMATTER_ALIASES:
            raise _refused("skill-yaml-feature", f"more than {FRONTMATTER_ALIASES} aliases", event)
        if event.anchor not in self._anchors:
            name = printable(event.anchor, 60)
            raise _refused("skill-yaml", f"the alias *{name} has no finished anchor before it", event)
        return self._anchors[event.anchor]


def _refused(rule: str, message: str, event: Any, hint: str = "") -> _Refused:
    return _Refused(Fault(rule=rule, message=message, line=event.start_mark.line + 2, hint=hint))
