"""Which files of a project go into a package: no secrets, no caches, nothing hidden, no links out.

What is left out is told, so that nobody wonders at the other end. A file that holds a token is no file to
leave out quietly: it is refused.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass, field

from prowess.author.packing_archives import PackedFile
from prowess.errors import PackageRejected, SourceRefused, Unreadable
from prowess.redact import looks_secret, printable
from prowess.source.archive_bounds import Bounds
from prowess.source.archive_names import judged_steps, same_name

# What is packed is to be installed somewhere, so the bounds are those of installing.
_BOUNDS = Bounds()
MOST_FILES = _BOUNDS.files
LARGEST = _BOUNDS.file  # bytes of one file
WHOLE = _BOUNDS.total  # bytes of all of them
SCANNED = 4_000_000  # bytes of a file that are looked through for tokens

_CACHES = frozenset({"__pycache__", "__MACOSX", "Thumbs.db", "desktop.ini"})
_COMPILED = (".pyc", ".pyo", ".swp", "~")
# Names under which keys and passwords are kept.
_SECRET_NAMES = frozenset({"id_rsa", "id_dsa", "id_ecdsa", "id_ed25519", "credentials.json", "secrets.toml"})
_SECRET_ENDINGS = (".pem", ".key", ".p12", ".pfx", ".jks", ".keystore", ".kdbx", ".env")


@dataclass(slots=True, kw_only=True)
class Gathered:
    """Files by their paths in the package, and what was left out, each with the reason."""

    files: dict[str, PackedFile] = field(default_factory=dict)
    left_out: list[str] = field(default_factory=list)
    size: int = 0
    spelled: dict[tuple[str, ...], tuple[str, ...]] = field(default_factory=dict)


def gather(
    gathered: Gathered, root: str, below: str, to: str, *, apart: frozenset[str] = frozenset()
) -> None:
    """Add what is in `root/below` to the package under `to`; `apart` are real paths that stay out.

    Raises PackageRejected for a link that leads out, and for a file that holds a secret.
    """
    real_root = os.path.realpath(root)
    for path, entry in _walk(gathered, real_root, below, apart):
        inside = path.removeprefix(f"{below}/") if below else path
        _add(gathered, real_root, path, f"{to}/{inside}" if to else inside, entry)


def _walk(
    gathered: Gathered, root: str, below: str, apart: frozenset[str]
) -> Iterator[tuple[str, os.DirEntry[str]]]:
    folder = os.path.join(root, *below.split("/")) if below else root
    try:
        with os.scandir(folder) as entries:
            listed = sorted(entries, key=lambda each: each.name)
    except OSError as error:
        raise Unreadable(f"{printable(folder, 300)}: {error.strerror}") from None
    for entry in listed:
        path = f"{below}/{entry.name}" if below else entry.name
        if os.path.realpath(entry.path) in apart and not entry.is_symlink():
            continue
        if reason := _not_packed(entry.name):
            if reason != "a cache":
                gathered.left_out.append(f"{printable(path, 300)}: {reason}")
        elif entry.is_dir(follow_symlinks=False):
            yield from _walk(gathered, root, path, apart)
        else:
            yield path, entry


def _not_packed(name: str) -> str:
    """Why something of this name stays out; empty when it does not."""
    lowered = name.lower()
    if name in _CACHES or name.endswith(_COMPILED):
        return "a cache"
    if lowered in _SECRET_NAMES or lowered.endswith(_SECRET_ENDINGS):
        return "by its name it holds a secret"
    return "hidden" if name.startswith(".") else ""


def _add(gathered: Gathered, root: str, path: str, to: str, entry: os.DirEntry[str]) -> None:
    real = os.path.realpath(entry.path)
    shown = printable(path, 300)
    _insist_on_name(gathered, to)
    if entry.is_symlink():
        _insist_on_target(shown, root.rstrip(os.sep) + os.sep, real)
    try:
        found = os.stat(real)
        if not stat.S_ISREG(found.st_mode):
            what = "a link to a directory" if stat.S_ISDIR(found.st_mode) else "no regular file"
            raise PackageRejected(f"{shown} is {what}", hint="put the files themselves there")
        if found.st_size > LARGEST:
            raise PackageRejected(f"{shown} is larger than {LARGEST} bytes")
        with open(real, "rb") as opened:
            content = opened.read(LARGEST + 1)
    except OSError as error:
        raise Unreadable(f"{shown}: {error.strerror}") from None
    insist_on_no_token(shown, content)
    gathered.size += len(content)
    if len(gathered.files) >= MOST_FILES or gathered.size > WHOLE:
        raise PackageRejected(f"more than {MOST_FILES} files, or {WHOLE} bytes, is no package")
    if to in gathered.files:
        raise PackageRejected(f"{shown} would become {printable(to, 300)}, which is there already")
    gathered.files[to] = PackedFile(content=content, executable=bool(found.st_mode & stat.S_IXUSR))


def _insist_on_name(gathered: Gathered, to: str) -> None:
    """Raise PackageRejected for a name that an install refuses: other systems unpack it elsewhere or not
    at all, or take it for the name of another file."""
    try:
        steps = judged_steps(to, most_steps=_BOUNDS.steps, most_bytes=_BOUNDS.path)
    except SourceRefused as error:
        raise PackageRejected(error.message, hint="rename it") from None
    same = tuple(map(same_name, steps))
    for length in range(1, len(steps) + 1):
        other = gathered.spelled.setdefault(same[:length], steps[:length])
        if other != steps[:length]:
            shown = printable("/".join(other), 300)
            what = f"{printable(to, 300)} and {shown} are one name where case or normalisation is ignored"
            raise PackageRejected(what, hint="rename one of them")


def _insist_on_target(shown: str, root: str, real: str) -> None:
    """Raise PackageRejected for a link out of the project, or to what would stay out by its own name."""
    if not real.startswith(root):
        raise PackageRejected(f"{shown} is a link that leads out of the project")
    for step in real.removeprefix(root).split(os.sep):
        if reason := _not_packed(step):
            what = f"{shown} is a link to {printable(real.removeprefix(root), 300)}, which is not packed"
            raise PackageRejected(f"{what}: {reason}", hint="put the file itself there, if it may be seen")


def insist_on_no_token(shown: str, content: bytes) -> None:
    """Raise PackageRejected for a text that holds a token of a known kind; what is binary is passed over."""
    head = content[:SCANNED]
    if b"\0" in head[:8_000]:
        if not _is_wide(head[:8_000]):
            return
        head = head.replace(b"\0", b"")
    text = head.decode("utf-8", "replace")
    for number, line in enumerate(text.splitlines(), 1):
        if len(line) >= 15 and looks_secret("", line):
            raise PackageRejected(
                f"{shown}:{number} holds a secret", hint="take it out, and where it was real, replace it"
            )


def _is_wide(head: bytes) -> bool:
    """Whether this is text of two or four bytes a character: where it is Latin, half of them are zeros."""
    return max(head[start::2].count(0) for start in (0, 1)) * 2 > len(head) * 0.8
