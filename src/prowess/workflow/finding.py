"""The workflows of a folder: every `*.yaml` file of it is one, each name and version stands once.

It asks a Source, so that nothing outside of the folder's root is read, and knows no disk.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from prowess.redact import printable
from prowess.spec.diagnostics import Diagnostic, Place
from prowess.spec.questions import Failure, Source
from prowess.spec.rules import report
from prowess.workflow.definition import Workflow
from prowess.workflow.located import LARGEST
from prowess.workflow.reading import Read, read_workflow

FOLDER = "workflows"
ENDINGS = (".yaml", ".yml")
MOST_FILES = 2_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """The workflows that can be used, and everything that there is to say about the files."""

    workflows: tuple[Workflow, ...] = ()
    diagnostics: tuple[Diagnostic, ...] = ()


def read_folder(source: Source, folder: str = FOLDER) -> Found:
    """The workflows of `folder`, in the order of their files' names; none where there is no such folder.

    Two files with the same name and version: neither is used, since nobody could say which is meant.
    """
    if folder and source.kind(folder) == "missing":
        return Found()
    listing = source.list(folder)
    if isinstance(listing, Failure):
        return Found(diagnostics=(_unreadable(folder or ".", listing.detail or listing.reason),))
    names = sorted(each for each in listing if each.endswith(ENDINGS) and not each.startswith("."))
    diagnostics = []
    if len(names) > MOST_FILES:
        message = f"more than {MOST_FILES} files; the others are left out"
        diagnostics.append(report("workflow-bounds", Place(file=folder or "."), message))
    reads = [read_file(source, f"{folder}/{name}".lstrip("/")) for name in names[:MOST_FILES]]
    workflows, twice = _told_apart(each.workflow for each in reads if each.workflow is not None)
    for each in reads:
        diagnostics += each.diagnostics
    return Found(workflows=tuple(workflows), diagnostics=(*diagnostics, *twice))


def read_file(source: Source, path: str) -> Read:
    """The workflow in one file."""
    data = source.read(path, LARGEST)
    if isinstance(data, Failure):
        return Read(workflow=None, diagnostics=(_unreadable(path, data.detail or data.reason),))
    return read_workflow(data, path)


def _unreadable(path: str, why: str) -> Diagnostic:
    hint = "a workflow is a regular file inside of the package, of at most a megabyte"
    message = f"{printable(path, 200)} cannot be read: {printable(why, 200)}"
    return report("workflow-unreadable", Place(file=path), message, hint=hint)


def _told_apart(workflows: Iterable[Workflow]) -> tuple[list[Workflow], list[Diagnostic]]:
    by_title: dict[str, list[Workflow]] = {}
    for each in workflows:
        by_title.setdefault(each.title, []).append(each)
    alone = [found[0] for found in by_title.values() if len(found) == 1]
    return alone, [told for found in by_title.values() if len(found) > 1 for told in _twice(found)]


def _twice(found: list[Workflow]) -> Iterator[Diagnostic]:
    files = [each.file for each in found]
    for each in found:
        others = ", ".join(printable(file, 100) for file in files if file != each.file)
        place = Place(file=each.file, line=each.lines.get("name"))
        message = f"{each.title} also stands in {others}; none of them is used"
        yield report("workflow-duplicate", place, message, hint="give one another name or another version")
