"""Local skills: folders of skills that belong to a project or a person, and any folder that is named.

`.agents/skills` is the layout that clients share, `.claude/skills` that of one of them. Of two skills
with one name that of the project counts before that of the person, and the shared layout before the
other; the one that does not count is left out, and said. A folder that is not there may be there later.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import replace

from prowess.host.packages import Package
from prowess.redact import printable
from prowess.source.skills_folder import judge_skills
from prowess.spec.model import Judgement, Manifest, Plugin, Profile

WIDEST = 10_000  # children that are looked at

Folder = tuple[str, str]  # what it is called, and where it is


def places() -> tuple[Folder, ...]:
    """The folders of this directory and this person, the one that counts first first."""
    home, here = os.path.expanduser("~"), os.getcwd()
    found = [
        ("project", os.path.join(here, ".agents", "skills")),
        ("project-claude", os.path.join(here, ".claude", "skills")),
        ("personal", os.path.join(home, ".agents", "skills")),
        ("personal-claude", os.path.join(home, ".claude", "skills")),
    ]
    first: dict[str, str] = {}
    for label, path in found:  # in one's home a project's place would be one's own
        first.setdefault(os.path.realpath(path), label)
    return tuple(each for each in found if first[os.path.realpath(each[1])] == each[0])


def holds_skills(path: str) -> bool:
    """Whether a directory is a folder of skills (`*/SKILL.md`); reads names only."""
    try:
        with os.scandir(path) as entries:
            for at, each in enumerate(entries):
                if at >= WIDEST:
                    return False
                if os.path.lexists(os.path.join(each.path, "SKILL.md")):
                    return True
    except OSError:
        return False
    return False


def packages(
    folders: Sequence[Folder], profile: Profile, taken: Iterable[str]
) -> tuple[tuple[Package, ...], tuple[str, ...]]:
    """A package without a manifest for each folder, and what was left out. Blocking.

    A label of `taken` is not given again.
    """
    labels = set(taken)
    found: list[Package] = []
    notes: list[str] = []
    for label, path in folders:
        while label in labels:
            label = f"local-{label}"
        labels.add(label)
        package, told = _without(judged(label, path, profile), found)
        found.append(package)
        notes += told
    return tuple(found), tuple(notes)


def judged(label: str, path: str, profile: Profile) -> Package:
    """The package that stands for one folder as it is now."""
    there = os.path.isdir(path)
    folder = judge_skills(path, profile=profile) if there else None
    plugin = Plugin(manifest=Manifest(name=label, spec=""), skills=folder.skills if folder else ())
    diagnostics = folder.judgement.diagnostics if folder else ()
    judgement = Judgement(plugin=plugin, diagnostics=diagnostics, profile=profile)
    return Package(label=label, root=path, judgement=judgement, ids={}, is_local=True)


def _without(package: Package, before: Sequence[Package]) -> tuple[Package, list[str]]:
    """A folder's package without the skills that a folder before it has."""
    names = {skill.name: each.label for each in before for skill in each.skills}
    hidden = [each for each in package.skills if each.name in names]
    if not hidden:
        return package, []
    plugin = package.judgement.accepted
    kept = tuple(each for each in plugin.skills if each.name not in names)
    judgement = replace(package.judgement, plugin=replace(plugin, skills=kept))
    notes = [
        f"the {package.label} skill {printable(each.name, 80)} is left out: the {names[each.name]} one counts"
        for each in hidden
    ]
    return replace(package, judgement=judgement), notes
