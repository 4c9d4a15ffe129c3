"""A skill's body and its other files, read when somebody asks for them and not before.

Agent Plugins 1.0.0, section 4.1: a path that resolves outside the plugin is denied. Here it must
also stay inside the skill's own directory as it is written; links may lead elsewhere in the plugin.
"""

from __future__ import annotations

from prowess.errors import AccessDenied, NotFound, Unreadable
from prowess.redact import printable
from prowess.spec import limits, skill
from prowess.spec.model import Skill
from prowess.spec.paths import climbs_out
from prowess.spec.questions import Failure, Source


def read_body(source: Source, of: Skill) -> str:
    """The body of a SKILL.md."""
    return skill.read_body(_bytes(source, of.path, limits.SKILL_BYTES))


def read_file(source: Source, of: Skill, relative: str) -> bytes:
    """A file of the skill, its path relative to the skill's directory."""
    if relative.startswith("/") or "\\" in relative or climbs_out(relative):
        raise AccessDenied(f"{printable(relative)} leads out of the skill's directory")
    return _bytes(source, f"{of.directory}/{relative}", limits.FILE_BYTES)


def list_files(source: Source, of: Skill) -> tuple[str, ...]:
    """The regular files of a skill, relative to its directory and sorted; links are not walked into."""
    found: list[str] = []
    waiting = [""]
    while waiting:
        folder = waiting.pop()
        entries = source.list(f"{of.directory}/{folder}".rstrip("/"))
        if isinstance(entries, Failure):
            continue  # gone or closed meanwhile: what it holds cannot be offered
        for name, entry in entries.items():
            path = f"{folder}{name}"
            if entry.kind == "directory":
                waiting.append(f"{path}/")
            elif entry.kind == "file" or source.kind(f"{of.directory}/{path}") == "file":
                found.append(path)
        if len(found) > limits.DIRECTORY_ENTRIES:
            raise Unreadable(f"skill {printable(of.name)} has more than {limits.DIRECTORY_ENTRIES} files")
    return tuple(sorted(found))


def _bytes(source: Source, path: str, limit: int) -> bytes:
    data = source.read(path, limit)
    if not isinstance(data, Failure):
        return data
    message = f"{printable(path)}: {printable(data.detail or data.reason)}"
    if data.reason == "outside":
        raise AccessDenied(message)
    if data.reason in ("missing", "not-file"):
        raise NotFound(message)
    raise Unreadable(message)
