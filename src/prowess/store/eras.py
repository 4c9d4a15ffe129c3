"""Which protocol era each server spoke last time, so that the next start asks in that era first.

A memory and no more: losing it costs one extra round trip, so a damaged file counts as empty and a
folder that cannot be written is no error. The file carries a format number; a newer one is neither
read nor replaced. Writers replace the whole file by rename after reading it again, so a reader
never sees half of it, and two processes that write in the same instant lose at most one of the two
facts. It does not know what the eras mean.
"""

from __future__ import annotations

import contextlib
import json
import os
from hashlib import sha256

from prowess.store.directories import create_private, state_home
from prowess.store.whole_file import replace_whole

FORMAT = 1
MAX_BYTES = 1_000_000  # well above MAX_ENTRIES; more than that is not ours
MAX_ENTRIES = 5_000  # the oldest facts go first


class Eras:
    """The eras of one user's servers, in a file.

    `scope` sets one plugin's servers apart from another's; keys are server ids.
    """

    def __init__(self, scope: str = "", *, file: str | None = None) -> None:
        self._scope = scope
        self._file = file or os.path.join(state_home(), "eras.json")

    def get(self, server: str) -> str | None:
        """The era that `server` spoke last time, if known."""
        return (self._read() or {}).get(self._key(server))

    def put(self, server: str, era: str) -> None:
        """Remember `era`, or forget with an empty one; a folder that cannot be written is no error."""
        known = self._read()
        if known is None or known.get(self._key(server), "") == era:
            return
        known.pop(self._key(server), None)
        if era:
            known[self._key(server)] = era
        with contextlib.suppress(OSError):
            self._write(dict(list(known.items())[-MAX_ENTRIES:]))

    def _key(self, server: str) -> str:
        # Hashed, so that a key has one length whatever the package calls its servers.
        return sha256(f"{self._scope}#{server}".encode("utf-8", "surrogatepass")).hexdigest()[:24]

    def _read(self) -> dict[str, str] | None:
        """What is known; None when a newer Prowess wrote it."""
        try:
            with open(self._file, "rb") as file:
                document = json.loads(file.read(MAX_BYTES))
        except (OSError, ValueError, RecursionError):
            return {}
        if not isinstance(document, dict) or not isinstance(document.get("format"), int):
            return {}
        if document["format"] > FORMAT:
            return None
        eras = document.get("eras")
        if not isinstance(eras, dict):
            return {}
        return {key: era for key, era in eras.items() if isinstance(era, str)}

    def _write(self, eras: dict[str, str]) -> None:
        create_private(os.path.dirname(self._file))
        document = json.dumps({"format": FORMAT, "eras": eras})
        replace_whole(self._file, document.encode("ascii"), durable=False)
