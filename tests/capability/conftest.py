"""A judged package and the offers of its servers, for tests of what is on offer."""

from __future__ import annotations

import pytest

from prowess.capability.offer import Offer, Prompt, Resource, ResourceTemplate, Tool
from prowess.spec.diagnostics import Diagnostic, Place, Reach
from prowess.spec.model import HttpServer, Judgement, Manifest, Plugin, Skill, StdioServer

WEEK = {
    "type": "object",
    "properties": {
        "week": {"type": "string", "pattern": "^[0-9]{4}-W[0-9]{2}$"},
        "status": {"type": "string", "enum": ["open", "paid", "overdue"]},
    },
    "required": ["week"],
}


@pytest.fixture
def judgement() -> Judgement:
    skill = Skill(name="weekly", description="Writes the weekly summary.", path="skills/weekly/SKILL.md")
    plugin = Plugin(
        manifest=Manifest(name="invoice-ops", spec="1.0.0", version="1.2.0"),
        skills=(skill,),
        servers=(
            HttpServer(id="guides", type="streamable-http", url="http://127.0.0.1:8123/mcp"),
            StdioServer(id="tools", command="./bin/tools"),
        ),
    )
    skipped = Diagnostic(
        rule="server-type-missing",
        reach=Reach.ENTRY,
        place=Place(file="mcp.json", pointer="/mcpServers/old"),
        message="no type",
        subject="mcp.json#old",
    )
    return Judgement(plugin=plugin, diagnostics=(skipped,))


@pytest.fixture
def offers() -> tuple[Offer, ...]:
    query = {"name": "query_invoices", "description": "Invoices of one week.", "inputSchema": WEEK}
    return (
        Offer(
            id="tools",
            type="stdio",
            status="connected",
            tools=(Tool(server="tools", wire=query),),
            protocol="x",
        ),
        Offer(
            id="guides",
            type="streamable-http",
            status="connected",
            prompts=(Prompt(server="guides", wire={"name": "summary", "arguments": [{"name": "week"}]}),),
            resources=(Resource(server="guides", wire={"name": "terms", "uri": "guide://terms"}),),
            templates=(
                ResourceTemplate(server="guides", wire={"name": "c", "uriTemplate": "guide://c/{id}"}),
            ),
        ),
    )
