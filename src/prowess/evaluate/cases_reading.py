"""Trigger cases from the bytes of a file: our own format strictly, and the common ones of others. Pure.

Our own is a list of cases, an object `{format: 1, skill: NAME, cases: [...]}`, or a case a line
(`.jsonl`). Which format a file holds is told by its members, never by its name. Of our own an unknown
member is an error; others carry members of their own, which are passed over.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import NamedTuple

from prowess.evaluate.cases import KINDS, LONGEST, SPLITS, Case, Kind, Split, id_of, key
from prowess.evaluate.cases_fields import Fields
from prowess.evaluate.cases_foreign import LISTED, PROMPTED, expecting, listed, prompted, queried
from prowess.evaluate.cases_located import Located, read_located, wrong
from prowess.redact import printable

FORMAT = 1
MEMBERS = ("id", "utterance", "expect", "kind", "lang", "split", "note", "skill")
_ABOVE = ("format", "skill", "cases")
_KNOWN = "a list of {utterance, expect}, or of {query, should_trigger}; {should_trigger, should_not_trigger}"


class Owner(NamedTuple):
    """Whose the cases of a file are: by where it lies, or else as the user says."""

    skill: str
    fallback: str

    @property
    def any(self) -> str:
        """Either."""
        return self.skill or self.fallback


def read_cases(data: bytes, file: str, *, skill: str = "", fallback: str = "") -> tuple[Case, ...]:
    """The cases in `data`; `skill` is whose they are where they do not say so themselves.

    `fallback` is the same for cases without an owner that have no `expect` either. One with `expect`
    is somebody's, or nobody's, by that.
    `file` is its name for messages; its ending says the syntax. Raises UsageError with the place of
    the first fault, also for two cases with one id and for one that stands twice.
    """
    located = read_located(data, file)
    read = _of_object if isinstance(located.value, Mapping) else _rows
    found = read(located, file, Owner(skill, fallback))
    if not found:
        raise wrong(file, located.line, "there are no cases in it")
    return _different(found)


def _of_object(located: Located, file: str, owner: Owner) -> list[Case]:
    fields = Fields(located, file, "the file")
    if "cases" in fields:
        fields.only(_ABOVE)
        number = located.value["format"].value if "format" in fields else FORMAT
        if number is True or number != FORMAT:
            raise fields.wrong(
                "format", f"format {printable(str(number), 20)} is not {FORMAT}", "a newer prowess reads it"
            )
        owner = owner._replace(skill=fields.text("skill") or owner.skill)
        return [_own(each, file, owner) for each in fields.items("cases")]
    if any(name in fields for name in PROMPTED):
        return prompted(fields, owner.any)
    if any(name in fields for name in LISTED):
        return listed(fields, owner.any)
    raise wrong(file, located.line, "no format of trigger cases that is known", _KNOWN)


def _rows(located: Located, file: str, owner: Owner) -> list[Case]:
    if not isinstance(located.value, list):
        raise wrong(file, located.line, "no cases: a list of them, or an object with `cases`", _KNOWN)
    return [_row(each, file, owner) for each in located.value]


def _row(located: Located, file: str, owner: Owner) -> Case:
    fields = Fields(located, file)
    if "utterance" in fields:
        return _own(located, file, owner)
    if "should_trigger" in fields:
        return queried(fields, owner.any)
    if "expected_skill" in fields:
        return expecting(fields, owner.skill)
    raise wrong(file, located.line, "a case without an utterance", _KNOWN)


def _own(located: Located, file: str, owner: Owner) -> Case:
    fields = Fields(located, file)
    fields.only(MEMBERS)
    utterance = fields.text("utterance")
    skill = fields.text("skill") or (owner.skill if "expect" in fields else owner.any)
    kind = fields.word("kind", KINDS)
    expect = fields.texts("expect")
    if "expect" not in fields and kind != "negative":
        expect = (skill,) if skill else ()
        if not skill:
            raise fields.wrong("expect", "expect is missing", "the names that may be chosen, or [] for none")
    said = _kind(kind, expect)
    return _judged(
        Case(
            id=fields.text("id") or id_of(utterance),
            utterance=utterance,
            expect=tuple(dict.fromkeys(expect)),
            kind=said,
            lang=fields.text("lang"),
            split=_split(fields.word("split", SPLITS)),
            note=fields.text("note"),
            skill="" if said == "positive" or expect == (skill,) else skill,
            place=fields.place,
        ),
        fields,
    )


def _kind(said: str, expect: Iterable[str]) -> Kind:
    return next((each for each in KINDS if each == said), "positive" if expect else "negative")


def _split(said: str) -> Split:
    return next((each for each in SPLITS if each == said), "test")


def _judged(case: Case, fields: Fields) -> Case:
    """The case, if its members agree."""
    if not key(case.utterance):
        raise fields.wrong("utterance", "an utterance without a word")
    if len(case.utterance) > LONGEST:
        raise fields.wrong("utterance", f"an utterance of more than {LONGEST} characters")
    if any(not each.strip() for each in case.expect):
        raise fields.wrong("expect", "an empty name", "[] says that nothing is to be chosen")
    if case.kind == "positive" and not case.expect:
        raise fields.wrong(
            "expect", "a positive case expects somebody", "kind: negative for one that expects nobody"
        )
    if case.kind == "negative" and case.expect and (not case.skill or case.skill in case.expect):
        hint = "skill says whose near miss it is, expect who is right; without a skill it is a positive case"
        raise fields.wrong("expect", "a negative case that expects somebody", hint)
    if case.split == "example" and case.kind != "positive":
        raise fields.wrong(
            "split", f"an example that is {case.kind}", "examples are what somebody is found by"
        )
    return case


def _different(cases: list[Case]) -> tuple[Case, ...]:
    """The cases, no id and no case twice; an id that was made up gives way."""
    ids: dict[str, Case] = {}
    seen: dict[str, Case] = {}
    for case in cases:
        twin = seen.setdefault(case.digest, case)
        if twin is not case:
            _stands_twice(case, twin, f"the case {printable(case.utterance, 60)!r}")
        while case.id in ids and case.id.startswith(id_of(case.utterance)):
            case = replace(case, id=f"{case.id}-{len(ids)}")
        twin = ids.setdefault(case.id, case)
        if twin is not case:
            _stands_twice(case, twin, f"the id {printable(case.id, 60)}")
    return tuple(ids.values())


def _stands_twice(case: Case, twin: Case, what: str) -> None:
    file, _, line = case.place.rpartition(":")
    raise wrong(
        file, int(line), f"{what} stands in line {twin.place.rpartition(':')[2]} already", "leave one out"
    )
