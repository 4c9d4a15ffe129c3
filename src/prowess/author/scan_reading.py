"""Reads what is to be scanned from a disk: every regular file below a path, bounded, no link followed out.

Hidden files are read too, since a model may be told to read them; only what Git keeps for itself is
not. What is passed over is a finding, so that nothing is called clean that nobody looked at.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, field

from prowess.author.scan import LARGEST, Finding, scan_file, scan_files
from prowess.errors import UsageError
from prowess.redact import printable
from prowess.source.directory import DirectorySource
from prowess.spec.diagnostics import Place
from prowess.spec.questions import Failure

MOST_FILES = 10_000
MOST_BYTES = 256 << 20
DEEPEST = 64
ASIDE = frozenset({".git", ".hg", ".svn", ".jj"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Scanned:
    """What a path held: `root` is the directory that the places of the findings are relative to."""

    root: str
    files: int
    findings: tuple[Finding, ...]


@dataclass(slots=True)
class _Tree:
    source: DirectorySource
    files: dict[str, bytes] = field(default_factory=dict)
    passed: list[Finding] = field(default_factory=list)
    bytes: int = 0

    def pass_over(self, path: str, why: str) -> None:
        self.passed.append(Finding(rule="scan-unread", place=Place(file=path), says=why))


def scan_path(path: str) -> Scanned:
    """Scan a file, or every file of a directory. Raises UsageError for a path that is neither."""
    if os.path.isdir(path):
        tree = _Tree(DirectorySource(path))
        _walk(tree)
        findings = (*tree.passed, *scan_files(tree.files))
        return Scanned(root=path, files=len(tree.files), findings=_in_order(findings))
    if not os.path.isfile(path):
        what = "is not a regular file" if os.path.lexists(path) else "no such file or directory"
        raise UsageError(f"{printable(path, 500)}: {what}")
    folder, name = os.path.split(path)
    tree = _Tree(DirectorySource(folder or "."))
    _read(tree, name)
    found = [*tree.passed, *(each for at, data in tree.files.items() for each in scan_file(at, data))]
    return Scanned(root=folder or ".", files=len(tree.files), findings=_in_order(found))


def _in_order(findings: object) -> tuple[Finding, ...]:
    assert isinstance(findings, list | tuple)
    return tuple(sorted(findings, key=lambda each: (each.place.file, each.place.line or 0, each.rule)))


def _walk(tree: _Tree) -> None:
    waiting = [("", 0)]
    while waiting:
        folder, depth = waiting.pop()
        entries = tree.source.list(folder)
        if isinstance(entries, Failure):
            tree.pass_over(folder or ".", f"cannot be listed: {printable(entries.detail or entries.reason)}")
            continue
        for name in sorted(entries):
            path = f"{folder}/{name}" if folder else name
            if entries[name].kind == "directory":
                if depth >= DEEPEST:
                    tree.pass_over(path, f"lies more than {DEEPEST} directories deep, and was not read")
                elif name not in ASIDE:
                    waiting.append((path, depth + 1))
            elif entries[name].kind == "link":
                _link(tree, path)
            else:
                _read(tree, path)
            if len(tree.files) >= MOST_FILES or tree.bytes >= MOST_BYTES:
                tree.pass_over(
                    ".",
                    f"holds more than {MOST_FILES} files or {MOST_BYTES >> 20} MiB, and was not read whole",
                )
                return


def _link(tree: _Tree, path: str) -> None:
    """A link inside the tree leads to what is read anyway; one that leads out is told of."""
    if not tree.source.confined(path):
        tree.pass_over(path, "is a link that leads out, and was not followed")


def _read(tree: _Tree, path: str) -> None:
    data = tree.source.read(path, LARGEST * 16)
    if isinstance(data, Failure):
        tree.pass_over(path, f"cannot be read: {printable(data.detail or data.reason)}")
        return
    tree.files[path] = data[: LARGEST + 1]
    tree.bytes += len(tree.files[path])
