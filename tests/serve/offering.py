"""A Provider that offers whatever a test gives it, and remembers what it was asked."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Collection, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from prowess import Host
from prowess.capability.offer import Offer, Prompt, Resource, ResourceTemplate, Tool
from prowess.errors import RequestFailed
from prowess.provider import Answered, Caller, Change, Invocation, Outcome, Peer
from prowess.serve.endpoint import Endpoint
from prowess.serve.request import Era, Request

Wire = Mapping[str, Any]
OBJECT = {"type": "object"}
VERSIONS: dict[Era, str] = {"modern": "2026-07-28", "legacy": "2025-11-25"}


class Offering:
    """Answers with what `on_call` and `on_ask` give; changes when `replace` is called."""

    def __init__(
        self,
        label: str = "one",
        *,
        tools: Collection[Wire] = (),
        prompts: Collection[Wire] = (),
        resources: Collection[Wire] = (),
        templates: Collection[Wire] = (),
        **more: Any,
    ) -> None:
        self.label = label
        self.calls: list[Invocation] = []
        self.asked: list[tuple[str, Wire]] = []
        self.ended: list[str] = []
        self.on_call: Callable[[Invocation], Any] = lambda invocation: Answered(value="done")
        self.on_ask: Callable[[str, Wire, Peer | None], Any] = lambda method, params, peer: {"asked": method}
        self._hearing: list[tuple[Callable[[Change], None], Collection[str]]] = []
        self._offer = Offer(
            id=label,
            type=more.pop("type", "memory"),
            status="connected",
            tools=tuple(Tool(server=label, wire={"inputSchema": OBJECT, **each}) for each in tools),
            prompts=tuple(Prompt(server=label, wire=each) for each in prompts),
            resources=tuple(Resource(server=label, wire=each) for each in resources),
            templates=tuple(ResourceTemplate(server=label, wire=each) for each in templates),
            **more,
        )

    async def open(self) -> Offer:
        return self._offer

    def offer(self) -> Offer:
        return self._offer

    async def close(self) -> None:
        return

    async def call(self, invocation: Invocation) -> Outcome:
        self.calls.append(invocation)
        outcome = self.on_call(invocation)
        answer: Outcome = await outcome if hasattr(outcome, "__await__") else outcome
        return answer

    async def ask(
        self,
        method: str,
        params: Wire,
        *,
        peer: Peer | None = None,
        caller: Caller | None = None,
        timeout: float = 60.0,
    ) -> Wire:
        self.asked.append((method, params))
        result = self.on_ask(method, params, peer)
        answer: Wire = await result if hasattr(result, "__await__") else result
        return answer

    def listen(self, hear: Callable[[Change], None], resources: Collection[str] = ()) -> Callable[[], None]:
        entry = (hear, resources)
        self._hearing.append(entry)
        return lambda: self._hearing.remove(entry) if entry in self._hearing else None

    async def end_session(self, session: str) -> None:
        self.ended.append(session)

    @property
    def followed(self) -> list[str]:
        return [uri for _, uris in self._hearing for uri in uris]

    def replace(self, offer: Offer, *changes: Change) -> None:
        """Offer something else, and say so."""
        self._offer = offer
        self.tell(*changes)

    def tell(self, *changes: Change) -> None:
        """Say that something changed."""
        for change in changes:
            for hear, uris in list(self._hearing):
                if change.kind != "resource" or any(
                    change.uri == each or change.uri.startswith(f"{each}/") for each in uris
                ):
                    hear(change)


class Nobody:
    """A Peer that only listens."""

    session = ""
    wants_progress = False

    def __init__(self, answers: Mapping[str, Wire] | None = None) -> None:
        self.capabilities: Wire = {}
        self.heard: list[tuple[str, Wire]] = []
        self.questions: list[tuple[str, Wire]] = []
        self._answers = answers or {}

    async def progress(self, params: Wire) -> None:
        self.heard.append(("notifications/progress", params))

    async def notify(self, method: str, params: Wire) -> None:
        self.heard.append((method, params))

    async def ask(self, method: str, params: Wire) -> Wire:
        self.questions.append((method, params))
        if method not in self._answers:
            raise RequestFailed("Method not found", number=-32601)
        return self._answers[method]


def request(
    method: str, params: Wire | None = None, era: Era = "modern", peer: Peer | None = None
) -> Request:
    """A request of a client that nobody else knows."""
    return Request(
        method=method,
        params=params or {},
        caller=Caller(),
        peer=peer or Nobody(),
        era=era,
        version=VERSIONS[era],
    )


@asynccontextmanager
async def endpoint_of(folder: Path, *providers: Offering, **options: Any) -> AsyncIterator[Endpoint]:
    """An endpoint over a Host with these providers and no plugin's own servers."""
    (folder / "plugin.json").write_text(
        '{"$schema": "https://agent-plugins.org/schemas/1.0.0/plugin.schema.json", "name": "served",'
        ' "version": "1.0.0", "description": "Served."}'
    )
    async with Host.open(folder, providers=providers) as host:
        yield Endpoint(host, **options)
