"""What FastMCP's own client sees and does, as python_sdk.py; run by a Python that has fastmcp.

fastmcp_client.py PLAN MODE (URL | COMMAND...)
"""
# mypy: ignore-errors

import asyncio
import json
import os
import re
import sys

import mcp_types as types
from fastmcp import Client
from fastmcp.client.elicitation import ElicitResult
from fastmcp.client.transports import StdioTransport
from mcp.shared.exceptions import MCPError

PLAN = json.loads(sys.argv[1])


def short(name):
    return re.sub(r"^suite_(?:reference|mirror)__?|_[0-9a-f]{12}$|^(?:units|content)__", "", name)


def stays(entry):
    return short(entry.name) not in PLAN["passing"]


async def person(message, response_type, params, context):
    wanted = params.requested_schema.get("properties", {})
    content = {name: each for name, each in PLAN["person"].items() if name in wanted}
    return ElicitResult(action="accept", content=content)


async def model(messages, params, context):
    return PLAN["model"]


def texts(blocks):
    return "\n".join(each.text for each in blocks if isinstance(each, types.TextContent))


async def exercise(client):
    report = {"version": client.protocol_version, "called": {}, "prompts": {}, "read": {}}
    tools = [each for each in await client.list_tools() if stays(each)]
    names = {short(each.name): each.name for each in tools}
    for each in tools:
        arguments = PLAN["arguments"].get(short(each.name), {})
        result = await client.call_tool(each.name, arguments, raise_on_error=False)
        report["called"][each.name] = {"failed": result.is_error, "text": texts(result.content)}
    for each in filter(stays, await client.list_prompts()):
        found = await client.get_prompt(each.name, PLAN["prompts"].get(short(each.name)))
        report["prompts"][each.name] = texts(message.content for message in found.messages)
    try:
        await client.get_prompt("none", {})
    except MCPError as error:
        report["prompts"]["none"] = error.code
    asked = PLAN["completion"]
    completed = await client.complete(
        types.PromptReference(type="ref/prompt", name=asked["prompt"]),
        {"name": asked["argument"], "value": asked["value"]},
    )
    report["completed"] = completed.values
    uris = [str(each.uri) for each in await client.list_resources()]
    uris += [PLAN["expansions"][each.uri_template] for each in await client.list_resource_templates()]
    for uri in uris:
        contents = await client.read_resource(uri)
        report["read"][uri] = [
            getattr(each, "text", None) or getattr(each, "blob", None) for each in contents
        ]
    report["progress"] = []

    async def progress(done, total, message):
        report["progress"].append(done)

    await client.call_tool(names[PLAN["progress"]], {}, progress_handler=progress)

    async def until(where, what):
        async with asyncio.timeout(20):
            while True:
                result = await client.call_tool(names[PLAN["state"]], {})
                if what in result.structured_content[where]:
                    return
                await asyncio.sleep(0.02)

    waits = client.call_tool(names[PLAN["waits"]], {}, meta={"test/script": [{"wait": PLAN["given_up"]}]})
    waiting = asyncio.create_task(waits)
    await until("waiting", PLAN["given_up"])
    waiting.cancel()
    await asyncio.gather(waiting, return_exceptions=True)
    await until("log", f"cancelled {PLAN['given_up']}")
    report["cancelled"] = True
    return report


async def main():
    mode, target = sys.argv[2], sys.argv[3:]
    where = target[0]
    if not where.startswith("http"):
        where = StdioTransport(command=target[0], args=target[1:], env=dict(os.environ))
    client = Client(
        where, mode=mode, elicitation_handler=person, sampling_handler=model, roots=[PLAN["root"]]
    )
    async with client:
        print(json.dumps(await exercise(client)))


asyncio.run(main())
