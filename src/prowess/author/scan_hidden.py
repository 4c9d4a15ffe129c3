"""What a person does not see and a model reads: characters, comments, text out of sight. Pure.

CommonMark comments and link definitions, HTML that is not shown, text far to the right or far below;
Unicode characters that are invisible, turn the order round, or look like others.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from prowess.author.scan_characters import INVISIBLE, LOOKALIKES, tags_as_text
from prowess.author.scan_context import View
from prowess.author.scan_hosts import foreign_places

FEW = 2  # invisible characters between letters that an editor may have left
FAR_RIGHT = 120  # blanks in a line before text
FAR_BELOW = 30  # empty lines before text


class Hidden(NamedTuple):
    """Something hidden: the rule, what it is, and where it stands."""

    rule: str
    says: str
    start: int
    end: int


def hidden_characters(text: str) -> Iterator[Hidden]:
    """Characters that nobody sees, that turn the reading order, or that look like others."""
    if text.isascii():
        return
    for offset, decoded in tags_as_text(text):
        yield Hidden(
            "scan-hidden-characters",
            "spells text in characters that are not shown",
            offset,
            offset + len(decoded),
        )
    yield from _invisible(text)
    yield from _turned(text)
    yield from _lookalikes(text)


_BETWEEN = re.compile(
    r"(?<=[A-Za-z0-9])[\u00ad\u180e\u200b\u200c\u200d\u2060-\u2064\ufeff\u3164\u115f\u1160]+(?=[A-Za-z0-9])"
)
_RUN = re.compile(
    r"[\u180e\u200b-\u200f\u2060-\u2064\u206a-\u206f\ufeff\u3164]{6,}|"
    r"[\ufe00-\ufe0f\U000e0100-\U000e01ef]{3,}"
)


def _invisible(text: str) -> Iterator[Hidden]:
    found = _RUN.search(text)
    if found is not None:
        yield Hidden(
            "scan-hidden-characters",
            "holds a run of characters that are not shown",
            found.start(),
            found.end(),
        )
    inside = list(_BETWEEN.finditer(text))
    if len(inside) > FEW and any("\u00ad" not in each[0] for each in inside):
        first = inside[0]
        yield Hidden(
            "scan-hidden-characters",
            "has characters that are not shown inside its words",
            first.start(),
            first.end(),
        )


_TURNS = re.compile("[\u202a\u202b\u202d\u202e\u2066\u2067\u2068]")
_RIGHT_TO_LEFT = re.compile("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]")


def _turned(text: str) -> Iterator[Hidden]:
    for found in _TURNS.finditer(text):
        start = text.rfind("\n", 0, found.start()) + 1
        end = text.find("\n", found.end())
        line = text[start : end if end >= 0 else len(text)]
        if found[0] in "\u202d\u202e" or not _RIGHT_TO_LEFT.search(line):
            yield Hidden("scan-bidi", "turns the order in which a line is read", found.start(), found.end())
            return


_WORD = re.compile(r"[A-Za-z\u0370-\u03ff\u0400-\u052f]{4,}")
_GREEK_OR_CYRILLIC = re.compile("[\u0370-\u03ff\u0400-\u052f]+")


def _lookalikes(text: str) -> Iterator[Hidden]:
    for found in _WORD.finditer(text):
        word = found[0]
        if word.isascii() or sum(c.isascii() for c in word) < 2:
            continue
        foreign = _GREEK_OR_CYRILLIC.findall(word)
        # An ending of another language after a Latin name ("API" in a Russian sentence) is honest.
        inflected = not word[-1].isascii() and word.rstrip("".join(foreign)).isascii()
        if all(ord(c) in LOOKALIKES for part in foreign for c in part) and not (
            inflected or _is_explained(text, found.start())
        ):
            yield Hidden(
                "scan-lookalikes",
                "writes a word with letters that only look Latin",
                found.start(),
                found.end(),
            )
            return


_EXPLAINED = re.compile(
    r"\b(?:cyrillic|greek|homo(?:glyph|graph)s?|look-?alikes?|confusables?)\b|西里尔|кирилл", re.I
)


def _is_explained(text: str, at: int) -> bool:
    """Whether the line shows a word in inline code or quotes, and says itself what is wrong with it."""
    start = text.rfind("\n", 0, at) + 1
    line = text[start : text.find("\n", at) if "\n" in text[at:] else len(text)]
    shown = any(line[: at - start].count(mark) % 2 for mark in '`"')
    return shown and _EXPLAINED.search(line) is not None


# -- text out of sight

_COMMENT = re.compile(r"<!--(?P<text>(?:(?!<!--).){12,4000}?)(?:-->|\Z)", re.S)
_DEFINITION = re.compile(
    r"^\[(?://|comment|#|_|note|hidden|\.)\]:\s*(?:#|<>|\S+)\s*[(\"'](?P<text>[^\n]{12,2000})[)\"']",
    re.M | re.I,
)
_UNSHOWN = re.compile(
    r"<(?P<tag>\w+)[^>]{0,300}?(?:display\s*:\s*none|visibility\s*:\s*hidden|font-size\s*:\s*[01](?:px|pt|"
    r"em)?\b|opacity\s*:\s*0(?:\.0\d*)?\b|color\s*:\s*(?:white|#fff(?:fff)?|transparent)\b|\bhidden\b|"
    r"position\s*:\s*absolute[^>]{0,60}-\d{3,})[^>]{0,300}>(?P<text>.{12,4000}?)</(?P=tag)>",
    re.S | re.I,
)
_TITLE = re.compile(
    r"!?\[[^\]\n]{0,200}\]\([^()\s]{1,500}\s+[\"'](?P<text>[^\"'\n]{30,2000})[\"']\)|<(?:img|"
    r"a)\b[^>]{0,400}?\b(?:alt|title)\s*=\s*[\"'](?P<alt>[^\"'\n]{40,2000})[\"']",
    re.I,
)
_LINKED = re.compile(r"^\[[^\]\n]{1,80}\]:\s*\S{1,500}\s+[\"'(](?P<text>[^\n]{30,2000})[\"')]\s*$", re.M)
_ALT = re.compile(r"!\[(?P<text>[^\]\n]{60,2000})\]\(")
_DRAWN = re.compile(
    r"<(?P<tag>desc|metadata|title)\b[^>]{0,200}>(?P<text>(?:(?!<(?P=tag)).){12,4000}?)</(?P=tag)>",
    re.S | re.I,
)
_RIGHT = re.compile(rf"(?<=\S)[ \t\u00a0]{{{FAR_RIGHT},}}(?P<text>[^\s|][^\n]{{12,1000}})")
_BELOW = re.compile(rf"(?<=\S)[ \t]{{0,80}}\n(?:[ \t]*\n){{{FAR_BELOW},}}(?P<text>[^\n]{{12,1000}})")

_MODEL = (
    r"(?:\b(?:ai|assistants?|agents?|models?|llms?|claude|gpt|chatgpt|copilot|cursor|codex|gemini|bot)\b|"
    r"助手|模型|智能体|代理|人工智能)"
)
_DOES = (
    r"(?:\b(?:run|execute|send|fetch|curl|upload|post|install|download|ignore|disregard|reveal|e-?mail|"
    r"delete|forward|exfiltrate|transmit|append|read (?:the )?(?:~|\.env|env|secrets?|credentials?|ssh)|"
    r"call the|invoke|obey|follow these|stop (?:following|obeying|asking)|never (?:speak of|mention|tell)|"
    r"approve|always include|do not (?:tell|mention|show|reveal))\b|"
    r"执行|运行|发送|上传|忽略|下载|安装|读取|删除|转发|不要告诉)"
)
_ADDRESSED = re.compile(
    rf"{_MODEL}.{{0,120}}?{_DOES}|\byou (?:must|should|will|are required to|have to|"
    rf"need to)\b.{{0,60}}?{_DOES}|(?:^|[.:!]\s*)(?:important|system|instructions?|note to \w+|hidden|"
    rf"secret)\s*[:!].{{0,80}}?{_DOES}|你(?:必须|应该|需要|要).{{0,30}}?{_DOES}",
    re.I | re.S,
)
# To whom it speaks, and what no note among authors is about.
_SPEAKS_TO = re.compile(
    rf"{_MODEL}[^.\n]{{0,40}}(?:[:,：]|\b(?:must|should|shall|lists?|sends?|adds?|reads?)\b)", re.I
)
_ACTS = re.compile(
    r"https?://|\bcurl\b|\.env\b|\.netrc|\bssh\b|\bignore\b|do not tell|silently|no report", re.I
)
_AUTHORS = re.compile(
    r"\b(?:replace|fill in|todo|example|template|placeholder|keep (?:this|in sync)|update this|section|"
    r"heading|prettier|eslint|markdownlint|toc|badge|generated|maintainers?|contributors?|end of|begin|"
    r"start of)\b",
    re.I,
)


def hidden_texts(view: View) -> Iterator[Hidden]:
    """Instructions to a model where no reader of the page sees them."""
    if view.kind == "code":
        return
    for form, what in (
        (_COMMENT, "in a comment"),
        (_DEFINITION, "in a definition that is not shown"),
        (_UNSHOWN, "in text that is not shown"),
        (_TITLE, "in the title of a picture or link"),
        (_LINKED, "in the title of a link"),
        (_ALT, "in the text of a picture"),
        (_DRAWN, "in what a drawing does not show"),
        (_RIGHT, "far to the right of a line"),
        (_BELOW, "far below the text"),
    ):
        for found in form.finditer(view.text):
            text = found["text"] or found.groupdict().get("alt") or ""
            if view.in_code(found.start()) or _is_shown(view, found.start()):
                continue
            acts = _ACTS.search(text) is not None or bool(foreign_places(text))
            if not _ADDRESSED.search(text) and not (acts and _SPEAKS_TO.search(text)):
                continue
            if form is _COMMENT and _AUTHORS.search(text) and not acts:
                continue
            yield Hidden("scan-hidden-text", f"tells the model something {what}", found.start(), found.end())


def hidden_spans(view: View) -> tuple[tuple[int, int], ...]:
    """Where what no reader sees stands: comments, definitions, elements, titles, the texts of pictures."""
    if view.kind == "code":
        return ()
    return tuple(
        found.span()
        for form in (_COMMENT, _DEFINITION, _UNSHOWN, _TITLE, _LINKED, _ALT, _DRAWN)
        for found in form.finditer(view.text)
        if not view.in_code(found.start()) and not _is_shown(view, found.start())
    )


def _is_shown(view: View, offset: int) -> bool:
    """Whether a place stands in inline code, where a reader sees it as it is."""
    start = view.text.rfind("\n", 0, offset) + 1
    return view.text.count("`", start, offset) % 2 == 1


def without_invisible(text: str) -> str:
    """The text as a person sees it."""
    return "".join(c for c in text if c not in INVISIBLE)
