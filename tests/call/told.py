"""A provider that does as it is told, and a call path around it with a fake clock."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Mapping
from typing import Any, TypeVar

from prowess.call.clock import FakeClock
from prowess.call.path import CallPath
from prowess.call.recording import MemoryRecorder
from prowess.capability.offer import Offer, Tool
from prowess.provider import Answered, Invocation, Outcome

T = TypeVar("T")


def run(work: Coroutine[Any, Any, T]) -> T:
    """Run to the end, at most ten seconds of real time."""

    async def bounded() -> T:
        return await asyncio.wait_for(work, 10)

    return asyncio.run(bounded())


Behaviour = Callable[[Invocation], Awaitable[Any]]


class Told:
    """A Provider whose every tool answers by one function; it keeps what it was sent."""

    def __init__(self, label: str = "crm", kind: str = "memory") -> None:
        self.label = label
        self.kind = kind
        self.sent: list[Invocation] = []
        self._tools: dict[str, Tool] = {}
        self._behaviours: dict[str, Behaviour] = {}
        self._offered: tuple[Tool, ...] = ()

    def tool(self, name: str, behaviour: Behaviour | None = None, **wire: Any) -> Tool:
        wire.setdefault("inputSchema", {"type": "object"})
        self._tools[name] = Tool(server=self.label, wire={"name": name, **wire})
        self._behaviours[name] = behaviour or echo
        self._offered = tuple(self._tools.values())
        return self._tools[name]

    async def open(self) -> Offer:
        return self.offer()

    def offer(self) -> Offer:
        return Offer(id=self.label, type=self.kind, status="connected", tools=self._offered)

    async def call(self, invocation: Invocation) -> Outcome:
        self.sent.append(invocation)
        outcome: Outcome = await self._behaviours[invocation.tool](invocation)
        return outcome

    async def close(self) -> None:
        return


async def echo(invocation: Invocation) -> Outcome:
    return Answered(value=dict(invocation.arguments))


class Around:
    """A call path with everything in memory, and the parts a test looks at."""

    def __init__(self, provider: Told, **settings: Any) -> None:
        self.provider = provider
        self.clock = settings.pop("clock", None) or FakeClock()
        self.recorder = settings.pop("recorder", None) or MemoryRecorder()
        self.events: list[Mapping[str, Any]] = []
        self.providers: list[Told] = settings.pop("providers", [provider])
        self.path = CallPath(
            self.providers,
            clock=self.clock,
            recorder=self.recorder,
            sink=self.events.append,
            **settings,
        )
        self.call = self.path.call
