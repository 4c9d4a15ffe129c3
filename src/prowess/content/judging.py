"""A folder of content judged by reading alone: what `prowess check` says of it. Nothing of it runs."""

from __future__ import annotations

import os

from prowess.content.files import DiskFiles, Files
from prowess.content.prompts import advise
from prowess.content.scanning import Found, scan
from prowess.errors import NotFound
from prowess.redact import printable
from prowess.spec.diagnostics import Place
from prowess.spec.rules import report

HINT = "put it below resources/, where a model meets it by itself; a prompt is started by a person"


def judge(target: str | Files) -> Found:
    """Everything in a folder and every diagnostic about it, advice included. Raises NotFound."""
    if isinstance(target, str) and not os.path.isdir(target):
        raise NotFound(f"{printable(target, 500)}: there is no such folder of content")
    found = scan([DiskFiles(target) if isinstance(target, str) else target])
    for prompt in found.prompts.values():
        if why := advise(prompt):
            place = Place(file=prompt.path)
            found.diagnostics.append(
                report("advice-prompt-guide", place, why, hint=HINT, subject=prompt.path)
            )
    return found
