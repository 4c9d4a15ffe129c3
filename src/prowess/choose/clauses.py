"""What a description says of others: "Not for X", "use Y for X", "For X→Y" stand apart from its own words.

Descriptions of siblings send each other's requests on, and a ranker that counts every word alike
takes the words of a refusal for an offer. `read` cuts a description into what it says of itself, what
it refuses, and what it leaves to which other. English wording and arrows; text in another language is
all its own. It does not know which names exist.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

LONGEST = 20_000  # characters of one description that are looked at; what follows is its own

# A name of two parts or more: a single word after "use" may be any word.
_NAME = r"[`\"']?([A-Za-z][A-Za-z0-9]{0,63}(?:[-_:][A-Za-z0-9]{1,63}){1,12})[`\"']?"
_SENTENCES = re.compile(r"(?<=[.!?;])\s+|\n+")
_ARROW = re.compile(rf" ?(?:→|⇒|->|=>) ?(?:use )?{_NAME}")
_INSTEAD = re.compile(rf"\b(?:use|see|try|prefer|belongs? to) (?:the )?{_NAME}", re.IGNORECASE)
_REFUSAL = re.compile(
    r"\b(?:(?:do|does|should|must) not (?:use|trigger|invoke|load|activate|apply)|don['’]t (?:use|trigger)"
    r"|not (?:for|intended|meant|suitable)|never use|skip(?= (?:for|when|if)\b))\b",
    re.IGNORECASE,
)
_FOR = re.compile(r"(?:for|to) ", re.IGNORECASE)


class Pointer(NamedTuple):
    """What is left to another: its name as written, and in which words."""

    name: str
    text: str


class Reading(NamedTuple):
    """One description cut up: its own words, what it refuses, what it leaves to others."""

    own: str
    refused: tuple[str, ...] = ()
    pointers: tuple[Pointer, ...] = ()


def read(description: str) -> Reading:
    """Cut `description` up, sentence by sentence; nothing of it is lost but the words of refusal."""
    if len(description) > LONGEST:
        head = read(description[:LONGEST])
        return head._replace(own=head.own + " " + description[LONGEST:])
    own: list[str] = []
    refused: list[str] = []
    pointers: list[Pointer] = []
    for sentence in _SENTENCES.split(description):
        said = _sentence(" ".join(sentence.split()))
        own.append(said.own)
        refused += said.refused
        pointers += said.pointers
    return Reading(" ".join(part for part in own if part.strip()), tuple(refused), tuple(pointers))


def _sentence(sentence: str) -> Reading:
    refusal = _REFUSAL.search(sentence)
    if refusal is not None:
        after = _REFUSAL.sub(" ", sentence[refusal.start() :])
        found, rest = _left_to(after, _ARROW)
        if not found:
            found, rest = _named(after)
        return Reading(sentence[: refusal.start()], (rest,) if _says(rest) else (), found)
    found, rest = _left_to(sentence, _ARROW)
    if not found and _FOR.match(sentence):
        found, rest = _left_to(sentence, _INSTEAD)
    return Reading(rest if found else sentence, (), found)


def _left_to(sentence: str, mark: re.Pattern[str]) -> tuple[tuple[Pointer, ...], str]:
    """The words before each mark with the name it leads to, and what follows the last."""
    found = tuple(_pairs(sentence, mark))
    last = list(mark.finditer(sentence))[-1:] if found else []
    return found, sentence[last[0].end() :].strip(" ,;") if last else sentence


def _pairs(sentence: str, mark: re.Pattern[str]) -> Iterator[Pointer]:
    start = 0
    for found in mark.finditer(sentence):
        text = sentence[start : found.start()].strip(" ,;()")
        if _says(text):
            yield Pointer(found[1], text)
        start = found.end()


def _named(refusal: str) -> tuple[tuple[Pointer, ...], str]:
    """A refusal with the name of who does it instead: "managing tasks (use x-tasks for that)"."""
    found = _INSTEAD.search(refusal)
    if found is None:
        return (), refusal
    text = _INSTEAD.sub(" ", refusal).strip(" ,;()")
    return ((Pointer(found[1], text),), "") if _says(text) else ((), refusal)


def _says(text: str) -> bool:
    return any(map(str.isalnum, text))
