"""Any two snapshots: on offer now, in a file of a package, or pasted.

Nothing is changed by it; it is a form only because what is pasted is long.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass

import anyio
from starlette.requests import Request
from starlette.responses import Response

from prowess.author.fixtures_snapshot import read_frozen
from prowess.capability.drift import Drift, compare
from prowess.capability.snapshot import Snapshot
from prowess.console.console import Console, console_of
from prowess.console.drift_comparing import Subject, counted, subjects
from prowess.console.forms import Form
from prowess.console.rows import MOST
from prowess.errors import ProwessError, UsageError
from prowess.source.directory import DirectorySource
from prowess.spec.questions import Failure

PASTED = "pasted"
MOST_SUBJECTS = 50
MOST_FILES = 100  # of one plugin
FOLDERS = ("", "fixtures", "snapshots")


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """Something to compare; `file` is a path in the plugin, empty for what is on offer now."""

    subject: Subject
    file: str = ""

    @property
    def name(self) -> str:
        """What the form calls it."""
        return f"file|{self.subject.label}|{self.file}" if self.file else f"now|{self.subject.label}"


async def between(request: Request) -> Response:
    """The form."""
    found = await anyio.to_thread.run_sync(_choices, console_of(request))
    first = next((each.name for each in found if each.file), PASTED)
    second = next((each.name for each in found if not each.file), PASTED)
    return _page(request, found, {"a": first, "b": second})


async def compared(request: Request, form: Form) -> Response:
    """The form, and below it what differs."""
    console = console_of(request)
    found = await anyio.to_thread.run_sync(_choices, console)
    given = {name: form.get(name) for name in ("a", "b", "a_text", "b_text")}
    faults: dict[str, ProwessError] = {}
    sides: list[Snapshot] = []
    for side in ("a", "b"):
        try:
            sides.append(await _side(console, found, given[side], given[f"{side}_text"]))
        except ProwessError as error:
            faults[side] = error
    drift = None
    if len(sides) == 2:
        drift = await anyio.to_thread.run_sync(lambda: compare(sides[0], sides[1]))
    return _page(request, found, given, drift, faults)


def _page(
    request: Request,
    found: list[Choice],
    given: dict[str, str],
    drift: Drift | None = None,
    faults: dict[str, ProwessError] | None = None,
) -> Response:
    changes = drift.changes if drift is not None else ()
    kept = {name: "" if len(given.get(name, "")) > LONGEST_KEPT else given.get(name, "") for name in TEXTS}
    return console_of(request).pages.page(
        request,
        "drift_between.html",
        choices=found,
        pasted=PASTED,
        given={**given, **kept},
        drift=drift,
        effects=counted(drift) if drift is not None else {},
        changes=changes[:MOST],
        more=len(changes) - MOST,
        faults=faults or {},
    )


TEXTS = ("a_text", "b_text")
LONGEST_KEPT = 50_000  # characters of pasted text that the page gives back


async def _side(console: Console, found: list[Choice], name: str, text: str) -> Snapshot:
    if name == PASTED:
        if not text.strip():
            raise UsageError("nothing was pasted", hint="paste what `prowess snapshot` printed")
        return await anyio.to_thread.run_sync(lambda: Snapshot.from_json(text, source="the pasted text"))
    choice = next((each for each in found if each.name == name), None)
    if choice is None:
        raise UsageError("this snapshot is not here any more", hint="choose another one")
    if not choice.file:
        return choice.subject.now(console.host)
    read = await anyio.to_thread.run_sync(read_frozen, choice.subject.package.source, choice.file)
    if read is None:
        raise UsageError("this file is not here any more", hint="choose another one")
    return read


def _choices(console: Console) -> list[Choice]:
    """What is on offer now, and the snapshots that are in the packages."""
    found = []
    for subject in subjects(console.host)[:MOST_SUBJECTS]:
        found.append(Choice(subject=subject))
        files = itertools.islice(_files(subject.package.source), MOST_FILES)
        found += [Choice(subject=subject, file=each) for each in files]
    return found


def _files(source: DirectorySource) -> Iterator[str]:
    """Files of a package, at its top or where snapshots are kept, whose names say that they are snapshots."""
    for folder in FOLDERS:
        listed = source.list(folder)
        for name in [] if isinstance(listed, Failure) else sorted(listed):
            if "snapshot" in name.lower() and name.endswith(".json"):
                yield f"{folder}/{name}" if folder else name
