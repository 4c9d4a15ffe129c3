"""What an endpoint answers: lists of everything on offer, and each request at the server that it names.

MCP 2026-07-28 and 2025-11-25. A result is handed on as its server sent it, unknown members included;
only names and URIs that had to be changed to be unique are changed back. Tool calls go through the
Host's one call path. It knows neither the SDK nor what brought a request.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from prowess import __version__
from prowess.call.running import Asked
from prowess.capability.offer import Offer
from prowess.errors import ConnectionFailed, NotFound, ProwessError, RequestFailed
from prowess.host import Host
from prowess.redact import printable
from prowess.serve.catalogue import Catalogue, Entry, Naming, insist_on_raw
from prowess.serve.lists import cached, capabilities_of, instructions_of, listed
from prowess.serve.locating import locate
from prowess.serve.request import Request
from prowess.serve.results import result_for
from prowess.serve.rounds import answered_in_rounds

INVALID_PARAMS = -32602
METHOD_NOT_FOUND = -32601
INTERNAL_ERROR = -32603
RESOURCE_NOT_FOUND = -32002  # 2025-11-25; -32602 since

# What is ours to say to a server, or belongs to this one exchange: the link writes its own.
_STAMPED = frozenset(
    {
        "progressToken",
        "io.modelcontextprotocol/protocolVersion",
        "io.modelcontextprotocol/clientCapabilities",
        "io.modelcontextprotocol/clientInfo",
    }
)
_LISTS = {
    "tools/list": ("tools", "name"),
    "prompts/list": ("prompts", "name"),
    "resources/list": ("resources", "uri"),
    "resources/templates/list": ("resourceTemplates", "uriTemplate"),
}
_LINKS = frozenset({"stdio", "streamable-http", "sse"})

Answer = Callable[[Request], Awaitable[dict[str, Any]]]


class Endpoint:
    """Everything a Host offers, for clients of the Model Context Protocol."""

    def __init__(self, host: Host, *, naming: Naming | None = None) -> None:
        """`naming` says what tools and prompts are called; by default raw where there is one server."""
        self._host = host
        self._naming = naming
        self._seen: tuple[object, ...] = ()
        self._catalogue = Catalogue(tools={}, prompts={}, resources={}, templates={})
        self._offers: tuple[Offer, ...] = ()
        self._answers: dict[str, Answer] = {
            "tools/call": self._call,
            "prompts/get": self._prompt,
            "resources/read": self._read,
            "resources/subscribe": self._subscribe,
            "resources/unsubscribe": self._subscribe,
            "completion/complete": self._complete,
            "logging/setLevel": self._log_level,
            "server/discover": self._discover,
        }
        if naming == "raw":
            insist_on_raw(host.offers)

    @property
    def host(self) -> Host:
        """Whose capabilities these are."""
        return self._host

    @property
    def server_info(self) -> dict[str, Any]:
        """Who answers, in the protocol's words."""
        return {"name": "prowess", "title": "Prowess", "version": __version__}

    @property
    def instructions(self) -> str | None:
        """What the servers say about their use, each under its label where there are several."""
        self._refresh()
        return instructions_of(self._offers)

    def capabilities(self, era: str) -> dict[str, Any]:
        """What this endpoint declares, as the servers do."""
        self._refresh()
        return capabilities_of(self._offers, era)

    def schema_of(self, tool: str) -> Mapping[str, Any] | None:
        """The input schema of a tool by the name that clients use, or None."""
        entry = self.catalogue.tools.get(tool)
        schema = None if entry is None else entry.wire.get("inputSchema")
        return schema if isinstance(schema, Mapping) else None

    @property
    def catalogue(self) -> Catalogue:
        """What is on offer now, by the names that clients use."""
        self._refresh()
        return self._catalogue

    def owners_of(self, uri: str) -> list[tuple[str, str]]:
        """The servers that may have the resource at `uri`, each with the URI that it knows."""
        return [(each.server, each.name) for each in locate(self.catalogue, self._offers, uri)]

    async def answer(self, request: Request) -> dict[str, Any]:
        """The raw result. Raises RequestFailed with the protocol's code for every error."""
        try:
            if request.method in _LISTS:
                return await self._list(request)
            handler = self._answers.get(request.method)
            return await (self._other(request) if handler is None else handler(request))
        except RequestFailed:
            raise
        except NotFound as error:
            raise _invalid(error) from None
        except ConnectionFailed as error:
            raise RequestFailed(error.message, number=INTERNAL_ERROR, hint=error.hint) from None
        except ProwessError as error:
            raise RequestFailed(_said(error), number=INTERNAL_ERROR) from None

    # -- lists -------------------------------------------------------------------------------------

    def _refresh(self) -> None:
        offers = self._host.offers
        seen = tuple(
            (each.id, each.type, id(each.tools), id(each.prompts), id(each.resources), id(each.templates))
            for each in offers
        )
        if seen != self._seen:
            naming = self._naming or ("raw" if len(offers) == 1 else "qualified")
            self._catalogue = Catalogue.of(offers, naming)
            self._seen = seen
        self._offers = offers

    async def _list(self, request: Request) -> dict[str, Any]:
        key, name = _LISTS[request.method]
        if request.params.get("cursor") is not None:
            raise RequestFailed("no such cursor", number=INVALID_PARAMS, data={"cursor": "unknown"})
        entries = self._within_reach(request, self._entries(request.method))
        if key == "tools":
            shown = {(each.server, each.name) for each in await self._host.tools(caller=request.caller)}
            entries = {known: each for known, each in entries.items() if (each.server, each.name) in shown}
        return {key: listed(entries, name), **cached(self._offers, request)}

    def _within_reach(self, request: Request, entries: Mapping[str, Entry]) -> Mapping[str, Entry]:
        """Those of servers that the caller gets to see."""
        reaches, caller = self._host.reaches, request.caller
        return {known: each for known, each in entries.items() if reaches(caller, each.server)}

    def _entries(self, method: str) -> Mapping[str, Entry]:
        catalogue = self.catalogue
        return {
            "tools/list": catalogue.tools,
            "prompts/list": catalogue.prompts,
            "resources/list": catalogue.resources,
            "resources/templates/list": catalogue.templates,
        }[method]

    async def _discover(self, request: Request) -> dict[str, Any]:
        result: dict[str, Any] = {
            "supportedVersions": [request.version],
            "capabilities": self.capabilities("modern"),
            "ttlMs": 0,
            "cacheScope": "private",
        }
        instructions = self.instructions
        return result if instructions is None else {**result, "instructions": instructions}

    # -- requests ----------------------------------------------------------------------------------

    async def _call(self, request: Request) -> dict[str, Any]:
        name = str(request.params.get("name"))
        entry = self.catalogue.tools.get(name)
        if entry is None:
            raise _unknown("tool", name, self._within_reach(request, self.catalogue.tools))
        return await answered_in_rounds(request, lambda asked: self._once(asked, entry))

    async def _once(self, request: Request, entry: Entry) -> dict[str, Any]:
        params = request.params
        called = await self._host.call_recorded(
            entry.name,
            params.get("arguments"),
            server=entry.server,
            caller=request.caller,
            traceparent=_traceparent(request),
            asked=Asked(
                peer=request.peer,
                meta=_carried(request),
                further={
                    key: each for key, each in params.items() if key not in ("name", "arguments", "_meta")
                },
                whole=True,
            ),
        )
        return result_for(called, entry.wire, request.era)

    async def _prompt(self, request: Request) -> dict[str, Any]:
        name = str(request.params.get("name"))
        entry = self.catalogue.prompts.get(name)
        if entry is None or not self._host.reaches(request.caller, entry.server):
            raise _unknown("prompt", name, self._within_reach(request, self.catalogue.prompts))
        return await answered_in_rounds(
            request, lambda asked: self._ask(asked, entry.server, name=entry.name)
        )

    async def _read(self, request: Request) -> dict[str, Any]:
        uri = str(request.params.get("uri"))
        return await self._at_owner(
            request, uri, lambda asked, owner: self._ask(asked, owner.server, uri=owner.name)
        )

    async def _at_owner(
        self, request: Request, uri: str, ask: Callable[[Request, Entry], Awaitable[dict[str, Any]]]
    ) -> dict[str, Any]:
        """Ask who offers `uri`; where no list says who, each that may, until one knows it."""
        missing: RequestFailed | None = None
        for owner in locate(self.catalogue, self._offers, uri):
            if not self._host.reaches(request.caller, owner.server):
                continue
            try:
                return await answered_in_rounds(request, lambda asked, owner=owner: ask(asked, owner))  # type: ignore[misc]
            except RequestFailed as error:
                if error.number not in (INVALID_PARAMS, RESOURCE_NOT_FOUND, METHOD_NOT_FOUND):
                    raise
                missing = missing or error
        if missing is not None:
            raise missing
        number = INVALID_PARAMS if request.era == "modern" else RESOURCE_NOT_FOUND
        raise RequestFailed(f"Resource not found: {printable(uri, 300)}", number=number, data={"uri": uri})

    async def _subscribe(self, request: Request) -> dict[str, Any]:
        uri = str(request.params.get("uri"))
        return await self._at_owner(
            request, uri, lambda asked, owner: self._ask(asked, owner.server, uri=owner.name)
        )

    async def _complete(self, request: Request) -> dict[str, Any]:
        ref = request.params.get("ref")
        ref = ref if isinstance(ref, Mapping) else {}
        if ref.get("type") == "ref/prompt":
            name = str(ref.get("name"))
            entry = self.catalogue.prompts.get(name)
            if entry is None:
                raise _unknown("prompt", name, self.catalogue.prompts)
            return await self._ask(request, entry.server, ref={**ref, "name": entry.name})
        uri = str(ref.get("uri"))
        template = self.catalogue.templates.get(uri)
        owners = [template] if template is not None else locate(self.catalogue, self._offers, uri)
        if not owners:
            raise _unknown("resource template", uri, self.catalogue.templates)
        return await self._ask(request, owners[0].server, ref={**ref, "uri": owners[0].name})

    async def _log_level(self, request: Request) -> dict[str, Any]:
        """A legacy session's wish, told to every server that logs; those that are down hear it never."""
        for offer in self._offers:
            if "logging" in offer.capabilities:
                await self._ask(request, offer.id)
        return {}

    async def _other(self, request: Request) -> dict[str, Any]:
        """A method that is not ours: the one server's matter where there is one, else nobody's."""
        self._refresh()
        if len(self._offers) == 1 and self._offers[0].type in _LINKS:
            return await self._ask(request, self._offers[0].id)
        raise RequestFailed("Method not found", number=METHOD_NOT_FOUND, data=printable(request.method, 100))

    async def _ask(self, request: Request, server: str, **changed: Any) -> dict[str, Any]:
        """The request at `server`, with its own names; everything else as it was sent."""
        params = {**request.params, **changed}
        params.pop("_meta", None)
        if carried := _carried(request):
            params["_meta"] = carried
        result = await self._host.ask(
            server, request.method, params, peer=request.peer, caller=request.caller
        )
        return dict(result)


def _carried(request: Request) -> dict[str, Any]:
    """What of the request's `_meta` goes on to the server."""
    return {key: each for key, each in request.meta.items() if key not in _STAMPED}


def _traceparent(request: Request) -> str | None:
    value = request.meta.get("traceparent")
    return value if isinstance(value, str) else None


def _unknown(kind: str, name: str, known: Mapping[str, Entry]) -> RequestFailed:
    """-32602 with the names that are nearest."""
    from difflib import get_close_matches

    near = get_close_matches(name, known, 3, 0.5)
    data = {"nearest": near} if near else None
    return RequestFailed(f"Unknown {kind}: {printable(name, 200)}", number=INVALID_PARAMS, data=data)


def _invalid(error: ProwessError) -> RequestFailed:
    return RequestFailed(_said(error), number=INVALID_PARAMS)


def _said(error: ProwessError) -> str:
    return f"{error.message} ({error.hint})" if error.hint else error.message
