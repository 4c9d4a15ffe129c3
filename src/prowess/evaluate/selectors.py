"""What chooses: the Selector port, what it chooses among, and what may come of asking it. Pure values.

A selector of kind `shortlist` ranks what would be shown, and what it finds is shortlist recall; one of
kind `choice` is a model or an agent that says which one it would use, or none. To choose nobody is an
answer, and a failure is not one: nothing that went wrong may ever be counted as "did not trigger".
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, Protocol

from prowess.choose.catalogue import Entry, catalogue
from prowess.choose.documents import Document
from prowess.errors import UsageError
from prowess.redact import printable

Kind = Literal["shortlist", "choice"]
NONE = "none"  # what a model says to choose nobody
CONTROL = -1  # the run of a control question

FailureCode = Literal[
    "rate-limited", "server-error", "timeout", "unreachable", "refused", "malformed", "unknown-name",
    "too-long", "cap", "command-failed", "cassette-miss",
]  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidates:
    """What is chosen among: documents for a ranker, entries for the catalogue that a model reads.

    All three are by the same ids, in one order. `definitions` are the whole texts that a budget of
    tokens is filled with, `core` the ids that are shown whatever is asked.
    """

    documents: tuple[Document, ...]
    entries: tuple[Entry, ...]
    definitions: Mapping[str, str]
    core: frozenset[str] = frozenset()

    @property
    def ids(self) -> tuple[str, ...]:
        """The ids, which are the names that a model chooses by."""
        return tuple(each.id for each in self.documents)

    @property
    def text(self) -> str:
        """The catalogue as a system prompt holds it at run time."""
        return catalogue(self.entries)

    @property
    def digest(self) -> str:
        """The same for the same catalogue, word for word; one changed description makes another."""
        return digest(self.text)

    def resolve(self, name: str, place: str = "") -> str:
        """The id that `name` means: an id, or the name of exactly one. Raises UsageError."""
        known = {each.id for each in self.documents}
        if name in known:
            return name
        found = [each.id for each in self.documents if each.name == name]
        if len(found) == 1:
            return found[0]
        shown = f"{place}: " if place else ""
        if found:
            hint = printable(", ".join(found), 300)
            raise UsageError(
                f"{shown}more than one is called {printable(name, 80)}", hint=f"say which: {hint}"
            )
        from difflib import get_close_matches

        near = get_close_matches(name, known, 1)
        hint = f"did you mean {near[0]}?" if near else f"there are {printable(', '.join(sorted(known)), 400)}"
        raise UsageError(f"{shown}nothing here is called {printable(name, 80)}", hint=hint)


@dataclass(frozen=True, slots=True, kw_only=True)
class Chosen:
    """An answer: ids, the best first, one at most for a choice. None at all is an abstention.

    `stale` is one that was recorded for another catalogue than there is now. `tokens` is what asking took.
    """

    ids: tuple[str, ...] = ()
    stale: bool = False
    tokens: int = 0

    @property
    def first(self) -> str | None:
        """Who was chosen."""
        return self.ids[0] if self.ids else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Failed:
    """No answer. `message` is fit to print."""

    code: FailureCode
    message: str


Selection = Chosen | Failed


@dataclass(frozen=True, slots=True, kw_only=True)
class Identity:
    """Which selector it is: everything that its answers depend on, but for catalogue and utterance.

    `template` is a digest of the words that a model is asked with. A `deterministic` one is asked once.
    """

    name: str
    kind: Kind
    model: str = ""
    template: str = ""
    deterministic: bool = False
    paid: bool = False
    origin: str = ""

    @property
    def title(self) -> str:
        """`anthropic (model-name)`."""
        whose = " ".join(each for each in (self.origin, self.model) if each)
        return f"{self.name} ({whose})" if whose else self.name

    @property
    def measures(self) -> str:
        """What its results are called. What ranks offline says nothing of what a model would use."""
        return "shortlist recall" if self.kind == "shortlist" else "trigger recall"


@dataclass(frozen=True, slots=True, kw_only=True)
class Estimate:
    """Calls, and about how many tokens."""

    calls: int = 0
    tokens: int = 0


class Selector(Protocol):
    """Anything that can be asked which capability an utterance is for."""

    @property
    def identity(self) -> Identity:
        """Which one it is."""
        ...

    async def begin(self, candidates: Candidates, utterances: Sequence[str]) -> None:
        """Get ready to choose among `candidates`; `utterances` are all that will be asked.

        Raises ProwessError where it can answer nothing at all.
        """
        ...

    async def select(self, utterance: str, run: int) -> Selection:
        """Choose. `run` counts from 0 for each utterance, or is CONTROL. What goes wrong is a value."""
        ...

    def estimate(self, candidates: Candidates, utterances: Sequence[str]) -> Estimate:
        """What asking all of `utterances` takes without retries, beginning included."""
        ...

    async def close(self) -> None:
        """End what was begun."""
        ...


@dataclass(slots=True, kw_only=True)
class Meter:
    """A hard cap: a call is made only when it and its tokens still fit. Retries are calls too."""

    most_calls: int
    most_tokens: int
    calls: int = 0
    tokens: int = field(default=0)

    def reserve(self, tokens: int) -> bool:
        """Whether one more call of so many tokens may be made; if so it is counted."""
        if self.calls + 1 > self.most_calls or self.tokens + tokens > self.most_tokens:
            return False
        self.calls += 1
        self.tokens += tokens
        return True

    def settle(self, reserved: int, used: int) -> None:
        """What a call really took, in place of what was reserved."""
        self.tokens += used - reserved

    @property
    def failure(self) -> Failed:
        """What there is instead of a call that does not fit."""
        told = (
            f"{self.calls} of {self.most_calls} calls and {self.tokens} of {self.most_tokens} tokens are used"
        )
        return Failed(code="cap", message=f"the cap is reached: {told}")


def digest(text: str) -> str:
    """SHA-256 as hexadecimal digits."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
