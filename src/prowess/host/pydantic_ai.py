"""A Host's tools as a pydantic-ai toolset (the extra `agent`).

Every call goes down the Host's one call path. Arguments that do not fit come back to the model as a
request to try again that holds the structured problems; whatever else is no answer is a failed tool result,
which a model reads and which uses none of its retries. Importing this imports pydantic-ai.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from prowess.capability.canonical import plain
from prowess.errors import NotFound, ProwessError, UsageError
from prowess.host.host import Host
from prowess.host.model_calls import READ_ON, part, told
from prowess.provider import Caller, Refused

try:
    from pydantic_ai import ModelRetry, RunContext, ToolDefinition, ToolFailed, ToolReturn
    from pydantic_ai.toolsets import AbstractToolset, ToolsetTool
    from pydantic_core import SchemaValidator, core_schema
except ImportError:
    raise UsageError(
        "an agent of pydantic-ai needs pydantic-ai", hint="pip install 'prowess[agent]'"
    ) from None

CallerOf = Callable[[RunContext[Any]], Caller]

# An object; the call path judges it by the tool's own schema, and says more about what is wrong.
_OBJECT = SchemaValidator(core_schema.dict_schema(core_schema.str_schema(), core_schema.any_schema()))


class HostToolset(AbstractToolset[Any]):
    """What a Host offers, for `Agent(toolsets=[...])`. The Host stays open as long as the agent runs."""

    def __init__(
        self,
        host: Host,
        *,
        caller: Caller | CallerOf | None = None,
        max_retries: int | None = None,
        id: str | None = "prowess",
    ) -> None:
        """`caller` is who asks, or a function of the run's context that says so; by default the Host's own.

        `max_retries` is how often a model may correct the arguments of one tool, by default as often as
        its agent allows.
        """
        self._host = host
        self._caller = caller
        self._max_retries = max_retries
        self._id = id

    @property
    def id(self) -> str | None:
        """What tells it apart from other toolsets of an agent."""
        return self._id

    async def get_tools(self, ctx: RunContext[Any]) -> dict[str, ToolsetTool[Any]]:
        """The tools that a model may see now, under their model-facing names."""
        shown = {(each.server, each.name): each for each in await self._host.tools()}
        retries = ctx.max_retries if self._max_retries is None else self._max_retries
        names = self._host.model_names()
        found: dict[str, ToolsetTool[Any]] = {}
        for each in await self._host.tools("gemini"):  # the dialect that leaves a schema as it is
            server, wire = names.tool(each["name"])
            tool = shown.get((server, wire), READ_ON)
            definition = ToolDefinition(
                name=each["name"],
                description=each["description"] or None,
                parameters_json_schema=each["parametersJsonSchema"],
                return_schema=tool.wire.get("outputSchema"),
                metadata={"server": server, "tool": wire, "annotations": tool.wire.get("annotations")},
            )
            found[each["name"]] = ToolsetTool(
                toolset=self, tool_def=definition, max_retries=retries, args_validator=_OBJECT
            )
        return found

    async def call_tool(
        self, name: str, tool_args: dict[str, Any], ctx: RunContext[Any], tool: ToolsetTool[Any]
    ) -> Any:
        """Use one tool. Raises ModelRetry for arguments that do not fit, ToolFailed for other failures."""
        caller = self._caller(ctx) if callable(self._caller) else self._caller
        try:
            server, wire = self._host.model_names().tool(name)
            if (server, wire) == (READ_ON.server, READ_ON.name):
                return self._read_on(tool_args, caller)
            done = await self._host.call_recorded(wire, tool_args, server=server, caller=caller)
        except ProwessError as error:  # it went away since the model was told of it
            raise ToolFailed(f"{error.message}. {error.hint}".rstrip(". ") + ".") from None
        value, failed = told(done)
        if not failed:
            return ToolReturn(return_value=value, metadata={"record": done.record, "notes": done.notes})
        text = value if isinstance(value, str) else json.dumps(plain(value), ensure_ascii=False)
        if isinstance(done.outcome, Refused) and done.problems:
            raise ModelRetry(text)
        raise ToolFailed(text)

    def _read_on(self, arguments: dict[str, Any], caller: Caller | None) -> Any:
        handle = arguments.get("handle")
        try:
            return part(self._host.read_on(handle if isinstance(handle, str) else "", caller=caller))
        except NotFound as error:
            raise ModelRetry(f"{error.message}: {error.hint}") from None
