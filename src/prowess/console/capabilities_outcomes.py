"""What calls from the console came to, kept for the page that shows it, and results in parts to look at.

A call is made by a POST and shown by a GET, so that reading a page again calls nothing again. In between
its outcome is kept here, in memory, a few at a time; the record of the call is in the store as ever.
"""

from __future__ import annotations

import json
import uuid
from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from starlette.requests import Request

from prowess.call.paging import Page
from prowess.call.running import CallResult, result_of
from prowess.console.console import one_of
from prowess.provider import Answered, Problem, Refused, ToolFailed

MOST_KEPT = 20
SHOWN = 120_000  # characters of one part of a result: a page of the call path, a little longer when indented
ECHO = 40_000  # characters of what was typed that a form gets back
MOST_PARTS = 20
LONGEST_PAGE = 120_000  # characters of all parts together

# How each end of a call is said, and how it looks.
WORDS = {
    "answered": ("good", "Answered"),
    "refused": ("warn", "Refused: nothing was sent"),
    "tool-failed": ("bad", "The tool failed"),
    "input-required": ("warn", "The tool asks for more"),
    "timed-out": ("bad", "Timed out"),
    "lost": ("bad", "Lost: it may or may not have acted"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """One part of a result: `text` to read, or with `about` alone something that is told and not shown."""

    text: str = ""
    about: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Kept:
    """One form that was sent, and what came of it; without `result` nothing was called."""

    server: str
    tool: str
    arguments: Any = None
    texts: Mapping[str, str] = field(default_factory=dict)
    problems: Sequence[Problem] = ()
    result: CallResult | None = None
    seconds: float = 0.0
    raw: bool = False
    page: Page | None = None

    @property
    def is_short(self) -> bool:
        """Whether a page has room for all that was typed, in its fields again."""
        typed = sum(map(len, self.texts.values()))
        return typed <= ECHO and len(json.dumps(self.arguments, default=str)) <= ECHO

    @property
    def kind(self) -> str:
        """How the end looks: good, warn, bad."""
        return WORDS[self.result.word][0] if self.result is not None else ""

    @property
    def word(self) -> str:
        """The end in words."""
        return WORDS[self.result.word][1] if self.result is not None else ""

    @property
    def code(self) -> str:
        """The stable word of a refusal."""
        outcome = self.result.outcome if self.result is not None else None
        return outcome.code if isinstance(outcome, Refused) else ""

    @property
    def parts(self) -> list[Part]:
        """What came back."""
        if self.result is None or self.problems:
            return []
        if self.page is not None and self.page.part > 1:
            return _bounded(list(parts_of(self.page.value)))
        outcome = self.result.outcome
        found = list(parts_of(result_of(outcome)))
        if isinstance(outcome, Answered | ToolFailed):
            found += _beside(outcome)
        return _bounded(found)


class Outcomes:
    """The last few, by the id of their record or one of their own."""

    def __init__(self) -> None:
        self._kept: OrderedDict[str, Kept] = OrderedDict()

    def keep(self, kept: Kept) -> str:
        """Keep one; its id."""
        id = kept.result.record if kept.result is not None else uuid.uuid4().hex
        self._kept[id] = kept
        while len(self._kept) > MOST_KEPT:
            self._kept.popitem(last=False)
        return id

    def read_on(self, id: str, server: str, tool: str, next_page: Callable[[str], Page]) -> bool:
        """Turn to the next part of a result. False where there is none. Raises NotFound when it is over."""
        kept = self.get(id, server, tool)
        if kept is None or kept.page is None or kept.page.handle is None:
            return False
        self._kept[id] = replace(kept, page=next_page(kept.page.handle))
        return True

    def get(self, id: str, server: str, tool: str) -> Kept | None:
        """The one of that id, if it is of that tool and still here."""
        kept = self._kept.get(id)
        return kept if kept is not None and (kept.server, kept.tool) == (server, tool) else None


def outcomes_of(request: Request) -> Outcomes:
    """Those of the console that a request came to."""
    return one_of(request, Outcomes)


def parts_of(value: Any) -> Iterator[Part]:
    """A result: content blocks one by one, everything else as JSON or as the text it is."""
    blocks = value if isinstance(value, list) else []
    if blocks and all(isinstance(each, Mapping) and isinstance(each.get("type"), str) for each in blocks):
        for each in blocks:
            yield _block(each)
    elif isinstance(value, str):
        yield Part(text=value)
    else:
        yield Part(text=_json(value), about="JSON")


def content_part(content: Mapping[str, Any]) -> Part:
    """What `resources/read` gives of one resource: its text, or of what is none type and size."""
    kind, uri = str(content.get("mimeType", "")), str(content.get("uri", ""))
    if isinstance(content.get("text"), str):
        return Part(text=content["text"], about=" ".join(each for each in (uri, kind) if each))
    return Part(about=_sized(kind or "application/octet-stream", content.get("blob"), uri))


def _block(block: Mapping[str, Any]) -> Part:
    kind = block["type"]
    if kind == "text" and isinstance(block.get("text"), str):
        return Part(text=block["text"])
    if kind in ("image", "audio"):
        return Part(about=_sized(str(block.get("mimeType", kind)), block.get("data"), kind))
    if kind == "resource" and isinstance(block.get("resource"), Mapping):
        return content_part(block["resource"])
    return Part(text=_json(block), about=str(kind))


def _sized(kind: str, data: Any, name: str) -> str:
    """Type and size of something in base64."""
    size = len(data) * 3 // 4 - data[-2:].count("=") if isinstance(data, str) else 0
    return f"{name}, {kind}, {size:,} B".removeprefix(", ")


def _beside(outcome: Answered | ToolFailed) -> list[Part]:
    """The pictures and the like that came beside a value or a message; text says the same."""
    content = outcome.wire.get("content")
    if not isinstance(content, list) or content is getattr(outcome, "value", None):
        return []
    if isinstance(outcome, Answered) and "structuredContent" not in outcome.wire:
        return []
    blocks = [each for each in content if isinstance(each, Mapping) and isinstance(each.get("type"), str)]
    return [_block(each) for each in blocks if each["type"] != "text"]


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, indent=2, default=str)


def _bounded(parts: list[Part]) -> list[Part]:
    """No more than a page can hold, and how many are left out."""
    found, left = [], LONGEST_PAGE
    for each in parts[:MOST_PARTS]:
        if left <= 0:
            break
        found.append(each)
        left -= min(len(each.text), SHOWN)
    rest = len(parts) - len(found)
    return [*found, Part(about=f"+{rest}")] if rest else found
