"""What the Python SDK's own client sees and does; the report is printed as JSON.

python_sdk.py PLAN MODE (URL | COMMAND...)
"""

from __future__ import annotations

import asyncio
import json
import os
import re
import sys
from typing import Any

import mcp_types as types
from mcp import Client, StdioServerParameters
from mcp.shared.exceptions import MCPError

Json = dict[str, Any]


def short(name: str) -> str:
    """A tool's or prompt's own name, as far as it can be read from the one that it has here."""
    return re.sub(r"^suite_(?:reference|mirror)__?|_[0-9a-f]{12}$|^(?:units|content)__", "", name)


class Exercise:
    """One client and what it found out."""

    def __init__(self, plan: Json, mode: Any, target: list[str]) -> None:
        self.plan = plan
        where: Any = target[0]
        if not where.startswith("http"):
            where = StdioServerParameters(command=target[0], args=target[1:], env=dict(os.environ))
        answering: Json = {
            "elicitation_callback": self.elicited,
            "sampling_callback": self.sampled,
            "list_roots_callback": self.roots,
        }
        self.client: Any = Client(where, mode=mode, **answering)
        self.names: dict[str, str] = {}

    async def elicited(self, _: Any, params: Any) -> types.ElicitResult:
        """A person who fills in what is asked for."""
        wanted = params.requested_schema.get("properties", {})
        content = {name: each for name, each in self.plan["person"].items() if name in wanted}
        return types.ElicitResult(action="accept", content=content)

    async def sampled(self, _: Any, params: Any) -> types.CreateMessageResult:
        """A model that says one thing."""
        said = types.TextContent(type="text", text=self.plan["model"])
        return types.CreateMessageResult(role="assistant", content=said, model="m", stop_reason="endTurn")

    async def roots(self, _: Any) -> types.ListRootsResult:
        """One directory."""
        return types.ListRootsResult(roots=[types.Root(uri=self.plan["root"], name="books")])

    async def run(self) -> Json:
        """Everything, in turn."""
        async with self.client as client:
            report: Json = {"version": client.protocol_version, "instructions": client.instructions}
            report |= await self.tools() | await self.prompts() | await self.resources()
            report |= await self.on_the_way()
        return report

    def stays(self, entry: Any) -> bool:
        """Whether it is there the whole time."""
        return short(entry.name) not in self.plan["passing"]

    async def tools(self) -> Json:
        """Every tool, called."""
        tools = [each for each in (await self.client.list_tools()).tools if self.stays(each)]
        called: Json = {}
        self.names = {short(each.name): each.name for each in tools}
        for each in tools:
            arguments = self.plan["arguments"].get(short(each.name), {})
            result = await self.client.call_tool(each.name, arguments)
            texts = [block.text for block in result.content if isinstance(block, types.TextContent)]
            called[each.name] = {"failed": bool(result.is_error), "text": "\n".join(texts)}
        return {"called": called}

    async def prompts(self) -> Json:
        """Every prompt, with its text."""
        prompts = [each for each in (await self.client.list_prompts()).prompts if self.stays(each)]
        got: Json = {}
        for each in prompts:
            found = await self.client.get_prompt(each.name, self.plan["prompts"].get(short(each.name)))
            texts = [
                each.content.text for each in found.messages if isinstance(each.content, types.TextContent)
            ]
            got[each.name] = "\n".join(texts)
        try:
            await self.client.get_prompt("none", {})
        except MCPError as error:
            got["none"] = error.code
        asked = self.plan["completion"]
        completed = await self.client.complete(
            types.PromptReference(type="ref/prompt", name=asked["prompt"]),
            {"name": asked["argument"], "value": asked["value"]},
        )
        return {"prompts": got, "completed": completed.completion.values}

    async def resources(self) -> Json:
        """Every resource and every template, read."""
        read: Json = {}
        templates = (await self.client.list_resource_templates()).resource_templates
        uris = [each.uri for each in (await self.client.list_resources()).resources]
        uris += [self.plan["expansions"][each.uri_template] for each in templates]
        for uri in uris:
            contents = (await self.client.read_resource(uri)).contents
            read[uri] = [getattr(each, "text", None) or getattr(each, "blob", None) for each in contents]
        return {"read": read}

    async def on_the_way(self) -> Json:
        """Progress, and a call that is given up."""
        steps: list[float] = []

        async def progress(done: float, total: float | None, message: str | None) -> None:
            steps.append(done)

        await self.client.call_tool(self.names[self.plan["progress"]], {}, progress_callback=progress)
        waiting = asyncio.create_task(
            self.client.call_tool(
                self.names[self.plan["waits"]], {}, meta={"test/script": [{"wait": self.plan["given_up"]}]}
            )
        )
        await self.until("waiting", self.plan["given_up"])
        waiting.cancel()
        await asyncio.gather(waiting, return_exceptions=True)
        await self.until("log", f"cancelled {self.plan['given_up']}")
        return {"progress": steps, "cancelled": True}

    async def until(self, where: str, what: str) -> None:
        """Look at the mirror's state until it holds something."""
        async with asyncio.timeout(20):
            while True:
                result = await self.client.call_tool(self.names[self.plan["state"]], {})
                if what in (result.structured_content or {})[where]:
                    return
                await asyncio.sleep(0.02)


if __name__ == "__main__":
    exercise = Exercise(json.loads(sys.argv[1]), sys.argv[2], sys.argv[3:])
    print(json.dumps(asyncio.run(exercise.run())))
