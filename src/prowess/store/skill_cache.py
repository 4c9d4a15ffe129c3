"""Files of skills that servers served, kept on disk: verified again at every access.

MCP extension `io.modelcontextprotocol/skills` (SEP-2640), "Cache integrity, cache isolation, and durable
origin". A path names the place, the server and the URI, so that two servers' files of one URI are two
files and where each came from can be read from its path. The folder is Prowess's own, outside of every
folder in which skills are looked for, and no file in it has a name that a skill would have. What is
damaged or foreign counts as not there; a folder that cannot be written is no error.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import shutil
import stat
from urllib.parse import quote

from prowess.store.directories import create_private, data_home
from prowess.store.whole_file import replace_whole

FOLDER = "skills-over-mcp"
READABLE = 100  # characters of a label or URI that stand in a name, before the digest that makes it one

_FLAGS = ("O_CLOEXEC", "O_NOFOLLOW", "O_NONBLOCK")  # as far as the platform has them
_READ = os.O_RDONLY | sum(getattr(os, each, 0) for each in _FLAGS)


class SkillCache:
    """The files kept for one Host. `place` tells Hosts apart in which labels mean other servers."""

    def __init__(self, place: str, *, folder: str | None = None) -> None:
        self._folder = os.path.join(folder or os.path.join(data_home(), FOLDER), _short(place))

    def get(self, server: str, uri: str, *, digest: str, size: int) -> bytes | None:
        """The bytes kept for a file, if they are `size` bytes with this digest now."""
        data = _read(self.path(server, uri), size)
        if data is None or len(data) != size or f"sha256:{hashlib.sha256(data).hexdigest()}" != digest:
            return None
        return data

    def put(self, server: str, uri: str, data: bytes) -> None:
        """Keep the bytes of a file that has been verified, in place of what was kept for it."""
        path = self.path(server, uri)
        with contextlib.suppress(OSError):
            create_private(os.path.dirname(path))
            replace_whole(path, data, durable=False)

    def forget(self, server: str) -> None:
        """Remove everything that came from a server."""
        shutil.rmtree(self._of(server), ignore_errors=True)

    def path(self, server: str, uri: str) -> str:
        """Where the file at `uri` of `server` is kept."""
        return os.path.join(self._of(server), _named(uri))

    def _of(self, server: str) -> str:
        return os.path.join(self._folder, _named(server))


def _named(text: str) -> str:
    """One step of a path: readable as far as it goes, and unique by its digest."""
    readable = quote(text, safe="", errors="backslashreplace").replace(".", "%2E")
    return f"{readable[:READABLE]}-{_short(text)}"


def _short(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:32]


def _read(path: str, size: int) -> bytes | None:
    try:
        handle = os.open(path, _READ)
    except (OSError, ValueError):
        return None
    with os.fdopen(handle, "rb") as file:
        try:
            return file.read(size + 1) if stat.S_ISREG(os.fstat(handle).st_mode) else None
        except OSError:
            return None
