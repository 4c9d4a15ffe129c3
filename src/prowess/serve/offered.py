"""What a Host offers now, under the names that clients use, and how much of it a caller gets to see.

A catalogue is made anew only when what is on offer changed.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from operator import is_

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
        self._seen: tuple[Offer, ...] | None = None
        self._offers: tuple[Offer, ...] = ()
        self._last: dict[str, Offer] = {}
        self._catalogue = Catalogue(tools={}, prompts={}, resources={}, templates={})
        self._listed: list[object] = []
        self._links: frozenset[str] = frozenset()
        if naming == "raw":
            insist_on_raw(host.offers)

    @property
    def offers(self) -> tuple[Offer, ...]:
        """What each server offers now; of one that is down for the moment, what it offered last."""
        now = self._host.offers
        if now is not self._seen:
            self._seen, self._offers = now, tuple(map(self._remembered, now))
        return self._offers

    def _remembered(self, offer: Offer) -> Offer:
        # The next use brings it up again: until then clients need not learn that it crashed.
        if offer.status == "connected":
            self._last[offer.id] = offer
            return offer
        last = self._last.get(offer.id)
        if last is None or offer.tools or offer.prompts or offer.resources or offer.templates:
            return offer
        return replace(last, status=offer.status, reason=offer.reason, reason_code=offer.reason_code)

    @property
    def catalogue(self) -> Catalogue:
        """Everything by name."""
        offers = self.offers
        listed: list[object] = []
        for each in offers:
            listed += (each.tools, each.prompts, each.resources, each.templates)
        if len(listed) != len(self._listed) or not all(map(is_, listed, self._listed)):
            naming = self._naming or ("raw" if len(offers) == 1 else "qualified")
            self._catalogue = Catalogue.of(offers, naming)
            self._links = frozenset(each.id for each in offers if each.type in LINKS)
            self._listed = listed
        return self._catalogue

    @property
    def links(self) -> frozenset[str]:
        """The servers of the catalogue whose answers are handed on as they are; the others are ours."""
        return self._links

    def within_reach(self, caller: Caller) -> list[Offer]:
        """The offers of servers that a caller may reach."""
        return [each for each in self.offers if self._host.reaches(caller, each.id)]

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
