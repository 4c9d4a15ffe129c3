"""The form of a rule's pattern, and the pieces that patterns are written with. Pure."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

# A space that is not in a set of characters, with the mark that makes it optional.
_OUTSIDE = re.compile(r" \??(?![^\[]*\])")


@dataclass(frozen=True, slots=True, kw_only=True)
class Pattern:
    """One way in which a rule is met.

    `says` is what the text does, for a message. `check` decides about a match by what it holds.
    `quotable` is false where nobody would write it down as an example of what to avoid. Of `needs`, in
    small letters, one stands in whatever matches: looking for those first is many times as fast.
    """

    rule: str
    says: str
    regex: re.Pattern[str]
    check: Callable[[re.Match[str]], bool] | None = None
    quotable: bool = True
    needs: tuple[str, ...] = ()


def gap(most: int) -> str:
    """Up to so many characters within a sentence; a dot inside a word or a path ends none."""
    return rf"(?:[^.!?。！？\n]|[.!?](?=\S)){{0,{most}}}?"


def sentence(
    rule: str,
    says: str,
    text: str,
    *,
    check: Callable[[re.Match[str]], bool] | None = None,
    quotable: bool = True,
    needs: str = "",
    flags: int = re.I,
) -> Pattern:
    """A pattern of prose; a space in it stands for the white space between words of a line."""
    spaced = _OUTSIDE.sub(lambda found: r"[^\S\n]*" if found[0] == " ?" else r"[^\S\n]+", text)
    regex = re.compile(spaced, flags)
    return Pattern(rule=rule, says=says, regex=regex, check=check, quotable=quotable, needs=_words(needs))


def command(
    rule: str,
    says: str,
    text: str,
    *,
    check: Callable[[re.Match[str]], bool] | None = None,
    quotable: bool = True,
    needs: str = "",
    flags: int = re.I,
) -> Pattern:
    """A pattern of a command or of code; spaces in it are spaces."""
    regex = re.compile(text, flags)
    return Pattern(rule=rule, says=says, regex=regex, check=check, quotable=quotable, needs=_words(needs))


def _words(needs: str) -> tuple[str, ...]:
    return tuple(needs.split("|")) if needs else ()
