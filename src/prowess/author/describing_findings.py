"""What the scan finds in a package, as abilities: an install shows them, and an update that adds one asks."""

from __future__ import annotations

import os
import time
from collections.abc import Iterable, Iterator

from prowess.author.describing import SUBJECT, Ability, bounded
from prowess.author.scan import LARGEST, scan_file

SECONDS = 60.0  # for a whole package; a file has its own bound besides


def findings(root: str, paths: Iterable[str]) -> Iterator[Ability]:
    """The findings in these files of the package at `root`; what a link leads to is one of them."""
    until = time.monotonic() + SECONDS
    for path in paths:
        if time.monotonic() > until:
            yield _finding("scan", f"takes longer than {SECONDS:g} seconds, so not every file was looked at")
            return
        real = os.path.join(root, *path.split("/"))
        if os.path.islink(real):
            continue
        with open(real, "rb") as file:
            data = file.read(LARGEST + 1)
        for each in scan_file(path, data):
            # Without the line: text that moves down is nothing new.
            yield _finding(each.place.file, f"{each.rule}: {each.message}")


def _finding(at: str, words: str) -> Ability:
    return Ability(kind="finding", subject=bounded(at, SUBJECT), words=bounded(words, 500))
