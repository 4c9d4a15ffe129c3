"""The in-memory twin keeps the Provider's promises."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any

import pytest

from prowess.errors import NotFound, ProwessError
from prowess.provider import Answered, Invocation, MemoryProvider, Refused, ToolFailed

SCHEMA = {"inputSchema": {"type": "object"}}


async def double(arguments: Mapping[str, Any]) -> int:
    return int(arguments["n"]) * 2


async def fail(arguments: Mapping[str, Any]) -> None:
    raise ProwessError("out of paper")


def provider() -> MemoryProvider:
    return MemoryProvider("math", {"double": (SCHEMA, double), "fail": (SCHEMA, fail)})


def test_before_it_is_opened_it_offers_nothing_and_refuses() -> None:
    memory = provider()
    assert memory.offer().status == "not-started"
    assert memory.offer().tools == ()
    outcome = asyncio.run(memory.call(Invocation(tool="double", arguments={"n": 1})))
    assert isinstance(outcome, Refused)


def test_while_open_it_answers_and_a_failure_is_the_tools_own() -> None:
    async def use() -> list[Any]:
        memory = provider()
        offer = await memory.open()
        assert [tool.name for tool in offer.tools] == ["double", "fail"]
        return [
            await memory.call(Invocation(tool="double", arguments={"n": 21})),
            await memory.call(Invocation(tool="fail")),
        ]

    assert asyncio.run(use()) == [Answered(value=42), ToolFailed(message="out of paper")]


def test_an_unknown_tool_is_the_callers_mistake() -> None:
    with pytest.raises(NotFound):
        asyncio.run(provider().call(Invocation(tool="triple")))


def test_after_it_is_closed_it_offers_nothing_and_may_be_closed_again() -> None:
    async def use() -> str:
        memory = provider()
        await memory.open()
        await memory.close()
        await memory.close()
        return memory.offer().status

    assert asyncio.run(use()) == "not-started"
