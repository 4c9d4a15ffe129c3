"""The digests of the tools of an installed package, as its servers offer them now.

This starts the servers, so it comes after somebody agreed. What is pinned is the same as in
`call/pinning.py`: name, description, both schemas and the annotations of each tool.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from prowess.author.auditing import Fault
from prowess.store.lock import Installed

if TYPE_CHECKING:
    from prowess.provider import Starting

STARTUP_SECONDS = 30.0

Tools = dict[str, dict[str, str]]


def tools_of(root: str, *, on_start: Callable[[Starting], None]) -> tuple[Tools, dict[str, str]]:
    """The digest of each tool, by server; and of each server that did not come up, why."""
    return asyncio.run(_tools_of(root, on_start))


async def _tools_of(root: str, on_start: Callable[[Starting], None]) -> tuple[Tools, dict[str, str]]:
    from prowess.call.pinning import MemoryPins, Pins
    from prowess.host import Host
    from prowess.host.storing import Store

    pins = Pins(MemoryPins())
    opening = Host.open(root, timeout=STARTUP_SECONDS, on_start=on_start, store=Store.in_memory())
    async with opening as host:
        up = [each for each in host.offers if each.status == "connected"]
        down = {each.id: each.reason for each in host.offers if each.status != "connected"}
        return {each.id: {tool.name: pins.digest_of(tool) for tool in each.tools} for each in up}, down


def compared_tools(one: Installed, now: Mapping[str, Mapping[str, str]]) -> tuple[Fault, ...]:
    """The pinned tools of the servers that came up, held against what these offer now."""
    found: list[Fault] = []
    for server, tools in sorted(now.items()):
        pinned = one.tools.get(server)
        if pinned is None:
            continue
        found += [
            _fault(one.name, f"{server}/{tool}", tool in pinned, tool in tools)
            for tool in sorted(pinned.keys() | tools.keys())
            if pinned.get(tool) != tools.get(tool)
        ]
    return tuple(found)


def _fault(name: str, path: str, was: bool, is_now: bool) -> Fault:
    code = "tool-changed" if was and is_now else "tool-missing" if was else "tool-new"
    message = {
        "tool-changed": "is not what was pinned",
        "tool-missing": "was pinned and is not offered",
        "tool-new": "is offered and was not pinned",
    }[code]
    return Fault(name=name, code=code, path=path, message=message)


def forget_pins(root: str, tools: Mapping[str, Mapping[str, str]]) -> None:
    """Forget what this user's store has pinned otherwise for these tools: the lock counts from now on."""
    asyncio.run(_forget_pins(root, tools))


async def _forget_pins(root: str, tools: Mapping[str, Mapping[str, str]]) -> None:
    from prowess.host.storing import Store

    store = Store.on_disk()
    try:
        if store.database is None or not store.database.exists():
            return
        scope = store.scope(root)
        for pin in await store.pins.all(scope):
            if tools.get(pin.server, {}).get(pin.tool) not in (None, pin.digest):
                await store.pins.forget(scope, pin.server, pin.tool)
    finally:
        store.close()
