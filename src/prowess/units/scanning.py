"""A folder of units looked through by names alone: which folders are units, which files may hold some.

    weather/schema.json + skill.py          a unit; `2.skill/` or `2_weather.skill.py` are as good
    weather/1.4.2/schema.json + skill.py    one version of a unit
    core/weather/...                        a folder of folders
    tools.py                                may hold decorated functions

Hidden folders, tests and what tools leave behind are passed over. A link that leads out of the
folder is told and not followed.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, field

from prowess.errors import NotFound, Unreadable
from prowess.redact import printable
from prowess.source.directory import DirectorySource
from prowess.spec.diagnostics import Diagnostic, Place
from prowess.spec.rules import report
from prowess.units.metadata import is_version

METADATA = "schema.json"
CODE = "skill.py"
CODE_ENDING = ".skill.py"
DEPTH = 3  # a group, a unit, a version
WIDEST = 20_000
_PASSED_OVER = frozenset({"__pycache__", "node_modules", "tests", "data", "fixtures"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Folder:
    """A unit in a folder; `path` and `code` are relative to the root, `code` empty when there is none."""

    path: str
    code: str

    @property
    def metadata(self) -> str:
        """Its `schema.json`."""
        return f"{self.path}/{METADATA}".lstrip("/")

    @property
    def name(self) -> str:
        """The folder's own name."""
        return self.path.rpartition("/")[2]


@dataclass(slots=True, kw_only=True)
class Layout:
    """What was found below one root, in the order of names."""

    root: str
    folders: list[Folder] = field(default_factory=list)
    files: list[str] = field(default_factory=list)
    diagnostics: list[Diagnostic] = field(default_factory=list)


def scan(place: str) -> Layout:
    """Look through the directory (or at the one Python file) `place`. Raises NotFound and Unreadable."""
    if os.path.isfile(place):
        folder, name = os.path.split(os.path.abspath(place))
        return Layout(root=folder, files=[name])
    if not os.path.isdir(place):
        raise NotFound(f"{printable(place, 500)}: there is no such folder of units")
    layout = Layout(root=os.path.abspath(place))
    _look(layout, DirectorySource(layout.root), "", 0)
    return layout


def holds_units(path: str) -> bool:
    """Whether a path means units, told by names: a Python file, a unit's own folder, a folder of such
    folders, or one called `units` with Python files in it."""
    if not os.path.isdir(path):
        return path.endswith(".py") and os.path.isfile(path)
    try:
        names = sorted(os.listdir(path))[:WIDEST]
    except OSError:
        return False
    if "plugin.json" in names:
        return False
    if METADATA in names and _code(set(names)):
        return True
    if os.path.basename(os.path.abspath(path)) == "units" and any(each.endswith(".py") for each in names):
        return True
    return any(_is_unit(os.path.join(path, each), 1) for each in names if not each.startswith("."))


def _is_unit(folder: str, depth: int) -> bool:
    if not os.path.lexists(os.path.join(folder, METADATA)):
        # One version of a unit stands a level below it.
        if depth == 0 or os.path.isfile(folder):
            return False
        try:
            below = [each for each in os.listdir(folder) if is_version(each)]
        except OSError:
            return False
        return any(_is_unit(os.path.join(folder, each), 0) for each in below)
    if os.path.lexists(os.path.join(folder, CODE)):
        return True
    try:
        return any(each.endswith(CODE_ENDING) for each in os.listdir(folder))
    except OSError:
        return False


def _look(layout: Layout, source: DirectorySource, path: str, depth: int) -> None:
    names, folders = _listed(layout, path)
    code = _code(names)
    is_unit = METADATA in names
    if is_unit:
        layout.folders.append(Folder(path=path, code=f"{path}/{code}".lstrip("/") if code else ""))
    for name in sorted(names):
        if not is_unit and name.endswith(".py") and not _is_aside(name):
            layout.files.append(f"{path}/{name}".lstrip("/"))
    for name in sorted(folders) if depth < DEPTH else ():
        if name.startswith(".") or name in _PASSED_OVER or (is_unit and not is_version(name)):
            continue
        below = f"{path}/{name}".lstrip("/")
        if folders[name] and not source.confined(below):
            message = f"{printable(below, 200)} leads out of the folder of units"
            layout.diagnostics.append(report("unit-outside", Place(file=below), message, subject=below))
            continue
        _look(layout, source, below, depth + 1)


def _listed(layout: Layout, path: str) -> tuple[set[str], dict[str, bool]]:
    """The files of a folder, and its folders with whether they are links."""
    names: set[str] = set()
    folders: dict[str, bool] = {}
    try:
        with os.scandir(os.path.join(layout.root, path)) as entries:
            for each in entries:
                if each.is_dir():
                    folders[each.name] = each.is_symlink()
                else:
                    names.add(each.name)
                if len(names) + len(folders) > WIDEST:
                    raise Unreadable(f"{printable(path or layout.root, 300)} has over {WIDEST} entries")
    except OSError as error:
        if not path:
            raise Unreadable(f"{printable(layout.root, 500)}: {error.strerror}") from None
        message = f"cannot be read: {printable(error.strerror or 'no permission')}"
        layout.diagnostics.append(report("unit-unreadable", Place(file=path), message, subject=path))
    return names, folders


def _code(names: set[str]) -> str:
    if CODE in names:
        return CODE
    numbered = [each for each in names if each.endswith(CODE_ENDING)]
    return numbered[0] if len(numbered) == 1 else ""


def _is_aside(name: str) -> bool:
    return name.startswith((".", "_", "test_")) or name in ("conftest.py", "setup.py")
