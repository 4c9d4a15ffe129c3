"""What call records say of a capability: chosen wrongly, not chosen, chosen and dropped, called wrongly.

A record is no label. Only where the same person asked again, another one was chosen and its call was
answered is it `corrected`, and such requests are learned from, never measured by. Everything else is
`inferred`: it is shown, and a person may make a case of it. Utterances were redacted before they were
recorded. It reads values that somebody else took from the store.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from prowess.evaluate.cases import Case, id_of, key
from prowess.evaluate.improving_terms import terms_of
from prowess.store.remembered import CallRecord, DecisionRecord

AGAIN_SECONDS = 600.0  # within these the same person asks again about the same thing
ALIKE = 0.5  # of the fewer terms of two requests, which then are about the same

Kind = Literal["wrongly-chosen", "not-chosen", "abandoned"]
Provenance = Literal["corrected", "inferred"]
Resolve = Callable[[str], str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Signal:
    """One request on record. `instead` is who was chosen in its place, `trace` where the story is."""

    kind: Kind
    provenance: Provenance
    utterance: str
    instead: str
    trace: str
    started: float = 0.0

    def to_dict(self) -> dict[str, Any]:
        """The JSON value."""
        return {
            "kind": self.kind,
            "provenance": self.provenance,
            "utterance": self.utterance,
            "instead": self.instead or None,
            "trace": self.trace,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Signals:
    """All of one capability. `argument_errors` of `calls` were refused because the arguments did not fit."""

    found: tuple[Signal, ...] = ()
    chosen: int = 0
    calls: int = 0
    argument_errors: int = 0

    def count(self, kind: Kind) -> int:
        """How many of one kind."""
        return sum(each.kind == kind for each in self.found)

    def to_dict(self) -> dict[str, Any]:
        """The JSON value."""
        return {
            "chosen": self.chosen,
            "calls": self.calls,
            "argument_errors": self.argument_errors,
            "signals": [each.to_dict() for each in self.found],
        }


def signals_of(
    decisions: Iterable[DecisionRecord], calls: Iterable[CallRecord], id: str, resolve: Resolve
) -> Signals:
    """What the records say of `id`. `resolve` gives the id that a recorded name means, or an empty text."""
    known = {each.id: each for each in calls}
    asked = sorted(decisions, key=lambda each: each.started)
    chosen = [resolve(each.chosen) if each.chosen else "" for each in asked]
    found = []
    for at, decision in enumerate(asked):
        later = _asked_again(asked, at)
        other = chosen[later] if later is not None and _answered(asked[later], known) else ""
        signal = _signal(decision, chosen[at], other, id, known)
        if signal is not None:
            found.append(signal)
    own = [each for each in known.values() if resolve(f"{each.server}/{each.tool}") == id]
    return Signals(
        found=tuple(found),
        chosen=chosen.count(id),
        calls=len(own),
        argument_errors=sum(each.code == "invalid-arguments" for each in own),
    )


def _signal(
    decision: DecisionRecord, chosen: str, other: str, id: str, known: Mapping[str, CallRecord]
) -> Signal | None:
    kind: Kind
    provenance: Provenance = "corrected"
    if other == id and chosen != id:
        kind, instead = "not-chosen", chosen
    elif chosen == id and other and other != id:
        kind, instead = "wrongly-chosen", other
    elif chosen == id and decision.calls and not _answered(decision, known):
        kind, instead, provenance = "abandoned", "", "inferred"
    else:
        return None
    return Signal(
        kind=kind,
        provenance=provenance,
        utterance=decision.utterance,
        instead=instead,
        trace=decision.trace_id,
        started=decision.started,
    )


def _asked_again(asked: Sequence[DecisionRecord], at: int) -> int | None:
    """The next time that the same person asked about the same thing, soon after."""
    first = asked[at]
    for later in range(at + 1, len(asked)):
        each = asked[later]
        if each.started - first.started > AGAIN_SECONDS:
            return None
        same = (each.principal, each.conversation) == (first.principal, first.conversation)
        if same and _alike(first.utterance, each.utterance):
            return later
    return None


def _alike(one: str, other: str) -> bool:
    a, b = set(terms_of(one)), set(terms_of(other))
    return key(one) == key(other) or bool(a and b and len(a & b) >= ALIKE * min(len(a), len(b)))


def _answered(decision: DecisionRecord, known: Mapping[str, CallRecord]) -> bool:
    """Whether a call that followed was answered."""
    return any(known[each].outcome == "answered" for each in decision.calls if each in known)


def cases_of(signals: Signals, id: str) -> tuple[Case, ...]:
    """Training cases of what was corrected; what stands there twice is one."""
    found: dict[str, Case] = {}
    for each in signals.found:
        if each.provenance == "corrected" and (each.kind == "not-chosen" or each.instead):
            expect = (id,) if each.kind == "not-chosen" else (each.instead,)
            case = Case(
                id=f"record-{id_of(each.utterance)}",
                utterance=each.utterance,
                expect=expect,
                split="train",
                note=f"corrected, trace {each.trace}",
            )
            found.setdefault(key(each.utterance), case)
    return tuple(found.values())


def drafts_of(signals: Signals, id: str) -> tuple[Case, ...]:
    """What was inferred, as cases for a person to look at: nobody has said that they are right."""
    repeated = Counter(key(each.utterance) for each in signals.found if each.provenance == "inferred")
    drafts: dict[str, Case] = {}
    for each in signals.found:
        if each.provenance == "inferred":
            drafts.setdefault(
                key(each.utterance),
                Case(
                    id=f"draft-{id_of(each.utterance)}",
                    utterance=each.utterance,
                    expect=(id,),
                    kind="boundary",
                    split="train",
                    note=f"{each.kind}, {repeated[key(each.utterance)]} on record; not reviewed",
                ),
            )
    return tuple(drafts.values())
