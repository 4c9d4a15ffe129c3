"""What `prowess workflow` is pointed at: where workflows are, and where the skills are that they name."""

from __future__ import annotations

import os

from prowess.cli import screen
from prowess.errors import UsageError
from prowess.redact import printable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from prowess.workflow.catalogue import Catalogue, Offered
    from prowess.workflow.definition import Workflow
    from prowess.workflow.finding import Found


class Place:
    """A PATH: a file, a folder of workflows, or a project that has one. Raises UsageError for another."""

    def __init__(self, path: str) -> None:
        from prowess.source.directory import DirectorySource
        from prowess.workflow.finding import ENDINGS, FOLDER

        self.path, self._file = path, ""
        if os.path.isfile(path) and path.endswith(ENDINGS):
            folder, self._file = os.path.split(os.path.abspath(path))
        elif os.path.isdir(path):
            folder = os.path.abspath(path)
            if os.path.isdir(os.path.join(folder, FOLDER)):
                folder = os.path.join(folder, FOLDER)
        else:
            what = "is no workflow" if os.path.lexists(path) else "no such file or directory"
            hint = "a .yaml file, a folder of them, or a project with a workflows/ folder"
            raise UsageError(f"{printable(path, 500)}: {what}", hint=hint)
        above = os.path.dirname(folder)
        self.project = above if os.path.basename(folder) == FOLDER else folder
        self._source = DirectorySource(self.project)
        self._folder = FOLDER if self.project == above else ""

    def found(self) -> Found:
        """The workflows of the PATH, and what is wrong with its files."""
        from prowess.workflow.finding import Found, read_file

        if not self._file:
            return self.beside()
        read = read_file(self._source, f"{self._folder}/{self._file}".lstrip("/"))
        return Found(
            workflows=() if read.workflow is None else (read.workflow,), diagnostics=read.diagnostics
        )

    def beside(self) -> Found:
        """All workflows of the folder: those that others may run."""
        from prowess.workflow.finding import read_folder

        return read_folder(self._source, self._folder)


def catalogue(place: Place, skills: Sequence[str], workflows: Iterable[Workflow]) -> Catalogue | None:
    """What steps may name: `skills` if any are said, else the project's units. None: nobody knows."""
    from prowess.workflow.catalogue import MemoryCatalogue

    if skills:
        return MemoryCatalogue([each for path in skills for each in _said(path)], workflows)
    roots = _units_of(place.project)
    return None if not roots else MemoryCatalogue(_units(roots), workflows)


def _said(path: str) -> Iterator[Offered]:
    from prowess.workflow.catalogue import offered_of

    if path.endswith(".json") and not os.path.isdir(path):
        from prowess.cli.files import read_snapshot

        return offered_of(read_snapshot(path).tools)
    from prowess.cli.units import roots_of

    return _units(roots_of(path))


def _units_of(project: str) -> tuple[str, ...]:
    """Where the units of a project are; nowhere when it has servers, whose tools only a start would show."""
    from prowess.host.setup import config_file, setup_of
    from prowess.units.scanning import holds_units

    for path in (project, os.path.join(project, "units")):
        if config_file(path) is None and not (os.path.isdir(path) and holds_units(path)):
            continue
        setup = setup_of(path)
        if setup.plugins:
            hint = "prowess snapshot PATH > tools.json, then --skills tools.json --skills UNITS"
            screen.say(f"{printable(project, 300)} has plugins, whose tools only a start shows; {hint}")
            return ()
        return setup.units.paths
    return ()


def _units(roots: tuple[str, ...]) -> Iterator[Offered]:
    from prowess.errors import Unreadable
    from prowess.spec.diagnostics import Reach
    from prowess.units.registry import Registry
    from prowess.workflow.catalogue import offered_of

    registry = Registry(roots)
    registry.refresh()
    if registry.failed:
        raise Unreadable(registry.failed[0])
    if broken := [each for each in registry.diagnostics if each.reach >= Reach.ENTRY]:
        screen.say(
            f"{len(broken)} faults of units, so they count as not there: prowess units list says which"
        )
    return offered_of(registry.tool(each.name, each.version) for each in registry.units)
