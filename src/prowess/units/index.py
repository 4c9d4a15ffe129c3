"""What decorated files said about themselves when they were imported, by the digest of their text.

A cache that can be deleted at any time: one file for each folder of units, in the cache directory.
It is bound to the versions of Python and of Prowess, and an entry counts only while the file and
the neighbours it imported are what they were.
"""

from __future__ import annotations

import json
import os
import sys
from contextlib import suppress
from hashlib import sha256
from typing import Any

from prowess import __version__
from prowess.store.directories import cache_home, create_private
from prowess.store.whole_file import replace_whole
from prowess.units.loading import digest_of

FORMAT = 1
LARGEST = 64_000_000


class Index:
    """The entries of one root; read at once, written when `save` finds something new."""

    def __init__(self, root: str) -> None:
        place = sha256(os.path.realpath(root).encode("utf-8", "surrogatepass")).hexdigest()[:24]
        self._root = root
        self._file = os.path.join(cache_home(), "units", f"{place}.json")
        self._bound = {"format": FORMAT, "python": sys.version, "prowess": __version__}
        self._files: dict[str, Any] | None = None
        self._kept: dict[str, Any] = {}
        self._new = False

    def get(self, path: str, digest: str) -> list[dict[str, Any]] | None:
        """What the units of this file said, or None when it has to be imported."""
        if self._files is None:
            self._files = self._read()
        entry = self._files.get(path)
        if not isinstance(entry, dict) or entry.get("digest") != digest:
            return None
        beside = entry.get("beside")
        units = entry.get("units")
        if not isinstance(beside, dict) or not isinstance(units, list):
            return None
        if any(digest_of(os.path.join(self._root, each)) != known for each, known in beside.items()):
            return None
        self._kept[path] = entry
        return units

    def put(self, path: str, digest: str, beside: list[str], units: list[dict[str, Any]]) -> None:
        """Remember what an import found; `beside` are the other files that it read."""
        neighbours = {os.path.relpath(each, self._root): digest_of(each) for each in beside}
        self._kept[path] = {"digest": digest, "beside": neighbours, "units": units}
        self._new = True

    def save(self) -> None:
        """Write what is known now, if it is more than was read; a full disk only costs time later."""
        if not self._new and len(self._kept) == len(self._files or {}):
            return
        with suppress(OSError, TypeError, ValueError):
            create_private(os.path.dirname(self._file))
            document = json.dumps({**self._bound, "files": self._kept})
            replace_whole(self._file, document.encode("utf-8"), durable=False)

    def _read(self) -> dict[str, Any]:
        try:
            with open(self._file, "rb") as file:
                found = json.loads(file.read(LARGEST))
        except (OSError, ValueError, RecursionError):
            return {}
        if not isinstance(found, dict) or any(found.get(key) != value for key, value in self._bound.items()):
            return {}
        files = found.get("files")
        return files if isinstance(files, dict) else {}
