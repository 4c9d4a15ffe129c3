"""A package on this machine's disk; Agent Plugins 1.0.0, section 4.1.

The only judge of what is really inside: links are resolved, and whatever resolves outside the root
is neither opened nor looked at. Files are opened without following a link and without blocking, so
that a FIFO or a device is found out before it is read. Every answer is asked of the disk anew, and
a package that changes meanwhile gives failures, never exceptions.
"""

from __future__ import annotations

import errno
import os
import stat

from prowess.spec import limits
from prowess.spec.questions import Entry, Failure, Kind, Listing

# A platform without one of these flags has nothing to protect from in that way.
_OPEN = (
    os.O_RDONLY
    | getattr(os, "O_CLOEXEC", 0)
    | getattr(os, "O_NONBLOCK", 0)
    | getattr(os, "O_NOFOLLOW", 0)
    | getattr(os, "O_NOCTTY", 0)
    | getattr(os, "O_BINARY", 0)
)
_ERRORS = (OSError, ValueError)  # ValueError: a NUL in a path, a name that has no encoding


def real_path(path: str, root: str) -> str:
    """An absolute `path` with every link resolved; what does not exist is taken as written.

    `root` is a real directory, and the look begins there if the path does. Raises OSError where it
    ends early: what follows would be taken as written although it exists.
    """
    inside = is_inside(path, root)
    start = root if inside else os.path.abspath(os.sep)
    real, fault = _follow(start, path[len(root) :].lstrip(os.sep) if inside else path)
    if fault:
        raise OSError(fault, os.strerror(fault))
    return real


def _follow(start: str, path: str) -> tuple[str, int]:
    """Where `path` leads from the real directory `start`, and why the look ended early (an errno, or 0).

    It ends early where links loop or a path is absurdly long: one name costs one look, and both are
    bounded. What follows such a place, or one that does not exist, is taken as written.
    """
    if os.sep != "/":
        return _follow_by_platform(start, path)
    at, looks, hops = start, 0, 0
    waiting = path.split("/")[::-1]
    while waiting:
        step = waiting.pop()
        if step in ("", "."):
            continue
        if step == "..":
            at = os.path.dirname(at)
            continue
        below = f"/{step}" if at == "/" else f"{at}/{step}"
        looks += 1
        if looks > limits.PATH_STEPS:
            return _as_written(below, waiting), errno.ENAMETOOLONG
        try:
            target = os.readlink(below) if stat.S_ISLNK(os.lstat(below).st_mode) else None
        except OSError:
            target = None
        if target is None:
            at = below
            continue
        hops += 1
        if hops > limits.LINK_HOPS:
            return _as_written(below, waiting), errno.ELOOP
        at = "/" if target.startswith("/") else at
        waiting.extend(target.split("/")[::-1])
    return at, 0


def _as_written(at: str, waiting: list[str]) -> str:
    return os.path.normpath("/".join([at, *reversed(waiting)]))


def _follow_by_platform(start: str, path: str) -> tuple[str, int]:
    """The same where paths have drives and junctions, which the standard library knows how to follow."""
    real = os.path.realpath(os.path.join(start, *path.split("/")))
    return real, errno.ELOOP if os.path.realpath(real) != real or os.path.islink(real) else 0


def is_inside(real: str, real_root: str) -> bool:
    """Whether a resolved path is the resolved root or below it."""
    return real == real_root or real.startswith(real_root.rstrip(os.sep) + os.sep)


class DirectorySource:
    """The package in the directory `root`, which may itself be reached through links."""

    def __init__(self, root: str | os.PathLike[str]) -> None:
        try:
            self.root = os.path.realpath(root)
        except (ValueError, RecursionError):  # a NUL in it, endless links: every answer will say so
            self.root = os.fspath(root)

    def resolve(self, path: str) -> str | None:
        """The real path of `path`, or None when it is outside the root; OSError when nobody can tell."""
        real, fault = _follow(self.root, path)
        if not is_inside(real, self.root):
            return None
        if fault:
            raise OSError(fault, os.strerror(fault))
        return real

    def kind(self, path: str) -> Kind:
        """What `path` is, links followed; what resolves outside is not looked at."""
        try:
            real = self.resolve(path)
            if real is None:
                return "missing"
            mode = os.lstat(real).st_mode
        except _ERRORS:
            return "missing"
        return "file" if stat.S_ISREG(mode) else "directory" if stat.S_ISDIR(mode) else "other"

    def confined(self, path: str) -> bool:
        """Whether `path` resolves inside the root; a loop of links resolves nowhere, so not outside."""
        try:
            return self.resolve(path) is not None
        except _ERRORS:
            return True  # nothing can be read there: `kind` says missing, `read` and `list` fail

    def read(self, path: str, limit: int) -> bytes | Failure:
        """The bytes of a regular file."""
        try:
            real = self.resolve(path)
            if real is None:
                return Failure("outside", "it resolves outside the plugin")
            return _read(real, limit)
        except FileNotFoundError:
            return Failure("missing", "it does not exist")
        except _ERRORS as error:
            return Failure("unreadable", _detail(error))

    def list(self, path: str) -> Listing | Failure:
        """The entries of a directory."""
        try:
            real = self.resolve(path)
            if real is None:
                return Failure("outside", "it resolves outside the plugin")
            return _list(real)
        except FileNotFoundError:
            return Failure("missing", "it does not exist")
        except NotADirectoryError:
            return Failure("not-directory", "it is not a directory")
        except _ERRORS as error:
            return Failure("unreadable", _detail(error))


def _detail(error: OSError | ValueError) -> str:
    # The operating system's words alone: the exception's own text shows a path of this machine.
    return (error.strerror or "it cannot be read") if isinstance(error, OSError) else "its name is not valid"


def _read(real: str, limit: int) -> bytes | Failure:
    descriptor = os.open(real, _OPEN)
    try:
        found = os.fstat(descriptor)
        if not stat.S_ISREG(found.st_mode):
            return Failure("not-file", "it is no regular file")
        if found.st_size > limit:
            return Failure("too-large", f"it is larger than {limit} bytes")
        return _read_all(descriptor, found.st_size, limit)
    finally:
        os.close(descriptor)


def _read_all(descriptor: int, expected: int, limit: int) -> bytes | Failure:
    """All bytes up to the limit, whatever size was announced (it may grow, or say 0 as /proc does)."""
    chunks = []
    left = limit + 1
    while left > 0 and (chunk := os.read(descriptor, min(left, max(expected + 1, 65536)))):
        chunks.append(chunk)
        left -= len(chunk)
        if len(chunks) == 1 and len(chunk) == expected:
            # The usual case: one read brought it all, and the next would say so.
            break
    data = b"".join(chunks)
    return data if len(data) <= limit else Failure("too-large", f"it is larger than {limit} bytes")


def _list(real: str) -> Listing | Failure:
    found: Listing = {}
    with os.scandir(real) as entries:
        for each in entries:
            if len(found) >= limits.DIRECTORY_ENTRIES:
                return Failure("too-large", f"it has more than {limits.DIRECTORY_ENTRIES} entries")
            found[each.name] = Entry(each.name, _entry_kind(each))
    return found


def _entry_kind(entry: os.DirEntry[str]) -> Kind:
    # On most file systems the listing itself says this, without another look at the disk.
    if entry.is_file(follow_symlinks=False):
        return "file"
    if entry.is_dir(follow_symlinks=False):
        return "link" if _is_junction(entry) else "directory"
    return "link" if entry.is_symlink() else "other"


def _is_junction(entry: os.DirEntry[str]) -> bool:
    """Whether a Windows junction hides behind a directory (Python 3.12 and later can tell)."""
    asked = getattr(entry, "is_junction", None)
    return bool(asked and asked())
