"""Where local skills live: a project's, a person's, a plugin's; which of two with one name counts.

`.agents/skills` is the layout that clients share, `.claude/skills` that of one of them. A project's
skill counts before a person's, and in one of them the shared layout before the other. Nothing is
written here.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from prowess.author.importing_provenance import Provenance, provenance_of
from prowess.errors import UsageError
from prowess.redact import printable
from prowess.source.skills_folder import judge_skills
from prowess.spec.model import Skill

Layout = Literal["agents", "claude"]
LAYOUTS: tuple[Layout, ...] = ("agents", "claude")
FOLDERS = {"agents": ".agents", "claude": ".claude"}
PROJECT, PERSONAL = "project", "personal"


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """A folder of skills. `base` is the directory that belongs to it: the project, the home, the plugin.

    `name` is `project`, `personal`, or the plugin's path.
    """

    name: str
    base: str
    folder: str

    @property
    def is_plugin(self) -> bool:
        """Whether skills in it belong to a plugin."""
        return self.name not in (PROJECT, PERSONAL)

    def skill(self, name: str) -> str:
        """The directory of one skill."""
        return os.path.join(self.folder, name)

    def relative(self, path: str) -> str:
        """A path as a skill here names it: relative where it lies in the same project or plugin."""
        real, base = os.path.realpath(path), os.path.realpath(self.base)
        if self.name != PERSONAL and (real == base or real.startswith(base + os.sep)):
            return os.path.relpath(real, base).replace(os.sep, "/")
        return real

    def absolute(self, path: str) -> str:
        """The other way round."""
        return path if os.path.isabs(path) else os.path.normpath(os.path.join(self.base, path))


@dataclass(frozen=True, slots=True, kw_only=True)
class Imported:
    """A skill that was imported, where it lies now."""

    place: Place
    skill: Skill
    provenance: Provenance

    @property
    def directory(self) -> str:
        """Its directory."""
        return self.place.skill(self.skill.directory)


def place_of(to: str, layout: Layout | None = None) -> Place:
    """The place that `to` names: `project`, `personal`, or a plugin's directory. Raises UsageError."""
    if to == PROJECT:
        return _place(PROJECT, os.getcwd(), layout or "agents")
    if to == PERSONAL:
        return _place(PERSONAL, os.path.expanduser("~"), layout or "agents")
    if not os.path.isfile(os.path.join(to, "plugin.json")):
        raise UsageError(
            f"{printable(to, 300)} is no plugin",
            hint="project, personal, or a directory that holds plugin.json",
        )
    if layout is not None:
        raise UsageError("a plugin has one layout: skills/", hint="leave --layout out")
    return Place(name=to, base=os.path.abspath(to), folder=os.path.join(os.path.abspath(to), "skills"))


def _place(name: str, base: str, layout: Layout) -> Place:
    return Place(name=name, base=base, folder=os.path.join(base, FOLDERS[layout], "skills"))


def local_places() -> tuple[Place, ...]:
    """The places of this directory and this person, the one that counts first first."""
    bases = ((PROJECT, os.getcwd()), (PERSONAL, os.path.expanduser("~")))
    found = [_place(name, base, layout) for name, base in bases for layout in LAYOUTS]
    # In one's home a project's place would be one's own.
    first = {os.path.realpath(each.folder): each for each in reversed(found)}
    return tuple(each for each in found if first[os.path.realpath(each.folder)] is each)


def others(name: str, place: Place) -> tuple[str, ...]:
    """What else is called so, and which of the two counts; fit to print."""
    if place.is_plugin:
        return ()
    order = [os.path.realpath(each.folder) for each in local_places()]
    told = []
    for each in local_places():
        if os.path.realpath(each.folder) == os.path.realpath(place.folder):
            continue
        if os.path.isfile(os.path.join(each.skill(name), "SKILL.md")):
            before = order.index(os.path.realpath(place.folder)) < order.index(os.path.realpath(each.folder))
            which = "this one counts before it" if before else "it counts before this one"
            told.append(
                f"a {each.name} skill is called {printable(name)} too, and {which}: "
                f"{printable(each.skill(name), 300)}"
            )
    return tuple(told)


def imported_in(places: Sequence[Place]) -> Iterator[Imported]:
    """The imported skills of these places; a folder that is not there has none."""
    for place in places:
        if not os.path.isdir(place.folder):
            continue
        for skill in judge_skills(place.folder, profile="lenient").skills:
            provenance = provenance_of(skill.metadata)
            if provenance is not None:
                yield Imported(place=place, skill=skill, provenance=provenance)
