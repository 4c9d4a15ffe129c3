"""The reference server and the provider of ours answer alike, in both eras, to the SDK's own client."""

from __future__ import annotations

import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import mcp_types as types
import pytest
from conformance.own import SuiteProvider
from conformance.reference.asking import Asked, Refused, sealed
from conformance.reference.repertoire import Repertoire
from conformance.reference.sdk_server import Reference
from mcp import Client, MCPError
from mcp.client.stdio import StdioServerParameters
from tests.bounds import bound

from prowess.errors import NotFound, RequestFailed
from prowess.provider import Answered, Change, InputRequired, Invocation, ToolFailed

ROOT = Path(__file__).resolve().parents[2]
ERAS = ("2026-07-28", "legacy")


pytestmark = pytest.mark.anyio


async def fill_in(context: Any, params: types.ElicitRequestParams) -> types.ElicitResult:
    return types.ElicitResult(action="accept", content={"name": "Alice", "color": "blue", "ok": True})


@asynccontextmanager
async def connected(mode: str, **callbacks: Any) -> AsyncIterator[Client]:
    async with Client(Reference(), mode=mode, read_timeout_seconds=bound(10), **callbacks) as client:
        yield client


def text(result: Any) -> str:
    return str(result.content[0].text)


@pytest.mark.parametrize("mode", ERAS)
async def test_everything_that_is_listed_is_there(mode: str) -> None:
    async with connected(mode) as client:
        tools = [each.name for each in (await client.list_tools()).tools]
        assert len(tools) == len(set(tools)) > 20
        assert (await client.list_prompts()).prompts[0].name == "test_simple_prompt"
        for each in (await client.list_resources()).resources:
            assert (await client.read_resource(each.uri)).contents[0].uri == each.uri
        found = await client.read_resource("test://template/7/data")
        assert '"7"' in found.contents[0].text  # type: ignore[union-attr]


@pytest.mark.parametrize(("mode", "number"), [("2026-07-28", -32602), ("legacy", -32002)])
async def test_a_resource_that_is_not_there_is_refused_in_the_words_of_the_era(
    mode: str, number: int
) -> None:
    async with connected(mode) as client:
        with pytest.raises(MCPError) as refused:
            await client.read_resource("test://nothing")
    assert refused.value.code == number
    assert refused.value.data == {"uri": "test://nothing"}


@pytest.mark.parametrize("mode", ERAS)
async def test_a_tool_asks_back_in_two_rounds_in_either_era(mode: str) -> None:
    async with connected(mode, elicitation_callback=fill_in) as client:
        result = await client.call_tool("test_input_required_result_multi_round", {})
    assert text(result) == "Alice likes blue"


async def test_a_client_that_cannot_be_asked_is_refused_before_anything_is_done() -> None:
    async with connected("2026-07-28") as client:
        with pytest.raises(MCPError) as refused:
            await client.call_tool("test_missing_capability", {})
    assert refused.value.code == -32021
    assert refused.value.data == {"requiredCapabilities": {"sampling": {}}}


@pytest.mark.parametrize("mode", ERAS)
async def test_arguments_that_do_not_fit_are_a_failure_of_the_tool(mode: str) -> None:
    async with connected(mode) as client:
        result = await client.call_tool("test_region_header", {})
    assert result.is_error
    assert "region" in text(result)


@pytest.mark.parametrize("mode", ERAS)
async def test_a_tool_comes_and_goes(mode: str) -> None:
    async with connected(mode) as client:
        before = {each.name for each in (await client.list_tools()).tools}
        await client.call_tool("test_trigger_tool_change", {})
        after = {each.name for each in (await client.list_tools(cache_mode="bypass")).tools}
    assert after - before == {"test_tool_that_comes_and_goes"}


async def test_it_serves_over_stdio_as_well() -> None:
    program = str(ROOT / "conformance" / "reference_server.py")
    params = StdioServerParameters(command=sys.executable, args=[program, "--stdio"])
    async with Client(params, read_timeout_seconds=bound(20)) as client:
        assert text(await client.call_tool("test_simple_text", {})).startswith("This is")


# -- state that goes through the client ----------------------------------------------------------------


class Silent:
    session = ""
    wants_progress = False

    def __init__(self, *capabilities: str) -> None:
        self.capabilities: dict[str, Any] = {each: {} for each in capabilities}

    async def progress(self, params: Any) -> None: ...

    async def notify(self, method: str, params: Any) -> None: ...

    async def ask(self, method: str, params: Any) -> Any:
        raise AssertionError("asked")


@pytest.mark.parametrize(
    "change", [lambda state: state + "x", lambda state: "x" + state, lambda _: "x", str.upper]
)
async def test_a_state_that_was_changed_is_refused(change: Any) -> None:
    state = sealed("where we were")
    assert Asked(params={"requestState": state}, client=Silent()).state() == "where we were"
    with pytest.raises(Refused):
        Asked(params={"requestState": change(state)}, client=Silent()).state()


# -- the same as a Provider ----------------------------------------------------------------------------


async def test_the_provider_offers_what_the_reference_server_lists() -> None:
    provider, shown = SuiteProvider(), Repertoire()
    assert provider.offer().status == "not-started"
    offer = await provider.open()
    assert [each.wire for each in offer.tools] == shown.tools()
    assert [each.wire for each in offer.prompts] == shown.prompts()
    assert [each.uri for each in offer.resources] == [each["uri"] for each in shown.resources()]


async def test_the_provider_answers_fails_and_asks_back() -> None:
    provider = SuiteProvider()
    await provider.open()

    async def call(tool: str, **further: Any) -> Any:
        return await provider.call(Invocation(tool=tool, further=further, peer=Silent("elicitation")))

    assert isinstance(await call("test_simple_text"), Answered)
    assert isinstance(await call("test_error_handling"), ToolFailed)
    asked = await call("test_input_required_result_elicitation")
    assert isinstance(asked, InputRequired)
    assert list(asked.wire["inputRequests"]) == ["user_name"]
    given = {"user_name": {"action": "accept", "content": {"name": "Bob"}}}
    answered = await call("test_input_required_result_elicitation", inputResponses=given)
    assert answered.value[0]["text"] == "Hello, Bob!"
    refused = await call("test_input_required_result_elicitation", inputResponses={"user_name": 1})
    assert refused.wire["error"]["code"] == -32602
    with pytest.raises(NotFound):
        await call("no_such_tool")


async def test_the_provider_refuses_with_the_codes_of_the_protocol() -> None:
    provider = SuiteProvider()
    await provider.open()
    for method, params, number in (
        ("prompts/get", {"name": "nothing"}, -32602),
        ("resources/read", {"uri": "test://nothing"}, -32602),
        ("tasks/get", {}, -32601),
    ):
        with pytest.raises(RequestFailed) as refused:
            await provider.ask(method, params)
        assert refused.value.number == number


async def test_the_provider_tells_of_changes_until_nobody_listens() -> None:
    provider = SuiteProvider()
    await provider.open()
    heard: list[Change] = []
    end = provider.listen(heard.append, ["test://watched-resource"])
    for tool in ("test_trigger_tool_change", "test_trigger_prompt_change", "test_trigger_resource_update"):
        await provider.call(Invocation(tool=tool))
    assert [each.kind for each in heard] == ["tools", "prompts", "resource"]
    end()
    await provider.call(Invocation(tool="test_trigger_tool_change"))
    assert len(heard) == 3
