#!/usr/bin/env python3
"""A server of our own: the suite's repertoire as a Provider of a Prowess Host, served by its endpoint.

    python conformance/own.py --port 3102     over HTTP, at http://127.0.0.1:3102/mcp
    python conformance/own.py --stdio         over stdin and stdout

What the reference server answers with the MCP SDK is answered here through the seam that every
provider has (`prowess.provider`): the Host validates, allows and records each call, the endpoint
writes it to the client.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections.abc import Callable, Collection, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from conformance.reference.asking import Client, Refused
from conformance.reference.repertoire import KEPT, Repertoire

from prowess.capability.offer import Offer, Prompt, Resource, ResourceTemplate, Tool
from prowess.cli.running import run
from prowess.errors import NotFound, RequestFailed
from prowess.provider import (
    Answered,
    Caller,
    Change,
    InputRequired,
    Invocation,
    Outcome,
    Peer,
    ToolFailed,
)

if TYPE_CHECKING:
    from prowess.serve.protocol import ProtocolServer

LABEL = "suite"
MANIFEST = {
    "$schema": "https://agent-plugins.org/schemas/1.0.0/plugin.schema.json",
    "name": "suite",
    "version": "1.0.0",
    "description": "Everything that the MCP conformance suite asks a server for",
}
INVALID_REQUEST = -32600
METHOD_NOT_FOUND = -32601

_CAPABILITIES: dict[str, dict[str, bool]] = {
    "tools": {"listChanged": True},
    "prompts": {"listChanged": True},
    "resources": {"subscribe": True},
    "completions": {},
    "logging": {},
}
_CACHED = ("server/discover", "tools/list", "prompts/list", "resources/list", "resources/templates/list")


class Nobody:
    """In the place of a client where there is none: it declares nothing and hears nothing."""

    session = ""
    capabilities: Mapping[str, Any] = {}

    async def progress(self, params: Mapping[str, Any]) -> None:
        """Nobody hears it."""

    async def notify(self, method: str, params: Mapping[str, Any]) -> None:
        """Nobody hears it."""

    async def ask(self, method: str, params: Mapping[str, Any]) -> Mapping[str, Any]:
        """Nobody answers."""
        raise RequestFailed("there is no client to ask", number=INVALID_REQUEST)


class SuiteProvider:
    """The repertoire as a Provider that also answers other requests and tells of changes."""

    def __init__(self) -> None:
        self._repertoire = Repertoire()
        self._open = False

    @property
    def label(self) -> str:
        """The id that its capabilities carry."""
        return LABEL

    async def open(self) -> Offer:
        """Come up at once."""
        self._open = True
        return self.offer()

    def offer(self) -> Offer:
        """What is on offer now."""
        if not self._open:
            return Offer(id=LABEL, type="memory", status="not-started", reason="not opened yet")
        shown = self._repertoire
        return Offer(
            id=LABEL,
            type="memory",
            status="connected",
            tools=tuple(Tool(server=LABEL, wire=each) for each in shown.tools()),
            prompts=tuple(Prompt(server=LABEL, wire=each) for each in shown.prompts()),
            resources=tuple(Resource(server=LABEL, wire=each) for each in shown.resources()),
            templates=tuple(ResourceTemplate(server=LABEL, wire=each) for each in shown.templates()),
            instructions="Everything that the MCP conformance suite asks a server for.",
            caching=dict.fromkeys(_CACHED, (KEPT, "public")),
            capabilities=_CAPABILITIES,
        )

    async def call(self, invocation: Invocation) -> Outcome:
        """Use one tool."""
        if self._repertoire.schema(invocation.tool) is None:
            raise NotFound(f"no tool named {invocation.tool!r}")
        params = {
            **invocation.further,
            "name": invocation.tool,
            "arguments": dict(invocation.arguments),
            "_meta": dict(invocation.meta),
        }
        try:
            wire = await self._repertoire.call(params, _client(invocation.peer))
        except Refused as refusal:
            error = {"code": refusal.number, "message": refusal.message, "data": refusal.data}
            return ToolFailed(message=refusal.message, wire={"error": error})
        if wire.get("resultType") == "input_required":
            return InputRequired(wire=wire)
        if wire.get("isError"):
            return ToolFailed(message=str(wire["content"][0]["text"]), wire=wire)
        return Answered(value=wire["content"], wire=wire)

    async def ask(
        self,
        method: str,
        params: Mapping[str, Any],
        *,
        peer: Peer | None = None,
        caller: Caller | None = None,
        timeout: float = 60.0,
    ) -> Mapping[str, Any]:
        """Any other request. Raises RequestFailed with the protocol's code."""
        client = _client(peer)
        try:
            match method:
                case "prompts/get":
                    return await self._repertoire.prompt(params, client)
                case "resources/read":
                    return self._repertoire.read(params, client)
                case "completion/complete":
                    return self._repertoire.complete(params)
                case "logging/setLevel":
                    return self._repertoire.set_level(params, client)
                case "resources/subscribe" | "resources/unsubscribe":
                    return {}  # whoever follows a resource says so by `listen`
        except Refused as refusal:
            raise RequestFailed(refusal.message, number=refusal.number, data=refusal.data) from refusal
        raise RequestFailed("Method not found", number=METHOD_NOT_FOUND, data=method)

    def listen(self, hear: Callable[[Change], None], resources: Collection[str] = ()) -> Callable[[], None]:
        """Tell `hear` of changed lists, and of changes of those resources."""
        followed = frozenset(resources)

        def told(kind: str, uri: str) -> None:
            if kind != "resource":
                hear(Change(server=LABEL, kind="tools" if kind == "tools" else "prompts"))
            elif uri in followed:
                hear(Change(server=LABEL, kind="resource", uri=uri))

        return self._repertoire.listen(told)

    async def close(self) -> None:
        """Offer nothing from now on."""
        self._open = False


def _client(peer: Peer | None) -> Client:
    return Nobody() if peer is None else peer


async def _serve(port: int | None) -> int:
    """Open a Host with this provider alone and serve it until the client or a signal ends it."""
    from prowess.host import Host
    from prowess.host.storing import Store
    from prowess.serve.endpoint import Endpoint
    from prowess.serve.protocol import server_of
    from prowess.serve.stdio import listening, serve_stdio

    with tempfile.TemporaryDirectory(prefix="own-") as place:
        (Path(place) / "plugin.json").write_text(json.dumps(MANIFEST), encoding="utf-8")
        async with Host.open(place, providers=[SuiteProvider()], store=Store.in_memory()) as host:
            server = server_of(Endpoint(host))
            async with listening(server):
                await (serve_stdio(server) if port is None else _over_http(server, port))
    return 0


async def _over_http(server: ProtocolServer, port: int) -> None:
    from prowess.host.serving import ServeSection
    from prowess.serve.http import serve_http

    def started(url: str) -> None:
        print(f"ready at {url}", file=sys.stderr, flush=True)

    await serve_http(server, ServeSection(), host="127.0.0.1", port=port, started=started)


def main(argv: Sequence[str] | None = None) -> int:
    """Serve until the client or a signal ends it."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    way = parser.add_mutually_exclusive_group(required=True)
    way.add_argument("--port", type=int, help="serve over HTTP on 127.0.0.1, at /mcp")
    way.add_argument("--stdio", action="store_true", help="serve over stdin and stdout")
    chosen = parser.parse_args(argv)
    return run(_serve(chosen.port))


if __name__ == "__main__":
    sys.exit(main())
