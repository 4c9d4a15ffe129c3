"""An agent in plain Python: no framework and no provider's library, for any of three providers.

    python examples/agent/provider.py &
    python examples/agent/plain_agent.py openai "Which invoices of week 31 of 2026 are open?"

What it shows: the skills' descriptions and the tools' definitions go to the model, each tool call
goes through `host.handle`, and what comes back (an answer, or a structured error that the model can
correct itself by) goes to the model as it is.
"""

from __future__ import annotations

import asyncio
import os
import sys
from pathlib import Path
from typing import Any

import httpx2

import prowess

PACKAGE = Path(__file__).resolve().parents[1] / "invoice-ops"
TURNS = 8


class OpenAI:
    """Chat completions."""

    dialect = "openai"
    path = "/v1/chat/completions"

    def __init__(self, system: str, question: str, tools: list[dict[str, Any]]) -> None:
        self.tools = tools
        self.messages: list[dict[str, Any]] = [
            {"role": "system", "content": system},
            {"role": "user", "content": question},
        ]

    def request(self) -> dict[str, Any]:
        return {"model": "scripted", "messages": self.messages, "tools": self.tools}

    def heard(self, response: dict[str, Any]) -> tuple[str, list[dict[str, Any]]]:
        """What the model says, and the tool calls that it wants."""
        message = response["choices"][0]["message"]
        self.messages.append(message)
        return message.get("content") or "", message.get("tool_calls") or []

    def told(self, results: list[dict[str, Any]]) -> None:
        self.messages += results


class Anthropic:
    """Messages."""

    dialect = "anthropic"
    path = "/v1/messages"

    def __init__(self, system: str, question: str, tools: list[dict[str, Any]]) -> None:
        self.system, self.tools = system, tools
        self.messages: list[dict[str, Any]] = [{"role": "user", "content": question}]

    def request(self) -> dict[str, Any]:
        asked = {"system": self.system, "messages": self.messages, "tools": self.tools}
        return {"model": "scripted", "max_tokens": 1_000, **asked}

    def heard(self, response: dict[str, Any]) -> tuple[str, list[dict[str, Any]]]:
        blocks = response["content"]
        self.messages.append({"role": "assistant", "content": blocks})
        text = "".join(block["text"] for block in blocks if block["type"] == "text")
        return text, [block for block in blocks if block["type"] == "tool_use"]

    def told(self, results: list[dict[str, Any]]) -> None:
        self.messages.append({"role": "user", "content": results})


class Gemini:
    """generateContent."""

    dialect = "gemini"
    path = "/v1beta/models/scripted:generateContent"

    def __init__(self, system: str, question: str, tools: list[dict[str, Any]]) -> None:
        self.system, self.tools = system, tools
        self.contents: list[dict[str, Any]] = [{"role": "user", "parts": [{"text": question}]}]

    def request(self) -> dict[str, Any]:
        return {
            "systemInstruction": {"parts": [{"text": self.system}]},
            "contents": self.contents,
            "tools": [{"functionDeclarations": self.tools}],
        }

    def heard(self, response: dict[str, Any]) -> tuple[str, list[dict[str, Any]]]:
        content = response["candidates"][0]["content"]
        self.contents.append(content)
        text = "".join(part.get("text", "") for part in content["parts"])
        return text, [part for part in content["parts"] if "functionCall" in part]

    def told(self, results: list[dict[str, Any]]) -> None:
        self.contents.append({"role": "user", "parts": results})


CONVERSATIONS = {each.dialect: each for each in (OpenAI, Anthropic, Gemini)}


def catalogue(host: prowess.Host) -> str:
    """What the model is told of skills: their names and descriptions; a body comes when it is wanted."""
    lines = [
        f"- {skill.name}: {skill.description}"
        for judgement in host.judgements.values()
        for skill in judgement.accepted.skills
    ]
    return "\n".join(["You answer questions about invoices with the tools you have. Skills:", *lines])


async def ask(host: prowess.Host, dialect: str, url: str, question: str) -> str:
    """One question to the model, with as many tool calls as it wants; its answer."""
    tools = await host.tools(dialect)
    talk = CONVERSATIONS[dialect](catalogue(host), question, tools)
    shown = [tool.name for tool in await host.tools()]
    async with httpx2.AsyncClient(base_url=url, timeout=60) as http, host.decide(question, shown):
        for _ in range(TURNS):
            response = await http.post(talk.path, json=talk.request())
            response.raise_for_status()
            answer, calls = talk.heard(response.json())
            if not calls:
                return answer
            talk.told([await host.handle(call) for call in calls])
    return "no answer"


async def main(dialect: str, question: str) -> None:
    url = os.environ.get("PROVIDER_URL", "http://127.0.0.1:8123")
    async with prowess.Host.open(PACKAGE, only=["invoice-tools"]) as host:
        print(await ask(host, dialect, url, question))


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
