"""What is at some paths, as candidates to choose among, and the trigger cases that lie beside it.

Skills are read, units and servers come from a Host, so that names are those of run time. Cases are
found where people put them: `evals/triggers.yaml` (or `.yml`, `.json`, `.jsonl`, or one of the names
that other tools use) in the package, in a skill's or unit's own folder, or in `evals/NAME/`.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, replace

from prowess.capability.offer import Tool
from prowess.choose.catalogue import Entry, Kind, entry_text
from prowess.choose.documents import Document
from prowess.choose.offered import definition_of, is_core, skill_document, tool_document, triggers_of
from prowess.errors import Unreadable, UsageError
from prowess.evaluate.cases import Case, completeness, examples_of, insist_on_held_out
from prowess.evaluate.cases_located import LARGEST
from prowess.evaluate.cases_reading import read_cases
from prowess.evaluate.selectors import Candidates
from prowess.host import Host
from prowess.redact import printable
from prowess.source.directory import DirectorySource
from prowess.source.reading import read_body
from prowess.source.skills_folder import judge_skills
from prowess.spec.model import Profile, Skill
from prowess.spec.questions import Failure, Source

FOLDER = "evals"
NAMES = (
    "triggers.yaml",
    "triggers.yml",
    "triggers.json",
    "triggers.jsonl",
    "trigger_tests.yaml",
    "trigger-eval.json",
    "trigger_eval.json",
    "trigger-evals.json",
    "eval_queries.json",
    "trigger_queries.json",
)

Opening = Callable[[str], AbstractAsyncContextManager[Host]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Capability:
    """One candidate: what a ranker indexes, what a model reads, what a budget is filled with."""

    document: Document
    entry: Entry
    definition: str
    core: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Library:
    """Candidates, and the cases about them with names resolved; `notes` are fit to print."""

    candidates: Candidates
    cases: tuple[Case, ...]
    notes: tuple[str, ...] = ()

    @property
    def tests(self) -> tuple[Case, ...]:
        """The cases that are measured."""
        return tuple(each for each in self.cases if each.split == "test")


# -- candidates


async def capabilities_at(path: str, kind: str, opened: Opening, profile: Profile) -> list[Capability]:
    """What is at `path`; `kind` is `skills` for a folder of skills, and anything else is opened as a Host."""
    if kind == "skills":
        source = DirectorySource(path)
        skills = judge_skills(path, profile=profile).skills
        return [of_skill(each, each.name, read_body(source, each)) for each in skills]
    async with opened(path) as host:
        names = host.model_names()
        tools = [of_tool(each, names.name(each.server, each.name)) for each in await host.tools()]
        skills_of = [of_skill(e.skill, e.name, read_body(e.source, e.skill)) for e in host.local_skills]
    return [*tools, *skills_of]


def of_skill(skill: Skill, id: str, body: str) -> Capability:
    """A skill as a candidate."""
    document = skill_document(replace(skill, body=body), id)
    return _capability(document, "skill", skill.description, document.triggers, None, core=False)


def of_tool(tool: Tool, id: str) -> Capability:
    """A tool as a candidate."""
    triggers = triggers_of(tool)
    kind: Kind = "unit" if triggers else "tool"
    definition = definition_of(tool, id).text
    return _capability(
        tool_document(tool, id), kind, tool.description or "", triggers, definition, core=is_core(tool)
    )


def _capability(
    document: Document,
    kind: Kind,
    description: str,
    triggers: tuple[str, ...],
    definition: str | None,
    *,
    core: bool,
) -> Capability:
    entry = Entry(name=document.id, description=description, triggers=triggers, kind=kind)
    return Capability(document=document, entry=entry, definition=definition or entry_text(entry), core=core)


def library_of(found: Iterable[Capability], cases: Iterable[Case], notes: Iterable[str] = ()) -> Library:
    """Candidates with their examples indexed, and the cases resolved against them.

    Raises UsageError where there are no candidates, where a case names nobody who is there, and where
    a test is an example of the index.
    """
    named = _renamed(found)
    if not named:
        raise UsageError("there is nothing to choose among", hint="prowess check tells what loads")
    bare = _candidates(named)
    resolved = tuple(_resolved(each, bare) for each in _once(cases))
    examples = examples_of(resolved)
    candidates = _candidates([_with_examples(each, examples) for each in named])
    insist_on_held_out(resolved, {each.id: each.examples for each in candidates.documents})
    return Library(candidates=candidates, cases=resolved, notes=tuple(notes))


def _candidates(found: Sequence[Capability]) -> Candidates:
    return Candidates(
        documents=tuple(each.document for each in found),
        entries=tuple(each.entry for each in found),
        definitions={each.document.id: each.definition for each in found},
        core=frozenset(each.document.id for each in found if each.core),
    )


def _renamed(found: Iterable[Capability]) -> list[Capability]:
    """Every id once: the second of a name has a number."""
    taken: dict[str, Capability] = {}
    for each in found:
        id, number = each.document.id, 1
        while id in taken:
            number += 1
            id = f"{each.document.id}-{number}"
        document, entry = replace(each.document, id=id), replace(each.entry, name=id)
        taken[id] = replace(each, document=document, entry=entry)
    return list(taken.values())


def _with_examples(of: Capability, examples: Mapping[str, tuple[str, ...]]) -> Capability:
    more = examples.get(of.document.id, ())
    return replace(of, document=replace(of.document, examples=(*of.document.examples, *more)))


def _resolved(case: Case, candidates: Candidates) -> Case:
    expect = tuple(candidates.resolve(each, case.place) for each in case.expect)
    skill = candidates.resolve(case.skill, case.place) if case.skill else ""
    return replace(case, expect=expect, skill=skill)


def _once(cases: Iterable[Case]) -> Iterator[Case]:
    """The same case in a second file is the same case."""
    seen: set[str] = set()
    for case in cases:
        if case.digest not in seen:
            seen.add(case.digest)
            yield case


def complete(library: Library) -> dict[str, str]:
    """What each capability lacks of three cases of each kind, in words; empty where nothing is missing."""
    found = completeness(library.cases, library.candidates.ids)
    return {id: each.missing for id, each in found.items() if each.missing}


# -- cases


def read_case_file(path: str, skill: str = "") -> tuple[Case, ...]:
    """The cases of a file that the user named. Raises UsageError and Unreadable."""
    shown = printable(path, 500)
    if not os.path.isfile(path):
        raise UsageError(f"{shown}: no such file")
    try:
        with open(path, "rb") as file:
            data = file.read(LARGEST + 1)
    except OSError as error:
        raise Unreadable(f"{shown}: {error.strerror}") from error
    return read_cases(data, path, skill=skill)


def cases_beside(path: str, names: Iterable[str], skill: str = "") -> tuple[Case, ...]:
    """The cases found by convention in the package at `path`; `names` are the capabilities there.

    Those of a folder named like a capability are that one's where they do not say. Raises UsageError
    with the place of the first fault.
    """
    root = path if os.path.isdir(path) else os.path.dirname(path) or "."
    source, known = DirectorySource(root), frozenset(names)
    found: list[Case] = []
    for folder, owner in _folders(source):
        whose = owner if owner in known else skill
        for name in NAMES:
            data = source.read(f"{folder}/{name}", LARGEST)
            if not isinstance(data, Failure):
                found += read_cases(data, f"{folder}/{name}", skill=whose)
            elif data.reason != "missing":
                raise Unreadable(f"{printable(folder, 200)}/{name}: {data.detail}")
    return tuple(found)


def _folders(source: Source) -> Iterator[tuple[str, str]]:
    """Where cases may lie, with the name of the folder whose they would be."""
    yield FOLDER, ""
    for name in _below(source, FOLDER):
        yield f"{FOLDER}/{name}", name
    for above in ("", "skills"):
        for name in _below(source, above):
            folder = f"{above}/{name}".lstrip("/")
            if name != FOLDER and any(
                source.kind(f"{folder}/{each}") == "file" for each in ("SKILL.md", "schema.json")
            ):
                yield f"{folder}/{FOLDER}", name


def _below(source: Source, folder: str) -> list[str]:
    listing = source.list(folder)
    if isinstance(listing, Failure):
        return []
    return sorted(name for name, entry in listing.items() if entry.kind == "directory")
