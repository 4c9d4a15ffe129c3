"""A skill put in its place as a whole, or not at all; what a person agreed to, remembered.

The new directory is written beside the old one and takes its place by two renames. Where the machine
stops between them, the next write finds the old one and puts it back. With a skill for a plugin its
`mcp.json` is replaced after the skill: a skill without its server is incomplete, a server without its
skill would be something that nobody agreed to.
"""

from __future__ import annotations

import base64
import contextlib
import hashlib
import os
import shutil
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from prowess.errors import StoreFailed
from prowess.redact import printable
from prowess.source.directory import DirectorySource
from prowess.spec.questions import Failure
from prowess.store.directories import data_home
from prowess.store.private_document import read_document, write_document
from prowess.store.whole_file import replace_whole

FORMAT = 1
LARGEST = 4 << 20
MOST_FILES = 500
_OLD = ".prowess-old-"
_NEW = ".prowess-new-"


@dataclass(frozen=True, slots=True, kw_only=True)
class Approval:
    """What was agreed to for one directory: the digest, and every file as it was."""

    digest: str
    files: Mapping[str, bytes]


def read_skill(directory: str) -> dict[str, bytes]:
    """Every file of a skill that is there, by its path; an empty mapping where there is none."""
    put_back(directory)
    source = DirectorySource(directory)
    found: dict[str, bytes] = {}
    waiting = [""]
    while waiting and len(found) < MOST_FILES:
        folder = waiting.pop()
        entries = source.list(folder)
        for name, entry in {} if isinstance(entries, Failure) else entries.items():
            path = f"{folder}/{name}" if folder else name
            if entry.kind == "directory":
                waiting.append(path)
                continue
            data = source.read(path, LARGEST)
            found[path] = b"" if isinstance(data, Failure) else data
    return dict(sorted(found.items()))


def write_skill(directory: str, files: Mapping[str, bytes]) -> None:
    """Put a skill in place, whole. Raises StoreFailed; then what was there is there still."""
    parent, name = os.path.split(directory)
    new = ""
    try:
        os.makedirs(parent, exist_ok=True)
        put_back(directory)
        new = tempfile.mkdtemp(prefix=f"{_NEW}{name}-", dir=parent)
        for path, data in files.items():
            target = os.path.join(new, *path.split("/"))
            os.makedirs(os.path.dirname(target), exist_ok=True)
            with open(target, "xb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
        os.chmod(new, 0o755)  # noqa: S103  # as a directory that mkdir makes: others may read what a project shares
        _exchange(directory, new)
    except OSError as error:
        raise StoreFailed(f"{printable(directory, 300)}: cannot be written: {error.strerror}") from error
    finally:
        if new:
            shutil.rmtree(new, ignore_errors=True)


def _exchange(directory: str, new: str) -> None:
    parent, name = os.path.split(directory)
    if not os.path.lexists(directory):
        os.rename(new, directory)
        return
    old = os.path.join(parent, f"{_OLD}{name}")
    _remove(old)
    os.rename(directory, old)
    try:
        os.rename(new, directory)
    except BaseException:  # boundary: the old one goes back, and the error is raised again
        os.rename(old, directory)
        raise
    _remove(old)


def _remove(path: str) -> None:
    """A directory, or a link to one, without what the link leads to."""
    if os.path.islink(path):
        os.unlink(path)
    else:
        shutil.rmtree(path, ignore_errors=True)


def put_back(directory: str) -> None:
    """After an interrupted write: the old skill, where the new one did not get there."""
    parent, name = os.path.split(directory)
    old = os.path.join(parent, f"{_OLD}{name}")
    if os.path.isdir(old) and not os.path.lexists(directory):
        with contextlib.suppress(OSError):
            os.rename(old, directory)


# -- what was agreed to


def remember(directory: str, approval: Approval) -> None:
    """Keep what was agreed to, for this user. Raises StoreFailed."""
    files = {path: base64.b64encode(data).decode("ascii") for path, data in approval.files.items()}
    document: dict[str, Any] = {
        "directory": os.path.realpath(directory),
        "digest": approval.digest,
        "files": files,
    }
    try:
        write_document(_record(directory), document, FORMAT)
    except OSError as error:
        raise StoreFailed(f"the approval cannot be kept: {error.strerror}") from error


def remembered(directory: str) -> Approval | None:
    """What was agreed to on this machine; None where nothing was. Raises Unreadable for a damaged record."""
    document = read_document(_record(directory), FORMAT)
    if document is None or not isinstance(document.get("files"), dict):
        return None
    files = {path: base64.b64decode(str(data)) for path, data in document["files"].items()}
    return Approval(digest=str(document.get("digest", "")), files=files)


def _record(directory: str) -> str:
    named = hashlib.sha256(os.path.realpath(directory).encode("utf-8", "surrogatepass")).hexdigest()[:32]
    return os.path.join(data_home(), "imports", f"{named}.json")


# -- a plugin's servers


def write_servers(path: str, content: bytes) -> None:
    """Replace a plugin's `mcp.json`. Raises StoreFailed."""
    try:
        replace_whole(path, content, mode=0o644)
    except OSError as error:
        raise StoreFailed(f"{printable(path, 300)}: cannot be written: {error.strerror}") from error
