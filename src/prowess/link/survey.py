"""Everything that one server offers, page by page, kept as sent.

MCP 2026-07-28, tools, prompts, resources, pagination. A list is asked for where the capability is
declared. One entry that is no tool costs that entry, a list that fails costs that list, and a
server that pages for ever is stopped; each of these is noted. It keeps the server's order.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from mcp.shared.exceptions import MCPError
from mcp.shared.inbound import find_invalid_x_mcp_header

from prowess.capability.offer import Prompt, Resource, ResourceTemplate, Tool
from prowess.link.channel import Notes
from prowess.link.era import MODERN
from prowess.link.faults import Faulted
from prowess.link.wire import Wire
from prowess.redact import printable

PAGES_MAX = 500
ITEMS_MAX = 10_000
NOTHING = "connected with zero tools, and offers nothing else either"

Object = Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Survey:
    """What was found."""

    tools: tuple[Tool, ...] = ()
    prompts: tuple[Prompt, ...] = ()
    resources: tuple[Resource, ...] = ()
    templates: tuple[ResourceTemplate, ...] = ()
    notes: tuple[str, ...] = ()


async def survey(wire: Wire, server: str, deadline: float) -> Survey:
    """Ask for every list that the server declares, until `deadline` by the loop's clock.

    The tools may use all the time there is: TimeoutError when they do not come. Of what is left,
    each other list may use half.
    """
    notes = Notes(wire.channel.show)
    declared = wire.greeting.capabilities if wire.greeting is not None else {}
    modern = wire.greeting is not None and wire.greeting.era == MODERN

    async def take(capability: str, method: str, key: str, name: str, share: float) -> list[Object]:
        if not isinstance(declared.get(capability), dict):
            return []
        loop = asyncio.get_running_loop()
        try:
            async with asyncio.timeout((deadline - loop.time()) * share) as clock:
                items = await _pages(wire, method, key, notes)
        except MCPError as error:
            notes.add(f"{method} failed: {notes.show(error.message)}")
            return []
        except TimeoutError:
            if share == 1.0 or not clock.expired():
                raise
            notes.add(f"{method} did not answer in time")
            return []
        return _sound(items, key, name, modern, notes)

    tools = await take("tools", "tools/list", "tools", "name", 1.0)
    prompts = await take("prompts", "prompts/list", "prompts", "name", 0.5)
    resources = await take("resources", "resources/list", "resources", "uri", 0.5)
    templates = await take("resources", "resources/templates/list", "resourceTemplates", "uriTemplate", 0.5)
    if not (tools or prompts or resources or templates):
        notes.add(NOTHING)
    return Survey(
        tools=tuple(Tool(server=server, wire=each) for each in tools),
        prompts=tuple(Prompt(server=server, wire=each) for each in prompts),
        resources=tuple(Resource(server=server, wire=each) for each in resources),
        templates=tuple(ResourceTemplate(server=server, wire=each) for each in templates),
        notes=notes.all(),
    )


async def _pages(wire: Wire, method: str, key: str, notes: Notes) -> list[Any]:
    items: list[Any] = []
    cursor: Any = None
    seen: set[str] = set()
    for _ in range(PAGES_MAX):
        try:
            page = await wire.ask(method, {} if cursor is None else {"cursor": cursor})
        except (MCPError, Faulted) as error:
            if not items or (isinstance(error, Faulted) and error.fault.kind == "lost"):
                raise _as_answer(error) from None
            notes.add(f"{method} failed after {len(items)} entries: {notes.show(str(error))}")
            return items
        found = page.get(key)
        if page.get("resultType") not in (None, "complete") or not isinstance(found, list):
            notes.add(f"{method} gave a page that is no list of {key}")
            return items
        items += found
        if len(items) > ITEMS_MAX:
            notes.add(f"{method} offers more than {ITEMS_MAX} entries; the rest is left out")
            return items[:ITEMS_MAX]
        cursor = page.get("nextCursor")
        if cursor is None:  # an empty cursor is a cursor
            return items
        if not isinstance(cursor, str) or cursor in seen:
            notes.add(f"{method} gave a cursor that leads nowhere new; stopped there")
            return items
        seen.add(cursor)
    notes.add(f"{method} has more than {PAGES_MAX} pages; the rest is left out")
    return items


def _as_answer(error: MCPError | Faulted) -> MCPError | Faulted:
    """A list that cannot be read, or that HTTP refuses, costs that list and not the connection."""
    if isinstance(error, Faulted) and error.fault.kind in ("unreadable", "status", "forbidden"):
        return MCPError(0, error.fault.reason)
    return error


def _sound(items: list[Any], key: str, name: str, modern: bool, notes: Notes) -> list[Object]:
    """The entries that are what they should be, the first of each name."""
    kept: dict[str, Object] = {}
    for item in items:
        fault = _fault(item, key, name, modern)
        label = notes.show(str(item.get(name, "")), 80) if isinstance(item, dict) else ""
        if fault:
            notes.add(f"{key}: left out {label or 'an entry'}: {fault}")
        elif item[name] in kept:
            notes.add(f"{key}: {label} is there more than once; the first is kept")
        else:
            kept[item[name]] = item
            if not _is_json(item):
                notes.add(f"{key}: {label} holds NaN or Infinity, which JSON does not have")
    return list(kept.values())


def _is_json(item: Object) -> bool:
    """Whether every number in it is one; the SDK's parser lets more pass."""
    try:
        json.dumps(item, allow_nan=False)
    except ValueError:
        return False
    return True


def _fault(item: Any, key: str, name: str, modern: bool) -> str:
    if not isinstance(item, dict):
        return "not an object"
    if not isinstance(item.get(name), str) or not item[name]:
        return f"no {name}"
    if key != "tools":
        return ""
    fault = _schema_fault(item.get("inputSchema"))
    if not fault and modern:  # a MUST of 2026-07-28
        fault = printable(find_invalid_x_mcp_header(item["inputSchema"]) or "")
    return fault


def _schema_fault(schema: Any) -> str:
    """The faults that make a schema useless; what its keywords mean is for the call to judge."""
    if not isinstance(schema, dict):
        return "inputSchema is not an object"
    if schema.get("type") != "object":
        return 'inputSchema is not of type "object"'
    properties, required = schema.get("properties", {}), schema.get("required", [])
    if not isinstance(properties, dict) or not all(
        isinstance(each, dict | bool) for each in properties.values()
    ):
        return "inputSchema.properties is not an object of schemas"
    if not isinstance(required, list) or not all(isinstance(each, str) for each in required):
        return "inputSchema.required is not a list of names"
    return ""
