"""Tools pinned at first sight: one that changes afterwards is hidden and refused until approved.

What is pinned is the digest (RFC 8785) of what a model reads and a policy trusts: name,
description, both schemas and the annotations. The definition is kept beside its digest, so that
whoever approves sees what changed. A pin store that cannot be read closes: nothing is callable.
"""

from __future__ import annotations

import shlex
from collections import OrderedDict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Protocol

from prowess.call.differing import Change, changes
from prowess.capability.canonical import digest, plain
from prowess.capability.offer import Tool
from prowess.errors import NotFound, why
from prowess.provider import Refused
from prowess.redact import printable
from prowess.store.remembered import Pin

DEFINING = ("name", "description", "inputSchema", "outputSchema", "annotations")
REMEMBERED = 10_000


class PinStore(Protocol):
    """Where pins are kept. Whatever it raises closes."""

    async def get(self, scope: str, server: str, tool: str) -> Pin | None:
        """The pin of one tool, if it was ever seen."""
        ...

    async def first(self, pin: Pin) -> Pin:
        """Keep `pin` unless there is one; the one that counts, in one step across processes."""
        ...

    async def replace(self, pin: Pin) -> None:
        """Keep `pin` in the place of what was there."""
        ...

    async def all(self, scope: str) -> tuple[Pin, ...]:
        """Every pin of a scope, by server and tool."""
        ...

    async def forget(self, scope: str, server: str, tool: str) -> None:
        """Forget the pin of one tool."""
        ...


class MemoryPins:
    """The in-memory twin of the pin store."""

    def __init__(self) -> None:
        self._pins: dict[tuple[str, str, str], Pin] = {}

    async def get(self, scope: str, server: str, tool: str) -> Pin | None:
        """The pin of one tool."""
        return self._pins.get((scope, server, tool))

    async def first(self, pin: Pin) -> Pin:
        """Keep `pin` unless there is one."""
        return self._pins.setdefault((pin.scope, pin.server, pin.tool), pin)

    async def replace(self, pin: Pin) -> None:
        """Keep `pin` in the place of what was there."""
        self._pins[pin.scope, pin.server, pin.tool] = pin

    async def all(self, scope: str) -> tuple[Pin, ...]:
        """Every pin of a scope."""
        return tuple(pin for key, pin in sorted(self._pins.items()) if key[0] == scope)

    async def forget(self, scope: str, server: str, tool: str) -> None:
        """Forget the pin of one tool."""
        self._pins.pop((scope, server, tool), None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Changed:
    """A tool that is not what it was pinned as, and what is different."""

    tool: Tool
    changes: tuple[Change, ...]


class Pins:
    """The pins of one scope: check tools, approve changes, start over.

    `agreed` are digests that a lock file has, by server and tool: where nothing is pinned yet, they count
    in the place of what is seen first.
    """

    def __init__(
        self, store: PinStore, *, scope: str = "", agreed: Mapping[tuple[str, str], str] | None = None
    ) -> None:
        self._store = store
        self._scope = scope
        self._agreed = agreed or {}
        self._digests: OrderedDict[int, tuple[object, str]] = OrderedDict()

    def digest_of(self, tool: Tool) -> str:
        """The digest of a tool's definition. A wire object that was seen must not change afterwards."""
        known = self._digests.get(id(tool.wire))
        if known is not None and known[0] is tool.wire:
            return known[1]
        made = digest(definition_of(tool))
        self._digests[id(tool.wire)] = (tool.wire, made)
        if len(self._digests) > REMEMBERED:
            self._digests.popitem(last=False)
        return made

    async def refusal(self, tool: Tool) -> Refused | None:
        """None when the tool is what it was; first sight pins it."""
        try:
            pin = await self._pinned(tool)
        except Exception as error:  # noqa: BLE001  # boundary: an unreadable pin store closes, not opens
            reason = f"the pins cannot be read, so nothing is callable: {why(error)}"
            return Refused(code="pins-unreadable", reason=reason)
        return None if pin.digest == self.digest_of(tool) else _refused(tool)

    async def shown(self, tools: Iterable[Tool]) -> tuple[Tool, ...]:
        """The tools that a model may see: those that are what they were. With an unreadable store, none."""
        return tuple([tool for tool in tools if await self.refusal(tool) is None])

    async def changed(self, tools: Iterable[Tool]) -> tuple[Changed, ...]:
        """The tools that are hidden because they changed, each with its differences."""
        found = []
        for tool in tools:
            pin = await self._pinned(tool)
            if pin.digest != self.digest_of(tool):
                found.append(Changed(tool=tool, changes=changes(pin.definition, definition_of(tool))))
        return tuple(found)

    async def approve(self, tool: Tool) -> None:
        """Pin the tool as it is now."""
        await self._store.replace(self._pin(tool))

    async def listed(self) -> tuple[Pin, ...]:
        """Every pin of this scope."""
        return await self._store.all(self._scope)

    async def reset(self, server: str, tool: str) -> None:
        """Forget one pin: the next sight is the first. Raises NotFound."""
        if await self._store.get(self._scope, server, tool) is None:
            raise NotFound(
                f"no pin for {printable(tool)} of {printable(server)}",
                hint="list them with: prowess pins list",
            )
        await self._store.forget(self._scope, server, tool)

    async def _pinned(self, tool: Tool) -> Pin:
        pin = await self._store.get(self._scope, tool.server, tool.name)
        if pin is None:
            first, agreed = self._pin(tool), self._agreed.get((tool.server, tool.name))
            if agreed not in (None, first.digest):
                first = replace(first, digest=agreed, definition={})
            pin = await self._store.first(first)
        return pin

    def _pin(self, tool: Tool) -> Pin:
        now = self.digest_of(tool)
        return Pin(
            scope=self._scope, server=tool.server, tool=tool.name, digest=now, definition=definition_of(tool)
        )


def definition_of(tool: Tool) -> dict[str, Any]:
    """What is pinned of a tool, as JSON can carry it; members that were not sent are left out."""
    return {name: plain(tool.wire[name]) for name in DEFINING if name in tool.wire}


def _refused(tool: Tool) -> Refused:
    name, server = printable(tool.name), printable(tool.server)
    reason = f"`{name}` of {server} is not what it was when it was first seen, so it is hidden and not called"
    command = f"prowess pins approve PATH {shlex.quote(f'{server}/{name}')}"
    advice = f"A person has to look at the difference and approve it: {command}"
    return Refused(code="tool-changed", reason=f"{reason}. {advice}")
