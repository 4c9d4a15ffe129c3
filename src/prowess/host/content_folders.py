"""The folders of content of a Host: one Provider for all of them, and the way to their Python.

A template may be served by a function, which is code and runs in this process, as a unit does: it is
said before the file is first offered, and runs only when a resource of it is read.
"""

from __future__ import annotations

import os
from collections.abc import Awaitable, Callable, Sequence
from typing import TYPE_CHECKING, Any

from prowess.content.provider import ContentProvider
from prowess.content.recognising import LABEL
from prowess.errors import NotFound, ProwessError
from prowess.host.packages import Consent
from prowess.host.sections import ContentSection
from prowess.provider import Starting
from prowess.redact import printable

if TYPE_CHECKING:
    from prowess.spec.diagnostics import Diagnostic


def provider(
    section: ContentSection, *, on_start: Consent | None = None, log: Callable[..., None]
) -> ContentProvider:
    """The Provider of all content of this Host; `log` hears what changed."""
    code = RunningCode(on_start)
    return ContentProvider(section.paths, code=code, watch=section.watch, report=log)


def judged(paths: Sequence[str]) -> tuple[Diagnostic, ...]:
    """Every diagnostic about the content at these paths; nothing of it runs. NotFound if there is none."""
    from prowess.content.judging import judge

    found: list[Diagnostic] = []
    failed: list[ProwessError] = []
    for path in paths:
        try:
            found += judge(path).diagnostics
        except ProwessError as error:
            failed.append(error)
    if failed and len(failed) == len(paths):
        raise failed[0]
    return tuple(found)  # a path that is not there keeps no other away; the offer tells of it


class RunningCode:
    """Runs functions of content in this process; `on_start` hears of each file once, before anything."""

    def __init__(self, on_start: Consent | None = None) -> None:
        from prowess.units.loading import Modules

        self._on_start = on_start
        self._agreed: set[str] = set()
        self._modules = Modules()

    def agree(self, file: str) -> None:
        """Say what is about to run, unless it was said."""
        if file not in self._agreed and self._on_start is not None:
            self._on_start(Starting(server=LABEL, type="content", target=printable(file, 500)))
        self._agreed.add(file)

    def function(self, file: str, name: str) -> Callable[..., object | Awaitable[object]]:
        """The function, from the file as it is now. Blocking. Raises NotFound and LoadFailed."""
        if file not in self._agreed:
            raise NotFound(f"nobody has agreed to {printable(file, 500)}")
        self._modules.forget_changed()
        module = self._modules.get(file, root=os.path.dirname(file), subject=os.path.basename(file))
        function: Any = getattr(module, name, None)
        if not callable(function):
            raise NotFound(f"{printable(os.path.basename(file), 200)} has no function {printable(name, 80)}")
        found: Callable[..., object | Awaitable[object]] = function
        return found

    def close(self) -> None:
        """Forget what was imported."""
        self._modules.close()
