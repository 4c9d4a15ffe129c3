"""All of it together: the lists as they are now, one method a request, and who hears of changes.

A tool that triggers a change really makes one: a tool or prompt appears or goes again. Raises what
`asking` says; how that is told on the wire belongs to whoever serves it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import conformance.reference.interactive  # noqa: F401  it puts its tools on the shelf
import jsonschema_rs
from conformance.reference import prompts, tools
from conformance.reference.asking import (
    INVALID_PARAMS,
    RESOURCE_NOT_FOUND,
    Asked,
    Client,
    Failed,
    InputNeeded,
    Refused,
)
from conformance.reference.contents import answer, said, text
from conformance.reference.resources import RESOURCES, TEMPLATES, WATCHED, contents
from conformance.reference.tools import Entry

# ("tools" | "prompts" | "resource", the URI of a resource or an empty text)
Hearing = Callable[[str, str], None]

# How long a client may keep a list, in milliseconds: a minute, so that a cache is noticed.
KEPT = 60_000


class Repertoire:
    """What one server of the suite's offers, with its state: changes, log levels, listeners."""

    def __init__(self) -> None:
        self._tools = {**tools.SHELF.entries, **{each.name: each for each in self._triggers()}}
        self._prompts = dict(prompts.SHELF.entries)
        self._updates = 0
        self._levels: dict[str, str] = {}
        self._hearing: list[Hearing] = []

    # -- lists ---------------------------------------------------------------------------------------

    def tools(self) -> list[dict[str, Any]]:
        """The tools now."""
        return [dict(each.wire) for each in self._tools.values()]

    def prompts(self) -> list[dict[str, Any]]:
        """The prompts now."""
        return [dict(each.wire) for each in self._prompts.values()]

    def resources(self) -> list[dict[str, Any]]:
        """The resources."""
        return [dict(each) for each in RESOURCES]

    def templates(self) -> list[dict[str, Any]]:
        """The resource templates."""
        return [dict(each) for each in TEMPLATES]

    def schema(self, tool: str) -> Mapping[str, Any] | None:
        """The input schema of a tool, if there is one of that name."""
        entry = self._tools.get(tool)
        return None if entry is None else entry.wire["inputSchema"]

    # -- requests ------------------------------------------------------------------------------------

    async def call(self, params: Mapping[str, Any], client: Client) -> dict[str, Any]:
        """`tools/call`: the result on the wire, whether complete, failed or asking for input."""
        asked = self._asked(params, client)
        entry = self._tools.get(str(params.get("name")))
        if entry is None:
            raise Refused(INVALID_PARAMS, "Unknown tool")
        try:
            _insist_on_valid(asked.arguments, entry.wire["inputSchema"])
            return await entry.answering(asked)
        except Failed as failure:
            return {**answer(text(str(failure))), "isError": True}
        except InputNeeded as needed:
            return needed.wire

    async def prompt(self, params: Mapping[str, Any], client: Client) -> dict[str, Any]:
        """`prompts/get`: the messages, or what is asked before."""
        asked = self._asked(params, client)
        entry = self._prompts.get(str(params.get("name")))
        if entry is None:
            raise Refused(INVALID_PARAMS, "Unknown prompt")
        declared = entry.wire.get("arguments", ())
        missing = [each["name"] for each in declared if each["name"] not in asked.arguments]
        if missing:
            raise Refused(INVALID_PARAMS, f"Missing argument: {', '.join(missing)}")
        try:
            return await entry.answering(asked)
        except Failed as failure:
            raise Refused(INVALID_PARAMS, str(failure)) from failure
        except InputNeeded as needed:
            return needed.wire

    def read(self, params: Mapping[str, Any], client: Client) -> dict[str, Any]:
        """`resources/read`: the contents."""
        uri = str(params.get("uri"))
        found = contents(uri, self._updates)
        if found is None:
            number = INVALID_PARAMS if self._asked(params, client).modern else RESOURCE_NOT_FOUND
            raise Refused(number, "Resource not found", {"uri": uri})
        return {"contents": [{"uri": uri, **found}]}

    def complete(self, params: Mapping[str, Any]) -> dict[str, Any]:
        """`completion/complete`: words for an argument."""
        argument = params.get("argument")
        return prompts.completions(str(argument["value"]) if isinstance(argument, Mapping) else "")

    def set_level(self, params: Mapping[str, Any], client: Client) -> dict[str, Any]:
        """`logging/setLevel` (2025-11-25): the least level that this session wants."""
        self._levels[client.session] = str(params["level"])
        return {}

    def _asked(self, params: Mapping[str, Any], client: Client) -> Asked:
        return Asked(params=params, client=client, level=self._levels.get(client.session, "debug"))

    # -- changes -------------------------------------------------------------------------------------

    def listen(self, hear: Hearing) -> Callable[[], None]:
        """Tell `hear` of every change; what comes back ends it."""
        self._hearing.append(hear)
        return lambda: self._hearing.remove(hear) if hear in self._hearing else None

    def _tell(self, kind: str, uri: str = "") -> None:
        for hear in tuple(self._hearing):
            hear(kind, uri)

    def _triggers(self) -> list[Entry]:
        async def tool(asked: Asked) -> dict[str, Any]:
            gone = self._tools.pop("test_tool_that_comes_and_goes", None)
            if gone is None:
                self._tools["test_tool_that_comes_and_goes"] = _COMING_TOOL
            self._tell("tools")
            return answer(text("The list of tools is another one now"))

        async def prompt(asked: Asked) -> dict[str, Any]:
            gone = self._prompts.pop("test_prompt_that_comes_and_goes", None)
            if gone is None:
                self._prompts["test_prompt_that_comes_and_goes"] = _COMING_PROMPT
            self._tell("prompts")
            return answer(text("The list of prompts is another one now"))

        async def resource(asked: Asked) -> dict[str, Any]:
            self._updates += 1
            self._tell("resource", WATCHED)
            return answer(text("The watched resource has another text now"))

        return [
            _entry("test_trigger_tool_change", "Changes the list of tools", tool),
            _entry("test_trigger_prompt_change", "Changes the list of prompts", prompt),
            _entry("test_trigger_resource_update", "Changes the watched resource", resource),
        ]


def _entry(name: str, description: str, answering: tools.Answering) -> Entry:
    schema = {"type": "object", "properties": {}}
    return Entry(wire={"name": name, "description": description, "inputSchema": schema}, answering=answering)


async def _present(asked: Asked) -> dict[str, Any]:
    return answer(text("Still here"))


async def _present_prompt(asked: Asked) -> dict[str, Any]:
    return said(text("Still here"))


_COMING_TOOL = _entry("test_tool_that_comes_and_goes", "Is there every other time", _present)
_COMING_PROMPT = replace(
    _COMING_TOOL,
    wire={"name": "test_prompt_that_comes_and_goes", "description": "Is there every other time"},
    answering=_present_prompt,
)


def _insist_on_valid(arguments: Mapping[str, Any], schema: Mapping[str, Any]) -> None:
    problems = jsonschema_rs.validator_for(dict(schema)).iter_errors(dict(arguments))
    if first := next(iter(problems), None):
        raise Failed(f"The arguments do not fit: {first.message}")
