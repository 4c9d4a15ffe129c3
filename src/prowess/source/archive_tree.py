"""The directory that a source is unpacked into: every entry is judged before it is made.

The directory is new and private, so nothing in it is anyone else's. Files are made where no file was,
inside directories that were made here; symbolic links come last, when it is known that each leads to
something inside the package, so no file is ever written through one. It does not know where entries
come from.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable
from dataclasses import dataclass

from prowess.errors import SourceRefused
from prowess.redact import printable
from prowess.source.archive_bounds import Meter
from prowess.source.archive_contents import LINK, Contents, file_words
from prowess.source.archive_names import is_passed_over, judged_steps, judged_target, same_name
from prowess.source.memory import Link, MemorySource

MANIFEST = "plugin.json"
MOST_NOTES = 20
PRIVATE_DIRECTORY = 0o700
_MAKE = os.O_WRONLY | os.O_CREAT | os.O_EXCL
_MAKE |= sum(getattr(os, each, 0) for each in ("O_CLOEXEC", "O_NOFOLLOW", "O_BINARY"))
_FILE, _EXECUTABLE, _SEALED = 0o444, 0o555, 0o555


@dataclass(frozen=True, slots=True, kw_only=True)
class Unpacked:
    """A package on the disk: its own directory below the one that was unpacked into, and what it holds."""

    root: str
    contents: Contents


class Unpacking:
    """One source on its way to the disk. SourceRefused from any method means that all of it is refused."""

    def __init__(self, into: str, meter: Meter) -> None:
        self._into = into
        self.meter = meter
        self._kinds: dict[tuple[str, ...], str] = {(): "directory"}
        self._spelled: dict[tuple[str, ...], tuple[str, ...]] = {}
        self._words: dict[tuple[str, ...], str] = {}
        self._targets: dict[tuple[str, ...], str] = {}
        self._notes: dict[str, None] = {}

    def note(self, text: str) -> None:
        """Remember what was left out, for whoever installs."""
        if len(self._notes) < MOST_NOTES:
            self._notes.setdefault(text)

    def directory(self, name: str) -> None:
        """An entry that is a directory; it may come twice, and after what is in it."""
        steps = self._judged(name)
        if steps:
            self._make_directories(name, steps)

    def file(self, name: str, chunks: Iterable[bytes], *, executable: bool) -> None:
        """An entry that is a file."""
        steps = self._judged(name)
        if steps is None:
            self._drain(name, chunks)
            return
        if not steps:
            raise SourceRefused("the root of the package is a file", code="path-step")
        self._make_directories(name, steps[:-1])
        self._claim(name, steps, "file")
        self._words[steps] = file_words(self._write(name, steps, chunks, executable), executable)

    def link(self, name: str, target: str) -> None:
        """An entry that is a symbolic link."""
        steps = self._judged(name)
        if steps is None:
            return
        if not steps:
            raise SourceRefused("the root of the package is a link", code="path-step")
        target = judged_target(name, target, most_bytes=self.meter.bounds.path)
        self._make_directories(name, steps[:-1])
        self._claim(name, steps, "link")
        self._words[steps] = LINK + target
        self._targets[steps] = target

    def finish(self, subdirectory: str = "") -> Unpacked:
        """Make the links and close the directories; what the package is and where it stands.

        The package is at `subdirectory`. Without one, it is the root, or the one directory that stands
        in the root alone, as in archives that hold a folder.
        """
        above = self._package(subdirectory)
        words = {
            path[len(above) :]: said for path, said in self._words.items() if path[: len(above)] == above
        }
        if not words or above in self._words:
            raise SourceRefused("there is no file in it", code="archive-empty")
        self._insist_on_links_inside(words)
        for steps, target in self._targets.items():
            if steps[: len(above)] == above:
                os.symlink(target, os.path.join(self._into, *steps))
        self._seal(above)
        files = {"/".join(path): words[path] for path in sorted(words)}
        root = os.path.join(self._into, *above)
        return Unpacked(root=root, contents=Contents(files=files, notes=tuple(self._notes)))

    # -- one entry -------------------------------------------------------------------------------

    def _judged(self, name: str) -> tuple[str, ...] | None:
        """The steps of an entry, or None when it is no part of a package."""
        self.meter.entry(name)
        bounds = self.meter.bounds
        steps = judged_steps(name, most_steps=bounds.steps, most_bytes=bounds.path)
        if left_out := is_passed_over(steps):
            self.note(f"{printable(left_out)} directories are left out")
            return None
        return steps

    def _make_directories(self, name: str, steps: tuple[str, ...]) -> None:
        for length in range(1, len(steps) + 1):
            part = steps[:length]
            kind = self._kinds.get(part)
            if kind is None:
                self._claim(name, part, "directory")
                os.mkdir(os.path.join(self._into, *part), PRIVATE_DIRECTORY)
            elif kind != "directory":
                code = f"path-through-{kind}"
                raise SourceRefused(f"{printable(name)} leads through a {kind}", code=code)

    def _claim(self, name: str, steps: tuple[str, ...], kind: str) -> None:
        if steps in self._kinds:
            raise SourceRefused(f"{printable(name)} stands in it twice", code="path-duplicate")
        same = tuple(map(same_name, steps))
        other = self._spelled.setdefault(same, steps)
        if other != steps:
            shown = printable("/".join(other))
            raise SourceRefused(
                f"{printable(name)} and {shown} are one name where case or normalisation is ignored",
                code="path-collision",
            )
        self._kinds[steps] = kind

    def _write(self, name: str, steps: tuple[str, ...], chunks: Iterable[bytes], executable: bool) -> str:
        digest, size = hashlib.sha256(), 0
        path = os.path.join(self._into, *steps)
        with os.fdopen(os.open(path, _MAKE, 0o600), "wb") as file:
            for chunk in chunks:
                size += len(chunk)
                self.meter.read(name, len(chunk), size)
                digest.update(chunk)
                file.write(chunk)
        os.chmod(path, _EXECUTABLE if executable else _FILE)
        return digest.hexdigest()

    def _drain(self, name: str, chunks: Iterable[bytes]) -> None:
        size = 0
        for chunk in chunks:
            size += len(chunk)
            self.meter.read(name, len(chunk), size)

    # -- all of it -------------------------------------------------------------------------------

    def _package(self, subdirectory: str) -> tuple[str, ...]:
        bounds = self.meter.bounds
        if subdirectory:
            steps = judged_steps(subdirectory, most_steps=bounds.steps, most_bytes=bounds.path)
            if self._kinds.get(steps) != "directory":
                raise SourceRefused(
                    f"there is no directory {printable(subdirectory)} in it", code="archive-no-directory"
                )
            return steps
        top = [steps for steps in self._kinds if len(steps) == 1]
        alone = len(top) == 1 and self._kinds[top[0]] == "directory"
        return top[0] if alone and self._kinds.get((*top[0], MANIFEST)) else ()

    def _insist_on_links_inside(self, words: dict[tuple[str, ...], str]) -> None:
        """Every link leads to a file or directory of the package itself."""
        links = {path: said.removeprefix(LINK) for path, said in words.items() if said.startswith(LINK)}
        if not links:
            return
        nodes = {"/".join(path): Link(links[path]) if path in links else b"" for path in words}
        source = MemorySource(nodes)
        for path in links:
            name = "/".join(path)
            if not source.confined(name):
                raise SourceRefused(f"{printable(name)} is a link out of the package", code="link-outside")
            if source.kind(name) == "missing":
                raise SourceRefused(f"{printable(name)} is a link to nothing", code="link-dangling")

    def _seal(self, above: tuple[str, ...]) -> None:
        """Nothing is to be written into a package; its own directory stays open, as it is yet to be moved."""
        inside = [
            steps
            for steps, kind in self._kinds.items()
            if kind == "directory" and steps[: len(above)] == above
        ]
        for steps in sorted(inside, key=len, reverse=True):
            if len(steps) > len(above):
                self._close(os.path.join(self._into, *steps))

    def _close(self, directory: str) -> None:
        """Close a directory; an empty one goes, for no digest would tell of it."""
        try:
            os.rmdir(directory)
        except OSError:
            os.chmod(directory, _SEALED)
