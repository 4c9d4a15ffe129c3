"""What is chosen among together with its trigger cases, and where such cases are found.

They are found where people put them: `evals/triggers.yaml` (or `.yml`, `.json`, `.jsonl`, or one of the names
that other tools use) in the package, in a skill's or unit's own folder, or in `evals/NAME/`.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from prowess.choose.searching import Findable
from prowess.errors import Unreadable, UsageError
from prowess.evaluate.cases import Case, examples_of, insist_on_agreement, insist_on_held_out, said_by
from prowess.evaluate.cases_located import LARGEST
from prowess.evaluate.cases_reading import read_cases
from prowess.evaluate.selectors import Candidates
from prowess.redact import printable
from prowess.source.directory import DirectorySource
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
HINT = "write evals/triggers.yaml beside what is tested, or name a file of cases"


class NoCases(UsageError):
    """There is nothing to try: no case, or nobody to choose."""


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

    def insist_on_tests(self) -> None:
        """Raises UsageError where nothing can be measured."""
        if not self.tests:
            raise NoCases("none of the trigger cases is a test", hint=HINT)


def library_of(found: Iterable[Findable], cases: Iterable[Case]) -> Library:
    """What is chosen among with its examples indexed, and the cases with their names resolved.

    Raises UsageError where there is nothing to choose among, where a case names nobody who is there,
    where two contradict each other, and where a test is an example of the index.
    """
    findables = tuple(found)
    if not findables:
        raise NoCases("there is nothing to choose among", hint="prowess check tells what loads")
    bare = candidates_of(findables)
    resolved = tuple(_resolved(each, bare) for each in _once(cases))
    insist_on_agreement(resolved)
    examples = examples_of(resolved)
    candidates = candidates_of([_with_examples(each, examples) for each in findables])
    insist_on_held_out(resolved, {each.id: each.examples for each in candidates.documents})
    phrases = {each.id: each.triggers for each in candidates.documents}
    return Library(candidates=candidates, cases=resolved, notes=_notes(said_by(resolved, phrases)))


def library_at(
    found: Mapping[str, Findable], paths: Iterable[str], files: Sequence[str] = (), skill: str = ""
) -> Library:
    """The library of what was found at `paths`, with the cases of `files`, or those beside it.

    `skill` is whose cases they are that do not say; a single capability owns those of its package.
    Raises UsageError as `library_of`, and where there is no case at all.
    """
    names = [*found, *(each.document.name for each in found.values())]
    alone = next(iter(found)) if len(found) == 1 else ""
    if files:
        cases = [each for file in files for each in read_case_file(file, skill)]
    else:
        cases = [each for path in paths for each in cases_beside(path, names, alone, skill)]
    library = library_of(found.values(), cases)
    if not library.cases:
        raise NoCases("no trigger cases", hint=HINT)
    return library


def _notes(said: Sequence[Case]) -> tuple[str, ...]:
    """What is told of tests that repeat a trigger phrase, which are found because they do."""
    if not said:
        return ()
    places = printable(", ".join(each.place for each in said[:5]), 300)
    noun = "test is" if len(said) == 1 else "tests are"
    return (f"{len(said)} {noun}, word for word, a trigger phrase of who is expected ({places})",)


def candidates_of(found: Iterable[Findable]) -> Candidates:
    """Findables as a selector gets them."""
    findables = tuple(found)
    return Candidates(
        documents=tuple(each.document for each in findables),
        entries=tuple(each.entry for each in findables),
        definitions={each.id: each.definition for each in findables},
        core=frozenset(each.id for each in findables if each.core),
    )


def _with_examples(of: Findable, examples: Mapping[str, tuple[str, ...]]) -> Findable:
    more = examples.get(of.id, ())
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


# -- cases


def read_case_file(path: str, skill: str = "") -> tuple[Case, ...]:
    """The cases of a file that the user named. Raises UsageError and Unreadable."""
    shown = printable(path, 500)
    if not os.path.isfile(path):  # a pipe would be waited for for ever
        raise UsageError(f"{shown}: {'is not a regular file' if os.path.lexists(path) else 'no such file'}")
    try:
        with open(path, "rb") as file:
            data = file.read(LARGEST + 1)
    except OSError as error:
        raise Unreadable(f"{shown}: {error.strerror}") from error
    return read_cases(data, path, fallback=skill)


def cases_beside(path: str, names: Iterable[str], skill: str = "", fallback: str = "") -> tuple[Case, ...]:
    """The cases found by convention in the package at `path`; `names` are the capabilities there.

    Those of a folder named like a capability are that one's where they do not say, others those of
    `skill`; for `fallback` see `read_cases`. Raises UsageError
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
                found += read_cases(data, f"{folder}/{name}", skill=whose, fallback=fallback)
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
