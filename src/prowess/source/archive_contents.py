"""What a package holds, by digests: the value that trust is given to and that a lock file keeps.

    plugin.json     sha256:...              a file
    bin/server      sha256:... executable   a file that may be run
    skills/b        link a                  a symbolic link

Modes beyond the executable bit, times and owners take no part, nor do empty directories: a directory, a
zip and a commit with the same files have the same digest.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import stat
from collections.abc import Mapping
from dataclasses import dataclass, field

from prowess.errors import Unreadable
from prowess.redact import printable

SCHEME = "sha256:"
EXECUTABLE = " executable"
LINK = "link "
CHUNK = 1 << 18
_FILE = re.compile(r"sha256:[0-9a-f]{64}(?: executable)?")
_OPEN = os.O_RDONLY | sum(getattr(os, each, 0) for each in ("O_CLOEXEC", "O_NOFOLLOW", "O_NONBLOCK"))
_RUN = 0o111


@dataclass(frozen=True, slots=True, kw_only=True)
class Contents:
    """The files of a package by path, each in the words above; `notes` say what was left out."""

    files: Mapping[str, str] = field(default_factory=dict)
    notes: tuple[str, ...] = ()

    @property
    def digest(self) -> str:
        """`sha256:...` of all of it."""
        return digest_of(self.files)


def digest_of(files: Mapping[str, str]) -> str:
    """The digest of a package with these files."""
    text = json.dumps(dict(files), sort_keys=True, separators=(",", ":"), ensure_ascii=True)
    return SCHEME + hashlib.sha256(text.encode("ascii")).hexdigest()


def file_words(digest: str, executable: bool) -> str:
    """The words for a file with this hexadecimal SHA-256."""
    return f"{SCHEME}{digest}{EXECUTABLE if executable else ''}"


def are_words(words: object) -> bool:
    """Whether a value is one of the three forms."""
    if not isinstance(words, str):
        return False
    return bool(_FILE.fullmatch(words)) or (words.startswith(LINK) and len(words) > len(LINK))


def contents_on_disk(root: str) -> dict[str, str]:
    """What the directory `root` holds now, in the same words; no link is followed.

    Something that is neither file, directory nor link is `special`, a file that cannot be read
    `unreadable`. Raises Unreadable when the directory itself is not to be read.
    """
    found: dict[str, str] = {}
    waiting = [""]
    while waiting:
        below = waiting.pop()
        try:
            with os.scandir(os.path.join(root, below)) as entries:
                for entry in entries:
                    _look(entry, f"{below}/{entry.name}".lstrip("/"), found, waiting)
        except OSError as error:
            if not below:
                raise Unreadable(f"{printable(root, 500)}: {error.strerror}") from None
            found[below] = "unreadable"
    return found


def _look(entry: os.DirEntry[str], path: str, found: dict[str, str], waiting: list[str]) -> None:
    if entry.is_symlink():
        found[path] = LINK + os.readlink(entry.path)
    elif entry.is_dir(follow_symlinks=False):
        waiting.append(path)
    elif entry.is_file(follow_symlinks=False):
        found[path] = _file_on_disk(entry.path)
    else:
        found[path] = "special"


def _file_on_disk(path: str) -> str:
    try:
        descriptor = os.open(path, _OPEN)
    except OSError:
        return "unreadable"
    with os.fdopen(descriptor, "rb") as file:
        mode = os.fstat(descriptor).st_mode
        if not stat.S_ISREG(mode):
            return "special"
        digest = hashlib.sha256()
        try:
            while chunk := file.read(CHUNK):
                digest.update(chunk)
        except OSError:
            return "unreadable"
    return file_words(digest.hexdigest(), bool(mode & _RUN))
