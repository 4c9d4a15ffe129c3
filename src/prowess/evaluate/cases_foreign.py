"""Trigger cases in the formats of others, as cases of ours. Pure.

    queried    [{query, should_trigger}]                                     of one skill
    prompted   {skill, should_trigger_prompts, should_not_trigger_prompts}   `trigger_tests.yaml`
    listed     {should_trigger: [...], should_not_trigger: [...]}            of one skill
    expecting  {id, prompt, expected_skill} a line                           an empty name: nobody's

What is not to trigger a skill is a near miss of it. It does not know where a file lies.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from prowess.evaluate.cases import LONGEST, Case, Kind, Split, id_of, key
from prowess.evaluate.cases_fields import Fields
from prowess.evaluate.cases_located import Located

PROMPTED = (
    "should_trigger_prompts",
    "should_not_trigger_prompts",
    "shouldTriggerPrompts",
    "shouldNotTriggerPrompts",
)
LISTED = ("should_trigger", "should_not_trigger", "boundary")
_TEXTS = ("prompt", "query", "utterance", "request", "text")
_NOTES = ("note", "notes", "reason", "why")
_SPLITS: dict[str, Split] = {
    "": "test", "test": "test", "val": "test", "validation": "test", "held_out": "test",
    "train": "train", "example": "example",
}  # fmt: skip


def queried(fields: Fields, skill: str) -> Case:
    """One of `[{query, should_trigger}]`; `val` counts as a test."""
    kind: Kind = "positive" if fields.flag("should_trigger") else "negative"
    return _case(fields, kind, fields.text("skill", "skill_name") or skill)


def expecting(fields: Fields, skill: str) -> Case:
    """One line with `expected_skill`; in a skill's own folder one that expects nobody is its near miss."""
    expected = fields.text("expected_skill")
    if not expected:
        return _made(fields, "negative", (), skill)
    return _made(fields, "positive", (expected,), "")


def prompted(fields: Fields, skill: str) -> list[Case]:
    """All of a `trigger_tests.yaml`."""
    whose = fields.text("skill") or skill
    right = fields.items(PROMPTED[0], PROMPTED[2])
    wrong = fields.items(PROMPTED[1], PROMPTED[3])
    return [*_each(right, fields, "positive", whose), *_each(wrong, fields, "negative", whose)]


def listed(fields: Fields, skill: str) -> list[Case]:
    """All of two lists; a third, `boundary`, holds what lies at the edge."""
    whose = fields.text("skill", "skill_name") or skill
    return [
        *_each(fields.items(LISTED[0]), fields, "positive", whose),
        *_each(fields.items(LISTED[1]), fields, "negative", whose),
        *_each(fields.items(LISTED[2]), fields, "boundary", whose),
    ]


def _each(rows: Iterable[Located], above: Fields, kind: Kind, skill: str) -> list[Case]:
    found = []
    for row in rows:
        said: Any = {"prompt": row} if isinstance(row.value, str) else row.value
        found.append(_case(Fields(Located(value=said, line=row.line), above.file), kind, skill))
    return found


def _case(fields: Fields, kind: Kind, skill: str) -> Case:
    if not skill:
        hint = "put the file into evals/ of the skill's folder, add skill: NAME to it, or give --skill NAME"
        raise fields.wrong("", "it does not say whose case it is", hint)
    expect = () if kind == "negative" else (skill,)
    return _made(fields, kind, expect, skill if kind == "negative" else "")


def _made(fields: Fields, kind: Kind, expect: tuple[str, ...], skill: str) -> Case:
    utterance = fields.text(*_TEXTS)
    if not key(utterance):
        raise fields.wrong("prompt", "a case without an utterance")
    if len(utterance) > LONGEST:
        raise fields.wrong("prompt", f"an utterance of more than {LONGEST} characters")
    split = _SPLITS[fields.word("split", _SPLITS)]
    if split == "example" and kind != "positive":
        raise fields.wrong("split", f"an example that is {kind}", "examples are what somebody is found by")
    return Case(
        id=fields.text("id") or id_of(utterance),
        utterance=utterance,
        expect=expect,
        kind=kind,
        lang=fields.text("lang", "language"),
        split=split,
        note=fields.text(*_NOTES),
        skill=skill,
        place=fields.place,
    )
