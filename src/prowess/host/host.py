"""The Host: one judged plugin brought to life, and what an agent holds.

Agent Plugins 1.0.0, section 11. It judges, starts every server at once and keeps what each offers.
It knows servers only as Providers; `link/`, and with it the MCP SDK, is imported when the plugin
has a server to start. The call path comes here later.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import replace
from typing import TYPE_CHECKING

from prowess.capability.offer import Offer
from prowess.capability.snapshot import Snapshot
from prowess.errors import NotFound
from prowess.host.bringing import Report, bring_up, offer_of, take_down
from prowess.provider import Provider
from prowess.redact import Redactor, printable, secrets_in
from prowess.source.directory import DirectorySource
from prowess.source.judging import judge
from prowess.spec.model import Judgement, Plugin, Profile, Server, Skill, StdioServer
from prowess.store.directories import create_private, plugin_data, source_identity

if TYPE_CHECKING:
    from prowess.link import Starting

STARTUP_SECONDS = 30.0

Consent = Callable[["Starting"], None]


class Host:
    """What one plugin offers, brought to life. Made by `Host.open`, closed when its block ends."""

    def __init__(self, path: str, judgement: Judgement, providers: Sequence[Provider]) -> None:
        self._path = path
        self._judgement = judgement
        self._providers = tuple(providers)

    @classmethod
    @asynccontextmanager
    async def open(
        cls,
        path: str | os.PathLike[str],
        *,
        timeout: float = STARTUP_SECONDS,
        profile: Profile = "spec",
        on_start: Consent | None = None,
        on_offer: Report | None = None,
        connect: bool = True,
        providers: Sequence[Provider] | None = None,
    ) -> AsyncIterator[Host]:
        """Judge the package at `path`, bring its servers up, and close everything at the end.

        `timeout` is the seconds each server has to come up. `on_start` hears what is about to run
        or be contacted, before it is; `on_offer` hears each server once it is settled. `connect`
        false starts nothing. `providers` stand in for the plugin's own servers. A rejected plugin
        raises PackageRejected; a server that does not come up is a status in `offers`.
        """
        root = os.fspath(path)
        judgement = await asyncio.to_thread(judge, root, profile=profile)
        plugin = judgement.accepted
        if providers is None:
            providers = _links(root, plugin, timeout, on_start) if connect else ()
        host = cls(root, judgement, providers)
        try:
            if connect:
                await bring_up(host._providers, on_offer)
            yield host
        finally:
            await take_down(host._providers)

    @property
    def judgement(self) -> Judgement:
        """What the loader found, with the bodies loaded since."""
        return self._judgement

    @property
    def _servers(self) -> tuple[Server, ...]:
        return self._judgement.accepted.servers

    @property
    def offers(self) -> tuple[Offer, ...]:
        """What each server offers now, in the order of their ids."""
        offers = {each.label: offer_of(each) for each in self._providers}
        for server in self._servers:
            unstarted = Offer(id=server.id, type=server.type, status="not-started")
            offers.setdefault(server.id, unstarted)
        return tuple(offers[id] for id in sorted(offers))

    def snapshot(self) -> Snapshot:
        """What is on offer now, frozen."""
        given = [each.env if isinstance(each, StdioServer) else each.headers for each in self._servers]
        known = Redactor([secret for values in given for secret in secrets_in(values)])
        return Snapshot.of(self._judgement, self.offers, redactor=known.known)

    def read_skill(self, name: str) -> str:
        """The text of one skill below its frontmatter, read now; nothing is kept."""
        from prowess.source.reading import read_body

        return read_body(DirectorySource(self._path), self._skill(name))

    def load_body(self, name: str) -> str:
        """Read one skill's text and keep it: its `loaded` says `body` from now on."""
        text = self.read_skill(name)
        plugin = self._judgement.accepted
        skills = tuple(replace(each, body=text) if each.name == name else each for each in plugin.skills)
        self._judgement = replace(self._judgement, plugin=replace(plugin, skills=skills))
        return text

    def _skill(self, name: str) -> Skill:
        skills = self._judgement.accepted.skills
        for skill in skills:
            if skill.name == name:
                return skill
        known = ", ".join(each.name for each in skills) or "none"
        raise NotFound(
            f"no skill named {printable(name)}", hint=f"skills of this plugin: {printable(known, 500)}"
        )


def _links(root: str, plugin: Plugin, timeout: float, on_start: Consent | None) -> list[Provider]:
    """One link for each server; the SDK is imported only when there is one."""
    if not plugin.servers:
        return []
    from prowess.link import Link
    from prowess.store.eras import Eras

    identity = source_identity(root)
    data = plugin_data(plugin.manifest.name, identity)
    with suppress(OSError):  # a server that needs it says so itself when it is started
        create_private(data)
    eras = Eras(identity)
    return [
        Link(each, root=root, data=data, startup=timeout, eras=eras, on_start=on_start)
        for each in plugin.servers
    ]
