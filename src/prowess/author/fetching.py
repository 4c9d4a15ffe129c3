"""From a SOURCE that somebody typed to a package on the disk: a directory, an archive, a repository.

What a SOURCE is, is told without touching a network. Only a URL is ever fetched, and only the one that
was asked for. Every kind ends in the same `Unpacking`, with the same bounds and the same judge of paths.
"""

from __future__ import annotations

import os
import re
from dataclasses import replace

from prowess.errors import NotFound, SourceRefused, UsageError
from prowess.redact import printable
from prowess.source.archive_bounds import Bounds, Meter
from prowess.source.archive_tree import Unpacked, Unpacking
from prowess.store.lock import Origin

PROTOCOLS = ("https", "ssh", "file")
_URL = re.compile(r"(?:git\+)?([A-Za-z][A-Za-z0-9+.-]*)://")
_SECURE_SHELL = re.compile(r"[A-Za-z0-9_.][A-Za-z0-9_.-]*@[A-Za-z0-9_.][A-Za-z0-9_.-]*:(?!/)[^\s\x00-\x1f]+")
_REF = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_./+-]{0,250}")
_ARCHIVES = (".zip", ".tar", ".tgz", ".tar.gz", ".tar.xz", ".tar.bz2", ".tar.zst")


def origin_of(source: str, *, base: str, ref: str = "", subdirectory: str = "") -> Origin:
    """What `source` means. Relative places count from `base` as long as they are below it.

    `ref` (or `#ref` at the end of a URL) is a branch, a tag or a commit, and makes a local directory a
    repository. Raises UsageError, NotFound, and SourceRefused for a protocol that is not used.
    """
    if not source or not source.isprintable():
        raise UsageError("SOURCE is empty or cannot be printed", hint="a directory, an archive, or a URL")
    if is_remote(source):
        return _repository(source, ref, subdirectory)
    path = os.path.abspath(os.path.expanduser(source))
    if ref:
        checked_ref(ref)
        if not os.path.isdir(path):
            raise UsageError(f"{printable(source, 300)} is no repository", hint="--ref is for repositories")
        return Origin(kind="git", place=_place(path, base), ref=ref, subdirectory=subdirectory)
    if os.path.isdir(path):
        return Origin(kind="directory", place=_place(path, base), subdirectory=subdirectory)
    if os.path.isfile(path):
        return Origin(kind="archive", place=_place(path, base), subdirectory=subdirectory)
    hint = "a directory, a .zip or .tar.gz, or a URL such as https://example.com/plugin.git"
    raise NotFound(f"{printable(source, 300)}: there is no such directory or archive", hint=hint)


def is_remote(place: str) -> bool:
    """Whether a place is a URL, or in the form `USER@HOST:PATH`, and no path of this machine."""
    return bool(_URL.match(place) or _SECURE_SHELL.fullmatch(place))


def _repository(source: str, ref: str, subdirectory: str) -> Origin:
    url, _, fragment = source.removeprefix("git+").partition("#")
    if fragment and ref and fragment != ref:
        raise UsageError("the URL names one ref and --ref another", hint="leave one out")
    ref = ref or fragment
    checked_ref(ref)
    scheme, separator, rest = url.partition("://")
    if not separator:
        return Origin(kind="git", place=url, ref=ref, subdirectory=subdirectory)
    if scheme.lower() not in PROTOCOLS:
        raise SourceRefused(
            f"{printable(scheme, 40)} is not used to fetch packages",
            code="git-protocol",
            hint=f"one of {', '.join(PROTOCOLS)}",
        )
    user, at, host = rest.partition("/")[0].rpartition("@")
    if host.startswith("-") or user.startswith("-"):
        raise SourceRefused(f"{printable(url, 300)} names an option for a host", code="git-protocol")
    if at and (scheme.lower() == "https" or ":" in user):
        raise SourceRefused(
            "the URL holds a user name or a password, which would be written into the lock",
            code="git-credentials",
            hint="leave it out; git's own credential helper is asked for it",
        )
    if url.lower().endswith(_ARCHIVES):
        raise SourceRefused(
            "the URL is one of an archive, and only repositories are fetched",
            code="git-protocol",
            hint="download it, look at it, and add the file",
        )
    return Origin(kind="git", place=url, ref=ref, subdirectory=subdirectory)


def _judged_again(origin: Origin) -> None:
    """An origin may have been read from a lock that somebody else wrote."""
    if is_remote(origin.place):
        _repository(origin.place, origin.ref, origin.subdirectory)
    elif ":" in origin.place.partition("/")[0]:
        raise SourceRefused(f"{origin.words} is no repository that is fetched", code="git-protocol")
    checked_ref(origin.ref)


def checked_ref(ref: str) -> str:
    """`ref`, if it is empty or can be one. Raises UsageError."""
    if (ref and not _REF.fullmatch(ref)) or ".." in ref:
        raise UsageError(f"{printable(ref, 80)} is no ref", hint="a branch, a tag or a commit")
    return ref


def _place(path: str, base: str) -> str:
    """A path as the lock keeps it: what is below its own folder is found there on any machine."""
    real, below = os.path.realpath(path), os.path.realpath(base)
    if real == below or real.startswith(below + os.sep):
        relative = os.path.relpath(real, below).replace(os.sep, "/")
        return path if ":" in relative.partition("/")[0] else relative  # which would be read as a URL
    return path


def path_of(origin: Origin, base: str) -> str:
    """The path of a place that is one."""
    return os.path.normpath(os.path.join(base, origin.place))


def fetch(origin: Origin, *, base: str, into: str, bounds: Bounds | None = None) -> tuple[Origin, Unpacked]:
    """Unpack what `origin` names into the folder `into`; the origin as it was found, and the package.

    Raises SourceRefused, NotFound, Unreadable, and ConnectionFailed for a repository that cannot be had.
    """
    if origin.kind == "git":
        _judged_again(origin)
    meter = Meter(bounds or Bounds())
    tree = os.path.join(into, "tree")
    os.mkdir(tree, 0o700)
    unpacking = Unpacking(tree, meter)
    if origin.kind == "git":
        from prowess.author.fetching_git import unpack_repository

        commit = unpack_repository(origin, base=base, work=os.path.join(into, "git"), into=unpacking)
        # The tree of the subdirectory alone was read, so its root is the package's.
        return replace(origin, commit=commit), unpacking.finish()
    path = path_of(origin, base)
    if not os.path.lexists(path):
        raise NotFound(f"{printable(origin.place, 300)} is not there any more")
    if origin.kind == "directory":
        from prowess.source.archive_directory import copy_directory

        below = os.path.join(path, *origin.subdirectory.split("/")) if origin.subdirectory else path
        if os.path.realpath(below) != os.path.join(os.path.realpath(path), origin.subdirectory).rstrip(
            os.sep
        ):
            raise SourceRefused("the subdirectory is reached through a link", code="link-outside")
        copy_directory(below, unpacking)
        return origin, unpacking.finish()
    from prowess.source.archive import unpack_archive

    unpack_archive(path, unpacking)
    return origin, unpacking.finish(origin.subdirectory)
