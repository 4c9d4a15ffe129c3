"""The entry of one skill that a server serves: what it says, checked, and kept as sent.

MCP extension `io.modelcontextprotocol/skills` (SEP-2640), "Skill Entries". An entry is untrusted: one
that the extension calls invalid becomes a reason and not a value, so whoever holds a SkillEntry holds
one whose files all lie inside the skill. It knows no server and reads nothing.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import unquote

from prowess.redact import printable
from prowess.spec.skill import name_problem, nfkc

EXTENSION = "io.modelcontextprotocol/skills"
SINCE = "2026-07-28"  # the protocol revision that the methods belong to
SKILL_FILE = "SKILL.md"
DYNAMIC = "dynamic"

MOST_FILES = 512  # what every host supports, and no server should exceed
MOST_BYTES = 16 << 20
LONGEST_URI = 8_192

_DIGEST = re.compile("sha256:[0-9a-f]{64}")
_TAIL = f"/{SKILL_FILE}"


@dataclass(frozen=True, slots=True, kw_only=True)
class ListedFile:
    """One file of a skill: `digest` (`sha256:...`) and `size` are those of its raw bytes."""

    uri: str
    digest: str
    size: int


@dataclass(frozen=True, slots=True, kw_only=True)
class SkillEntry:
    """One skill as its server describes it. `files` is None where the server says `dynamic`.

    `wire` is the entry as sent, unknown members included.
    """

    uri: str
    frontmatter: Mapping[str, Any]
    files: tuple[ListedFile, ...] | None
    wire: Mapping[str, Any] = field(repr=False)

    @property
    def name(self) -> str:
        """The name in the frontmatter: a label, unique nowhere."""
        return str(self.frontmatter["name"])

    @property
    def description(self) -> str:
        """The description in the frontmatter."""
        return str(self.frontmatter["description"])

    @property
    def root(self) -> str:
        """The URI of the skill's directory, without a slash at its end."""
        return self.uri.removesuffix(_TAIL)

    @property
    def path(self) -> str:
        """The skill's path: its directory's URI without the scheme."""
        return self.root.partition("://")[2]

    @property
    def size(self) -> int:
        """The bytes of all files together; 0 where they are not listed."""
        return sum(each.size for each in self.files or ())

    def file(self, uri: str) -> ListedFile | None:
        """The file at `uri`, if the entry lists it."""
        return next((each for each in self.files or () if each.uri == uri), None)

    def relative(self, uri: str) -> str:
        """The path of a file below the skill's directory, as a file system would write it."""
        return unquote(uri.removeprefix(f"{self.root}/"))

    def content(self) -> dict[str, str]:
        """What an approval is bound to: the digest of each file, by its URI."""
        return {each.uri: each.digest for each in self.files or ()}


def entry_of(wire: object) -> SkillEntry | str:
    """The entry that a server sent, or why it is none."""
    if not isinstance(wire, Mapping):
        return "it is not an object"
    uri, frontmatter = wire.get("uri"), wire.get("frontmatter")
    fault = _uri_fault(uri) or _frontmatter_fault(frontmatter)
    if fault:
        return fault
    entry = SkillEntry(uri=str(uri), frontmatter=dict(frontmatter or {}), files=None, wire=dict(wire))
    if wrong := name_problem(nfkc(entry.name)):
        return f"its name {wrong[0]}"
    if unquote(entry.path.rpartition("/")[2]) != entry.name:
        return "the last step of its path is not the name in its frontmatter"
    resources = wire.get("resources")
    if resources == DYNAMIC:
        return entry
    files = _files(resources, entry)
    if isinstance(files, str):
        return files
    return SkillEntry(uri=entry.uri, frontmatter=entry.frontmatter, files=files, wire=entry.wire)


def is_inside(uri: str, root: str) -> bool:
    """Whether `uri` names something below the directory `root`, however it is written."""
    if not uri.startswith(f"{root}/"):
        return False
    steps = unquote(uri.removeprefix(f"{root}/")).split("/")
    return not any(step in ("", ".", "..") for step in steps) and not set("?#\\") & set(uri)


def _uri_fault(uri: object) -> str:
    if not isinstance(uri, str) or not uri:
        return "it has no uri"
    if len(uri) > LONGEST_URI:
        return f"its uri has more than {LONGEST_URI} characters"
    scheme, apart, path = uri.partition("://")
    if not apart or not scheme or not path.endswith(_TAIL) or not path.removesuffix(_TAIL):
        return f"its uri does not lead to a {SKILL_FILE} in a directory of its own"
    # A scheme whose authority is empty (`file:///...`) begins with one empty step.
    return "" if is_inside(f"/{path.removeprefix('/')}", "") else "its uri has steps that lead elsewhere"


def _frontmatter_fault(frontmatter: object) -> str:
    if not isinstance(frontmatter, Mapping):
        return "its frontmatter is not an object"
    for key in ("name", "description"):
        if not isinstance(frontmatter.get(key), str) or not frontmatter[key].strip():
            return f"its frontmatter has no {key}"
    return ""


def _files(resources: object, entry: SkillEntry) -> tuple[ListedFile, ...] | str:
    if not isinstance(resources, list):
        return f'its resources are neither a list nor "{DYNAMIC}"'
    files: dict[str, ListedFile] = {}
    for each in resources:
        found = _file(each, entry.root)
        if isinstance(found, str):
            return found
        if found.uri in files:
            return f"it lists {printable(found.uri, 300)} twice"
        files[found.uri] = found
    if entry.uri not in files:
        return f"it does not list its own {SKILL_FILE}"
    return tuple(files.values())


def _file(wire: object, root: str) -> ListedFile | str:
    if not isinstance(wire, Mapping) or not isinstance(wire.get("uri"), str):
        return "it lists a file without a uri"
    uri, digest, size = wire["uri"], wire.get("digest"), wire.get("size")
    shown = printable(uri, 300)
    if not is_inside(uri, root) or len(uri) > LONGEST_URI:
        return f"it lists {shown}, which is not inside the skill"
    if not isinstance(digest, str) or not _DIGEST.fullmatch(digest):
        return f"the digest of {shown} is not sha256 and 64 lower-case digits"
    if isinstance(size, bool) or not isinstance(size, int) or size < 0:
        return f"the size of {shown} is not a number of bytes"
    return ListedFile(uri=uri, digest=digest, size=size)


def over_limits(entry: SkillEntry) -> str:
    """Why a skill is larger than every host has to support, or an empty text."""
    return beyond(len(entry.files or ()), entry.size)


def beyond(files: int, size: int) -> str:
    """The same of a number of files and their bytes together."""
    if files > MOST_FILES:
        return f"it has {files} files; {MOST_FILES} are the most"
    return f"its files have {size} bytes; {MOST_BYTES} are the most" if size > MOST_BYTES else ""
