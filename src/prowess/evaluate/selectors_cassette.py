"""A cassette: answers of a selector, recorded to be played again without asking anybody. Pure.

JSON a line: first `{"prowess-cassette": 1}`, then an answer each, keyed by digests of selector, model,
template, catalogue and utterance, and by the run. It holds ids and numbers and nothing that a provider
or a user said, so no secret can be in it. Failures are not recorded.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from prowess.errors import UsageError
from prowess.evaluate.selectors import Chosen, Failed, Identity, Selection, digest
from prowess.redact import printable

FORMAT = 1
RANKS = 100  # of a ranking that are kept
RUNS = 1_000  # of an utterance
_HEAD = "prowess-cassette"


class Question(NamedTuple):
    """Who was asked what, for which time; `utterance` is a digest."""

    selector: str
    model: str
    utterance: str
    run: int


class Answer(NamedTuple):
    """What was answered, and with which words and catalogue (digests) it was asked."""

    template: str
    catalogue: str
    chosen: Chosen


@dataclass(slots=True)
class Cassette:
    """One answer for each question. `kinds` says of each selector and model what sort it is."""

    answers: dict[Question, Answer] = field(default_factory=dict)
    kinds: dict[tuple[str, str], Identity] = field(default_factory=dict)

    def put(self, identity: Identity, catalogue: str, utterance: str, run: int, answer: Chosen) -> None:
        """Keep an answer, in place of the one that was there before."""
        question = Question(*_who(identity), digest(utterance), run)
        kept = Chosen(ids=answer.ids[:RANKS], tokens=answer.tokens)
        self.answers[question] = Answer(identity.template, catalogue, kept)
        self.kinds[_who(identity)] = identity

    def get(self, identity: Identity, catalogue: str, utterance: str, run: int) -> Selection:
        """The answer; one for another catalogue or template is stale, none at all is a failure."""
        found = self.answers.get(Question(*_who(identity), digest(utterance), run))
        if found is None:
            return Failed(code="cassette-miss", message="the cassette holds no answer to this; record it")
        stale = (found.template, found.catalogue) != (identity.template, catalogue)
        return replace(found.chosen, stale=stale)

    def runs(self, identity: Identity) -> int:
        """How often each utterance was asked."""
        mine = (each.run for each in self.answers if (each.selector, each.model) == _who(identity))
        return max(mine, default=0) + 1

    def only(self, model: str = "") -> Identity:
        """The one selector whose answers these are, or the one with that model. Raises UsageError."""
        found = [each for (_, name), each in self.kinds.items() if model in ("", name)]
        if len(found) == 1:
            return found[0]
        known = printable(", ".join(sorted(each.title for each in self.kinds.values())) or "nobody", 300)
        hint = f"--model with one of: {known}" if found else f"it holds answers of {known}"
        raise UsageError("it is not clear whose recorded answers are meant", hint=hint)


def _who(identity: Identity) -> tuple[str, str]:
    return identity.name, identity.model


def write_cassette(cassette: Cassette) -> str:
    """The text of a cassette, in an order that does not depend on who answered first."""
    lines = [json.dumps({_HEAD: FORMAT})]
    for question, answer in sorted(cassette.answers.items(), key=lambda pair: pair[0]):
        kind = cassette.kinds[question[:2]]
        said = {**question._asdict(), "template": answer.template, "catalogue": answer.catalogue}
        said |= {"kind": kind.kind, "deterministic": kind.deterministic}
        lines.append(json.dumps({**said, "chosen": list(answer.chosen.ids), "tokens": answer.chosen.tokens}))
    return "\n".join(lines) + "\n"


def read_cassette(text: str, file: str) -> Cassette:
    """The cassette in `text`; `file` is its name for messages. Raises UsageError."""
    cassette = Cassette()
    shown = printable(file, 300)
    rows = [(line, row) for line, row in enumerate(text.split("\n"), 1) if row.strip()]
    head = _parsed(rows[0][1]) if rows else None
    if not isinstance(head, Mapping) or _HEAD not in head:
        raise UsageError(f"{shown}: is no cassette", hint="--record FILE makes one")
    if head[_HEAD] != FORMAT:
        raise UsageError(f"{shown}: cassette format {printable(str(head[_HEAD]), 20)} is not {FORMAT}")
    for line, row in rows[1:]:
        try:
            _take(_parsed(row), cassette)
        except (KeyError, TypeError, ValueError):
            raise UsageError(f"{shown}:{line}: no recorded answer", hint="record it anew") from None
    return cassette


def _parsed(row: str) -> Any:
    try:
        return json.loads(row)
    except (ValueError, RecursionError):
        return None


def _take(row: Any, cassette: Cassette) -> None:
    """Raises KeyError, TypeError or ValueError for what is no answer."""
    question = Question(*(row[name] for name in Question._fields))
    template, catalogue, ids, kind = (row[name] for name in ("template", "catalogue", "chosen", "kind"))
    if kind not in ("shortlist", "choice") or not isinstance(ids, list):
        raise ValueError("a member of another type")
    if not (_is_count(question.run) and question.run < RUNS and _is_count(row["tokens"])):
        raise ValueError("a number that cannot be")
    if not all(isinstance(each, str) for each in (*question[:3], template, catalogue, *ids)):
        raise ValueError("a member that is not text")
    answer = Chosen(ids=tuple(ids), tokens=row["tokens"])
    cassette.answers[question] = Answer(template, catalogue, answer)
    cassette.kinds[question[:2]] = Identity(
        name=question.selector,
        kind=kind,
        model=question.model,
        template=template,
        deterministic=row["deterministic"] is True,
    )


def _is_count(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0
