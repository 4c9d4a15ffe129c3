"""The skills of a Host's own plugins as a server serves them: entries, files and directories by URI.

MCP extension `io.modelcontextprotocol/skills` (SEP-2640). Every answer is true when it is given: the
directory is walked each time, and a file whose stamp changed is read and hashed again. A skill that
cannot be served is left out with a note. It answers in values and paths; requests are not known here.
"""

from __future__ import annotations

import hashlib
import threading
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote

from prowess.capability.skill_entry import MOST_BYTES, MOST_FILES, SKILL_FILE, beyond
from prowess.host.packages import LocalSkill
from prowess.redact import printable
from prowess.serve.media import media_type
from prowess.source.skill_files import SkillTree, Stamp, read_for_others, walk
from prowess.spec.frontmatter import Fault
from prowess.spec.frontmatter_json import frontmatter_json
from prowess.spec.questions import Failure
from prowess.spec.skill import parse_skill

SCHEME = "skill://"
DIRECTORY = "inode/directory"
# A file may change twice within the grain of its file system's clock; until that is over it is read anew.
GRAIN_NS = 2_000_000_000
# What RFC 3986 lets stand in a path.
_UNQUOTED = "/-._~!$&'()*+,;=:@"


@dataclass(frozen=True, slots=True, kw_only=True)
class Served:
    """One skill that is served now. `path` is its skill path, `files` digest and size by relative path."""

    local: LocalSkill
    path: str
    tree: SkillTree
    frontmatter: Mapping[str, Any]
    files: Mapping[str, tuple[str, int]]

    @property
    def uri(self) -> str:
        """The URI of its SKILL.md."""
        return self.uri_of(SKILL_FILE)

    @property
    def description(self) -> str:
        """The description in its frontmatter."""
        return str(self.frontmatter["description"])

    def uri_of(self, relative: str) -> str:
        """The URI of a file or directory by its path; an empty path is the skill's own directory."""
        return f"{SCHEME}{self.path}" + (f"/{quote(relative, safe=_UNQUOTED)}" if relative else "")

    def entry(self) -> dict[str, Any]:
        """The wire object `Skill`."""
        files = [
            {"uri": self.uri_of(path), "digest": digest, "size": size}
            for path, (digest, size) in self.files.items()
        ]
        return {"uri": self.uri, "frontmatter": dict(self.frontmatter), "resources": files}

    def resource(self, relative: str) -> dict[str, Any]:
        """The wire object `Resource` of one file."""
        named = {"uri": self.uri_of(relative), "name": relative.rpartition("/")[2]}
        if relative == SKILL_FILE:
            named.update(name=str(self.frontmatter["name"]), description=self.description)
        kind = media_type(relative)
        return {
            **named,
            **({"mimeType": kind} if kind else {}),
            "size": self.files[relative][1],
        }


@dataclass(slots=True)
class _Known:
    """What was found out about one file, and the stamp that it had."""

    stamp: Stamp
    digest: str
    size: int
    frontmatter: Mapping[str, Any] = field(default_factory=dict)


class LocalSkills:
    """The skills of a Host, by their paths; safe to use from several threads."""

    def __init__(self, skills: Sequence[LocalSkill]) -> None:
        self._paths = skill_paths(skills)
        self._known: dict[tuple[str, str], _Known] = {}
        self._notes: dict[str, tuple[str, ...]] = {}
        self._lock = threading.Lock()

    def __len__(self) -> int:
        return len(self._paths)

    def of(self, may: Callable[[str], bool]) -> LocalSkills:
        """Those of the plugins that `may` lets through, each at the path that it has here."""
        some = copy(self)
        some._paths = {path: each for path, each in self._paths.items() if may(each.plugin)}
        return some

    @property
    def notes(self) -> tuple[str, ...]:
        """What was left out when each skill was looked at last, and why."""
        return tuple(note for path in sorted(self._notes) for note in self._notes[path])

    def all(self) -> list[Served]:
        """Every skill that can be served now, by path."""
        found = [self._look(path) for path in self._paths]
        return [each for each in found if each is not None]

    def at(self, uri: str) -> Served | None:
        """The skill whose SKILL.md is at `uri`."""
        path = uri.removeprefix(SCHEME).removesuffix(f"/{SKILL_FILE}")
        found = self._look(path) if path in self._paths else None
        return found if found is not None and found.uri == uri else None

    def may_hold(self, uri: str) -> bool:
        """Whether a skill has a directory above `uri`; nothing is read to tell."""
        return any(uri.startswith(f"{SCHEME}{path}/") for path in self._paths)

    def holding(self, uri: str) -> tuple[Served, str] | None:
        """The skill and the path in it of the file at `uri`."""
        for path in self._paths:
            if uri.startswith(f"{SCHEME}{path}/") and (found := self._look(path)) is not None:
                for relative in found.files:
                    if found.uri_of(relative) == uri:
                        return found, relative
        return None

    def content(self, served: Served, relative: str) -> bytes | None:
        """The bytes of one file as it is now; None when it is gone meanwhile."""
        local = served.local
        data = read_for_others(local.source, local.skill, relative, MOST_BYTES)
        return None if isinstance(data, Failure) else data

    def children(self, uri: str) -> list[dict[str, Any]] | None:
        """The resources directly in the directory at `uri`; None when there is no such directory."""
        below = [path for path in self._paths if f"{SCHEME}{path}".startswith(f"{uri}/")]
        if below:  # a prefix that skills share: their directories are its children
            skills = [found for path in below if (found := self._look(path)) is not None]
            return [_directory(each.uri_of("")) for each in skills]
        for path in self._paths:
            root = f"{SCHEME}{path}"
            if uri == root or uri.startswith(f"{root}/"):
                found = self._look(path)
                return None if found is None else _inside(found, uri)
        return None

    # -- looking -----------------------------------------------------------------------------------

    def _look(self, path: str) -> Served | None:
        with self._lock:
            local = self._paths[path]
            tree = walk(local.source, local.skill, MOST_FILES)
            notes = [f"{local.name}: left out {each}" for each in tree.left_out]
            found = self._served(path, local, tree)
            if isinstance(found, str):
                notes.append(f"skill {local.name} is not served: {found}")
            self._notes[path] = tuple(notes)
            return found if isinstance(found, Served) else None

    def _served(self, path: str, local: LocalSkill, tree: SkillTree) -> Served | str:
        if not tree.complete:
            return f"it has more than {MOST_FILES} files"
        if too_much := beyond(len(tree.files), sum(each.size for each in tree.files.values())):
            return too_much
        if SKILL_FILE not in tree.files:
            return f"its {SKILL_FILE} is no regular file inside its directory"
        found: dict[str, _Known] = {}
        for relative, stamp in tree.files.items():
            known = self._file(path, local, relative, stamp)
            if isinstance(known, str):
                return f"{printable(relative)}: {known}"
            found[relative] = known
        return Served(
            local=local,
            path=path,
            tree=tree,
            frontmatter=found[SKILL_FILE].frontmatter,
            files={relative: (each.digest, each.size) for relative, each in found.items()},
        )

    def _file(self, path: str, local: LocalSkill, relative: str, stamp: Stamp) -> _Known | str:
        """Digest, size and frontmatter of one file, all of the same bytes; or why there are none."""
        known = self._known.get((path, relative))
        if known is not None and known.stamp == stamp:
            return known
        data = read_for_others(local.source, local.skill, relative, MOST_BYTES)
        if isinstance(data, Failure):
            return data.detail or data.reason
        digest = f"sha256:{hashlib.sha256(data).hexdigest()}"
        known = _Known(stamp=stamp, digest=digest, size=len(data))
        if relative == SKILL_FILE:
            frontmatter = _frontmatter(data, local)
            if isinstance(frontmatter, str):
                return frontmatter
            known.frontmatter = frontmatter
        if time.time_ns() - stamp.modified > GRAIN_NS:
            self._known[path, relative] = known
        return known


def skill_paths(skills: Sequence[LocalSkill]) -> dict[str, LocalSkill]:
    """Each skill by its path: its name, or `plugin/name` where the name alone would mean two things.

    A label that stands in front of a skill is the name of no other skill's directory, so that none lies
    inside another.
    """
    names = [each.skill.name for each in skills]
    prefixed = {id(each) for each in skills if names.count(each.skill.name) > 1}
    while True:
        labels = {each.plugin for each in skills if id(each) in prefixed}
        more = {id(each) for each in skills if each.skill.name in labels} - prefixed
        if not more:
            break
        prefixed |= more
    paths = {_path(each, id(each) in prefixed): each for each in skills}
    return dict(sorted(paths.items()))


def _path(local: LocalSkill, prefixed: bool) -> str:
    name = quote(local.skill.name, safe="")
    return f"{quote(local.plugin, safe='')}/{name}" if prefixed else name


def _frontmatter(data: bytes, local: LocalSkill) -> Mapping[str, Any] | str:
    """The frontmatter as it is now, if the skill still loads under its name."""
    skill = local.skill
    directory = skill.directory.rpartition("/")[2]
    verdict = parse_skill(data, directory=directory, path=skill.path, profile=local.profile)
    found = frontmatter_json(data)
    if verdict.skill is None or isinstance(found, Fault):
        return "it is not valid any more, or only in the lenient profile"
    if found["name"] != skill.name:
        return f"its name is {printable(str(found['name']), 80)} now; serve it anew"
    return found


def _inside(served: Served, uri: str) -> list[dict[str, Any]] | None:
    folder = next((each for each in served.tree.directories if served.uri_of(each) == uri), None)
    if folder is None:
        return None
    above = f"{folder}/" if folder else ""
    directories = [served.uri_of(each) for each in _direct(served.tree.directories, above)]
    return [
        *(served.resource(each) for each in _direct(served.files, above)),
        *(_directory(each) for each in directories),
    ]


def _direct(paths: Iterable[str], above: str) -> list[str]:
    return [each for each in paths if each.startswith(above) and each != "" and "/" not in each[len(above) :]]


def _directory(uri: str) -> dict[str, Any]:
    return {"uri": uri, "name": uri.rpartition("/")[2], "mimeType": DIRECTORY}
