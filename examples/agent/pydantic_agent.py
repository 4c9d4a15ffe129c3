"""An agent of pydantic-ai whose tools are a Host's.

pip install 'prowess[agent]' 'pydantic-ai-slim[openai]'
python examples/agent/provider.py &
python examples/agent/pydantic_agent.py "Which invoices of week 31 of 2026 are open?"
"""

from __future__ import annotations

import asyncio
import os
import sys
from pathlib import Path

import httpx2
from pydantic_ai import Agent
from pydantic_ai.models.openai import OpenAIChatModel
from pydantic_ai.providers.openai import OpenAIProvider

import prowess
from prowess.host.pydantic_ai import HostToolset

PACKAGE = Path(__file__).resolve().parents[1] / "invoice-ops"


def catalogue(host: prowess.Host) -> str:
    """What the model is told of skills: their names and descriptions."""
    skills = host.judgement.accepted.skills
    return "Skills:\n" + "\n".join(f"- {skill.name}: {skill.description}" for skill in skills)


async def ask(host: prowess.Host, url: str, question: str) -> str:
    """One question to the model, with as many tool calls as it wants; its answer."""
    shown = [tool.name for tool in await host.tools()]
    async with httpx2.AsyncClient(timeout=60) as http, host.decide(question, shown):
        provider = OpenAIProvider(base_url=f"{url}/v1", api_key="none", http_client=http)
        model = OpenAIChatModel("scripted", provider=provider)
        agent = Agent(model, instructions=catalogue(host), toolsets=[HostToolset(host)])
        return (await agent.run(question)).output


async def main(question: str) -> None:
    url = os.environ.get("PROVIDER_URL", "http://127.0.0.1:8123")
    async with prowess.Host.open(PACKAGE, only=["invoice-tools"]) as host:
        print(await ask(host, url, question))


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
