"""Resources and a resource template: a text, bytes, one that changes. MCP 2026-07-28, Resources."""

from __future__ import annotations

import json
import re
from typing import Any

from conformance.reference.contents import PNG

WATCHED = "test://watched-resource"

RESOURCES: tuple[dict[str, Any], ...] = (
    {
        "uri": "test://static-text",
        "name": "static-text",
        "description": "A text that never changes",
        "mimeType": "text/plain",
    },
    {
        "uri": "test://static-binary",
        "name": "static-binary",
        "description": "A picture that never changes",
        "mimeType": "image/png",
    },
    {
        "uri": WATCHED,
        "name": "watched-resource",
        "description": "A text that test_trigger_resource_update changes",
        "mimeType": "text/plain",
    },
)

TEMPLATES: tuple[dict[str, Any], ...] = (
    {
        "uriTemplate": "test://template/{id}/data",
        "name": "template-data",
        "description": "Data for an id",
        "mimeType": "application/json",
    },
)

_TEMPLATE = re.compile(r"test://template/([^/]+)/data")


def contents(uri: str, updates: int) -> dict[str, Any] | None:
    """What is at `uri`, without its URI; nothing when there is no such resource."""
    if uri == "test://static-text":
        return {"mimeType": "text/plain", "text": "This is the content of the static text resource."}
    if uri == "test://static-binary":
        return {"mimeType": "image/png", "blob": PNG}
    if uri == WATCHED:
        return {"mimeType": "text/plain", "text": f"This text was changed {updates} times."}
    if found := _TEMPLATE.fullmatch(uri):
        value = {"id": found[1], "templateTest": True, "data": f"Data for ID: {found[1]}"}
        return {"mimeType": "application/json", "text": json.dumps(value)}
    return None
