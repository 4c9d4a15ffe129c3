"""What an endpoint lists, and what a name or URI in a request means.

MCP 2026-07-28, tools, prompts, resources: names are unique in one endpoint, and an aggregating one
puts a label of its own in front, never what a server calls itself. A catalogue is a value made of
offers; the endpoint makes a new one when these changed. Order: by server, then as the server has it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from prowess.capability.naming import ModelNames
from prowess.capability.offer import Capability, Offer, Prompt, Resource, ResourceTemplate, Tool
from prowess.errors import UsageError
from prowess.host.serving import Naming
from prowess.redact import printable

Wire = Mapping[str, Any]

Kept = TypeVar("Kept", bound=Capability)


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One capability under the name (or URI) that clients know it by."""

    server: str
    name: str
    wire: Wire


@dataclass(frozen=True, slots=True, kw_only=True)
class Catalogue:
    """Everything on offer, by the names that clients use; `wire` of an entry is as its server sent it."""

    tools: Mapping[str, Entry]
    prompts: Mapping[str, Entry]
    resources: Mapping[str, Entry]
    templates: Mapping[str, Entry]

    @classmethod
    def of(cls, offers: Sequence[Offer], naming: Naming) -> Catalogue:
        """The catalogue of `offers`, which are in the order of their ids."""
        tools: list[Tool] = [each for offer in offers for each in offer.tools]
        prompts: list[Prompt] = [each for offer in offers for each in offer.prompts]
        resources: list[Resource] = [each for offer in offers for each in offer.resources]
        templates: list[ResourceTemplate] = [each for offer in offers for each in offer.templates]
        return cls(
            tools=_named(tools, naming),
            prompts=_named(prompts, naming),
            resources=_by_uri(resources, lambda each: each.uri),
            templates=_by_uri(templates, lambda each: each.uri_template),
        )


def insist_on_raw(offers: Iterable[Offer]) -> None:
    """Raises UsageError when two servers have a tool or a prompt of the same name."""
    owners: dict[tuple[str, str], list[str]] = {}
    for offer in offers:
        for kind, kept in (("tool", offer.tools), ("prompt", offer.prompts)):
            for name in {each.name for each in kept}:
                owners.setdefault((kind, name), []).append(offer.id)
    clashes = [(key, ids) for key, ids in sorted(owners.items()) if len(ids) > 1]
    if clashes:
        (kind, name), ids = clashes[0]
        more = f", and {len(clashes) - 1} more" if len(clashes) > 1 else ""
        who = printable(", ".join(ids), 300)
        raise UsageError(
            f"{len(ids)} servers offer a {kind} named {printable(name)}: {who}{more}",
            hint="serve them with --names qualified",
        )


def prefix_of(server: str) -> str:
    """What stands in front of a URI that another server has too: the server, as a scheme may be written."""
    label = re.sub(r"[^A-Za-z0-9.-]+", "-", server)
    return f"{label}+" if label[:1].isalpha() else f"s{label}+"


def _named(kept: Sequence[Kept], naming: Naming) -> dict[str, Entry]:
    """Entries by name: the own names, or qualified ones that every model's provider takes.

    A raw name that a second server brings later, after the start, is qualified for that server.
    """
    qualified = ModelNames.of((each.server, each.name) for each in kept).by_tool
    entries: dict[str, Entry] = {}
    for each in kept:
        key = (each.server, each.name)
        name = each.name if naming == "raw" and each.name not in entries else qualified[key]
        entries.setdefault(name, Entry(server=each.server, name=each.name, wire=each.wire))
    return entries


def _by_uri(kept: Sequence[Kept], uri_of: Callable[[Kept], str]) -> dict[str, Entry]:
    """Entries by URI as it is; one that an earlier server has too gets its server in front of its scheme."""
    entries: dict[str, Entry] = {}
    seen: set[tuple[str, str]] = set()
    for each in kept:
        known = uri = uri_of(each)
        if (each.server, uri) in seen:
            continue
        seen.add((each.server, uri))
        while known in entries:
            known = prefix_of(each.server) + known
        entries[known] = Entry(server=each.server, name=uri, wire=each.wire)
    return entries
