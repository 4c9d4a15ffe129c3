"""The `skills` directory walked, one level and no deeper; Agent Plugins 1.0.0, section 7.1.

Each direct child directory with a name exactly `SKILL.md` that resolves to a regular file is one
skill. What a SKILL.md says is judged by `skill.py`; here is only where it is.
"""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass, field

from prowess.redact import printable
from prowess.spec import hints, limits
from prowess.spec.diagnostics import Diagnostic, Place
from prowess.spec.model import Profile, Skill
from prowess.spec.questions import (
    Answer,
    Conversation,
    Entry,
    Failure,
    Listing,
    Question,
    confined,
    kind,
    listing,
    read,
)
from prowess.spec.rules import report

TYPE_CHECKING = False
if TYPE_CHECKING:
    from prowess.spec.skill import SkillVerdict

DIRECTORY = "skills"
FILE = "SKILL.md"


@dataclass(slots=True)
class SkillsFound:
    """What the walk gathered so far."""

    held: dict[str, SkillVerdict] = field(default_factory=dict)
    diagnostics: list[Diagnostic] = field(default_factory=list)

    @property
    def skills(self) -> tuple[Skill, ...]:
        """The skills that load, sorted by name."""
        found = (self.held[name].skill for name in sorted(self.held))
        return tuple(skill for skill in found if skill is not None)

    @property
    def strict(self) -> int:
        """How many of them the letter of the specification loads."""
        return sum(verdict.strict for verdict in self.held.values())


def find_skills(entry: Entry | None, profile: Profile) -> Conversation[SkillsFound]:
    """All skills of a plugin; `entry` is what its root lists under `skills`."""
    found = SkillsFound()
    if entry is None:
        return found  # 6.2: an absent location is no error
    fault = yield from _location_fault(entry)
    children = Failure("not-directory") if fault else (yield from listing(DIRECTORY))
    if fault or isinstance(children, Failure):
        found.diagnostics.append(fault or _unreadable_directory(children))
        return found
    if FILE in children:
        found.diagnostics.append(_too_shallow(f"{DIRECTORY}/{FILE}"))
    for name in sorted(children):
        yield from _child(name, children[name], profile, found)
    if not found.held and not found.diagnostics:
        found.diagnostics.extend(_flat(children))
    return found


def skills_elsewhere(entries: Listing) -> list[Diagnostic]:
    """Notes on what the plugin root holds where it has no `skills`, but something that was meant for it."""
    if DIRECTORY in entries:
        return []
    found = [_too_shallow(FILE)] if FILE in entries else []
    for name in sorted(entries):
        if name.lower() in (DIRECTORY, "skill") and entries[name].kind == "directory":
            message = f"{printable(name)} is not looked into: the name is exactly {DIRECTORY}"
            hint = f"rename it to {DIRECTORY}"
            found.append(report("skill-misplaced", Place(file=name), message, hint=hint))
    return found


def _flat(children: Listing) -> list[Diagnostic]:
    """The note on the first Markdown file of a `skills` directory in which there is no skill."""
    for name in sorted(children):
        stem, dot, ending = name.rpartition(".")
        if dot and ending.lower() == "md" and children[name].kind == "file" and stem.upper() != "README":
            message = "a file directly in skills is no skill"
            hint = f"a skill is a directory: skills/{printable(stem, 64)}/{FILE}"
            return [report("skill-misplaced", Place(file=f"{DIRECTORY}/{name}"), message, hint=hint)]
    return []


def _location_fault(entry: Entry) -> Generator[Question, Answer, Diagnostic | None]:
    place = Place(file=DIRECTORY)
    if entry.kind == "link" and not (yield from confined(DIRECTORY)):
        message = "skills resolves outside the plugin"
        return report("skills-outside", place, message, hint=hints.INSIDE, subject=DIRECTORY)
    if entry.kind == "directory" or (yield from kind(DIRECTORY)) == "directory":
        return None
    return report("skills-unreadable", place, "skills is not a directory", subject=DIRECTORY)


def _unreadable_directory(failure: Failure | Listing) -> Diagnostic:
    reason = printable(failure.detail) if isinstance(failure, Failure) else ""
    message = f"skills cannot be listed{': ' if reason else ''}{reason}"
    return report("skills-unreadable", Place(file=DIRECTORY), message, subject=DIRECTORY)


def _too_shallow(path: str) -> Diagnostic:
    hint = "move it into a directory named as the skill: skills/<name>/SKILL.md"
    message = f"a SKILL.md directly in {'skills' if '/' in path else 'the plugin root'} is no skill"
    return report("skill-misplaced", Place(file=path), message, hint=hint)


def _child(name: str, entry: Entry, profile: Profile, found: SkillsFound) -> Conversation[None]:
    path = f"{DIRECTORY}/{name}"
    if entry.kind == "link":
        if not (yield from confined(path)):
            found.diagnostics.append(_outside(path, "the skill's directory", path))
            return
        what = yield from kind(path)
        if what == "missing":
            message = "the link leads to nothing"
            found.diagnostics.append(report("skill-not-file", Place(file=path), message))
        if what != "directory":
            return
    elif entry.kind != "directory":
        return
    entries = yield from listing(path)
    if not name.isascii() and any("\ud800" <= c <= "\udfff" for c in name):
        entries = Failure("unreadable", "the directory's name is not Unicode text")
    if isinstance(entries, Failure):
        found.diagnostics.append(_unreadable(path, path, entries))
    elif FILE in entries:
        yield from _skill_file(name, entries[FILE], profile, found)
    else:
        found.diagnostics.extend((yield from _why_no_skill(path, entries)))


def _outside(path: str, what: str, subject: str) -> Diagnostic:
    message = f"{what} resolves outside the plugin"
    return report("skill-outside", Place(file=path), message, hint=hints.INSIDE, subject=subject)


def _skill_file(name: str, entry: Entry, profile: Profile, found: SkillsFound) -> Conversation[None]:
    directory = f"{DIRECTORY}/{name}"
    path = f"{directory}/{FILE}"
    if entry.kind == "link" and not (yield from confined(path)):
        found.diagnostics.append(_outside(path, FILE, directory))
        return
    if entry.kind != "file" and (yield from kind(path)) != "file":
        found.diagnostics.append(report("skill-not-file", Place(file=path), "SKILL.md is no regular file"))
        return
    data = yield from read(path, limits.SKILL_BYTES)
    if isinstance(data, Failure):
        found.diagnostics.append(_unreadable(path, directory, data))
        return
    _judge(data, name, path, profile, found)


def _judge(data: bytes, name: str, path: str, profile: Profile, found: SkillsFound) -> None:
    # Imported here: the YAML parser is slow to import, and a package without skills needs none.
    from prowess.spec.advice import advise
    from prowess.spec.skill import parse_skill

    verdict = parse_skill(data, directory=name, path=path, profile=profile)
    found.diagnostics.extend(verdict.diagnostics)
    skill = verdict.skill
    if skill is None:
        return
    held = found.held.get(skill.name)
    # Of two with one name the first stands, but never before one that the letter loads.
    if held is not None and (held.strict or not verdict.strict):
        found.diagnostics.append(_same_name(skill))
        return
    if held is not None and held.skill is not None:
        found.diagnostics.append(_same_name(held.skill))
    found.held[skill.name] = verdict
    found.diagnostics.extend(advise(skill))


def _same_name(skill: Skill) -> Diagnostic:
    message = f"another skill is named {printable(skill.name)} too"
    hint = "give each skill a name of its own, and its directory the same"
    return report("skill-duplicate", Place(file=skill.path), message, hint=hint, subject=skill.directory)


def _unreadable(path: str, subject: str, failure: Failure) -> Diagnostic:
    message = f"cannot be read: {printable(failure.detail or failure.reason)}"
    return report("skill-unreadable", Place(file=path), message, subject=subject)


def _why_no_skill(path: str, entries: Listing) -> Conversation[list[Diagnostic]]:
    """Notes on a child directory without SKILL.md, where the likely mistake can be told."""
    notes = []
    for name in sorted(entries):
        if name.lower() == FILE.lower():
            message = f"{printable(name)} is not found: the name is exactly {FILE}"
            hint = f"rename it to {FILE}"
            notes.append(report("skill-file-case", Place(file=f"{path}/{name}"), message, hint=hint))
        elif entries[name].kind == "directory" and not notes:
            below = yield from listing(f"{path}/{name}")
            if not isinstance(below, Failure) and FILE in below:
                place = Place(file=f"{path}/{name}/{FILE}")
                message = f"this {FILE} is one level too deep to be found"
                hint = f"move its directory up: skills/{printable(name)}/{FILE}"
                notes.append(report("skill-misplaced", place, message, hint=hint))
    return notes
