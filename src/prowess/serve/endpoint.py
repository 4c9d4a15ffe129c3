"""What an endpoint answers: lists of everything on offer, and each request by the one who can.

MCP 2026-07-28 and 2025-11-25. It knows neither the SDK nor what brought a request.
"""

from __future__ import annotations

import traceback
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from prowess import __version__
from prowess.errors import ConnectionFailed, NotFound, ProwessError, RequestFailed
from prowess.host import Host
from prowess.host.serving import Naming, ServeSection
from prowess.provider import Caller
from prowess.serve.catalogue import Entry
from prowess.serve.lists import cached, capabilities_of, instructions_of, listed
from prowess.serve.locating import locate
from prowess.serve.offered import Offered
from prowess.serve.relaying import INVALID_PARAMS, Relaying
from prowess.serve.request import Request
from prowess.serve.searching import Searching
from prowess.serve.skills import METHODS as SKILL_METHODS

INTERNAL_ERROR = -32603
ANYBODY = Caller()

_LISTS = {
    "tools/list": ("tools", "name"),
    "prompts/list": ("prompts", "name"),
    "resources/list": ("resources", "uri"),
    "resources/templates/list": ("resourceTemplates", "uriTemplate"),
}

Answer = Callable[[Request], Awaitable[dict[str, Any]]]


class Endpoint:
    """Everything a Host offers, for clients of the Model Context Protocol."""

    def __init__(
        self, host: Host, *, naming: Naming | None = None, searching: Searching | None = None
    ) -> None:
        """`naming` says what tools and prompts are called; by default raw where there is one server.

        With `searching` the tools are shown progressively. Raises UsageError for names that clash, and
        for a tool that is always to be shown and is not there.
        """
        self._host = host
        self._searching = searching
        self._offered = Offered(host, naming)
        self._relaying = Relaying(host, self._offered)
        self._skills = self._relaying.skills
        self._answers: dict[str, Answer] = {
            "tools/call": self._call,
            "prompts/get": self._relaying.prompt,
            "resources/read": self._relaying.read,
            "resources/subscribe": self._relaying.subscribe,
            "resources/unsubscribe": self._relaying.subscribe,
            "completion/complete": self._relaying.complete,
            "logging/setLevel": self._relaying.log_level,
            "server/discover": self._discover,
            **dict.fromkeys(_LISTS, self._list),
            **dict.fromkeys(SKILL_METHODS, self._skills.answer),
        }
        if searching is not None:
            searching.insist_on_core(self._offered.catalogue.tools)

    @classmethod
    def of(cls, host: Host, section: ServeSection) -> Endpoint:
        """The endpoint that `[serve]` describes."""
        if section.expose == "all":
            return cls(host, naming=section.names)
        searching = Searching(host, core=section.core, budget=section.budget)
        return cls(host, naming=section.names, searching=searching)

    @property
    def host(self) -> Host:
        """Whose capabilities these are."""
        return self._host

    @property
    def server_info(self) -> dict[str, Any]:
        """Who answers, in the protocol's words."""
        return {"name": "prowess", "title": "Prowess", "version": __version__}

    def instructions(self, caller: Caller = ANYBODY) -> str | None:
        """What the servers say about their use, each under its label where there are several."""
        return instructions_of(self._offered.within_reach(caller))

    def capabilities(self, era: str, caller: Caller = ANYBODY) -> dict[str, Any]:
        """What this endpoint declares to `caller`, as the servers do that it may reach."""
        declared = capabilities_of(self._offered.within_reach(caller), era)
        if not self._skills.served_to(caller):
            return declared
        for kind in ("prompts", "resources"):  # what a client without the extension knows skills as
            declared.setdefault(kind, {"listChanged": True})
        if era == "modern":
            declared["extensions"] = {**declared.get("extensions", {}), **self._skills.capability}
        return declared

    def schema_of(self, tool: str) -> Mapping[str, Any] | None:
        """The input schema of a tool by the name that clients use, or None."""
        entry = self._offered.catalogue.tools.get(tool)
        schema = None if entry is None else entry.wire.get("inputSchema")
        return schema if isinstance(schema, Mapping) else None

    def may_follow(self, uri: str, caller: Caller) -> bool:
        """Whether `caller` may hear of what happens to the resource at `uri`."""
        owners = self.owners_of(uri)
        return not owners or any(self._host.reaches(caller, server) for server, _ in owners)

    def owners_of(self, uri: str) -> list[tuple[str, str]]:
        """The servers that may have the resource at `uri`, each with the URI that it knows."""
        found = locate(self._offered.catalogue, self._offered.offers, uri)
        return [(each.server, each.name) for each in found]

    async def answer(self, request: Request) -> dict[str, Any]:
        """The raw result. Raises RequestFailed with the protocol's code for every error."""
        try:
            return await self._answers.get(request.method, self._relaying.other)(request)
        except RequestFailed:
            raise
        except NotFound as error:
            raise RequestFailed(_said(error), number=INVALID_PARAMS) from None
        except ConnectionFailed as error:
            raise RequestFailed(error.message, number=INTERNAL_ERROR, hint=error.hint) from None
        except ProwessError as error:
            raise RequestFailed(_said(error), number=INTERNAL_ERROR) from None

    def report(self, error: Exception) -> None:
        """Log a fault of ours with its place."""
        stack = "".join(traceback.format_exception(error))
        self._host.path.journal.log("serve-exception", error=type(error).__name__, stack=stack)

    async def tell(self, request: Request) -> None:
        """A client's notification, to the servers that keep a connection for its session."""
        await self._host.tell(request.method, request.params, peer=request.peer, caller=request.caller)

    async def _call(self, request: Request) -> dict[str, Any]:
        if self._searching is not None and request.params.get("name") in self._searching.names:
            shown = await self._offered.tools(request)
            return await self._searching.answer(request, shown, self._relaying.call)
        return await self._relaying.call(request)

    async def _list(self, request: Request) -> dict[str, Any]:
        key, name = _LISTS[request.method]
        if request.params.get("cursor") is not None:
            raise RequestFailed("no such cursor", number=INVALID_PARAMS)
        if key == "tools":
            found = await self._tools(request)
        else:
            entries = self._entries(request)
            ours = await self._skills_as(request, key, entries)
            own = {each[name] for each in ours}
            found = [*(each for each in listed(entries, name) if each[name] not in own), *ours]
        return {key: found, **cached(self._offered.offers, request)}

    async def _tools(self, request: Request) -> list[dict[str, Any]]:
        shown = await self._offered.tools(request)
        return listed(shown, "name") if self._searching is None else self._searching.listed(shown)

    def _entries(self, request: Request) -> dict[str, Entry]:
        catalogue = self._offered.catalogue
        entries = {
            "prompts/list": catalogue.prompts,
            "resources/list": catalogue.resources,
            "resources/templates/list": catalogue.templates,
        }[request.method]
        return self._offered.visible(request, entries)

    async def _skills_as(
        self, request: Request, key: str, entries: Mapping[str, Entry]
    ) -> list[dict[str, Any]]:
        """Our skills as resources, and as prompts where no server has one of that name."""
        if not self._skills.served or key == "resourceTemplates":
            return []
        if key == "prompts":
            prompts = await self._skills.prompts(request.caller)
            return [each for each in prompts if each["name"] not in entries]
        return await self._skills.resources(request.caller)

    async def _discover(self, request: Request) -> dict[str, Any]:
        result: dict[str, Any] = {
            "supportedVersions": [request.version],
            "capabilities": self.capabilities("modern", request.caller),
            "ttlMs": 0,
            "cacheScope": "private",
        }
        instructions = self.instructions(request.caller)
        return result if instructions is None else {**result, "instructions": instructions}


def _said(error: ProwessError) -> str:
    return f"{error.message} ({error.hint})" if error.hint else error.message
