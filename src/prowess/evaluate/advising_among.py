"""Advice about descriptions among each other, in catalogues and in the trigger cases beside them.

A tokeniser and a reader of cases are imported only where there is a long description or a folder with
cases, since `prowess check` is to start fast. Trigger cases that cannot be read are told; they are no
fault of the package.
"""

from __future__ import annotations

import os

from prowess.spec.diagnostics import Place

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from prowess.choose.advising import Described
    from prowess.spec.diagnostics import Diagnostic
    from prowess.spec.model import Skill
    from prowess.units.model import Unit

    Tell = Callable[[str], None]

CASES = "evals"
CHARACTERS = 300  # of a description; with its name and the marks around it that is about 100 tokens
WIDE = 90  # where it is not ASCII


def of_skills(path: str, skills: Sequence[Skill], tell: Tell) -> tuple[Diagnostic, ...]:
    """Advice about the skills of the package at `path`; blocking. `tell` hears of unreadable cases."""
    found: list[Diagnostic] = []
    if len(skills) > 1:
        from prowess.spec.advice_among import Described, alike

        found += alike([Described(e.name, e.description, Place(file=e.path)) for e in skills])
    cases = _has_cases(path, [each.directory for each in skills])
    if cases or any(map(_may_be_long, skills)):
        from prowess.choose.advising import advise_all

        asked = _asked(path, [each.name for each in skills], tell) if cases else {}
        found += advise_all([_of_skill(path, e, read=e.name in asked) for e in skills], asked)
    return tuple(found)


def _may_be_long(skill: Skill) -> bool:
    text = skill.description + "".join(v for k, v in skill.metadata.items() if k.lower() == "triggers")
    return len(text) > (CHARACTERS if text.isascii() else WIDE)


def of_units(path: str, units: Sequence[Unit], tell: Tell) -> tuple[Diagnostic, ...]:
    """Advice about units among each other; of several versions the last counts."""
    from prowess.choose.advising import Described, advise_all
    from prowess.spec.advice_among import Described as Said
    from prowess.spec.advice_among import alike

    latest = {each.name: each for each in units}
    asked = _asked(path, list(latest), tell)
    described = [
        Described(
            name=each.name,
            description=each.description,
            place=Place(file=each.place.rpartition(":")[0] or each.place),
            triggers=each.triggers,
            kind="unit",
            text="\n".join(each.triggers),
        )
        for each in latest.values()
    ]
    near = alike([Said(each.name, each.description, each.place) for each in described])
    return (*near, *advise_all(described, asked))


def _of_skill(path: str, skill: Skill, *, read: bool) -> Described:
    """A skill as far as advice goes; its text is read where a case asks for it."""
    from prowess.choose.advising import Described
    from prowess.choose.offered import skill_document

    document = skill_document(skill, skill.name)
    text = [*document.triggers, *document.keywords, _body(path, skill) if read else ""]
    return Described(
        name=skill.name,
        description=skill.description,
        place=Place(file=skill.path),
        triggers=document.triggers,
        text="\n".join(text),
    )


def _body(path: str, skill: Skill) -> str:
    from prowess.errors import ProwessError
    from prowess.source.directory import DirectorySource
    from prowess.source.reading import read_body

    try:
        return read_body(DirectorySource(path), skill)
    except ProwessError:
        return ""


def _has_cases(path: str, directories: Sequence[str]) -> bool:
    return any(os.path.isdir(os.path.join(path, each, CASES)) for each in ("", *directories))


def _asked(path: str, names: Sequence[str], tell: Tell) -> Mapping[str, Sequence[str]]:
    """The utterances that each name is to be found by, as far as they can be read."""
    from prowess.errors import ProwessError
    from prowess.evaluate.trigger_library import cases_beside

    try:
        cases = cases_beside(path, names, names[0] if len(names) == 1 else "")
    except ProwessError as error:
        tell(f"trigger cases are not read: {error.message}")
        return {}
    asked: dict[str, list[str]] = {}
    for case in cases:
        for name in case.expect if case.kind == "positive" else ():
            asked.setdefault(name, []).append(case.utterance)
    return asked
