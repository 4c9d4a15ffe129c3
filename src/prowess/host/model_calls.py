"""Tools in a provider's words, and a model's calls answered in them.

The names are those of `capability/naming.py`, the forms those of `capability/dialects.py`. What a
model gets wrong (a name that is not there, arguments that cannot be read) is an answer to the model,
never an exception. One function is ours: `read_on_result` gives the next part of a large result.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import asdict
from difflib import get_close_matches
from typing import Any

from prowess.call.paging import Page
from prowess.call.running import CallResult, result_of
from prowess.capability.dialects import Dialect, ModelCall, checked_dialect, definitions, read_call, result
from prowess.capability.naming import ModelNames
from prowess.capability.offer import Tool
from prowess.errors import NotFound, ProwessError, UsageError
from prowess.provider import Answered, Refused
from prowess.redact import printable

READ_ON = Tool(
    server="prowess",
    wire={
        "name": "read_on_result",
        "description": "The next part of a result that was too large for one answer.",
        "inputSchema": {
            "type": "object",
            "properties": {
                "handle": {"type": "string", "description": "the handle that came with the part before"}
            },
            "required": ["handle"],
            "additionalProperties": False,
        },
    },
)
_READ_ON = (READ_ON.server, READ_ON.name)

Use = Callable[[str, str, Any], Awaitable[CallResult]]
ReadOn = Callable[[str], Page]


def names_of(tools: Iterable[Tool], *, alone: bool) -> ModelNames:
    """Names for all tools on offer, hidden ones too; `alone`: there is one server."""
    return ModelNames.of([*((each.server, each.name) for each in tools), _READ_ON], raw=alone)


def defined(dialect: str, names: ModelNames, shown: Iterable[Tool], *, read_on: bool) -> list[dict[str, Any]]:
    """The function definitions of the tools shown, and of `read_on_result` if there are any."""
    tools = {(each.server, each.name): each for each in shown}
    if tools and read_on:
        tools[_READ_ON] = READ_ON
    return definitions(checked_dialect(dialect), names, tools)


def dialect_of(call: Any) -> Dialect:
    """The dialect that a provider's tool call is written in. Raises UsageError."""
    dump = getattr(call, "model_dump", None)
    found = dump() if callable(dump) else call
    if isinstance(found, Mapping):
        if "function" in found or found.get("type") == "function_call":
            return "openai"
        if found.get("type") == "tool_use":
            return "anthropic"
        if "functionCall" in found or "function_call" in found or "args" in found:
            return "gemini"
    raise UsageError("no provider writes tool calls like this", hint="say which dialect it is")


async def handled(
    call: Any, dialect: str | None, names: ModelNames, *, use: Use, read_on: ReadOn
) -> dict[str, Any]:
    """Carry out a model's call; the message that goes back to the model."""
    asked = read_call(checked_dialect(dialect) if dialect is not None else dialect_of(call), call)
    try:
        server, tool = names.tool(asked.name)
    except NotFound:
        return result(asked, _no_such_name(asked.name, names), failed=True)
    if (server, tool) == _READ_ON:
        return _next_part(asked, read_on)
    try:
        # Arguments that cannot be read go down the path as the text they are not: refused, and on record.
        done = await use(server, tool, asked.problem or asked.arguments)
    except ProwessError as error:  # it went away since the model was told of it
        return result(asked, f"{error.message}. {error.hint}".rstrip(". ") + ".", failed=True)
    if asked.problem:
        return result(asked, asked.problem, failed=True)
    value, failed = told(done)
    return result(asked, value, failed=failed)


def _no_such_name(name: str, names: ModelNames) -> str:
    near = get_close_matches(name, names.by_name, 3, 0.5)
    hint = f"; the nearest are {', '.join(near)}" if near else ""
    return f"there is no tool named {printable(name)}{hint}"


def _next_part(asked: ModelCall, read_on: ReadOn) -> dict[str, Any]:
    handle = asked.arguments.get("handle")
    try:
        page = read_on(handle if isinstance(handle, str) else "")
    except NotFound as error:
        return result(asked, f"{error.message}: {error.hint}", failed=True)
    return result(asked, part(page))


def told(done: CallResult) -> tuple[Any, bool]:
    """What a model is told of a call that is over, and whether it failed."""
    outcome = done.outcome
    if isinstance(outcome, Answered):
        return readable(outcome.value) if done.page is None else part(done.page), False
    if isinstance(outcome, Refused) and outcome.problems:
        problems = [asdict(each) for each in outcome.problems]
        return {"refused": outcome.code, "problems": problems}, True
    return result_of(outcome), True


def part(page: Page) -> dict[str, Any]:
    """One part of a large result, and how to get the next."""
    told: dict[str, Any] = {"part": page.part, "parts": page.parts, "value": readable(page.value)}
    return {**told, "next_handle": page.handle} if page.handle is not None else told


def readable(value: Any) -> Any:
    """A result as a model reads it: blocks as their text, pictures and sounds as a word about them."""
    if not isinstance(value, list) or not value or not all(_is_block(each) for each in value):
        return value
    parts = [_block(each) for each in value]
    return "\n".join(parts) if all(isinstance(each, str) for each in parts) else parts


def _is_block(value: Any) -> bool:
    return isinstance(value, Mapping) and isinstance(value.get("type"), str)


def _block(block: Mapping[str, Any]) -> Any:
    if block["type"] == "text" and isinstance(block.get("text"), str):
        return block["text"]
    if isinstance(block.get("data"), str):
        kind, size = printable(str(block.get("mimeType", ""))), len(block["data"]) * 3 // 4
        return f"({printable(block['type'])} {kind}, {size} bytes, not shown)"
    return block
