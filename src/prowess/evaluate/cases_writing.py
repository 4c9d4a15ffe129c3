"""Trigger cases as text: in our own format, or in one of the common ones, with what gets lost said. Pure.

What is written is read again as the same cases, as far as the format has a place for them.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Literal, get_args

from prowess.errors import UsageError
from prowess.evaluate.cases import Case
from prowess.evaluate.cases_reading import FORMAT
from prowess.redact import printable

Format = Literal["prowess", "jsonl", "query-list", "trigger-tests", "two-lists", "expected-skill"]
FORMATS: tuple[Format, ...] = get_args(Format)


@dataclass(frozen=True, slots=True, kw_only=True)
class Written:
    """The text, and what of the cases it does not hold, in words."""

    text: str
    lost: tuple[str, ...] = ()


def write_cases(cases: Sequence[Case], format: Format, *, skill: str = "") -> Written:
    """`cases` in `format`. Three formats hold the cases of one skill, which `skill` names if need be.

    Raises UsageError where it is not clear whose cases are to be written.
    """
    if format == "prowess":
        return Written(text=_json({"format": FORMAT, "cases": [each.to_dict() for each in cases]}))
    if format == "jsonl":
        return Written(text=_rows(each.to_dict() for each in cases))
    if format == "expected-skill":
        return _expected_skill(cases)
    whose = skill or _only_one(cases)
    ours = [each for each in cases if whose in (each.skill, *each.expect)]
    lost = _lost(len(cases) - len(ours), "of other skills, or of none")
    if format == "query-list":
        kept, more = _kept(ours, lambda each: each.kind != "boundary", "at the boundary")
        text = _json([_queried(each) for each in kept])
        return Written(text=text, lost=lost + more + _with_others(kept))
    held, more = _kept(ours, lambda each: each.split != "example", "that are examples, which it does not say")
    lost += more
    if format == "two-lists":
        held, more = _kept(held, lambda each: _is_of(whose, each), "at the boundary that expect others")
        lost += more
        text = _listed(whose, held)
        lost += _lost(sum(_says_more(each) for each in held), "with a note, a language or a split")
        return Written(text=text, lost=lost + _with_others(held))
    kept, more = _kept(held, lambda each: each.kind != "boundary", "at the boundary")
    lost += more + _lost(sum(bool(each.lang) for each in kept), "with a language")
    return Written(text=_prompted(whose, kept), lost=lost + _with_others(kept))


def _expected_skill(cases: Sequence[Case]) -> Written:
    held, lost = _kept(
        cases, lambda each: each.split != "example", "that are examples, which it does not say"
    )
    kept, more = _kept(held, _has_one_answer, "at the boundary, or with more than one answer")
    lost += more + _lost(
        sum(bool(each.skill) for each in kept), "whose near miss it is, which it does not say"
    )
    return Written(text=_rows(_expecting(each) for each in kept), lost=lost)


def _has_one_answer(case: Case) -> bool:
    return len(case.expect) == (case.kind == "positive") and case.kind != "boundary"


def _is_of(skill: str, case: Case) -> bool:
    return case.kind != "boundary" or skill in case.expect


def _says_more(case: Case) -> bool:
    return bool(case.note or case.lang) or case.split != "test"


def _kept(
    cases: Sequence[Case], wanted: Callable[[Case], bool], what: str
) -> tuple[list[Case], tuple[str, ...]]:
    """The cases that the format has a place for, and what is said of the others."""
    kept = [each for each in cases if wanted(each)]
    return kept, _lost(len(cases) - len(kept), what)


def _with_others(cases: Iterable[Case]) -> tuple[str, ...]:
    number = sum(len(each.expect) > (each.kind != "negative") for each in cases)
    return _lost(number, "with more answers than it says")


def _expecting(case: Case) -> dict[str, Any]:
    said = {"id": case.id, "prompt": case.utterance, "expected_skill": "".join(case.expect)}
    return said | _beside(case)


def _beside(case: Case) -> dict[str, str]:
    said = {"split": case.split} if case.split != "test" else {}
    return said | {name: text for name in ("lang", "note") if (text := getattr(case, name))}


def _queried(case: Case) -> dict[str, Any]:
    said = {"id": case.id, "query": case.utterance, "should_trigger": case.kind == "positive"}
    return said | _beside(case)


def _prompted(skill: str, cases: Iterable[Case]) -> str:
    lists: dict[str, list[str]] = {"positive": [], "negative": []}
    for each in cases:
        row = {"id": each.id, "prompt": each.utterance, "split": each.split, "reason": each.note}
        said = [f"{name}: {_quoted(text)}\n" for name, text in row.items() if text and text != "test"]
        lists[each.kind].append("  - " + "    ".join(said))
    return f"skill: {_quoted(skill)}\n" + "".join(
        f"{name}:{'' if rows else ' []'}\n{''.join(rows)}"
        for name, rows in (
            ("should_trigger_prompts", lists["positive"]),
            ("should_not_trigger_prompts", lists["negative"]),
        )
    )


def _listed(skill: str, cases: Iterable[Case]) -> str:
    names = {"positive": "should_trigger", "negative": "should_not_trigger", "boundary": "boundary"}
    said: dict[str, Any] = {"skill": skill, "should_trigger": [], "should_not_trigger": []}
    for each in cases:
        said.setdefault(names[each.kind], []).append(each.utterance)
    return _json(said)


def _only_one(cases: Iterable[Case]) -> str:
    whose = sorted({name for each in cases for name in ([each.skill] if each.skill else each.expect)})
    if len(whose) == 1:
        return whose[0]
    shown = printable(", ".join(whose), 300) or "none"
    raise UsageError("this format holds the cases of one skill", hint=f"--skill with one of: {shown}")


def _lost(number: int, what: str) -> tuple[str, ...]:
    return (f"{number} {'case' if number == 1 else 'cases'} {what}",) if number else ()


def _json(value: Any) -> str:
    return _plain_to_see(json.dumps(value, ensure_ascii=False, indent=2)) + "\n"


def _rows(rows: Iterable[Any]) -> str:
    return "".join(_plain_to_see(json.dumps(each, ensure_ascii=False)) + "\n" for each in rows)


def _plain_to_see(text: str) -> str:
    """JSON with escapes for what nobody sees and what YAML takes for the end of a line."""
    return "".join(
        each if each.isprintable() or each == "\n" or each > "\uffff" else f"\\u{ord(each):04x}"
        for each in text
    )


def _quoted(text: str) -> str:
    """A YAML double-quoted scalar: JSON's, with whatever is not plain to see as an escape."""
    quoted = json.dumps(text, ensure_ascii=False)
    return "".join(each if each.isprintable() else f"\\U{ord(each):08x}" for each in quoted)
