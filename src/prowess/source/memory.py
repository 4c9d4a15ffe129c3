"""A package in memory: the public twin of a directory, for tests, embedders and archives.

Nothing real is touched. Links work as on a POSIX disk, but an absolute target always counts as
outside, because there is no disk that it could name.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from prowess.spec import limits
from prowess.spec.questions import Entry, Failure, Kind, Listing


@dataclass(frozen=True, slots=True)
class Link:
    """A symbolic link to `target`, relative to the directory that holds it."""

    target: str


@dataclass(frozen=True, slots=True)
class Special:
    """Something that is neither file nor directory, or a `locked` file that may not be read."""

    kind: Literal["fifo", "locked"] = "fifo"


Content = bytes | str | Link | Special
_Node = dict[str, "_Node | Content"] | Content


class MemorySource:
    """A package made of `{path: content}`; a path that ends in `/` is an empty directory."""

    def __init__(self, files: Mapping[str, Content]) -> None:
        self._root: dict[str, _Node] = {}
        for path, content in files.items():
            self._add(path, content)

    def _add(self, path: str, content: Content) -> None:
        *parents, name = path.split("/")
        folder = self._root
        for step in parents:
            below = folder.setdefault(step, {})
            if not isinstance(below, dict):
                raise ValueError(f"{path!r}: {step!r} is no directory")
            folder = below
        if name:
            folder[name] = content

    def kind(self, path: str) -> Kind:
        """What `path` is, links followed."""
        node = self._find(path)
        if isinstance(node, Failure):
            return "missing"
        return _kind_of(node)

    def confined(self, path: str) -> bool:
        """Whether `path` resolves inside the root."""
        node = self._find(path)
        return not (isinstance(node, Failure) and node.reason == "outside")

    def read(self, path: str, limit: int) -> bytes | Failure:
        """The bytes of a file."""
        node = self._find(path)
        if isinstance(node, Failure):
            return node
        if isinstance(node, str):
            node = node.encode("utf-8", "surrogatepass")
        if not isinstance(node, bytes):
            locked = node == Special("locked")
            return Failure("unreadable", "Permission denied") if locked else Failure("not-file")
        return node if len(node) <= limit else Failure("too-large", f"larger than {limit} bytes")

    def list(self, path: str) -> Listing | Failure:
        """The entries of a directory."""
        node = self._find(path)
        if isinstance(node, Failure):
            return node
        if not isinstance(node, dict):
            return Failure("not-directory")
        return {name: Entry(name, _kind_of(each)) for name, each in node.items()}

    def _find(self, path: str) -> _Node | Failure:
        """The node at `path`, every link followed, or why there is none."""
        trail: list[dict[str, _Node]] = [self._root]
        steps = path.split("/")[::-1]
        here: _Node | Failure = self._root
        looks = hops = 0
        while steps:
            step = steps.pop()
            if step in ("", "."):
                continue
            if step == "..":
                trail.pop()
                if not trail:
                    return Failure("outside")
                here = trail[-1]
                continue
            looks += 1
            if looks > limits.PATH_STEPS:
                return _beyond(Failure("unreadable", "File name too long"), steps, len(trail))
            here = trail[-1].get(step, Failure("missing"))
            if isinstance(here, Link):
                hops += 1
                if here.target.startswith("/"):
                    return Failure("outside")
                if hops > limits.LINK_HOPS:
                    looping = Failure("unreadable", "Too many levels of symbolic links")
                    return _beyond(looping, steps, len(trail))
                steps.extend(here.target.split("/")[::-1])
                here = trail[-1]
            elif isinstance(here, dict):
                trail.append(here)
            elif steps:
                return _beyond(here, steps, len(trail))
        return here


def _beyond(here: _Node | Failure, steps: list[str], depth: int) -> Failure:
    """Why a path ends early; what does not exist counts by where its text leads."""
    depth += 1
    for step in reversed(steps):
        depth += -1 if step == ".." else 0 if step in ("", ".") else 1
        if depth < 1:
            return Failure("outside")
    return here if isinstance(here, Failure) else Failure("missing")


def _kind_of(node: _Node) -> Kind:
    if isinstance(node, dict):
        return "directory"
    if isinstance(node, Link):
        return "link"
    return "file" if isinstance(node, (bytes, str)) or node == Special("locked") else "other"
