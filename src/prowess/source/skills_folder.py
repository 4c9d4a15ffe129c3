"""A folder of skills without a manifest (`*/SKILL.md`), judged by the same walk as a plugin's `skills/`.

Agent Skills, and Agent Plugins 1.0.0 section 7.1 for the walk. The folder stands where `skills`
stands in a plugin; paths in what is reported are relative to the folder itself.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from prowess.source.directory import DirectorySource
from prowess.source.judging import converse
from prowess.spec.diagnostics import Diagnostic
from prowess.spec.model import Judgement, Profile, Skill
from prowess.spec.questions import Entry, Failure, Kind, Listing, Source
from prowess.spec.skill_directories import DIRECTORY, find_skills

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


def judge_skills(target: str | Source, *, profile: Profile = "spec") -> SkillsFolder:
    """Judge every skill directly in the directory `target`, or in what a source holds."""
    source = DirectorySource(target) if isinstance(target, str) else target
    found = converse(find_skills(Entry(DIRECTORY, "directory"), profile), _AsSkills(source))
    skills = [replace(each, path=_below(each.path)) for each in found.skills]
    return SkillsFolder(
        skills=tuple(sorted(skills, key=lambda each: each.name)),
        judgement=Judgement(
            plugin=None,
            diagnostics=tuple(_moved(each) for each in found.diagnostics),
            profile=profile,
            strict_skills=found.strict,
        ),
    )


def _below(path: str) -> str:
    return "" if path == DIRECTORY else path.removeprefix(_ABOVE)


def _moved(diagnostic: Diagnostic) -> Diagnostic:
    place = replace(diagnostic.place, file=_below(diagnostic.place.file) or ".")
    return replace(diagnostic, place=place)
