"""Versions and ranges of them: Semantic Versioning 2.0.0, strictly, and which version a range means.

    1        1.x.x                      ^1.2     1.2.0 or newer, below 2.0.0
    1.4      1.4.x                      ~1.4.2   1.4.2 or newer, below 1.5.0
    1.4.2    exactly this one           (empty)  the newest stable one

A prerelease is chosen only when the range itself names one of the same three numbers. `1.x`, `*`,
comparisons and alternatives are no ranges here: who asks for a version says which, not a formula.
The grammar is our own because the ranges are the larger half of it and the `semver` package knows
none of them (it takes 5 ms to import, this file 3.5). It does not know what is versioned.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from prowess.errors import UsageError
from prowess.redact import printable

LONGEST = 200  # characters; no sane version comes near, and a number stays quick to read
_REMEMBERED = 1_024

_NUMBER = r"(?:0|[1-9][0-9]*)"
# A part of a prerelease is a number without a leading zero, or has something that is no digit.
_PRERELEASE_PART = rf"(?:{_NUMBER}|[0-9]*[A-Za-z-][0-9A-Za-z-]*)"
_TAIL = rf"(?:-({_PRERELEASE_PART}(?:\.{_PRERELEASE_PART})*))?(?:\+([0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*))?"
_VERSION = re.compile(rf"({_NUMBER})\.({_NUMBER})\.({_NUMBER}){_TAIL}")
_RANGE = re.compile(rf"([~^]?)({_NUMBER})(?:\.({_NUMBER})(?:\.({_NUMBER}){_TAIL})?)?")
# The same for a schema, to the letter: a range with a sign has no build metadata.
_PRE = rf"(?:-{_PRERELEASE_PART}(?:\.{_PRERELEASE_PART})*)?"
_BUILD = r"\+[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*"
RANGE_PATTERN = (
    rf"^(?:[~^]?{_NUMBER}(?:\.{_NUMBER}(?:\.{_NUMBER}{_PRE})?)?"
    rf"|{_NUMBER}\.{_NUMBER}\.{_NUMBER}{_PRE}{_BUILD})$"
)

Numbers = tuple[int, int, int]
# A number sorts before a word (section 11.4.3), whatever the two are.
_Part = tuple[int, int, str]


class Precedence(NamedTuple):
    """What versions are ordered by (section 11); two that differ in build metadata alone are equal."""

    numbers: Numbers
    stable: bool
    prerelease: tuple[_Part, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Version:
    """One version; `prerelease` and `build` are its dotted parts."""

    major: int
    minor: int
    patch: int
    prerelease: tuple[str, ...] = ()
    build: tuple[str, ...] = ()

    def __str__(self) -> str:
        tail = f"-{'.'.join(self.prerelease)}" if self.prerelease else ""
        tail += f"+{'.'.join(self.build)}" if self.build else ""
        return f"{self.major}.{self.minor}.{self.patch}{tail}"

    @property
    def stable(self) -> bool:
        """Whether it is no prerelease."""
        return not self.prerelease

    @property
    def numbers(self) -> Numbers:
        """Major, minor and patch."""
        return (self.major, self.minor, self.patch)

    @property
    def precedence(self) -> Precedence:
        """The key to sort by; a prerelease comes before its version (section 11.3)."""
        parts = tuple((0, int(each), "") if each.isdigit() else (1, 0, each) for each in self.prerelease)
        return Precedence(self.numbers, self.stable, parts)


@lru_cache(_REMEMBERED)
def parse(text: str) -> Version:
    """The version that `text` is. Raises UsageError."""
    found = _VERSION.fullmatch(text) if len(text) <= LONGEST else None
    if found is None:
        raise UsageError(
            f"{printable(text, 60) or 'an empty text'} is no version",
            hint="write three numbers such as 1.4.2, or 2.0.0-rc.1 before a release",
        )
    major, minor, patch, prerelease, build = found.groups()
    return Version(
        major=int(major),
        minor=int(minor),
        patch=int(patch),
        prerelease=_parts(prerelease),
        build=_parts(build),
    )


def _parts(text: str | None) -> tuple[str, ...]:
    return tuple(text.split(".")) if text else ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Range:
    """From `low` on, and below the numbers `below`; `exact` admits `low` alone."""

    low: Version
    below: Numbers
    exact: bool = False

    def admits(self, version: Version) -> bool:
        """Whether the range means `version` too."""
        if self.exact:
            same = version.precedence == self.low.precedence
            return same and self.low.build in ((), version.build)
        if not version.stable and (self.low.stable or version.numbers != self.low.numbers):
            return False
        return version.precedence >= self.low.precedence and version.numbers < self.below


@lru_cache(_REMEMBERED)
def range_of(text: str) -> Range:
    """The range that `text` is. Raises UsageError."""
    found = _RANGE.fullmatch(text) if len(text) <= LONGEST else None
    if found is None or (found[1] and found[6]):
        raise UsageError(
            f"{printable(text, 60) or 'an empty text'} is no range of versions",
            hint="write 1, 1.4, ^1.2, ~1.4.2 or 1.4.2",
        )
    sign, major, minor, patch, prerelease, build = found.groups()
    low = Version(
        major=int(major),
        minor=int(minor or 0),
        patch=int(patch or 0),
        prerelease=_parts(prerelease),
        build=_parts(build),
    )
    given = 1 + (minor is not None) + (patch is not None)
    return Range(low=low, below=_below(sign, low, given), exact=not sign and given == 3)


def _below(sign: str, low: Version, given: int) -> Numbers:
    """The first numbers beyond: what stays the same is the major, or of `0.y` and `0.0.z` what is next."""
    if sign == "^":
        kept = next((place for place, number in enumerate(low.numbers, 1) if number), 3)
        kept = min(kept, given)
    else:
        kept = min(given, 2)
    above = [*low.numbers[: kept - 1], low.numbers[kept - 1] + 1, 0, 0]
    return (above[0], above[1], above[2])


def split(name: str) -> tuple[str, str]:
    """`query_weather@~1.4` as its name and its range, which is empty when there is none."""
    head, _, asked = name.partition("@")
    return head, asked


def ordered(available: Iterable[str]) -> list[str]:
    """Versions from the oldest to the newest; equal ones by their text. Raises UsageError."""
    return sorted(available, key=lambda text: (parse(text).precedence, text))


def admitted(requested: str, available: Iterable[str]) -> list[str]:
    """Those of `available` that `requested` means, the oldest first. Raises UsageError."""
    if not requested:
        return [each for each in ordered(available) if parse(each).stable]
    wanted = range_of(requested)
    return [each for each in ordered(available) if wanted.admits(parse(each))]


def match(requested: str | None, available: Iterable[str]) -> str | None:
    """The newest of `available` that `requested` means, the newest stable one when nothing is asked.

    None when there is none. Raises UsageError for a range or a version that is none.
    """
    found = admitted(requested or "", available)
    return found[-1] if found else None
