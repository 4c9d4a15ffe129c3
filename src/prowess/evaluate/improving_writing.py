"""New wording put into the file that holds the old one, and not a byte else changed. Pure.

In a SKILL.md the value of `description` is replaced where it stands, in the style that it was written
in where that can hold the new one; in a unit's `schema.json` that of `description`, and phrases are
added to `triggers`. What was written is read again: every other field, the body, and all bytes around
the value are what they were, or nothing is written at all.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from prowess.errors import UsageError
from prowess.spec.frontmatter import Fault, Frontmatter, compose, events_of, split
from prowess.spec.skill import DESCRIPTION_CHARACTERS
from prowess.spec.strict_json import Malformed, parse

_SPACE = re.compile(r"[ \t\r\n]*")
WIDEST = 110  # characters of a line in a folded block, where the old one says nothing else


class Span(NamedTuple):
    """Where a value stands in a text, in characters."""

    start: int
    end: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Changed:
    """A file before and after."""

    before: bytes
    after: bytes


# -- SKILL.md


def rewritten_skill(data: bytes, description: str, *, place: str) -> Changed:
    """`data`, a SKILL.md, with another description. Raises UsageError where that cannot be done."""
    text = " ".join(description.split())
    if not text or len(text) > DESCRIPTION_CHARACTERS or not text.isprintable():
        hint = f"1 to {DESCRIPTION_CHARACTERS} characters that can be printed"
        raise UsageError(f"{place}: not a description: {len(text)} characters", hint=hint)
    cut = split(data)
    found = cut if isinstance(cut, Fault) else compose(cut.head)
    if isinstance(cut, Fault) or isinstance(found, Fault):
        told = found.message if isinstance(found, Fault) else ""
        raise UsageError(f"{place}: {told}", hint="prowess check tells what is wrong with the file")
    whole = data.decode("utf-8")
    above = len(whole) - len(cut.body) - len(cut.head) - _closing(whole, cut.body)
    span = _description(cut.head, place)
    for value in _ways(cut.head, span, text):
        head = cut.head[: span.start] + value + cut.head[span.end :]
        if _says(head, found, text):
            after = whole[:above] + head + whole[above + len(cut.head) :]
            return Changed(before=data, after=after.encode("utf-8"))
    raise UsageError(f"{place}: the description cannot be replaced where it stands", hint="change it by hand")


def _closing(whole: str, body: str) -> int:
    """The characters of the closing fence, its line end included."""
    head = whole[: len(whole) - len(body)]
    return len(head) - (head.rstrip("\r\n").rfind("\n") + 1)


def _description(head: str, place: str) -> Span:
    """Where the value of the top-level `description` stands."""
    following, depth, key = events_of(head), 0, ""
    while (kind := type(event := following()).__name__) != "StreamEndEvent":
        if kind in ("MappingStartEvent", "SequenceStartEvent"):
            depth, key = depth + 1, ""
        elif kind in ("MappingEndEvent", "SequenceEndEvent"):
            depth -= 1
        elif kind == "ScalarEvent" and depth == 1:
            if key == "description":
                if event.anchor is not None:
                    raise UsageError(f"{place}: the description has an anchor", hint="write it out")
                return _tight(head, event.start_mark.index, event.end_mark.index)
            key = event.value if not key else ""
        elif depth == 1:
            key = ""
    raise UsageError(f"{place}: there is no description to replace")


def _tight(head: str, start: int, end: int) -> Span:
    """The value without what follows it: a block's mark stands after its last line end."""
    if head[start : start + 1] in (">", "|"):
        lines = head[start:end].splitlines(keepends=True)
        indent = next((len(e) - len(e.lstrip(" ")) for e in lines[1:] if e.strip()), 0)
        while len(lines) > 1 and (not lines[-1].strip() or not lines[-1].startswith(" " * max(1, indent))):
            lines.pop()
        end = start + len("".join(lines))
        return Span(start, end)
    return Span(start, start + len(head[start:end].rstrip()))


def _ways(head: str, span: Span, text: str) -> Sequence[str]:
    """How the new value may be written, the old way first; in double quotation marks any text can be."""
    old = head[span.start : span.end]
    doubled = json.dumps(text, ensure_ascii=False)
    if old[:1] in (">", "|"):
        return (_block(old, text), doubled + _line_end(old))
    single = "'" + text.replace("'", "''") + "'"
    plain = {"'": (single,), '"': (doubled,)}.get(old[:1], (text, single))
    return (*plain, doubled)


def _line_end(old: str) -> str:
    return "\r\n" if "\r\n" in old else "\n"


def _block(old: str, text: str) -> str:
    """A block with the old one's header and indentation; a folded one is wrapped as wide as it was."""
    lines = old.splitlines()
    header, below = lines[0], [each for each in lines[1:] if each.strip()]
    indent = below[0][: len(below[0]) - len(below[0].lstrip(" "))] if below else "  "
    end = _line_end(old)
    width = (
        max([WIDEST, *map(len, below)]) if header.startswith("|") else max(map(len, below), default=WIDEST)
    )
    written = [text] if header.startswith("|") else _wrapped(text, max(20, width - len(indent)))
    return end.join([header, *(indent + each for each in written), ""])


def _wrapped(text: str, width: int) -> list[str]:
    lines = [""]
    for word in text.split(" "):
        if lines[-1] and len(lines[-1]) + 1 + len(word) > width:
            lines.append(word)
        else:
            lines[-1] = f"{lines[-1]} {word}" if lines[-1] else word
    return lines


def _says(head: str, before: Frontmatter, text: str) -> bool:
    """Whether `head` says what it said, but for the description."""
    after = compose(head)
    if isinstance(after, Fault) or not isinstance(said := after.fields.get("description"), str):
        return False
    others = {name: value for name, value in after.fields.items() if name != "description"}
    same = {name: value for name, value in before.fields.items() if name != "description"}
    return said.rstrip("\n") == text and others == same and list(after.fields) == list(before.fields)


# -- schema.json


def rewritten_unit(
    data: bytes, *, description: str | None = None, triggers: Sequence[str] = (), place: str
) -> Changed:
    """`data`, a unit's `schema.json`, with another description, and with these phrases as triggers too.

    Raises UsageError where that cannot be done.
    """
    text = data.decode("utf-8-sig", "strict") if _utf8(data) else ""
    document = parse(data)
    if isinstance(document, Malformed) or not isinstance(document.value, dict) or document.duplicates:
        raise UsageError(f"{place}: cannot be read", hint="prowess check tells what is wrong with the file")
    wanted = dict(document.value)
    if description is not None:
        wanted["description"] = description
        text = _replaced(text, _members(text)["description"], json.dumps(description, ensure_ascii=False))
    held = list(wanted.get("triggers") or [])
    new = [each for each in triggers if each not in held]
    if new:
        wanted["triggers"] = [*held, *new]
        text = _with_triggers(text, new)
    after = data[: len(data) - len(data.removeprefix(b"\xef\xbb\xbf"))] + text.encode("utf-8")
    read = parse(after)
    if isinstance(read, Malformed) or read.value != wanted:
        raise UsageError(f"{place}: cannot be changed where it stands", hint="change it by hand")
    return Changed(before=data, after=after)


def _utf8(data: bytes) -> bool:
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def _members(text: str) -> Mapping[str, Span]:
    """Where the value of each member of the outermost object stands."""
    decoder = json.JSONDecoder()
    found: dict[str, Span] = {}
    at = text.index("{") + 1
    while True:
        at = _past(text, at)
        if text[at] == "}":
            return found
        name, at = decoder.raw_decode(text, at)
        at = _past(text, _past(text, at) + 1)
        _, end = decoder.raw_decode(text, at)
        found[name] = Span(at, end)
        at = _past(text, end)
        at += text[at] == ","


def _past(text: str, at: int) -> int:
    space = _SPACE.match(text, at)
    return space.end() if space else at


def _replaced(text: str, span: Span, value: str) -> str:
    return text[: span.start] + value + text[span.end :]


def _with_triggers(text: str, new: Sequence[str]) -> str:
    members = _members(text)
    phrases = [json.dumps(each, ensure_ascii=False) for each in new]
    span = members.get("triggers")
    if span is None:
        after = members["description"].end
        line = _indentation(text, members["description"].start)
        return _replaced(text, Span(after, after), f',{line or " "}"triggers": [{", ".join(phrases)}]')
    if not _listed(text, span):
        return _replaced(text, span, f"[{', '.join(phrases)}]")
    inside = text[span.start + 1 : span.end - 1]
    end = span.start + 1 + len(inside.rstrip())
    between = "," + (_indentation(text, span.start + 1 + len(inside) - len(inside.lstrip())) or " ")
    if "\n" not in inside:
        between = ", "
    return _replaced(text, Span(end, end), "".join(between + each for each in phrases))


def _listed(text: str, span: Span) -> bool:
    """Whether a list with something in it stands there."""
    value: Any = json.loads(text[span.start : span.end])
    return isinstance(value, list) and bool(value)


def _indentation(text: str, at: int) -> str:
    """The line end and the indentation of the line at `at`; empty where everything is on the first."""
    start = text.rfind("\n", 0, at)
    if start < 0:
        return ""
    line = text[start + 1 : at]
    carriage = "\r" if text[start - 1 : start] == "\r" else ""
    return f"{carriage}\n" + line[: len(line) - len(line.lstrip())]
