"""The plugins of a Host: judged, their servers labelled, a link made for each server.

A Host of a plugin's path calls its servers by their ids; a Host of a `prowess.toml` calls them
`plugin/server`, so that two plugins may have a server of the same id. `link/`, and with it the MCP
SDK, is imported when there is a server to start.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from difflib import get_close_matches
from typing import TYPE_CHECKING

from prowess.credentials.sections import ServerSection
from prowess.errors import NotFound, UsageError
from prowess.host.masking import Learning, Secrets
from prowess.provider import Provider, Starting
from prowess.redact import printable
from prowess.source.directory import DirectorySource
from prowess.source.judging import judge
from prowess.spec.model import Judgement, Profile, Server, Skill
from prowess.store.directories import create_private, plugin_data, source_identity

if TYPE_CHECKING:
    from prowess.credentials import Credentials
    from prowess.host.setup import Setup

Consent = Callable[[Starting], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Package:
    """One plugin of a Host: its label there, where it is, what the loader found.

    `ids` are its servers' ids in `mcp.json`, by their labels in this Host. `is_local` is true for a folder
    of skills, which is no plugin and has no servers.
    """

    label: str
    root: str
    judgement: Judgement
    ids: Mapping[str, str]
    is_local: bool = False

    @property
    def servers(self) -> tuple[Server, ...]:
        """Its servers, under their labels."""
        return self.judgement.accepted.servers

    @property
    def source(self) -> DirectorySource:
        """Its files."""
        return DirectorySource(self.root)

    @property
    def skills(self) -> tuple[Skill, ...]:
        """Its skills."""
        return self.judgement.accepted.skills

    def named_skills(self, name: str) -> tuple[Skill, ...]:
        """Its skill of that name, which may be written as `plugin/skill`."""
        return tuple(each for each in self.skills if name in (each.name, f"{self.label}/{each.name}"))


@dataclass(frozen=True, slots=True, kw_only=True)
class LocalSkill:
    """One skill of a plugin of this Host: what it is called here, its plugin's label, where its files are."""

    name: str
    plugin: str
    skill: Skill
    source: DirectorySource
    profile: Profile


async def judged(
    plugins: Sequence[tuple[str, str]], profile: Profile, *, keep_rejected: bool = False
) -> tuple[tuple[Package, ...], dict[str, Judgement]]:
    """The plugins at these paths, each with its label or under its own name; and those rejected, by label.

    One that is rejected keeps no other away; PackageRejected when none is left, unless `keep_rejected`.
    """
    found = [(label, path, await asyncio.to_thread(judge, path, profile=profile)) for label, path in plugins]
    packages = [_package(label, path, each) for label, path, each in found if each.rejected is None]
    if not packages and not (keep_rejected and found):
        for _, _, each in found:
            each.accepted  # noqa: B018  # raises, and says why
        raise UsageError("no plugin is named", hint='[plugins] and LABEL = "path" below it')
    _insist_on_different([each.label for each in packages])
    return tuple(packages), {label or path: each for label, path, each in found if each.rejected is not None}


def _package(label: str, root: str, judgement: Judgement) -> Package:
    plugin = judgement.accepted
    # Where a label is given there may be more plugins tomorrow: no rule about a server, no pin and
    # no name that a model knows may come to mean nothing because of that.
    ids = {f"{label}/{each.id}" if label else each.id: each.id for each in plugin.servers}
    label = label or plugin.manifest.name
    servers = tuple(replace(each, id=name) for name, each in zip(ids, plugin.servers, strict=True))
    labelled = replace(judgement, plugin=replace(plugin, servers=servers))
    return Package(label=label, root=root, judgement=labelled, ids=ids)


def _insist_on_different(labels: Sequence[str]) -> None:
    for each in labels:
        if labels.count(each) > 1:
            raise UsageError(
                f"two plugins are called {printable(each)}",
                hint="leave one out: servers are told apart by the names of their plugins",
            )


def chosen(packages: Iterable[Package], only: Sequence[str] | None, beside: Iterable[str] = ()) -> set[str]:
    """The labels of the servers to bring up. Raises NotFound for a label that there is not.

    `plugin/server` may be named by `server` alone where only one is called that. `beside` are labels of
    what is no server of a plugin.
    """
    known = {*beside, *(each.id for package in packages for each in package.servers)}
    return known if only is None else {_meant(name, known) for name in only}


def _meant(name: str, known: set[str]) -> str:
    short = [each for each in known if each.rpartition("/")[2] == name]
    if name in known or len(short) == 1:
        return name if name in known else short[0]
    if short:
        which = printable(", ".join(sorted(short)), 500)
        raise UsageError(f"more than one server is called {printable(name)}", hint=f"say which: {which}")
    raise NotFound(
        f"no server called {printable(name)}",
        hint=f"servers: {printable(', '.join(sorted(known)) or 'none', 500)}",
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Given:
    """What the servers of a Host are given: seconds to come up, what is configured for each, credentials.

    With `idle` a server is started when it is first used, and stopped after so many seconds without.
    """

    timeout: float
    secrets: Secrets
    sections: Mapping[str, ServerSection]
    credentials: Credentials | None = None
    on_start: Consent | None = None
    idle: float | None = None


def links(packages: Iterable[Package], labels: set[str], given: Given) -> list[Provider]:
    """A link for each server that is to be brought up."""
    made: list[Provider] = []
    for package in packages:
        servers = [each for each in package.servers if each.id in labels]
        if servers:
            made += _links_of(package, servers, given)
    return made


def _links_of(package: Package, servers: Sequence[Server], given: Given) -> list[Provider]:
    from prowess.link import Link
    from prowess.store.eras import Eras

    identity = source_identity(package.root)
    data = plugin_data(package.judgement.accepted.manifest.name, identity)
    with suppress(OSError):  # a server that needs it says so itself when it is started
        create_private(data)
    eras = Eras(identity)
    made: list[Provider] = []
    for server in servers:
        name = f"{package.label}/{package.ids[server.id]}"
        section = given.sections.get(name)
        injector = None
        if section is not None and given.credentials is not None:
            injector = given.credentials.injector(name, section, server, plugin=identity)
        seconds = section.timeout if section is not None and section.timeout else given.timeout
        link = Link(
            server,
            root=package.root,
            data=data,
            startup=seconds,
            eras=eras,
            on_start=given.on_start,
            injector=Learning(injector, given.secrets) if injector is not None else None,
        )
        made.append(link if given.idle is None else _sleeping(link, server, package, identity, given.idle))
    return made


def _sleeping(link: Provider, server: Server, package: Package, identity: str, idle: float) -> Provider:
    """The same server, started on first use. Its last offer is known by all that its start depends on."""
    from prowess.host.sleeping import Sleeping
    from prowess.store.offers import OfferMemory

    version = package.judgement.accepted.manifest.version
    return Sleeping(link, OfferMemory(f"{identity}#{version}#{server!r}"), idle=idle)


def insist_on_known(
    packages: Iterable[Package], rejected: Iterable[str], sections: Mapping[str, ServerSection]
) -> None:
    """UsageError for a section that is meant for no server: a misspelling would leave it without a token."""
    known = [f"{each.label}/{id}" for each in packages for id in each.ids.values()]
    for name in sections:
        if name not in known and name.partition("/")[0] not in rejected:
            raise UsageError(
                f'[servers."{printable(name)}"] is meant for no server of these plugins',
                hint=f"servers: {printable(', '.join(known) or 'none', 500)}",
            )


def insist_on_meant(
    packages: Sequence[Package], rejected: Iterable[str], beside: Iterable[str], setup: Setup
) -> None:
    """UsageError for a rule or a token for one server when there is none of that name: it would never act.

    `beside` are labels of what is no server of a plugin.
    """
    known = sorted({*beside, *(each.id for package in packages for each in package.servers)})
    places = [
        (f"rule {number} of [policy]", each.server) for number, each in enumerate(setup.policy.rules, 1)
    ]
    places += [(f"exception {n} of [limits]", each.server) for n, each in enumerate(setup.limits.tools, 1)]
    reached = {f"[serve.tokens.{printable(name)}]": each.servers for name, each in setup.serve.tokens.items()}
    if setup.serve.oauth is not None:
        reached["[serve.oauth]"] = setup.serve.oauth.servers
    labels = {each.label for each in packages}  # a plugin of skills alone has no server to name
    places += [(place, each) for place, names in reached.items() for each in names if each not in labels]
    for place, name in places:
        if set(name).isdisjoint("*?[") and name not in known and name.partition("/")[0] not in rejected:
            near = [each for each in known if name in each.split("/")] or get_close_matches(name, known, 1)
            hint = f"did you mean {near[0]}?" if near else f"servers: {', '.join(known) or 'none'}"
            raise UsageError(
                f"{place} is for server {printable(name)}, and there is none", hint=printable(hint, 500)
            )


def agreed_tools(packages: Iterable[Package]) -> dict[tuple[str, str], str]:
    """The tools that lock files pin for these packages: digests by the server's label and the tool's name."""
    from prowess.store.installed_opening import installed_at

    found: dict[tuple[str, str], str] = {}
    for package in packages:
        one = installed_at(package.root)
        for label, id in package.ids.items():
            tools = one.tools.get(id, {}) if one is not None else {}
            found.update({(label, tool): digest for tool, digest in tools.items()})
    return found
