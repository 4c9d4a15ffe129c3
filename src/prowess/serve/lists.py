"""The lists of an endpoint, and what it declares, put together from what the servers said.

MCP 2026-07-28: a cache lives as long as the shortest-lived part and is private as soon as a part is;
a capability is declared when any server has it. Methods answered here alone (`subscriptions/listen`)
make `listChanged` and `subscribe` true.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from prowess.call.policy import LOCAL
from prowess.capability.offer import Offer
from prowess.serve.catalogue import Entry
from prowess.serve.request import Request

# One of ours that says nothing may be kept as long as nobody says that it changed.
OWN_TTL_MS = 0


def listed(entries: Mapping[str, Entry], name: str) -> list[dict[str, Any]]:
    """Wire objects under the names that clients use."""
    return [
        dict(entry.wire) if entry.name == known else {**entry.wire, name: known}
        for known, entry in entries.items()
    ]


def cached(offers: Sequence[Offer], request: Request) -> dict[str, Any]:
    """`ttlMs` and `cacheScope` of a list; nothing in the older era, which has no such members."""
    if request.era != "modern":
        return {}
    said = [offer.caching.get(request.method, (OWN_TTL_MS, "private")) for offer in offers]
    ttl = min((each for each, _ in said), default=OWN_TTL_MS)
    # Whoever had to show a token may see another list than others.
    shared = bool(said) and request.caller.principal == LOCAL
    public = shared and all(scope == "public" for _, scope in said)
    return {"ttlMs": ttl, "cacheScope": "public" if public else "private"}


def capabilities_of(offers: Sequence[Offer], era: str) -> dict[str, Any]:
    """The capabilities of all servers together. Tools are always declared: what is there may change."""
    declared: dict[str, Any] = {"tools": {"listChanged": True}}
    if any(each.prompts or "prompts" in each.capabilities for each in offers):
        declared["prompts"] = {"listChanged": True}
    if any(each.resources or each.templates or "resources" in each.capabilities for each in offers):
        declared["resources"] = {"subscribe": True, "listChanged": True}
    if any("completions" in each.capabilities for each in offers):
        declared["completions"] = {}
    if any("logging" in each.capabilities for each in offers):
        declared["logging"] = {}
    if len(offers) == 1:  # what is not known here is handed to the one server as it is
        own = offers[0].capabilities
        declared = {**{key: each for key, each in own.items() if key not in declared}, **declared}
    return declared


def instructions_of(offers: Sequence[Offer]) -> str | None:
    """What the servers say about their use."""
    said = [(each.id, each.instructions) for each in offers if each.instructions]
    if len(offers) == 1 and said:
        return said[0][1]
    return "\n\n".join(f"{id}: {text}" for id, text in said) or None
