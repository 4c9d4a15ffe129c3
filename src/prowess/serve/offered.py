"""What a Host offers now, under the names that clients use, and how much of it a caller gets to see.

A catalogue is made anew only when what is on offer changed.
"""

from __future__ import annotations

from collections.abc import Mapping

from prowess.capability.offer import Offer
from prowess.host import Host
from prowess.host.serving import Naming
from prowess.provider import Caller
from prowess.serve.catalogue import Catalogue, Entry, insist_on_raw
from prowess.serve.request import Request

LINKS = frozenset({"stdio", "streamable-http", "sse"})


class Offered:
    """The offers of a Host and their catalogue."""

    def __init__(self, host: Host, naming: Naming | None = None) -> None:
        """`naming` is raw by default where there is one server. Raises UsageError for names that clash."""
        self._host = host
        self._naming = naming
        self._seen: tuple[object, ...] = ()
        self._catalogue = Catalogue(tools={}, prompts={}, resources={}, templates={})
        self._links: frozenset[str] = frozenset()
        if naming == "raw":
            insist_on_raw(host.offers)

    @property
    def offers(self) -> tuple[Offer, ...]:
        """What each server offers now."""
        return self._host.offers

    @property
    def catalogue(self) -> Catalogue:
        """Everything by name."""
        offers = self._host.offers
        seen = tuple(
            (each.id, each.type, id(each.tools), id(each.prompts), id(each.resources), id(each.templates))
            for each in offers
        )
        if seen != self._seen:
            naming = self._naming or ("raw" if len(offers) == 1 else "qualified")
            self._catalogue = Catalogue.of(offers, naming)
            self._links = frozenset(each.id for each in offers if each.type in LINKS)
            self._seen = seen
        return self._catalogue

    @property
    def links(self) -> frozenset[str]:
        """The servers of the catalogue whose answers are handed on as they are; the others are ours."""
        return self._links

    def within_reach(self, caller: Caller) -> list[Offer]:
        """The offers of servers that a caller may reach."""
        return [each for each in self._host.offers if self._host.reaches(caller, each.id)]

    def reaches(self, request: Request, server: str) -> bool:
        """Whether the caller may reach anything of a server."""
        return self._host.reaches(request.caller, server)

    def visible(self, request: Request, entries: Mapping[str, Entry]) -> dict[str, Entry]:
        """Those of servers that the caller may reach."""
        return {known: each for known, each in entries.items() if self.reaches(request, each.server)}

    async def tools(self, request: Request) -> dict[str, Entry]:
        """The tools that the caller may see: pinned as they are, and not denied."""
        shown = {(each.server, each.name) for each in await self._host.tools(caller=request.caller)}
        entries = self.catalogue.tools
        return {known: each for known, each in entries.items() if (each.server, each.name) in shown}
