"""Tools that answer by themselves: every kind of content, progress, log messages, an error, headers.

The names and answers are those that the suite's scenarios look for. MCP 2026-07-28, Tools.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from conformance.reference.asking import Asked, Failed
from conformance.reference.contents import answer, audio, embedded, image, text

Answering = Callable[[Asked], Awaitable[dict[str, Any]]]

PAUSE = 0.05  # seconds between two notifications, as the suite asks for


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One tool or prompt: the wire object that a list shows, and what answers it."""

    wire: Mapping[str, Any]
    answering: Answering

    @property
    def name(self) -> str:
        """The name on the wire."""
        return str(self.wire["name"])


@dataclass(slots=True)
class Shelf:
    """Entries in the order in which they were put there."""

    entries: dict[str, Entry] = field(default_factory=dict)

    def tool(
        self, description: str, schema: Mapping[str, Any] | None = None
    ) -> Callable[[Answering], Answering]:
        """Put a tool on the shelf; its name is the function's."""

        def put(function: Answering) -> Answering:
            wire = {
                "name": function.__name__,
                "description": description,
                "inputSchema": schema or {"type": "object", "properties": {}},
            }
            self.entries[function.__name__] = Entry(wire=wire, answering=function)
            return function

        return put

    def prompt(self, description: str, **arguments: str) -> Callable[[Answering], Answering]:
        """Put a prompt on the shelf; its arguments are all required."""

        def put(function: Answering) -> Answering:
            wire: dict[str, Any] = {"name": function.__name__, "description": description}
            if arguments:
                wire["arguments"] = [
                    {"name": name, "description": each, "required": True} for name, each in arguments.items()
                ]
            self.entries[function.__name__] = Entry(wire=wire, answering=function)
            return function

        return put


SHELF = Shelf()

SCHEMA_2020_12: dict[str, Any] = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "type": "object",
    "$defs": {
        "address": {
            "$anchor": "addressDef",
            "type": "object",
            "properties": {"street": {"type": "string"}, "city": {"type": "string"}},
        }
    },
    "properties": {
        "name": {"type": "string"},
        "address": {"$ref": "#/$defs/address"},
        "contactMethod": {"type": "string", "enum": ["phone", "email"]},
        "phone": {"type": "string"},
        "email": {"type": "string"},
    },
    "allOf": [{"anyOf": [{"required": ["phone"]}, {"required": ["email"]}]}],
    "if": {"properties": {"contactMethod": {"const": "phone"}}, "required": ["contactMethod"]},
    "then": {"required": ["phone"]},
    "else": {"required": ["email"]},
    "additionalProperties": False,
}

REGION: dict[str, Any] = {
    "type": "object",
    "properties": {
        "region": {"type": "string", "description": "Where to look", "x-mcp-header": "Region"},
        "query": {"type": "string", "description": "What to look for"},
    },
    "required": ["region"],
}


@SHELF.tool("Answers with a text")
async def test_simple_text(asked: Asked) -> dict[str, Any]:
    """A text."""
    return answer(text("This is a simple text response for testing."))


@SHELF.tool("Answers with a picture")
async def test_image_content(asked: Asked) -> dict[str, Any]:
    """A picture."""
    return answer(image())


@SHELF.tool("Answers with a sound")
async def test_audio_content(asked: Asked) -> dict[str, Any]:
    """A sound."""
    return answer(audio())


@SHELF.tool("Answers with a resource inside its result")
async def test_embedded_resource(asked: Asked) -> dict[str, Any]:
    """A resource."""
    return answer(embedded("test://embedded-resource", "This is an embedded resource content."))


@SHELF.tool("Answers with a text, a picture and a resource")
async def test_multiple_content_types(asked: Asked) -> dict[str, Any]:
    """Three kinds of content."""
    value = json.dumps({"test": "data", "value": 123})
    return answer(
        text("Multiple content types test:"),
        image(),
        embedded("test://mixed-content-resource", value, "application/json"),
    )


@SHELF.tool("Fails, always")
async def test_error_handling(asked: Asked) -> dict[str, Any]:
    """A failure of the tool's own."""
    raise Failed("This tool intentionally returns an error for testing")


@SHELF.tool("Sends three log messages while it works")
async def test_tool_with_logging(asked: Asked) -> dict[str, Any]:
    """Three messages at level info, with pauses."""
    await asked.log("info", "Tool execution started")
    await asyncio.sleep(PAUSE)
    await asked.log("info", "Tool processing data")
    await asyncio.sleep(PAUSE)
    await asked.log("info", "Tool execution completed")
    return answer(text("Three log messages were sent, if they were wanted"))


@SHELF.tool("Sends a log message, if the request asks for log messages")
async def test_logging_tool(asked: Asked) -> dict[str, Any]:
    """One message at level info."""
    await asked.log("info", "A message that only a request with a log level gets")
    return answer(text("One log message was sent, if it was wanted"))


@SHELF.tool("Reports its progress in three steps")
async def test_tool_with_progress(asked: Asked) -> dict[str, Any]:
    """Nothing, half, all of it."""
    await asked.progress(0, 100)
    await asyncio.sleep(PAUSE)
    await asked.progress(50, 100)
    await asyncio.sleep(PAUSE)
    await asked.progress(100, 100)
    return answer(text("Done in three steps"))


@SHELF.tool("Has a schema with the keywords of JSON Schema 2020-12", SCHEMA_2020_12)
async def json_schema_2020_12_tool(asked: Asked) -> dict[str, Any]:
    """The arguments, as they arrived."""
    return answer(text(json.dumps(dict(asked.arguments), sort_keys=True)))


@SHELF.tool("Has an argument that is sent as a header too", REGION)
async def test_region_header(asked: Asked) -> dict[str, Any]:
    """Where was looked."""
    return answer(text(f"Looked in {asked.arguments['region']}"))
