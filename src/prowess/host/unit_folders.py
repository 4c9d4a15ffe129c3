"""The units of a Host: one Provider for all folders, and what stands for a plugin where there is none.

A folder of units alone has no manifest; its name stands for it, so that a snapshot can say what it
is of. What is wrong with single units is in the judgement, as skipped entries are.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from prowess.errors import ProwessError
from prowess.host.packages import Consent, Package
from prowess.host.sections import ContentSection, UnitsSection
from prowess.provider import Provider, Starting
from prowess.redact import printable
from prowess.spec.model import Judgement, Manifest, Plugin

if TYPE_CHECKING:
    from prowess.capability.change import Change
    from prowess.host.storing import Shared
    from prowess.store.database import Database
    from prowess.units.model import ContextOf

LABEL = "units"

OnChange = Callable[[Sequence["Change"]], None]


async def alone(units: UnitsSection, content: ContentSection, beside: Sequence[str] = ()) -> Package:
    """What stands for a plugin where there are none. Raises NotFound and Unreadable."""
    return await asyncio.to_thread(_stand_in, units, content, beside)


def _stand_in(units: UnitsSection, content: ContentSection, beside: Sequence[str]) -> Package:
    root = (*units.paths, *content.paths, *beside)[0]
    name = printable(os.path.basename(os.path.abspath(root)), 64) or LABEL
    diagnostics = judged(units.paths)
    if content.paths:
        from prowess.host.content_folders import judged as judged_content

        diagnostics += judged_content(content.paths)
    plugin = Plugin(manifest=Manifest(name=name, spec=""))
    return Package(label=name, root=root, judgement=Judgement(plugin=plugin, diagnostics=diagnostics), ids={})


def judged(paths: Sequence[str]) -> tuple[Any, ...]:
    """Every diagnostic about the units at these paths; nothing of them runs."""
    from prowess.units.discovery import judge

    found, failed = [], []
    for path in paths:
        try:
            found += judge(path).diagnostics
        except ProwessError as error:
            failed.append(error)
    if failed and len(failed) == len(paths):
        raise failed[0]
    return tuple(found)  # a path that cannot be read keeps no other away; the offer tells of it


def provider(
    section: UnitsSection,
    contexts: ContextOf,
    *,
    on_start: Consent | None = None,
    on_change: OnChange | None = None,
    log: Callable[..., None],
    place: str,
    records: Database | None,
    shared: Shared | None = None,
) -> Provider:
    """The Provider of all units of this Host; says first what will run in this process.

    Who gets which version is said by the `rollout.toml` that belongs to `place`; `records` is where
    the calls are kept that canaries are judged by, `shared` the store that says instead of the file.
    Raises UsageError and Unreadable for that file.
    """
    from prowess.units.guarding import GuardRails
    from prowess.units.provider import UnitProvider
    from prowess.units.rollout_file import rollout_file
    from prowess.units.router import Router

    if on_start is not None:
        for path in section.paths:
            on_start(Starting(server=LABEL, type=LABEL, target=printable(path, 500)))

    def changed(changes: Sequence[Change]) -> None:
        log("units-changed", changes=[each.to_text() for each in changes])
        if on_change is not None:
            on_change(changes)

    file = rollout_file(place)
    router = Router(file, report=log, place=None if shared is None else shared.rollouts(file))
    watched = section.watch or on_change is not None
    made = UnitProvider(
        section.paths,
        contexts,
        label=LABEL,
        choice=router,
        on_change=changed if watched else None,
        rails=GuardRails(router, records, server=LABEL, report=log),
    )
    router.on_change = made.registry.rechoose
    return made
