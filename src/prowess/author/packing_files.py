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
from prowess.errors import PackageRejected, Unreadable
from prowess.redact import looks_secret, printable

MOST_FILES = 20_000
LARGEST = 100_000_000  # bytes of one file
WHOLE = 500_000_000  # bytes of all of them
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
    if not to.isprintable() or "\\" in to:  # other systems unpack such a name elsewhere, or not at all
        raise PackageRejected(f"{shown} has a name that not every system can have", hint="rename it")
    if entry.is_symlink() and not real.startswith(root.rstrip(os.sep) + os.sep):
        raise PackageRejected(f"{shown} is a link that leads out of the project")
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
    gathered.files[to] = PackedFile(content=content, executable=bool(found.st_mode & stat.S_IXUSR))


def insist_on_no_token(shown: str, content: bytes) -> None:
    """Raise PackageRejected for a text that holds a token of a known kind; what is binary is passed over."""
    head = content[:SCANNED]
    if b"\0" in head[:8_000]:
        return
    text = head.decode("utf-8", "replace")
    for number, line in enumerate(text.splitlines(), 1):
        if len(line) >= 15 and looks_secret("", line):
            raise PackageRejected(
                f"{shown}:{number} holds a secret", hint="take it out, and where it was real, replace it"
            )
