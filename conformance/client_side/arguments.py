"""Arguments for a tool that nobody said any for, and what a model corrects after a refusal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from prowess.capability.offer import Tool
from prowess.provider import Problem

_PLAIN: dict[str, Any] = {
    "string": "text",
    "integer": 1,
    "number": 1.5,
    "boolean": True,
    "array": [],
    "object": {},
    "null": None,
}


def arguments_for(tool: Tool, tools: Sequence[Tool]) -> dict[str, Any]:
    """The required arguments, with the plainest values; `schema` is the input schema of the other tool."""
    properties = tool.input_schema.get("properties", {})
    found = {name: _plain(properties.get(name)) for name in tool.input_schema.get("required", [])}
    if "schema" in found and len(tools) > 1:  # a scenario wants to see what a client made of a schema
        found["schema"] = next(each.input_schema for each in tools if each is not tool)
    return found


def _plain(schema: Any) -> Any:
    kind = schema.get("type") if isinstance(schema, Mapping) else None
    return _PLAIN.get(kind, "text") if isinstance(kind, str) else "text"


def without_nulls(arguments: Mapping[str, Any], problems: Sequence[Problem]) -> dict[str, Any]:
    """`arguments` without each null that was refused."""
    refused = {each.path.removeprefix("/") for each in problems}
    return {name: value for name, value in arguments.items() if value is not None or name not in refused}
