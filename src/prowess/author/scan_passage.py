"""A span of a text in which things come together, and what rules ask of it. Pure.

What is asked of a text is found once for all of it and looked up afterwards, since the spans that rules
ask about overlap many times. Only the first `CLOSELY` characters are read so; what follows is asked for
span by span, and only where it may matter (`may_matter`).
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass, field

from prowess.author.scan_blocks import sentences
from prowess.author.scan_context import View, spoken_about
from prowess.author.scan_hosts import foreign_places, is_known

CLOSELY = 60_000  # characters of a text that are read closely
MOST_SAID = 12  # places of one form in one span that are looked at
Answer = tuple[str, str] | None


@dataclass(slots=True, kw_only=True)
class Reading:
    """One text, and what has been found in it so far."""

    view: View
    said: dict[re.Pattern[str], tuple[list[int], list[re.Match[str]]]] = field(default_factory=dict)
    about: dict[tuple[int, int], bool] = field(default_factory=dict)
    spans: dict[tuple[int, int], list[tuple[int, int]]] = field(default_factory=dict)
    named: dict[tuple[int, int], list[str]] = field(default_factory=dict)

    def find(self, form: re.Pattern[str], start: int, end: int) -> Iterator[re.Match[str]]:
        """Where a form stands in a span."""
        if end > CLOSELY:
            yield from form.finditer(self.view.flowed, start, end)
            return
        if form not in self.said:
            found = list(form.finditer(self.view.flowed, 0, CLOSELY))
            self.said[form] = ([each.start() for each in found], found)
        starts, matches = self.said[form]
        for each in matches[bisect_left(starts, start) :]:
            if each.start() >= end:
                return
            if each.end() <= end:
                yield each
            elif (shorter := form.match(self.view.flowed, each.start(), end)) is not None:
                yield shorter

    def is_about(self, start: int, end: int) -> bool:
        """Whether a place is only spoken about."""
        if (start, end) not in self.about:
            self.about[start, end] = spoken_about(self.view, start, end)
        return self.about[start, end]


@dataclass(slots=True, kw_only=True)
class Passage:
    """A span of a text in which things come together. `sure` where nothing in it is only spoken about."""

    reading: Reading
    start: int
    end: int
    sure: bool

    @property
    def view(self) -> View:
        """The text that it stands in."""
        return self.reading.view

    def span(self, start: int, end: int) -> Passage:
        """Another span of the same text."""
        return Passage(reading=self.reading, start=start, end=end, sure=self.sure)

    def has(self, *forms: re.Pattern[str]) -> bool:
        """Whether each of these is said here."""
        return all(self.at(each) is not None for each in forms)

    def at(self, form: re.Pattern[str]) -> re.Match[str] | None:
        """Where the first of these is said, not spoken about."""
        for number, found in enumerate(self.reading.find(form, self.start, self.end)):
            if number > MOST_SAID:
                return None
            if self.sure or not self.reading.is_about(found.start(), found.end()):
                return found
        return None

    def places(self) -> list[str]:
        """The addresses on other machines that stand here."""
        key = (self.start, self.end)
        if key not in self.reading.named:
            self.reading.named[key] = foreign_places(self.text)
        return self.reading.named[key]

    def strangers(self) -> list[str]:
        """Of those, the ones that the description of the skill does not name."""
        return [
            each
            for each in self.places()
            if not is_known(each) and not any(host in each.lower() for host in self.view.hosts)
        ]

    @property
    def text(self) -> str:
        """What stands here."""
        return self.view.flowed[self.start : self.end]


def near(passage: Passage, most: int = 2, end: int = 0) -> Iterator[Passage]:
    """Each sentence of a passage, or of its text up to `end`, and each with up to `most` - 1 that follow."""
    key = (passage.start, end or passage.end)
    spans = passage.reading.spans.get(key)
    if spans is None:
        spans = passage.reading.spans[key] = list(sentences(passage.view.flowed, *key))
    for number, (first, _) in enumerate(spans):
        for _, last in spans[number : number + most]:
            yield passage.span(first, last)


_MATTERS = re.compile(
    r"\b(?:assistants?|agents?|models?|llms?|ai|claude|gpt|copilot)\b|\b(?:do not|don['’]?t|never|without) "
    r"(?:tell|"
    r"mention|show|ask|list|report|say|warn|inform)|\b(?:secretly|silently|quietly)\b|\b(?:ssh|env|token|"
    r"password|"
    r"secret|credential|wallet|seed phrase|system prompt|conversation)s?\b|不要|不得|无需|助手|模型|密钥|"
    r"密码|"
    r"知らせ|알리|nicht erwähn|sin avisar|sans prévenir|не говори",
    re.I,
)


def may_matter(text: str) -> bool:
    """Whether a paragraph far down a long text has a word that nearly all rules need."""
    return _MATTERS.search(text) is not None
