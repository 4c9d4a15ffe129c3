"""Each request at the server that it names, and its result as that server sent it.

MCP 2026-07-28 and 2025-11-25. Only names and URIs that had to be changed to be unique are changed back;
of `_meta` everything goes on but what belongs to this one exchange. Tool calls go through the Host's one
call path. A server that the caller may not reach is not there for that caller.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from difflib import get_close_matches
from typing import Any

from prowess.call.running import Asked
from prowess.errors import RequestFailed
from prowess.host import Host
from prowess.redact import printable
from prowess.serve.catalogue import Entry
from prowess.serve.locating import locate
from prowess.serve.offered import LINKS, Offered
from prowess.serve.request import Request
from prowess.serve.results import result_for
from prowess.serve.rounds import answered_in_rounds
from prowess.serve.skills import SkillsOffer

INVALID_PARAMS = -32602
METHOD_NOT_FOUND = -32601
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

At = Callable[[Request, Entry], Awaitable[dict[str, Any]]]


class Relaying:
    """Hands requests on. Raises RequestFailed with the protocol's code."""

    def __init__(self, host: Host, offered: Offered) -> None:
        self._host = host
        self._offered = offered
        self.skills = SkillsOffer(host, self.ask)

    async def call(self, request: Request) -> dict[str, Any]:
        """`tools/call`."""
        name = str(request.params.get("name"))
        entry = self._offered.catalogue.tools.get(name)
        if entry is None or not self._offered.reaches(request, entry.server):
            raise unknown("tool", name, await self._offered.tools(request))
        return await answered_in_rounds(request, lambda asked: self._called(asked, entry))

    async def _called(self, request: Request, entry: Entry) -> dict[str, Any]:
        params = request.params
        traceparent = request.meta.get("traceparent")
        called = await self._host.call_recorded(
            entry.name,
            params.get("arguments"),
            server=entry.server,
            caller=request.caller,
            traceparent=traceparent if isinstance(traceparent, str) else None,
            asked=Asked(
                peer=request.peer,
                meta=_carried(request),
                further={
                    key: each for key, each in params.items() if key not in ("name", "arguments", "_meta")
                },
                whole=True,
            ),
        )
        relayed = entry.server in self._offered.links
        return result_for(called, entry.wire, request.era, relayed=relayed)

    async def prompt(self, request: Request) -> dict[str, Any]:
        """`prompts/get`, of a server or of a skill of ours."""
        name = str(request.params.get("name"))
        prompts = self._offered.visible(request, self._offered.catalogue.prompts)
        if name not in prompts:
            skill = await self.skills.prompt(request.caller, name, request.params.get("arguments"))
            if skill is not None:
                return skill
        entry = self._prompt(request, name)
        return await answered_in_rounds(request, lambda asked: self.ask(asked, entry.server, name=entry.name))

    async def read(self, request: Request) -> dict[str, Any]:
        """`resources/read`, of a file of a skill too."""
        uri = str(request.params.get("uri"))
        # Whoever `skills/list` gave a URI to has it, whatever the lists of resources say.
        if (own := await self.skills.read(request.caller, uri)) is not None:
            return own if request.era == "modern" else {"contents": own["contents"]}
        unlisted = uri not in self._offered.catalogue.resources
        owner = await self.skills.owner(request, uri, anew=unlisted)
        if owner is not None and self._offered.reaches(request, owner):
            return await answered_in_rounds(request, lambda asked: self.ask(asked, owner))
        return await self._at_owner(request, uri)

    async def subscribe(self, request: Request) -> dict[str, Any]:
        """`resources/subscribe` and `resources/unsubscribe`."""
        return await self._at_owner(request, str(request.params.get("uri")))

    async def _at_owner(self, request: Request, uri: str) -> dict[str, Any]:
        """Ask who offers `uri`; where no list says who, each that may, until one knows it."""
        missing: RequestFailed | None = None
        for owner in locate(self._offered.catalogue, self._offered.offers, uri):
            if not self._offered.reaches(request, owner.server):
                continue
            try:
                result = await answered_in_rounds(request, _at(self.ask, owner))
                return result if owner.name == uri else _known_as(uri, result, owner.name)
            except RequestFailed as error:
                if error.number not in (INVALID_PARAMS, RESOURCE_NOT_FOUND, METHOD_NOT_FOUND):
                    raise
                missing = missing or error
        if missing is not None:
            raise missing
        number = INVALID_PARAMS if request.era == "modern" else RESOURCE_NOT_FOUND
        raise RequestFailed(f"Resource not found: {printable(uri, 300)}", number=number, data={"uri": uri})

    async def complete(self, request: Request) -> dict[str, Any]:
        """`completion/complete`, of a prompt or of a resource template."""
        ref = request.params.get("ref")
        ref = ref if isinstance(ref, Mapping) else {}
        catalogue = self._offered.catalogue
        if ref.get("type") == "ref/prompt":
            name = str(ref.get("name"))
            prompts = self._offered.visible(request, catalogue.prompts)
            if name not in prompts and await self.skills.prompt(request.caller, name) is not None:
                return {"completion": {"values": [], "total": 0, "hasMore": False}}
            prompt = self._prompt(request, name)
            return await self.ask(request, prompt.server, ref={**ref, "name": prompt.name})
        uri = str(ref.get("uri"))
        known = catalogue.templates.get(uri)
        owners = [known] if known is not None else locate(catalogue, self._offered.offers, uri)
        reached = [each for each in owners if self._offered.reaches(request, each.server)]
        if not reached:
            raise unknown("resource template", uri, self._offered.visible(request, catalogue.templates))
        return await self.ask(request, reached[0].server, ref={**ref, "uri": reached[0].name})

    async def log_level(self, request: Request) -> dict[str, Any]:
        """`logging/setLevel`: a session's wish, told to every server that logs."""
        for offer in self._offered.offers:
            if "logging" in offer.capabilities and self._offered.reaches(request, offer.id):
                await self.ask(request, offer.id)
        return {}

    async def other(self, request: Request) -> dict[str, Any]:
        """A method that is not known here: the one server's matter where there is one, else nobody's."""
        offers = self._offered.offers
        if len(offers) == 1 and offers[0].type in LINKS and self._offered.reaches(request, offers[0].id):
            return await self.ask(request, offers[0].id)
        raise RequestFailed("Method not found", number=METHOD_NOT_FOUND, data=printable(request.method, 100))

    async def ask(self, request: Request, server: str, **changed: Any) -> dict[str, Any]:
        """The request at `server`, with its own names; everything else as it was sent."""
        params = {**request.params, **changed}
        params.pop("_meta", None)
        if carried := _carried(request):
            params["_meta"] = carried
        result = await self._host.ask(
            server, request.method, params, peer=request.peer, caller=request.caller
        )
        return dict(result)

    def _prompt(self, request: Request, name: str) -> Entry:
        prompts = self._offered.visible(request, self._offered.catalogue.prompts)
        if name not in prompts:
            raise unknown("prompt", name, prompts)
        return prompts[name]


def unknown(kind: str, name: str, known: Mapping[str, Entry]) -> RequestFailed:
    """-32602 with the names that are nearest."""
    near = get_close_matches(name, known, 3, 0.5)
    data = {"nearest": near} if near else None
    return RequestFailed(f"Unknown {kind}: {printable(name, 200)}", number=INVALID_PARAMS, data=data)


def _known_as(uri: str, result: dict[str, Any], own: str) -> dict[str, Any]:
    """A result whose contents stand under the URI that was asked for, where the server's is another's too."""
    contents = result.get("contents")
    if not isinstance(contents, list):
        return result
    named = [
        {**each, "uri": uri} if isinstance(each, dict) and each.get("uri") == own else each
        for each in contents
    ]
    return {**result, "contents": named}


def _at(ask: Callable[..., Awaitable[dict[str, Any]]], owner: Entry) -> Callable[[Request], Awaitable[Any]]:
    return lambda asked: ask(asked, owner.server, uri=owner.name)


def _carried(request: Request) -> dict[str, Any]:
    """What of the request's `_meta` goes on to the server."""
    return {key: each for key, each in request.meta.items() if key not in _STAMPED}
