"""What a Host is put together from: packages judged, and a Provider for each server that is to come up.

Agent Plugins 1.0.0, section 11. Nothing is started here, and what is only needed by some is imported
when it is.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from prowess.content.recognising import LABEL as CONTENT
from prowess.errors import UsageError
from prowess.host import local_skills
from prowess.host.packages import (
    Consent,
    Given,
    Package,
    chosen,
    insist_on_known,
    insist_on_meant,
    judged,
    links,
)
from prowess.host.setup import Setup
from prowess.host.unit_folders import LABEL as UNITS
from prowess.host.unit_folders import OnChange, alone
from prowess.host.unit_folders import provider as unit_provider
from prowess.host.workflow_folders import LABEL as WORKFLOWS
from prowess.provider import Provider
from prowess.spec.model import Judgement, Profile

if TYPE_CHECKING:
    from prowess.host.calling import Calling


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """How servers are to come up; see `Host.open`."""

    timeout: float
    connect: bool = True
    only: Sequence[str] | None = None
    providers: Sequence[Provider] | None = None
    on_start: Consent | None = None
    on_change: OnChange | None = None
    idle: float | None = None
    local: bool = False
    keep_rejected: bool = False
    notes: list[str] = field(default_factory=list)  # what was left out, for who wanted it


async def packages_of(
    setup: Setup, profile: Profile, wanted: Wanted
) -> tuple[tuple[Package, ...], dict[str, Judgement], set[str]]:
    """The packages that load, the judgements of those that do not, and the labels of what comes up."""
    packages, rejected = await _judged(setup, profile, wanted)
    insist_on_known(packages, rejected, setup.servers)
    ours = _own_labels(setup)
    given = [each.label for each in wanted.providers or ()]
    insist_on_meant(packages, rejected, [*ours, *given], setup)
    return packages, rejected, chosen(packages, wanted.only, ours)


def providers_of(
    setup: Setup, packages: Sequence[Package], labels: set[str], calling: Calling, wanted: Wanted
) -> Sequence[Provider]:
    """A Provider for each server of those labels; those given instead, where there are any."""
    if wanted.providers is not None:
        return wanted.providers
    if not wanted.connect:
        return []
    given = Given(
        timeout=wanted.timeout,
        secrets=calling.secrets,
        sections=setup.servers,
        credentials=calling.credentials,
        on_start=wanted.on_start,
        idle=wanted.idle,
    )
    return [*links(packages, labels, given), *_own(setup, labels, calling, wanted)]


def _own(setup: Setup, labels: set[str], calling: Calling, wanted: Wanted) -> list[Provider]:
    """The Providers of what is no plugin's, those that are chosen."""
    own: list[Provider] = []
    if setup.units.paths and UNITS in labels:
        own.append(_units(setup, calling, wanted))
    if setup.content.paths and CONTENT in labels:
        from prowess.host.content_folders import provider as content_provider

        own.append(content_provider(setup.content, on_start=wanted.on_start, log=calling.log))
    if setup.workflows.paths and WORKFLOWS in labels:
        from prowess.host.workflow_folders import provider as workflow_provider

        own.append(workflow_provider(setup.workflows, calling))
    return own


def _units(setup: Setup, calling: Calling, wanted: Wanted) -> Provider:
    """The Provider of the units of a setup."""
    from prowess.host.unit_contexts import contexts

    return unit_provider(
        setup.units,
        contexts(setup, calling),
        on_start=wanted.on_start,
        on_change=wanted.on_change,
        log=calling.log,
        place=setup.place,
        records=calling.recorded,
        shared=calling.shared,
    )


async def _judged(
    setup: Setup, profile: Profile, wanted: Wanted
) -> tuple[tuple[Package, ...], dict[str, Judgement]]:
    """The plugins of a setup, or what stands for one where there are none, and the folders of skills."""
    folders = (*setup.skills, *(local_skills.places() if wanted.local else ()))
    packages, rejected = await _of_plugins(setup, profile, wanted)
    if folders:
        taken = [*(each.label for each in packages), *rejected]
        local, notes = await asyncio.to_thread(local_skills.packages, folders, profile, taken)
        wanted.notes.extend(notes)
        packages = (*packages, *local)
    return packages, rejected


async def _of_plugins(
    setup: Setup, profile: Profile, wanted: Wanted
) -> tuple[tuple[Package, ...], dict[str, Judgement]]:
    ours = _own_labels(setup)
    if not setup.plugins and (ours or setup.skills):
        return ((await alone(setup.units, setup.content, setup.workflows.paths),) if ours else ()), {}
    packages, rejected = await judged(setup.plugins, profile, keep_rejected=wanted.keep_rejected)
    for server in (server for package in packages for server in package.servers):
        if server.id in ours:
            raise UsageError(
                f"a server is called {server.id}, as a server of this Host's own is",
                hint="rename the server in its mcp.json",
            )
    return packages, rejected


def _own_labels(setup: Setup) -> list[str]:
    """What the servers are called that are no plugin's."""
    sections = ((UNITS, setup.units), (CONTENT, setup.content), (WORKFLOWS, setup.workflows))
    return [label for label, of in sections if of.paths]
