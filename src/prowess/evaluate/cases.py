"""A trigger case: what somebody might say, and which capabilities may answer to it. Pure values.

A positive case names who should be chosen. A negative one of a `skill` is a near miss, which that
skill is not to be chosen for; a negative one of nobody's is unrelated, and nothing is to be chosen. A
boundary case lies at the edge: it is reported and decides nothing. `example` cases are put into the
index, so they are no test; `train` is for improving descriptions, `test` for measuring.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, get_args

from prowess.errors import UsageError
from prowess.redact import printable

Kind = Literal["positive", "boundary", "negative"]
Split = Literal["example", "train", "test"]
KINDS: tuple[Kind, ...] = get_args(Kind)
SPLITS: tuple[Split, ...] = get_args(Split)

FEWEST = 3  # of each kind, for every capability
LONGEST = 20_000  # characters of an utterance

_SPACE = re.compile(r"\s+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """One utterance with what is expected; `skill` is whose case it is, where it is somebody's.

    `place` is where it stands (`evals/triggers.yaml:12`), and no part of what it is.
    """

    id: str
    utterance: str
    expect: tuple[str, ...] = ()
    kind: Kind = "positive"
    lang: str = ""
    split: Split = "test"
    note: str = ""
    skill: str = ""
    place: str = field(default="", compare=False)

    @property
    def digest(self) -> str:
        """The same for the same case in whatever file, whatever its id."""
        said = "\n".join((key(self.utterance), self.kind, self.split, self.skill, *sorted(self.expect)))
        return hashlib.sha256(said.encode()).hexdigest()

    def to_dict(self) -> dict[str, Any]:
        """The case in our own format; what is empty and not needed is left out."""
        said: dict[str, Any] = {"id": self.id, "utterance": self.utterance, "expect": list(self.expect)}
        said |= {"kind": self.kind, "lang": self.lang, "split": self.split}
        return said | {name: text for name in ("note", "skill") if (text := getattr(self, name))}


def key(utterance: str) -> str:
    """What utterances are compared by: letters of any case, spaces and a last mark make no difference."""
    text = _SPACE.sub(" ", unicodedata.normalize("NFKC", utterance).casefold()).strip()
    return text.rstrip(".!?…。！？ ") or text


def id_of(utterance: str) -> str:
    """An id for a case that has none."""
    return "case-" + hashlib.sha256(key(utterance).encode()).hexdigest()[:8]


@dataclass(frozen=True, slots=True, kw_only=True)
class Completeness:
    """How many cases of each kind a capability has, examples aside; three of each are complete."""

    positive: int = 0
    boundary: int = 0
    negative: int = 0

    @property
    def complete(self) -> bool:
        """Whether there are three of each."""
        return min(self.positive, self.boundary, self.negative) >= FEWEST

    @property
    def missing(self) -> str:
        """What there is too little of, in words; empty when it is complete."""
        counts = {name: getattr(self, name) for name in KINDS}
        return ", ".join(f"{count} of {FEWEST} {name}" for name, count in counts.items() if count < FEWEST)


def completeness(cases: Iterable[Case], ids: Iterable[str]) -> dict[str, Completeness]:
    """The three-three-three rule for each of `ids`."""
    counts: dict[str, Counter[str]] = {id: Counter() for id in ids}
    for case in cases:
        if case.split == "example":
            continue
        for id in {*case.expect, *([case.skill] if case.skill else [])}:
            if id in counts and not (case.kind == "negative" and id != case.skill):
                counts[id][case.kind] += 1
    return {
        id: Completeness(positive=each["positive"], boundary=each["boundary"], negative=each["negative"])
        for id, each in counts.items()
    }


def examples_of(cases: Iterable[Case]) -> dict[str, tuple[str, ...]]:
    """The utterances to be put into the index, by who is to be found by them."""
    found: dict[str, tuple[str, ...]] = {}
    for case in cases:
        for id in case.expect if case.split == "example" else ():
            found[id] = (*found.get(id, ()), case.utterance)
    return found


def insist_on_held_out(cases: Iterable[Case], indexed: Mapping[str, Sequence[str]]) -> None:
    """Raises UsageError for a test whose utterance is an example in the index: it would pass by itself.

    `indexed` are the examples of the index by id, those among `cases` included.
    """
    held = {key(text): id for id, texts in indexed.items() for text in texts}
    for case in cases:
        if case.split == "test" and key(case.utterance) in held:
            raise UsageError(
                f"{case.place}: the utterance {printable(case.utterance, 80)!r} is an example in the index "
                f"of {printable(held[key(case.utterance)], 80)}, so it is no test",
                hint="say it another way here, or leave it out of one of the two",
            )


def insist_on_agreement(cases: Iterable[Case]) -> None:
    """Raises UsageError for an utterance that is for somebody in one case and not for him in another."""
    cases = tuple(cases)
    wanted: dict[str, dict[str, Case]] = {}
    for case in cases:
        for id in case.expect if case.kind == "positive" else ():
            wanted.setdefault(key(case.utterance), {}).setdefault(id, case)
    for case in cases if wanted else ():
        held = wanted.get(key(case.utterance), {}) if case.kind == "negative" else {}
        for id, other in held.items():
            if case.skill in ("", id):
                whose = f"not for {printable(id, 80)}" if case.skill else "for nobody"
                raise UsageError(
                    f"{case.place}: {printable(case.utterance, 80)!r} is {whose} here, and for "
                    f"{printable(id, 80)} in {other.place}",
                    hint="leave one out, or make it a boundary case",
                )


def said_by(cases: Iterable[Case], phrases: Mapping[str, Sequence[str]]) -> tuple[Case, ...]:
    """The positive tests that are, word for word, a trigger phrase of who is expected."""
    held = {id: {key(each) for each in texts} for id, texts in phrases.items()}
    return tuple(
        case
        for case in cases
        if case.split == "test"
        and case.kind == "positive"
        and any(key(case.utterance) in held.get(id, ()) for id in case.expect)
    )
