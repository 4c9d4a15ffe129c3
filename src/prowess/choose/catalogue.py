"""Capabilities as text for a system prompt: XML, JSON a line each, or Markdown. Pure.

Each entry is its name, its description, then the phrases that it is asked for by. Descriptions come
from strangers: whatever stands in one stays inside its entry. In XML the marks of the markup are
escaped, in JSON the strings are JSON's own, in Markdown an entry is one line and what would make a
tag, a link or an image is escaped. Control characters, and characters that are there and not seen,
are left out in all three, since a model reads what a person does not. It does not know what is core
or what fits.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Literal, get_args

from prowess.choose.estimate import Counter, tokens
from prowess.errors import UsageError
from prowess.redact import printable

Format = Literal["xml", "json", "markdown"]
FORMATS: tuple[Format, ...] = get_args(Format)
Kind = Literal["skill", "unit", "tool"]

# From here on an entry takes more than its share of a prompt.
ADVISED: dict[Kind, int] = {"skill": 100, "unit": 200, "tool": 200}

# Not valid in XML 1.0, or not to be seen: controls but tab and line ends, soft hyphen, marks that
# order, join or hide text, surrogates, non-characters, tags.
_UNSEEN = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f"
    "\ud800-\udfff\ufdd0-\ufdef\ufeff\ufff9-\uffff\U000e0000-\U000e0fff]"
)
_FRAME = ("<capabilities>", "</capabilities>")
_SPACE = re.compile(r"\s+")
_XML = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&apos;"})
# What would begin a tag or a comment, a link or an image, and a backslash that would undo the escape.
_MARKDOWN = re.compile(r"[<\\]|!(?=\[)|\](?=[(\[:])")
_FENCES = re.compile(r"`+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One capability of the catalogue. `location` is where a model reads the rest, such as a skill's path."""

    name: str
    description: str = ""
    triggers: tuple[str, ...] = ()
    kind: Kind = "skill"
    location: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Advice:
    """An entry that takes more tokens than is advised for its kind."""

    name: str
    kind: Kind
    tokens: int
    advised: int


def checked_format(word: str) -> Format:
    """`word` as a format, or a UsageError that names those there are."""
    for each in FORMATS:
        if each == word:
            return each
    raise UsageError(f"no catalogue format {printable(word, 40)}", hint="one of " + ", ".join(FORMATS))


def catalogue(entries: Iterable[Entry], format: Format = "xml") -> str:
    """The whole text, entries in their order; empty where there are none."""
    written = [entry_text(each, format) for each in entries]
    if not written:
        return ""
    if format == "xml":
        written = [*_FRAME[:1], *written, *_FRAME[1:]]
    return "\n".join(written) + "\n"


def frame(format: Format = "xml") -> str:
    """What a catalogue takes beside its entries, the line end of each aside."""
    return "\n".join((*_FRAME, "")) if format == "xml" else ""


def entry_text(entry: Entry, format: Format = "xml") -> str:
    """One entry as it stands in the catalogue; what a budget counts."""
    return _WRITERS[format](entry)


def advice(
    entries: Iterable[Entry], *, format: Format = "xml", estimate: Counter = tokens
) -> tuple[Advice, ...]:
    """The entries that take more than is advised, in their order."""
    found = []
    for entry in entries:
        number = estimate(entry_text(entry, format))
        if number > ADVISED[entry.kind]:
            found.append(Advice(name=entry.name, kind=entry.kind, tokens=number, advised=ADVISED[entry.kind]))
    return tuple(found)


def _seen(text: str) -> str:
    return _UNSEEN.sub("", text)


def _one_line(text: str) -> str:
    return _SPACE.sub(" ", _seen(text)).strip()


def _xml(entry: Entry) -> str:
    lines = [f"<{entry.kind}>", _element("name", entry.name)]
    if entry.description:
        lines.append(_element("description", entry.description))
    lines += [_element("trigger", each) for each in entry.triggers]
    if entry.location:
        lines.append(_element("location", entry.location))
    return "\n".join([*lines, f"</{entry.kind}>"])


def _element(name: str, text: str) -> str:
    return f"<{name}>{_seen(text).strip().translate(_XML)}</{name}>"


def _json(entry: Entry) -> str:
    said: dict[str, object] = {"name": _seen(entry.name), "kind": entry.kind}
    if entry.description:
        said["description"] = _seen(entry.description)
    if entry.triggers:
        said["triggers"] = [_seen(each) for each in entry.triggers]
    if entry.location:
        said["location"] = _seen(entry.location)
    return json.dumps(said, ensure_ascii=False, separators=(",", ":"))


def _markdown(entry: Entry) -> str:
    text = f"- {_code(entry.name)}"
    if entry.description:
        text += f": {_plain(entry.description)}"
    if entry.triggers:
        text += " Triggers: " + "; ".join(_plain(each) for each in entry.triggers)
    return text + (f" ({_code(entry.location)})" if entry.location else "")


def _plain(text: str) -> str:
    return _MARKDOWN.sub(lambda found: "\\" + found.group(), _one_line(text))


def _code(text: str) -> str:
    """A code span; the fence is longer than any run of backticks in it."""
    line = _one_line(text)
    longest = max((len(run) for run in _FENCES.findall(line)), default=0)
    if not longest:
        return f"`{line}`"
    fence = "`" * (longest + 1)
    return f"{fence} {line} {fence}"


_WRITERS: dict[Format, Callable[[Entry], str]] = {"xml": _xml, "json": _json, "markdown": _markdown}
