"""The files of one folder of content: on this machine's disk, or in memory.

Nothing outside the folder is ever read, wherever links or paths lead, and nothing hidden (a name that
begins with a dot), not even through a link. Which files there are is found by walking, so that a
request never becomes a path by itself.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from hashlib import sha256
from typing import NamedTuple, Protocol

from prowess.redact import printable
from prowess.source.directory import DirectorySource
from prowess.source.memory import Content, MemorySource
from prowess.spec import limits
from prowess.spec.diagnostics import Diagnostic, Place
from prowess.spec.questions import Failure, Source
from prowess.spec.rules import report

MARKDOWN_BYTES = limits.SKILL_BYTES
RESOURCE_BYTES = limits.FILE_BYTES
TABLE_BYTES = 4 << 20
MOST_FILES = 10_000
DEEPEST = 16


class Files(Protocol):
    """One folder: its name, its files, and what changes when one of them does."""

    @property
    def name(self) -> str:
        """What the folder is called."""
        ...

    @property
    def source(self) -> Source:
        """Who answers for its files."""
        ...

    def size(self, path: str) -> int:
        """How many bytes a file has; 0 when it is not there."""
        ...

    def stamp(self, path: str) -> str:
        """A text that differs when the file at `path` was written; empty when it is not there."""
        ...

    def is_hidden(self, path: str) -> bool:
        """Whether `path` leads to something hidden."""
        ...

    def on_disk(self, path: str) -> str | None:
        """The real path of a file, or None where there is none: code runs from a disk only."""
        ...


class DiskFiles:
    """The folder at `root`."""

    def __init__(self, root: str | os.PathLike[str]) -> None:
        self.root = os.path.abspath(os.fspath(root))
        self.source: DirectorySource = DirectorySource(self.root)

    @property
    def name(self) -> str:
        """The last part of its path."""
        return os.path.basename(self.root)

    def on_disk(self, path: str) -> str | None:
        """The real path, if it is inside."""
        try:
            return self.source.resolve(path)
        except (OSError, ValueError):
            return None

    def is_hidden(self, path: str) -> bool:
        """Told by the path as written and by where it leads."""
        real = self.on_disk(path)
        inside = "" if real is None else os.path.relpath(real, self.source.root)
        return _hidden(path) or (inside != "." and _hidden(inside.replace(os.sep, "/")))

    def size(self, path: str) -> int:
        """What the disk says."""
        found = self._stat(path)
        return 0 if found is None else found.st_size

    def stamp(self, path: str) -> str:
        """Its size, its times and which file it is."""
        found = self._stat(path)
        if found is None:
            return ""
        return f"{found.st_ino} {found.st_size} {found.st_mtime_ns} {found.st_ctime_ns}"

    def _stat(self, path: str) -> os.stat_result | None:
        real = self.on_disk(path)
        try:
            return None if real is None else os.lstat(real)
        except OSError:
            return None


class MemoryFiles:
    """Files that are given: `{path: content}`; the twin of a folder."""

    def __init__(self, files: Mapping[str, Content], *, name: str = "guides") -> None:
        self.name = name
        self.give(files)

    def give(self, files: Mapping[str, Content]) -> None:
        """Hold these files from now on."""
        self.source: MemorySource = MemorySource(files)

    def _bytes(self, path: str) -> bytes:
        data = self.source.read(path, RESOURCE_BYTES)
        return data if isinstance(data, bytes) else b""

    def size(self, path: str) -> int:
        """How many bytes were given."""
        return len(self._bytes(path))

    def stamp(self, path: str) -> str:
        """A digest."""
        return sha256(self._bytes(path)).hexdigest() if self.source.kind(path) == "file" else ""

    def is_hidden(self, path: str) -> bool:
        """Told by the path as written."""
        return _hidden(path)

    def on_disk(self, path: str) -> str | None:
        """Nowhere."""
        return None


def _hidden(path: str) -> bool:
    return any(part.startswith(".") and part not in (".", "..") for part in path.split("/"))


def is_aside(name: str) -> bool:
    """Whether a name is hidden, or something that editors and tools leave beside the files."""
    return name.startswith(".") or name.endswith("~") or name in ("__pycache__", "node_modules")


class Walked(NamedTuple):
    """The files below a folder, sorted, and what was left out."""

    paths: list[str]
    diagnostics: list[Diagnostic]


def walk(files: Files, top: str, *, deepest: int = DEEPEST, ask_below: bool = True) -> Walked:
    """Every file at most `deepest` folders down; a `top` that is not there holds none.

    With `ask_below` it is told where Markdown stands deeper than that.
    """
    found = Walked([], [])
    if files.source.kind(top) == "directory" and not _leads_out(files, top, found):
        _look(files, top, found, deepest, ask_below)
    found.paths.sort()
    return found


def _leads_out(files: Files, path: str, found: Walked) -> bool:
    if files.source.confined(path) and not files.is_hidden(path):
        return False
    _tell(found, "content-outside", path, "leads out of the folder, or to something hidden")
    return True


def _look(files: Files, folder: str, found: Walked, deeper: int, ask_below: bool) -> None:
    entries = files.source.list(folder)
    if isinstance(entries, Failure):
        _tell(found, "content-unreadable", folder, printable(entries.detail or entries.reason))
        return
    for name in sorted(entries):
        path = f"{folder}/{name}".lstrip("/")
        if is_aside(name):
            continue
        if len(found.paths) >= MOST_FILES:
            _tell(found, "content-unreadable", folder, f"there are more than {MOST_FILES} files")
            return
        if entries[name].kind == "directory":
            if deeper > 1:
                _look(files, path, found, deeper - 1, ask_below)
            elif ask_below and _holds_markdown(files, path):
                _tell(found, "content-misplaced", path, "files in a folder this deep are not looked at")
        elif not _leads_out(files, path, found):
            _add(files, path, found)


def _holds_markdown(files: Files, path: str) -> bool:
    entries = files.source.list(path)
    return not isinstance(entries, Failure) and any(each.lower().endswith(".md") for each in entries)


def _add(files: Files, path: str, found: Walked) -> None:
    kind = files.source.kind(path)
    if kind == "file":
        found.paths.append(path)
    elif kind == "directory":
        _tell(found, "content-misplaced", path, "is a link to a folder, which is not followed")
    else:
        message = "leads to nothing" if kind == "missing" else "is no regular file"
        _tell(found, "content-unreadable", path, message)


def _tell(found: Walked, rule: str, path: str, message: str) -> None:
    found.diagnostics.append(report(rule, Place(file=path), message, subject=path))
