"""Everything that one server offers, page by page, kept as sent.

MCP 2026-07-28, tools, prompts, resources, pagination. A list is asked for where the capability is
declared. One entry that is no tool costs that entry, a list that fails costs that list, and a
server that pages for ever is stopped; each of these is noted. It keeps the server's order.
"""

from __future__ import annotations

import asyncio
import json
import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from mcp.shared.exceptions import MCPError
from mcp.shared.inbound import find_invalid_x_mcp_header

from prowess.capability.offer import Capability, Prompt, Resource, ResourceTemplate, Tool
from prowess.link.channel import Notes
from prowess.link.era import MODERN
from prowess.link.faults import Faulted
from prowess.link.wire import Wire
from prowess.provider import ChangeKind
from prowess.redact import printable

PAGES_MAX = 500
ITEMS_MAX = 10_000
NOTHING = "connected with zero tools, and offers nothing else either"

Object = Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Listed:
    """What one list method gave. `caching` is milliseconds and scope, if the server said so."""

    entries: tuple[Any, ...] = ()  # of the list's own kind of Capability
    notes: tuple[str, ...] = ()
    caching: tuple[float, str] | None = None
    failed: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class _Method:
    """How a list is asked for. `share` is how much of the time that is left it may take."""

    capability: ChangeKind
    key: str
    name: str
    kind: type[Capability]
    share: float = 0.5


_METHODS = {
    "tools/list": _Method(capability="tools", key="tools", name="name", kind=Tool, share=1.0),
    "prompts/list": _Method(capability="prompts", key="prompts", name="name", kind=Prompt),
    "resources/list": _Method(capability="resources", key="resources", name="uri", kind=Resource),
    "resources/templates/list": _Method(
        capability="resources", key="resourceTemplates", name="uriTemplate", kind=ResourceTemplate
    ),
}
_NOT_ASKED = Listed()


@dataclass(frozen=True, slots=True, kw_only=True)
class Survey:
    """What was found, by list method."""

    lists: Mapping[str, Listed] = field(default_factory=dict)

    def _listed(self, method: str) -> Listed:
        return self.lists.get(method, _NOT_ASKED)

    @property
    def tools(self) -> tuple[Tool, ...]:
        """The tools, in the server's order."""
        return self._listed("tools/list").entries

    @property
    def prompts(self) -> tuple[Prompt, ...]:
        """The prompts, in the server's order."""
        return self._listed("prompts/list").entries

    @property
    def resources(self) -> tuple[Resource, ...]:
        """The resources, in the server's order."""
        return self._listed("resources/list").entries

    @property
    def templates(self) -> tuple[ResourceTemplate, ...]:
        """The resource templates, in the server's order."""
        return self._listed("resources/templates/list").entries

    @property
    def notes(self) -> tuple[str, ...]:
        """What was tolerated."""
        notes = tuple(note for each in self.lists.values() for note in each.notes)
        return notes if any(each.entries for each in self.lists.values()) else (*notes, NOTHING)

    @property
    def caching(self) -> dict[str, tuple[float, str]]:
        """What the server said about keeping its lists, by list method."""
        return {method: each.caching for method, each in self.lists.items() if each.caching is not None}

    def differing(self, other: Survey) -> set[ChangeKind]:
        """The kinds of lists that hold other entries in `other`."""
        return {
            method.capability
            for name, method in _METHODS.items()
            if self._listed(name).entries != other._listed(name).entries
        }


async def survey(
    wire: Wire, server: str, deadline: float, kinds: Collection[ChangeKind] | None = None
) -> Survey:
    """Ask for every list that the server declares (of these `kinds`), until `deadline` by the loop's clock.

    The tools may use all the time there is: TimeoutError when they do not come. Of what is left,
    each other list may use half.
    """
    declared = wire.greeting.capabilities if wire.greeting is not None else {}
    return Survey(
        lists={
            name: await _list(wire, server, name, method, deadline)
            for name, method in _METHODS.items()
            if isinstance(declared.get(method.capability), dict)
            and (kinds is None or method.capability in kinds)
        }
    )


async def resurvey(
    wire: Wire, server: str, before: Survey, kinds: Collection[ChangeKind], seconds: float
) -> Survey:
    """`before` with the lists of `kinds` asked for again; one that fails stays as it was."""
    found = await survey(wire, server, asyncio.get_running_loop().time() + seconds, kinds)
    lists = dict(before.lists)
    for name, listed in found.lists.items():
        old = lists.get(name, _NOT_ASKED)
        if listed.failed:
            lists[name] = replace(old, notes=listed.notes)
        else:
            lists[name] = replace(
                listed, entries=old.entries if listed.entries == old.entries else listed.entries
            )
    return Survey(lists=lists)


async def _list(wire: Wire, server: str, name: str, method: _Method, deadline: float) -> Listed:
    notes = Notes(wire.channel.show)
    loop = asyncio.get_running_loop()
    try:
        async with asyncio.timeout((deadline - loop.time()) * method.share) as clock:
            items, pages = await _pages(wire, name, method.key, notes)
    except MCPError as error:
        notes.add(f"{name} failed: {notes.show(error.message)}")
        return Listed(notes=notes.all(), failed=True)
    except TimeoutError:
        if method.share == 1.0 or not clock.expired():
            raise
        notes.add(f"{name} did not answer in time")
        return Listed(notes=notes.all(), failed=True)
    modern = wire.greeting is not None and wire.greeting.era == MODERN
    sound = _sound(items, method.key, method.name, modern, notes)
    entries = tuple(method.kind(server=server, wire=each) for each in sound)
    return Listed(entries=entries, notes=notes.all(), caching=_caching(pages), failed=not pages)


async def _pages(wire: Wire, method: str, key: str, notes: Notes) -> tuple[list[Any], list[Object]]:
    """The entries of every page, and the pages that had some to give."""
    items: list[Any] = []
    pages: list[Object] = []
    cursor: Any = None
    seen: set[str] = set()
    for _ in range(PAGES_MAX):
        try:
            page = await wire.ask(method, {} if cursor is None else {"cursor": cursor})
        except (MCPError, Faulted) as error:
            if not items or (isinstance(error, Faulted) and error.fault.kind == "lost"):
                raise _as_answer(error) from None
            notes.add(f"{method} failed after {len(items)} entries: {notes.show(str(error))}")
            return items, pages
        found = page.get(key)
        if page.get("resultType") not in (None, "complete") or not isinstance(found, list):
            notes.add(f"{method} gave a page that is no list of {key}")
            return items, pages
        items += found
        pages.append(page)
        if len(items) > ITEMS_MAX:
            notes.add(f"{method} offers more than {ITEMS_MAX} entries; the rest is left out")
            return items[:ITEMS_MAX], pages
        cursor = page.get("nextCursor")
        if cursor is None:  # an empty cursor is a cursor
            return items, pages
        if not isinstance(cursor, str) or cursor in seen:
            notes.add(f"{method} gave a cursor that leads nowhere new; stopped there")
            return items, pages
        seen.add(cursor)
    notes.add(f"{method} has more than {PAGES_MAX} pages; the rest is left out")
    return items, pages


def _caching(pages: Sequence[Object]) -> tuple[float, str] | None:
    """The shortest time and the narrower scope of all pages; what a page does not say is 0 and private."""
    if not any("ttlMs" in page or "cacheScope" in page for page in pages):
        return None
    scope = "public" if all(page.get("cacheScope") == "public" for page in pages) else "private"
    return min(_milliseconds(page.get("ttlMs")) for page in pages), scope


def _milliseconds(value: Any) -> float:
    known = isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)
    return max(0, value) if known else 0


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
