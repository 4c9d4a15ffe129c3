"""One Markdown file of content: its frontmatter, its text, and everything that is wrong with the fields.

The frontmatter is read as that of a skill is (Agent Skills, format): every scalar is text, and what two
parsers might read differently is refused.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from difflib import get_close_matches
from typing import Any, NamedTuple

from prowess.content.files import MARKDOWN_BYTES, Files
from prowess.redact import printable
from prowess.spec import frontmatter
from prowess.spec.diagnostics import Diagnostic, Place, Reach
from prowess.spec.frontmatter import Fault, Value
from prowess.spec.questions import Failure
from prowess.spec.rules import report

LONGEST_NAME = 128
_ROLES = ("user", "assistant")
_TIME = re.compile(r"\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)?)?")


class Markdown(NamedTuple):
    """A file cut at its fences; without frontmatter it has no fields. `line` is the first of the body."""

    fields: Mapping[str, Value]
    lines: Mapping[str, int]
    body: str
    line: int = 1
    fenced: bool = False


def read_markdown(files: Files, path: str, *, fenced: bool) -> Markdown | Diagnostic:
    """The file at `path`, or why it cannot be used; `fenced` says that it needs frontmatter."""
    data = files.source.read(path, MARKDOWN_BYTES)
    if isinstance(data, Failure):
        rule = "content-outside" if data.reason == "outside" else "content-unreadable"
        return report(rule, Place(file=path), printable(data.detail or data.reason), subject=path)
    return markdown_of(data, path, fenced=fenced)


def markdown_of(data: bytes, path: str, *, fenced: bool) -> Markdown | Diagnostic:
    """The same of bytes that were read."""
    cut = frontmatter.split(data)
    if isinstance(cut, Fault):
        if cut.rule == "skill-frontmatter-missing" and not fenced:
            return Markdown({}, {}, data.decode("utf-8-sig"))
        return _faulty(cut, path)
    said = frontmatter.compose(cut.head)
    if isinstance(said, Fault):
        return _faulty(said, path)
    line = cut.head.count("\n") + 3
    return Markdown(said.fields, said.lines, cut.body, line, fenced=True)


def _faulty(fault: Fault, path: str) -> Diagnostic:
    rule = "content-unreadable" if fault.rule == "skill-encoding" else "content-frontmatter"
    hint = fault.hint
    if fault.rule == "skill-frontmatter-missing":
        hint = "begin the file with a line of exactly ---, then the fields, then --- again"
    return report(rule, Place(file=path, line=fault.line), fault.message, hint=hint, subject=path)


class Fields:
    """The fields of one file as they are taken out, and the faults that show while they are."""

    def __init__(self, path: str, markdown: Markdown) -> None:
        self.path = path
        self.diagnostics: list[Diagnostic] = []
        self.of_others: list[Diagnostic] = []  # of files that this one names: they cost themselves alone
        self._markdown = markdown

    @property
    def usable(self) -> bool:
        """Whether nothing was found that keeps the file from being offered."""
        return all(each.reach < Reach.ENTRY for each in self.diagnostics)

    @property
    def all(self) -> list[Diagnostic]:
        """Every diagnostic, of this file first."""
        return [*self.diagnostics, *self.of_others]

    def tell(self, rule: str, message: str, *, field: str = "", line: int = 0, hint: str = "") -> None:
        """Note a fault, at a field's line or at another one."""
        place = Place(file=self.path, line=line or self._markdown.lines.get(field, 1))
        self.diagnostics.append(report(rule, place, message, hint=hint, subject=self.path))

    def only(self, *known: str) -> None:
        """Tell of every field that is none of these."""
        for each in self._markdown.fields:
            if each not in known:
                near = get_close_matches(each, known, 1)
                hint = f"did you mean {near[0]}?" if near else f"fields: {', '.join(known)}"
                message = f"there is no field {printable(each, 60)}; it is not used"
                self.tell("content-unknown-field", message, field=each, hint=hint)

    def get(self, field: str) -> Value | None:
        """A field as it is written."""
        return self._markdown.fields.get(field)

    def text(self, field: str) -> str:
        """A field that is text, or an empty text when it is left out."""
        value = self.get(field)
        if value is None or isinstance(value, str):
            return (value or "").strip()
        self.tell("content-field", f"{field} must be text", field=field)
        return ""

    def name(self, otherwise: str) -> str:
        """The field `name`, or what the file is called."""
        said = self.text("name") or otherwise
        if not said.isprintable() or len(said) > LONGEST_NAME:
            message = f"name must be at most {LONGEST_NAME} characters, all of them printable"
            self.tell("content-field", message, field="name")
        return said

    def described(self, wire: dict[str, Any]) -> dict[str, Any]:
        """`wire` with `title` and `description`, where they are given."""
        for field in ("title", "description"):
            if said := self.text(field):
                wire[field] = said
        return wire

    def annotations(self) -> dict[str, Any]:
        """MCP's annotations of a resource: whom it is for, how important it is, when it was changed."""
        value = self.get("annotations")
        if value is None:
            return {}
        if not isinstance(value, Mapping):
            self.tell("content-field", "annotations must be a mapping", field="annotations")
            return {}
        found: dict[str, Any] = {}
        for key, each in value.items():
            read = _ANNOTATIONS.get(key)
            known = None if read is None else read(each)
            if known is None:
                self.tell("content-field", _ANNOTATION_FAULT, field="annotations", hint=_ANNOTATION_HINT)
            else:
                found[key] = known
        return found


_ANNOTATION_FAULT = "annotations hold audience, priority and lastModified, and nothing else"
_ANNOTATION_HINT = "audience: [user, assistant]; priority: from 0 to 1; lastModified: 2026-11-30T12:00:00Z"


def _audience(value: Value) -> list[str] | None:
    said = [value] if isinstance(value, str) else value
    fits = isinstance(said, list) and bool(said) and all(each in _ROLES for each in said)
    return [str(each) for each in said] if fits else None


def _priority(value: Value) -> float | None:
    try:
        number = float(value) if isinstance(value, str) else -1.0
    except ValueError:
        return None
    return number if 0 <= number <= 1 else None


def _time(value: Value) -> str | None:
    return value if isinstance(value, str) and _TIME.fullmatch(value) else None


_ANNOTATIONS = {"audience": _audience, "priority": _priority, "lastModified": _time}
