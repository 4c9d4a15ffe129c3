"""Tools shown progressively: the core, and four tools by which the others are found and used."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from tests.serve.offering import Offering, request

from prowess import Host, Policy
from prowess.call.policy import Rule
from prowess.choose.estimate import tokens
from prowess.errors import RequestFailed, UsageError
from prowess.provider import Answered
from prowess.serve.endpoint import Endpoint
from prowess.serve.searching import Searching

pytestmark = pytest.mark.anyio
TOOLS: list[dict[str, Any]] = [
    {"name": "query_invoices", "description": "List unpaid invoices of a customer."},
    {"name": "book_flight", "description": "Book a flight for a person on a date."},
    {"name": "翻译", "description": "把一段文字翻译成中文。"},
    {"name": "ping", "description": "Says pong.", "_meta": {"dev.prowess/core": True}},
]
OWN = ["search_capabilities", "describe_capability", "call_capability", "activate_skill"]


@asynccontextmanager
async def searching(
    folder: Path, server: Offering, policy: Policy | None = None, **options: Any
) -> AsyncIterator[Endpoint]:
    (folder / "plugin.json").write_text(
        '{"$schema": "https://agent-plugins.org/schemas/1.0.0/plugin.schema.json", "name": "served",'
        ' "version": "1.0.0", "description": "Served."}'
    )
    skill = folder / "skills" / "close-month"
    skill.mkdir(parents=True, exist_ok=True)
    (skill / "SKILL.md").write_text(
        "---\nname: close-month\ndescription: Close the books of a month. Use when it ends.\n---\nSteps."
    )
    async with Host.open(folder, providers=[server], policy=policy) as host:
        yield Endpoint(host, searching=Searching(host, **options))


async def use(endpoint: Endpoint, tool: str, /, **arguments: Any) -> dict[str, Any]:
    return await endpoint.answer(request("tools/call", {"name": tool, "arguments": arguments}))


async def test_the_list_holds_the_core_and_the_four_tools(tmp_path: Path) -> None:
    async with searching(tmp_path, Offering(tools=TOOLS), core=["book_flight"]) as endpoint:
        tools = (await endpoint.answer(request("tools/list")))["tools"]
    assert [each["name"] for each in tools] == ["book_flight", "ping", *OWN]


async def test_a_core_name_that_is_not_there_is_refused_at_the_start(tmp_path: Path) -> None:
    with pytest.raises(UsageError):
        async with searching(tmp_path, Offering(tools=TOOLS), core=["book_fligt"]):
            pass


@pytest.mark.parametrize(
    ("query", "name"),
    [
        ("which invoices are unpaid?", "query_invoices"),
        ("翻译成中文", "翻译"),
        ("close the month", "close-month"),
    ],
)
async def test_a_search_gives_whole_definitions_the_best_first(tmp_path: Path, query: str, name: str) -> None:
    async with searching(tmp_path, Offering(tools=TOOLS)) as endpoint:
        found = (await use(endpoint, "search_capabilities", query=query))["structuredContent"]
    assert found["found"] is True
    assert found["capabilities"][0]["name"] == name
    if name != "close-month":
        assert found["capabilities"][0]["inputSchema"] == {"type": "object"}


async def test_a_search_stays_within_its_budget_and_names_what_was_left_out(tmp_path: Path) -> None:
    many = [
        {"name": f"invoice_{n}", "description": f"Unpaid invoices, part {n}. " + "More. " * 40}
        for n in range(30)
    ]
    async with searching(tmp_path, Offering(tools=many), budget=500) as endpoint:
        result = await use(endpoint, "search_capabilities", query="unpaid invoices")
        wider = await use(endpoint, "search_capabilities", query="unpaid invoices", budget=9_999)
    found = result["structuredContent"]
    shown = sum(tokens(str(each)) for each in found["capabilities"])
    assert 0 < shown < 650
    assert all(each["description"].endswith("More. ") for each in found["capabilities"])
    assert found["left_out"]
    assert wider["structuredContent"]["capabilities"] == found["capabilities"]


async def test_a_smaller_budget_may_be_asked_for(tmp_path: Path) -> None:
    async with searching(tmp_path, Offering(tools=TOOLS)) as endpoint:
        found = (await use(endpoint, "search_capabilities", query="invoices", budget=1))["structuredContent"]
    assert found["capabilities"] == []
    assert [each["name"] for each in found["left_out"]] == ["query_invoices"]


async def test_nothing_that_fits_is_said_with_the_names_there_are(tmp_path: Path) -> None:
    async with searching(tmp_path, Offering(tools=TOOLS)) as endpoint:
        found = (await use(endpoint, "search_capabilities", query="qqqq zzzz"))["structuredContent"]
    assert (found["found"], found["capabilities"]) == (False, [])
    assert "query_invoices" in found["names"]


async def test_a_definition_is_described_whole(tmp_path: Path) -> None:
    async with searching(tmp_path, Offering(tools=TOOLS)) as endpoint:
        described = await use(endpoint, "describe_capability", name="book_flight")
    assert described["structuredContent"] == {
        "kind": "tool",
        "inputSchema": {"type": "object"},
        **TOOLS[1],
    }


async def test_a_found_tool_is_called_like_any_other(tmp_path: Path) -> None:
    server = Offering(tools=TOOLS)
    server.on_call = lambda _: Answered(value="booked", wire={"content": [], "x": None})
    async with searching(tmp_path, server) as endpoint:
        result = await use(endpoint, "call_capability", name="book_flight", arguments={"to": "PEK"})
        direct = await endpoint.answer(request("tools/call", {"name": "book_flight"}))
    assert result == direct == {"content": [], "x": None}
    assert [each.arguments for each in server.calls] == [{"to": "PEK"}, {}]


async def test_a_skill_is_activated_and_its_text_given(tmp_path: Path) -> None:
    async with searching(tmp_path, Offering(tools=TOOLS)) as endpoint:
        result = await use(endpoint, "activate_skill", name="close-month")
        missing = await use(endpoint, "activate_skill", name="close-year")
    assert "Steps." in result["content"][0]["text"]
    assert (result["isError"], missing["isError"]) == (False, True)


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("search_capabilities", {}),
        ("search_capabilities", {"query": " "}),
        ("search_capabilities", {"query": "x", "budget": 0}),
        ("search_capabilities", {"query": "x", "budget": True}),
        ("describe_capability", {}),
        ("describe_capability", {"name": "no"}),
        ("call_capability", {"name": "no"}),
        ("call_capability", {"name": "call_capability"}),
        ("activate_skill", {"name": 7}),
    ],
)
async def test_what_a_model_gets_wrong_is_told_to_it(
    tmp_path: Path, tool: str, arguments: dict[str, Any]
) -> None:
    server = Offering(tools=TOOLS)
    async with searching(tmp_path, server) as endpoint:
        result = await use(endpoint, tool, **arguments)
    assert result["isError"] is True
    assert result["content"][0]["text"]
    assert server.calls == []


async def test_what_the_policy_denies_is_neither_found_nor_called(tmp_path: Path) -> None:
    policy = Policy(rules=(Rule(action="deny", tool="query_*"),))
    server = Offering(tools=TOOLS)
    async with searching(tmp_path, server, policy) as endpoint:
        found = await use(endpoint, "search_capabilities", query="unpaid invoices")
        called = await use(endpoint, "call_capability", name="query_invoices")
    assert "query_invoices" not in str(found)
    assert called["isError"] is True
    assert server.calls == []


async def test_a_tool_that_appears_is_found(tmp_path: Path) -> None:
    from prowess.capability.offer import Offer, Tool

    server = Offering(tools=TOOLS)
    async with searching(tmp_path, server) as endpoint:
        await use(endpoint, "search_capabilities", query="weather")
        wire = {"name": "weather", "description": "The weather.", "inputSchema": {"type": "object"}}
        server.replace(
            Offer(id="one", type="memory", status="connected", tools=(Tool(server="one", wire=wire),))
        )
        found = (await use(endpoint, "search_capabilities", query="weather"))["structuredContent"]
    assert [each["name"] for each in found["capabilities"]] == ["weather"]


async def test_without_search_the_four_tools_are_not_there(tmp_path: Path) -> None:
    async with searching(tmp_path, Offering(tools=TOOLS)) as endpoint:
        plain = Endpoint(endpoint.host)
        with pytest.raises(RequestFailed) as caught:
            await use(plain, "search_capabilities", query="x")
    assert caught.value.number == -32602
