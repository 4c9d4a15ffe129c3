"""Content judged by reading alone: what `prowess check` says of it. Nothing of it runs."""

from __future__ import annotations

import os
from collections.abc import Iterable

from prowess.content.files import DiskFiles, Files, walk
from prowess.content.model import PromptFile
from prowess.content.prompts import advise, read_prompt
from prowess.content.resources import is_markdown
from prowess.content.scanning import Found, scan
from prowess.errors import NotFound
from prowess.redact import printable
from prowess.spec.diagnostics import Diagnostic, Place
from prowess.spec.rules import report

HINT = "put it below resources/, where a model meets it by itself; a prompt is started by a person"


def judge(target: str | Files) -> Found:
    """Everything in a folder and every diagnostic about it, advice included. Raises NotFound."""
    if isinstance(target, str) and not os.path.isdir(target):
        raise NotFound(f"{printable(target, 500)}: there is no such folder of content")
    found = scan([DiskFiles(target) if isinstance(target, str) else target])
    found.diagnostics += _advice(found.prompts.values())
    return found


def advice_for_plugin(target: str | Files) -> list[Diagnostic]:
    """Advice on the prompts that a plugin carries; nothing else: it loads whatever they are like."""
    files = DiskFiles(target) if isinstance(target, str) else target
    paths = (path for path in walk(files, "prompts", deepest=1).paths if is_markdown(path))
    prompts = (read_prompt(files, path)[0] for path in paths)
    return _advice(each for each in prompts if each is not None)


def _advice(prompts: Iterable[PromptFile]) -> list[Diagnostic]:
    told = ((each.path, advise(each)) for each in prompts)
    return [
        report("advice-prompt-guide", Place(file=path), why, hint=HINT, subject=path)
        for path, why in told
        if why
    ]
