"""What each server offered last time, so that an endpoint can answer lists before it starts any.

A memory and no more: a damaged file, or one of a newer Prowess, counts as none, and a folder that
cannot be written is no error; the server is started and asked. One file a server, named by a digest
of how it is started, readable by this user only. It does not know what the members mean.
"""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Mapping
from hashlib import sha256
from typing import Any

from prowess.capability.offer import Offer, Prompt, Resource, ResourceTemplate, Tool
from prowess.errors import Unreadable
from prowess.store.directories import cache_home, create_private
from prowess.store.private_document import read_document
from prowess.store.whole_file import replace_whole

FORMAT = 1
MAX_BYTES = 4_000_000  # a larger offer is asked for again each time


class OfferMemory:
    """One server's last offer. `identity` is everything that its start depends on."""

    def __init__(self, identity: str, *, folder: str | None = None) -> None:
        name = sha256(identity.encode("utf-8", "surrogatepass")).hexdigest()[:32]
        self._file = os.path.join(folder or os.path.join(cache_home(), "offers"), f"{name}.json")

    def get(self) -> Offer | None:
        """The offer as it was remembered, its status `not-started`; None when there is none."""
        try:
            document = read_document(self._file, FORMAT)
            return None if document is None else _offer(document)
        except (Unreadable, KeyError, TypeError, ValueError):
            return None

    def put(self, offer: Offer) -> None:
        """Remember `offer`, unless it is too large."""
        content = json.dumps({"format": FORMAT, **_document(offer)}).encode()
        if len(content) <= MAX_BYTES:
            with contextlib.suppress(OSError):
                create_private(os.path.dirname(self._file))
                replace_whole(self._file, content, durable=False)


def _document(offer: Offer) -> dict[str, Any]:
    return {
        "id": offer.id,
        "type": offer.type,
        "tools": [each.wire for each in offer.tools],
        "prompts": [each.wire for each in offer.prompts],
        "resources": [each.wire for each in offer.resources],
        "templates": [each.wire for each in offer.templates],
        "instructions": offer.instructions,
        "server_info": offer.server_info,
        "protocol": offer.protocol,
        "capabilities": offer.capabilities,
        "caching": {method: list(said) for method, said in offer.caching.items()},
    }


def _offer(document: Mapping[str, Any]) -> Offer:
    id = str(document["id"])
    return Offer(
        id=id,
        type=str(document["type"]),
        status="not-started",
        reason="starts when it is first used",
        tools=tuple(Tool(server=id, wire=_object(each)) for each in document["tools"]),
        prompts=tuple(Prompt(server=id, wire=_object(each)) for each in document["prompts"]),
        resources=tuple(Resource(server=id, wire=_object(each)) for each in document["resources"]),
        templates=tuple(ResourceTemplate(server=id, wire=_object(each)) for each in document["templates"]),
        instructions=document["instructions"],
        server_info=document["server_info"],
        protocol=str(document["protocol"]),
        capabilities=_object(document["capabilities"]),
        caching={method: (ttl, str(scope)) for method, (ttl, scope) in document["caching"].items()},
    )


def _object(value: Any) -> Mapping[str, Any]:
    if not isinstance(value, dict):
        raise TypeError("not an object")
    return value
