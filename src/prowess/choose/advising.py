"""Advice on descriptions as they stand in a catalogue, and as they are looked for. Pure.

    advice-description-long     its entry of a catalogue takes more than is advised for its kind
    advice-description-script   its own trigger cases are in a script that its text does not have

Advice only: nothing is skipped for it. What one description lacks by itself is `spec.advice`, what two
have in common `spec.advice_among`.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from prowess.choose.catalogue import Entry, Kind, advice
from prowess.spec.diagnostics import Diagnostic, Place
from prowess.spec.rules import report

_LETTERS = 2  # of a script in a text, from which on it has it
_SCRIPTS = re.compile(
    r"(LATIN|GREEK|CYRILLIC|HEBREW|ARABIC|DEVANAGARI|THAI|LAO|KHMER|MYANMAR|HANGUL|HIRAGANA|KATAKANA|CJK)\b"
)
_NAMES = {"CJK": "Chinese characters", "HIRAGANA": "kana", "KATAKANA": "kana", "MYANMAR": "Burmese"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Described:
    """One capability as far as advice goes. `text` is whatever it is found by, its description included."""

    name: str
    description: str
    place: Place
    triggers: tuple[str, ...] = ()
    kind: Kind = "skill"
    text: str = ""


def advise_all(
    described: Sequence[Described], asked: Mapping[str, Sequence[str]] | None = None
) -> tuple[Diagnostic, ...]:
    """What could be better among these; `asked` are the utterances that each is to be found by."""
    found = list(_long(described))
    for each in described:
        found += _script(each, (asked or {}).get(each.name, ()))
    return tuple(found)


# -- long


def _long(described: Sequence[Described]) -> Iterator[Diagnostic]:
    for each in described:
        entry = Entry(name=each.name, description=each.description, triggers=each.triggers, kind=each.kind)
        for told in advice([entry]):
            yield report(
                "advice-description-long",
                each.place,
                f"about {told.tokens} tokens in every prompt; {told.advised} are advised for a {told.kind}",
                hint="prowess improve --shorter proposes what can go, proven on trigger cases",
            )


# -- script


def _script(described: Described, utterances: Iterable[str]) -> Iterator[Diagnostic]:
    held = scripts(f"{described.name}\n{described.description}\n{described.text}", _LETTERS)
    lacking: Counter[str] = Counter()
    for utterance in utterances:
        most = _most(utterance)
        if most and most not in held:
            lacking[most] += 1
    for script, count in sorted(lacking.items()):
        noun = "trigger case is" if count == 1 else "trigger cases are"
        yield report(
            "advice-description-script",
            described.place,
            f"{count} {noun} in {script}, and what it is found by holds none",
            hint=f"add the words that users say in {script}, to the description or as metadata keywords",
        )


def scripts(text: str, letters: int = 1) -> frozenset[str]:
    """The scripts that so many letters of `text` are written in."""
    return frozenset(name for name, count in _counted(text).items() if count >= letters)


def _most(text: str) -> str:
    """The script that most of a text is in. Kana with Chinese characters is Japanese, and is told by kana."""
    counted = _counted(text)
    if counted["kana"]:
        return "kana"
    return max(counted, key=lambda name: (counted[name], name), default="")


def _counted(text: str) -> Counter[str]:
    counted: Counter[str] = Counter()
    for letter in text:
        if letter.isascii():
            counted["Latin"] += letter.isalpha()
        elif letter.isalpha():
            found = _SCRIPTS.match(unicodedata.name(letter, ""))
            if found:
                counted[_NAMES.get(found[1], found[1].capitalize())] += 1
    return +counted
