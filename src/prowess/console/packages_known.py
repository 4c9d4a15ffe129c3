"""Which packages a console shows: plugins, also rejected ones, and folders of skills, units or the like.

What plugins and skills hold is known to the Host; the other folders are judged here, by reading alone, and
that is remembered for a moment. Where a Host has folders and no plugin, its stand-in is left out.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from starlette.requests import Request

from prowess.console.console import Console, one_of
from prowess.errors import ProwessError
from prowess.host.packages import Package
from prowess.redact import printable
from prowess.source.directory import DirectorySource
from prowess.source.judging import judge
from prowess.source.skills_folder import judge_skills
from prowess.spec.diagnostics import Place
from prowess.spec.model import Judgement, Server, Skill
from prowess.spec.rules import report

Kind = Literal["plugin", "skills", "units", "content", "workflows"]
FOLDERS: tuple[Kind, ...] = ("units", "content", "workflows")  # each is a server of that name in a Host
# What a kind of package is called, in English.
KINDS: Mapping[str, str] = {
    "plugin": "plugin",
    "skills": "folder of skills",
    "units": "folder of units",
    "content": "folder of content",
    "workflows": "folder of workflows",
}
SECONDS = 2.0  # that a folder's judgement is good for: a person who types a search asks many times
MOST_INSIDE = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class Known:
    """One package. `name` is the one in addresses; `servers` are labels in the Host.

    `counts` say how many there are of each thing in a folder, `own` what of its server's offer is this
    folder's (None: all of it), `root` is a directory, or one file with units.
    """

    name: str
    kind: Kind
    root: str
    judgement: Judgement
    servers: tuple[str, ...] = ()
    declared: Mapping[str, Server] = field(default_factory=dict)
    counts: Mapping[str, int] = field(default_factory=dict)
    own: frozenset[str] | None = None

    @property
    def is_rejected(self) -> bool:
        """Whether nothing of it loads."""
        return self.judgement.rejected is not None

    @property
    def skills(self) -> tuple[Skill, ...]:
        """Its skills."""
        return self.judgement.plugin.skills if self.judgement.plugin is not None else ()

    @property
    def source(self) -> DirectorySource:
        """Its files, and nothing outside of them."""
        return DirectorySource(os.path.dirname(self.root) if self.is_file else self.root)

    @property
    def is_file(self) -> bool:
        """Whether it is one file, so that what is beside it is none of it."""
        return self.kind == "units" and self.root.endswith(".py")

    def holds(self, path: str) -> bool:
        """Whether a path inside its source is one of its own."""
        return not self.is_file or path == os.path.basename(self.root)


class Folders:
    """Judgements of folders, each remembered for a moment."""

    def __init__(self) -> None:
        self._known: dict[tuple[str, str], tuple[float, Known]] = {}

    def get(self, kind: Kind, path: str) -> Known:
        """What is in a folder. Blocking. Raises nothing: what cannot be read is a diagnostic."""
        at, found = self._known.get((kind, path), (0.0, None))
        if found is None or time.monotonic() - at > SECONDS:
            found = judged_folder(kind, path)
            self._known[kind, path] = (time.monotonic(), found)
        return found


def folders_of(request: Request) -> Folders:
    """The one memory of folders that a console has."""
    return one_of(request, Folders)


def known(console: Console, folders: Folders) -> tuple[Known, ...]:
    """Every package of a console, their names all different. Blocking."""
    found = [*_rejected(console), *map(_of_host, _real(console)), *_folders(console, folders)]
    taken: set[str] = set()
    apart = []
    for each in found:
        name, number = each.name, 1
        while name in taken:
            number += 1
            name = f"{each.name}-{number}"
        taken.add(name)
        apart.append(each if name == each.name else replace(each, name=name))
    return tuple(apart)


def _real(console: Console) -> Iterator[Package]:
    for each in console.host.packages:
        stands_in = not each.is_local and not each.judgement.accepted.manifest.spec
        if not stands_in:
            yield each


def _of_host(package: Package) -> Known:
    return Known(
        name=package.label,
        kind="skills" if package.is_local else "plugin",
        root=package.root,
        judgement=package.judgement,
        servers=tuple(each.id for each in package.servers),
        declared={each.id: each for each in package.servers},
    )


def _rejected(console: Console) -> Iterator[Known]:
    roots = {label or path: (label, path) for label, path in console.setup.plugins}
    for key, judgement in console.host.rejected.items():
        label, path = roots[key]
        yield Known(name=label or _base(path, "plugin"), kind="plugin", root=path, judgement=judgement)


def _folders(console: Console, folders: Folders) -> Iterator[Known]:
    for kind in FOLDERS:
        paths = getattr(console.setup, kind).paths
        for path in paths:
            one = folders.get(kind, path)
            yield replace(one, own=None) if len(paths) == 1 else one


def _base(path: str, otherwise: str) -> str:
    return printable(os.path.basename(os.path.abspath(path)), 64) or otherwise


def judged_folder(kind: Kind, path: str) -> Known:
    """What is in a folder of units, content or workflows. Blocking; nothing of it runs."""
    try:
        judgement, counts, own = _JUDGES[kind](path)
    except ProwessError as error:
        place = Place(file=_base(path, kind))
        fault = report(f"{kind.removesuffix('s')}-unreadable", place, error.message, hint=error.hint or "")
        judgement, counts, own = Judgement(plugin=None, diagnostics=(fault,)), {}, frozenset()
    return Known(
        name=_base(path, kind),
        kind=kind,
        root=path,
        judgement=judgement,
        servers=(kind,),
        counts=counts,
        own=own,
    )


def judged_again(package: Known) -> Known:
    """The same package as its files are now. Blocking."""
    if package.kind == "plugin":
        return replace(package, judgement=judge(package.root, profile=package.judgement.profile))
    if package.kind == "skills":
        folder = judge_skills(package.root, profile=package.judgement.profile)
        judgement = replace(package.judgement, diagnostics=folder.judgement.diagnostics)
        return replace(package, judgement=judgement)
    return package  # judged a moment ago


def names_inside(package: Known) -> Sequence[str]:
    """The names of folders of skills in a package, whether or not any of them loads. Blocking."""
    found = package.source.list("skills")
    return sorted(found)[:MOST_INSIDE] if isinstance(found, dict) else ()


_Judged = tuple[Judgement, Mapping[str, int], frozenset[str]]


def _units(path: str) -> _Judged:
    from prowess.units.discovery import judge as judge_units

    found = judge_units(path)
    judgement = Judgement(plugin=None, diagnostics=tuple(found.diagnostics))
    own = frozenset(each.unit.name for each in found.units)
    return judgement, {"units": len(found.units) + found.marked}, own


def _content(path: str) -> _Judged:
    from prowess.content.judging import judge as judge_content

    found = judge_content(path)
    judgement = Judgement(plugin=None, diagnostics=tuple(found.diagnostics))
    return judgement, found.counts, frozenset({*found.prompts, *found.resources, *found.templates})


def _workflows(path: str) -> _Judged:
    from prowess.workflow.finding import read_folder

    found = read_folder(DirectorySource(path), "")
    judgement = Judgement(plugin=None, diagnostics=tuple(found.diagnostics))
    return judgement, {"workflows": len(found.workflows)}, frozenset(each.name for each in found.workflows)


_JUDGES = {"units": _units, "content": _content, "workflows": _workflows}
