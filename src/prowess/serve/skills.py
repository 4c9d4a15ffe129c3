"""Skills over MCP, the server's side: what an Endpoint needs to serve a Host's skills and its servers'.

MCP extension `io.modelcontextprotocol/skills` (SEP-2640), with directory reads. The methods belong to
the protocol of 2026-07-28; for clients that know only resources or prompts, every local skill is both.
What an upstream server serves is listed after ours with its own entries, and asked of that server. It
knows neither the SDK nor a transport; reading the disk happens in a thread.
"""

from __future__ import annotations

import asyncio
import base64
from collections.abc import Awaitable, Callable
from typing import Any

from prowess.call.policy import LOCAL
from prowess.capability.skill_entry import EXTENSION, SKILL_FILE
from prowess.errors import ConnectionFailed, RequestFailed
from prowess.host import Host
from prowess.provider import Caller
from prowess.redact import printable
from prowess.serve.media import media_type
from prowess.serve.request import Request
from prowess.serve.skills_local import LocalSkills, Served
from prowess.serve.skills_prompts import prompt_of, prompt_result
from prowess.serve.skills_upstream import UpstreamSkills, children_by_entry

METHODS = frozenset({"skills/list", "skills/get", "resources/directory/read"})
INVALID_PARAMS, METHOD_NOT_FOUND = -32602, -32601
# A page ends after so many skills, or so many files of skills together; an entry is never split.
PAGE_SKILLS, PAGE_FILES = 100, 4_096
# Files may change at any time, and an answer of ours is true when it is given and not for longer.
OURS = {"ttlMs": 0, "cacheScope": "private"}

Relay = Callable[[Request, str], Awaitable[dict[str, Any]]]


class SkillsOffer:
    """The skills that a Host offers to clients."""

    def __init__(self, host: Host, relay: Relay | None = None) -> None:
        """`relay` hands a request to the server of that id as it is; by default the Host asks it."""
        self._host = host
        self._known, self._version = LocalSkills(host.local_skills), host.skills_version
        self._upstream = UpstreamSkills(host)
        self._relay = relay or self._asked

    @property
    def _local(self) -> LocalSkills:
        """The Host's skills as they are now: some may have appeared or gone since it was asked last."""
        if self._version != self._host.skills_version:
            self._version = self._host.skills_version
            self._known = LocalSkills(self._host.local_skills)
        return self._known

    @property
    def capability(self) -> dict[str, Any]:
        """What stands under `capabilities.extensions`; `resources` is to be declared with it."""
        return {EXTENSION: {"directoryRead": True}}

    @property
    def served(self) -> bool:
        """Whether there can be a skill at all."""
        return bool(self._local) or self._host.has_local_folders or bool(self._upstream.servers())

    def served_to(self, caller: Caller) -> bool:
        """Whether there can be one for `caller`, so that the extension is to be declared."""
        return bool(self._of(caller)) or self._host.has_local_folders or bool(self._upstream.servers(caller))

    def _of(self, caller: Caller) -> LocalSkills:
        """Our skills that a caller may know of."""
        return self._local.of(self._host.reach(caller).plugin)

    @property
    def notes(self) -> tuple[str, ...]:
        """What was left out when it was looked at last, and why; fit to print."""
        return (*self._local.notes, *self._upstream.notes)

    async def answer(self, request: Request) -> dict[str, Any]:
        """The result of one of METHODS. Raises RequestFailed with the protocol's code."""
        if request.era != "modern" or request.method not in METHODS:
            raise RequestFailed("Method not found", number=METHOD_NOT_FOUND, data=request.method)
        if request.method == "skills/list":
            return await self._list(request)
        uri = request.params.get("uri")
        if not isinstance(uri, str):
            raise RequestFailed("uri is not text", number=INVALID_PARAMS)
        return await (self._get if request.method == "skills/get" else self._directory)(request, uri)

    # -- skills as resources and prompts -------------------------------------------------------------

    async def resources(self, caller: Caller) -> list[dict[str, Any]]:
        """The SKILL.md of each local skill as wire objects `Resource`."""
        return [each.resource(SKILL_FILE) for each in await self._all(caller)]

    async def read(self, caller: Caller, uri: str) -> dict[str, Any] | None:
        """The result of `resources/read` for a file of a local skill, None for every other URI."""
        local = self._of(caller)
        if not local.may_hold(uri):
            return None
        return await asyncio.to_thread(_content, local, uri)

    async def owner(self, request: Request, uri: str, *, anew: bool = True) -> str | None:
        """The server to ask for the file at `uri` of a skill that it serves, where one is known.

        Without `anew` nobody is asked: what the last listings said counts.
        """
        found = await self._upstream.owner(uri, request) if anew else self._upstream.known(uri, request)
        return None if found is None else found.server

    async def prompts(self, caller: Caller) -> list[dict[str, Any]]:
        """Each local skill as a wire object `Prompt`."""
        return [prompt_of(each) for each in await self._all(caller)]

    async def prompt(self, caller: Caller, name: str, arguments: object = None) -> dict[str, Any] | None:
        """The result of `prompts/get`; None for a name that is no skill's. Raises RequestFailed."""
        for served in await self._all(caller):
            if served.path == name:
                return await asyncio.to_thread(prompt_result, self._local, served, arguments)
        return None

    async def _all(self, caller: Caller) -> list[Served]:
        return await asyncio.to_thread(self._of(caller).all)

    # -- the extension's methods ---------------------------------------------------------------------

    async def _list(self, request: Request) -> dict[str, Any]:
        ours = [each.entry() for each in await self._all(request.caller)]
        theirs = await self._upstream.all(request, {each["uri"] for each in ours})
        entries = [*ours, *(dict(each.entry.wire) for each in theirs.skills)]
        page, following = _page(entries, request.params.get("cursor"))
        # Whoever had to show a token may see another list than others.
        scope = theirs.scope if request.caller.principal == LOCAL else "private"
        caching = dict(OURS) if ours else {"ttlMs": theirs.ttl_ms, "cacheScope": scope}
        return {
            "resultType": "complete",
            "skills": page,
            **({"nextCursor": following} if following else {}),
            **caching,
        }

    async def _get(self, request: Request, uri: str) -> dict[str, Any]:
        served = await asyncio.to_thread(self._of(request.caller).at, uri)
        if served is not None:
            return {"resultType": "complete", "skill": served.entry(), **OURS}
        owner = await self._upstream.owner(uri, request)
        servers = [owner.server] if owner is not None else self._upstream.servers(request.caller)
        found = await self._first(request, servers)
        if found is None:
            raise _missing(f"No skill is served at {printable(uri, 300)}", uri)
        return found

    async def _directory(self, request: Request, uri: str) -> dict[str, Any]:
        children = await asyncio.to_thread(self._of(request.caller).children, uri)
        if children is None:
            return await self._their_directory(request, uri)
        if request.params.get("cursor") is not None:
            raise RequestFailed("no such cursor", number=INVALID_PARAMS)
        return {"resultType": "complete", "resources": children}

    async def _their_directory(self, request: Request, uri: str) -> dict[str, Any]:
        owner = await self._upstream.owner(uri, request)
        if owner is not None and not self._upstream.reads_directories(owner.server):
            return {"resultType": "complete", "resources": children_by_entry(owner.entry, uri)}
        servers = [owner.server] if owner is not None else self._upstream.servers(request.caller)
        found = await self._first(
            request, [each for each in servers if self._upstream.reads_directories(each)]
        )
        if found is None:
            raise _missing(f"{printable(uri, 300)} is no directory that is served here", uri)
        return found

    async def _first(self, request: Request, servers: list[str]) -> dict[str, Any] | None:
        """The answer of the first server that has what is asked for."""
        for server in servers:
            try:
                return await self._relay(request, server)
            except RequestFailed as error:
                if error.number != INVALID_PARAMS or len(servers) == 1:
                    raise
            except ConnectionFailed:
                if len(servers) == 1:
                    raise
        return None

    async def _asked(self, request: Request, server: str) -> dict[str, Any]:
        params = {key: each for key, each in request.params.items() if key != "_meta"}
        return dict(
            await self._host.ask(server, request.method, params, peer=request.peer, caller=request.caller)
        )


def _content(local: LocalSkills, uri: str) -> dict[str, Any] | None:
    found = local.holding(uri)
    data = None if found is None else local.content(*found)
    if found is None or data is None:
        return None
    content: dict[str, Any] = {"uri": uri}
    try:
        content["text"] = data.decode("utf-8")
        content["mimeType"] = media_type(found[1]) or "text/plain"
    except UnicodeDecodeError:
        content["blob"] = base64.b64encode(data).decode("ascii")
        content["mimeType"] = media_type(found[1]) or "application/octet-stream"
    return {"resultType": "complete", "contents": [content], **OURS}


def _page(entries: list[dict[str, Any]], cursor: object) -> tuple[list[dict[str, Any]], str]:
    """The entries from `cursor` on, as many as a page holds, and the cursor of the next page."""
    start = 0
    if cursor is not None:
        known = isinstance(cursor, str) and cursor.isascii() and cursor.isdigit() and len(cursor) < 9
        start = int(str(cursor)) if known else 0
        if not 0 < start < len(entries):
            raise RequestFailed("no such cursor", number=INVALID_PARAMS)
    page: list[dict[str, Any]] = []
    files = 0
    for entry in entries[start : start + PAGE_SKILLS]:
        resources = entry.get("resources")
        files += len(resources) if isinstance(resources, list) else 1
        if page and files > PAGE_FILES:
            break
        page.append(entry)
    end = start + len(page)
    return page, str(end) if end < len(entries) else ""


def _missing(message: str, uri: str) -> RequestFailed:
    return RequestFailed(message, number=INVALID_PARAMS, data={"uri": uri})
