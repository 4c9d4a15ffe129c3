"""Skills without a manifest, judged by the same walk as a plugin's `skills/`: a folder of them, or one.

Agent Skills, and Agent Plugins 1.0.0 section 7.1 for the walk. The folder stands where `skills`
stands in a plugin; paths in what is reported are relative to the folder itself.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, replace

from prowess.source.directory import DirectorySource
from prowess.source.judging import converse
from prowess.spec.diagnostics import Diagnostic
from prowess.spec.model import Judgement, Profile, Skill
from prowess.spec.questions import Entry, Failure, Kind, Listing, Source
from prowess.spec.skill_directories import DIRECTORY, SkillsFound, find_skills

_ABOVE = f"{DIRECTORY}/"


@dataclass(frozen=True, slots=True, kw_only=True)
class SkillsFolder:
    """The skills that load, and the judgement of the walk, which holds no plugin."""

    skills: tuple[Skill, ...]
    judgement: Judgement


class _AsSkills:
    """A source whose root answers for `skills`."""

    def __init__(self, source: Source) -> None:
        self._source = source

    def kind(self, path: str) -> Kind:
        return self._source.kind(_below(path))

    def confined(self, path: str) -> bool:
        return self._source.confined(_below(path))

    def read(self, path: str, limit: int) -> bytes | Failure:
        return self._source.read(_below(path), limit)

    def list(self, path: str) -> Listing | Failure:
        return self._source.list(_below(path))


class _OnlyOne(_AsSkills):
    """The same, with one of its directories and nothing else."""

    def __init__(self, source: Source, name: str) -> None:
        super().__init__(source)
        self._name = name

    def list(self, path: str) -> Listing | Failure:
        if path != DIRECTORY:
            return super().list(path)
        return {self._name: Entry(self._name, "directory")}


def judge_skill(path: str, *, profile: Profile = "spec") -> SkillsFolder:
    """Judge the one skill in the directory `path`; what is reported is relative to that directory."""
    above, name = os.path.split(os.path.realpath(path))
    found = converse(
        find_skills(Entry(DIRECTORY, "directory"), profile), _OnlyOne(DirectorySource(above), name)
    )
    return _folder(found, f"{_ABOVE}{name}/", profile)


def judge_skills(target: str | Source, *, profile: Profile = "spec") -> SkillsFolder:
    """Judge every skill directly in the directory `target`, or in what a source holds."""
    source = DirectorySource(target) if isinstance(target, str) else target
    found = converse(find_skills(Entry(DIRECTORY, "directory"), profile), _AsSkills(source))
    return _folder(found, _ABOVE, profile)


def _folder(found: SkillsFound, above: str, profile: Profile) -> SkillsFolder:
    """What was found, with every path as it is below `above`."""
    skills = [replace(each, path=each.path.removeprefix(above)) for each in found.skills]
    return SkillsFolder(
        skills=tuple(sorted(skills, key=lambda each: each.name)),
        judgement=Judgement(
            plugin=None,
            diagnostics=tuple(_moved(each, above) for each in found.diagnostics),
            profile=profile,
            strict_skills=found.strict,
        ),
    )


def _below(path: str) -> str:
    return "" if path == DIRECTORY else path.removeprefix(_ABOVE)


def _moved(diagnostic: Diagnostic, above: str) -> Diagnostic:
    file = diagnostic.place.file
    below = "" if f"{file}/" == above or file == DIRECTORY else file.removeprefix(above)
    return replace(diagnostic, place=replace(diagnostic.place, file=below or "."))
