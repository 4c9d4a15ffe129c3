"""The form of a rule's pattern, and the pieces that patterns are written with. Pure."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Pattern:
    """One way in which a rule is met.

    `says` is what the text does, for a message. `check` decides about a match by what it holds.
    `quotable` is false where nobody would write it down as an example of what to avoid. `prose` is
    true for sentences, which in code stand only in comments and strings.
    """

    rule: str
    says: str
    regex: re.Pattern[str]
    check: Callable[[re.Match[str]], bool] | None = None
    quotable: bool = True
    prose: bool = True


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
    flags: int = re.I,
) -> Pattern:
    """A pattern of prose; a space in it stands for any white space."""
    spaced = re.sub(r"(?<!\[) (?![^\[]*\])", r"\\s+", text)
    return Pattern(rule=rule, says=says, regex=re.compile(spaced, flags), check=check, quotable=quotable)


def command(
    rule: str,
    says: str,
    text: str,
    *,
    check: Callable[[re.Match[str]], bool] | None = None,
    quotable: bool = True,
    flags: int = re.I,
) -> Pattern:
    """A pattern of a command or of code; spaces in it are spaces."""
    regex = re.compile(text, flags)
    return Pattern(rule=rule, says=says, regex=regex, check=check, quotable=quotable, prose=False)
