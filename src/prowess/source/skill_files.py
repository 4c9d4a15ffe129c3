"""The files of a skill that may be given to others: regular files that really lie in its directory.

Stricter than what its own machine may read: hidden files are left out at every depth, links are
followed only to a file inside the skill's directory, and directories behind links are not walked.
Each file comes with a stamp, by which a change on the disk is noticed without reading it.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Mapping
from dataclasses import dataclass, field

from prowess.redact import printable
from prowess.source.directory import DirectorySource, is_inside
from prowess.spec.model import Skill
from prowess.spec.questions import Failure

DEEPEST = 32  # directories inside directories
MOST_NOTES = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Stamp:
    """What is the same while a file is the same, and nearly always different when it is not."""

    device: int
    inode: int
    size: int
    modified: int
    changed: int


@dataclass(frozen=True, slots=True, kw_only=True)
class SkillTree:
    """What a skill's directory holds, by paths relative to it; an empty path is the directory itself.

    `complete` is false where the walk ended at `most` files. `left_out` says what was passed over.
    """

    files: Mapping[str, Stamp] = field(default_factory=dict)
    directories: tuple[str, ...] = ("",)
    left_out: tuple[str, ...] = ()
    complete: bool = True


def walk(source: DirectorySource, of: Skill, most: int) -> SkillTree:
    """Every file that may be given away, sorted; the walk stops when there are more than `most`."""
    root = _root(source, of)
    if root is None:
        return SkillTree(directories=(), left_out=("its directory is gone",))
    walking = _Walk(source, of, root)
    waiting = [""]
    while waiting:
        walking.look_into(waiting.pop(), waiting)
        if len(walking.files) > most:
            break
    return SkillTree(
        files=dict(sorted(walking.files.items())),
        directories=tuple(sorted(walking.directories)),
        left_out=tuple(walking.notes[:MOST_NOTES]),
        complete=len(walking.files) <= most,
    )


def read_for_others(source: DirectorySource, of: Skill, relative: str, limit: int) -> bytes | Failure:
    """A file of the skill by a path that `walk` gave, looked at anew."""
    root = _root(source, of)
    hidden = any(step.startswith(".") for step in relative.split("/"))
    if root is None or hidden or _own_file(source, of, relative, root) is None:
        return Failure("missing", "it does not exist")
    return source.read(f"{of.directory}/{relative}", limit)


class _Walk:
    def __init__(self, source: DirectorySource, of: Skill, root: str) -> None:
        self._source, self._of, self._root = source, of, root
        self.files: dict[str, Stamp] = {}
        self.directories: list[str] = []
        self.notes: list[str] = []

    def look_into(self, folder: str, waiting: list[str]) -> None:
        self.directories.append(folder)
        try:
            with os.scandir(os.path.join(self._root, folder)) as entries:
                found = sorted(entries, key=lambda each: each.name)
        except OSError as error:
            self._pass_over(folder, error.strerror or "it cannot be listed")
            return
        for entry in found:
            path = f"{folder}/{entry.name}" if folder else entry.name
            if entry.name.startswith("."):
                self._pass_over(path, "hidden")
            elif not _is_text(entry.name):
                self._pass_over(path, "its name is not Unicode text")
            elif entry.is_dir(follow_symlinks=False):
                self._go_down(path, waiting)
            else:
                self._take(path)

    def _go_down(self, path: str, waiting: list[str]) -> None:
        if path.count("/") >= DEEPEST:
            self._pass_over(path, f"more than {DEEPEST} directories deep")
        else:
            waiting.append(path)

    def _take(self, path: str) -> None:
        stamp = _own_file(self._source, self._of, path, self._root)
        if stamp is None:
            self._pass_over(path, "no regular file inside the skill's directory")
        else:
            self.files[path] = stamp

    def _pass_over(self, path: str, why: str) -> None:
        self.notes.append(f"{printable(path, 300)}: {why}")


def _root(source: DirectorySource, of: Skill) -> str | None:
    """The real directory of the skill."""
    try:
        root = source.resolve(of.directory)
        return root if root is not None and os.path.isdir(root) else None
    except (OSError, ValueError):
        return None


def _own_file(source: DirectorySource, of: Skill, relative: str, root: str) -> Stamp | None:
    """The stamp of a regular file whose real path is below `root` and hides nowhere, else None."""
    try:
        real = source.resolve(f"{of.directory}/{relative}")
        if real is None or not is_inside(real, root):
            return None
        if any(step.startswith(".") for step in os.path.relpath(real, root).split(os.sep)):
            return None
        found = os.lstat(real)
    except (OSError, ValueError):
        return None
    if not stat.S_ISREG(found.st_mode):
        return None
    return Stamp(
        device=found.st_dev,
        inode=found.st_ino,
        size=found.st_size,
        modified=found.st_mtime_ns,
        changed=found.st_ctime_ns,
    )


def _is_text(name: str) -> bool:
    return not any("\ud800" <= each <= "\udfff" for each in name)
