"""The real endpoint behind the front: what a caller gets to see, and the SDK's own client coming in."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx2
import pytest
from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from tests.bounds import bound
from tests.serve.offering import Offering
from tests.serve_http.fronted import BEARER, META, TOKEN, ask, asking, fronted

from prowess import Host
from prowess.capability.offer import Offer
from prowess.host.setup import setup_of
from prowess.provider import Answered, Change
from prowess.serve.endpoint import Endpoint
from prowess.serve.protocol import server_of
from prowess.serve.stdio import listening

pytestmark = pytest.mark.anyio

BOB = "a-token-of-bob-9876543210"
AS_BOB = {"authorization": f"Bearer {BOB}"}
CONFIG = """\
format = 1
[plugins]
books = "books"
[serve.tokens.ann]
token = { env = "ANN_TOKEN" }
[serve.tokens.bob]
token = { env = "BOB_TOKEN" }
servers = ["one"]
"""


def offering(label: str) -> Offering:
    made = Offering(
        label,
        tools=[{"name": f"tool_{label}"}],
        prompts=[{"name": f"prompt_{label}"}],
        resources=[{"uri": f"memo://{label}/a", "name": "a"}],
        templates=[{"uriTemplate": f"memo://{label}/{{name}}", "name": "b"}],
        capabilities={"resources": {"subscribe": True}},
        caching={"tools/list": (60_000, "public")},
    )
    made.on_ask = lambda method, params, peer: {"contents": [{"uri": params.get("uri"), "text": label}]}
    return made


@pytest.fixture(autouse=True)
def _tokens(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANN_TOKEN", TOKEN)
    monkeypatch.setenv("BOB_TOKEN", BOB)


@asynccontextmanager
async def served(tmp_path: Path, *offerings: Offering) -> AsyncIterator[str]:
    (tmp_path / "books").mkdir()
    (tmp_path / "books" / "plugin.json").write_text(
        json.dumps({"$schema": "https://agent-plugins.org/schemas/1.0.0/plugin.schema.json", "name": "books"})
    )
    file = tmp_path / "prowess.toml"
    file.write_text(CONFIG)
    async with Host.open(str(file), providers=offerings) as host:
        server = server_of(Endpoint(host, naming="raw"))
        async with listening(server), fronted(setup_of(str(file)).serve, server=server) as url:
            yield url


async def result(client: httpx2.AsyncClient, url: str, who: dict[str, str], **asked: Any) -> Any:
    return (await ask(client, url, who, **asked)).json()


async def test_nothing_of_a_server_out_of_reach_is_listed_read_or_guessed(
    tmp_path: Path, client: httpx2.AsyncClient
) -> None:
    one, two = offering("one"), offering("two")
    async with served(tmp_path, one, two) as url:
        for method, key in (
            ("tools/list", "tools"),
            ("prompts/list", "prompts"),
            ("resources/list", "resources"),
            ("resources/templates/list", "resourceTemplates"),
        ):
            whole = await result(client, url, BEARER, method=method)
            part = await result(client, url, AS_BOB, method=method)
            assert len(whole["result"][key]) == 2
            assert [json.dumps(each) for each in part["result"][key] if "two" in json.dumps(each)] == []
            assert part["result"]["cacheScope"] == "private"
        for method, field, value in (
            ("resources/read", "uri", "memo://two/a"),
            ("resources/read", "uri", "memo://two/other"),
            ("prompts/get", "name", "prompt_two"),
        ):
            good = await result(client, url, BEARER, method=method, **{field: value})
            assert "result" in good
            two.asked.clear()
            bad = await result(client, url, AS_BOB, method=method, **{field: value})
            assert bad["error"]["code"] == -32602
            assert two.asked == []
        near = await result(
            client, url, {**AS_BOB, "mcp-name": "prompt_twa"}, method="prompts/get", name="prompt_twa"
        )
        assert "prompt_two" not in json.dumps(near["error"].get("data"))
        two.calls.clear()
        call = await result(client, url, AS_BOB, name="tool_two")
        assert "error" in call or call["result"]["isError"]
        assert two.calls == []


async def test_what_is_out_of_reach_is_neither_declared_nor_described(
    tmp_path: Path, client: httpx2.AsyncClient
) -> None:
    one = Offering("one", tools=[{"name": "a"}], instructions="Of one.")
    two = Offering("two", prompts=[{"name": "p"}], capabilities={"completions": {}}, instructions="Of two.")
    async with served(tmp_path, one, two) as url:
        whole = (await result(client, url, BEARER, method="server/discover"))["result"]
        part = (await result(client, url, AS_BOB, method="server/discover"))["result"]
    assert {"prompts", "completions"} <= set(whole["capabilities"])
    assert set(part["capabilities"]) == {"tools"}
    assert part["instructions"] == "Of one."
    assert "two" not in json.dumps(part)


async def test_a_resource_out_of_reach_is_not_followed(tmp_path: Path, client: httpx2.AsyncClient) -> None:
    one, two = offering("one"), offering("two")
    wanted = {"resourceSubscriptions": ["memo://one/a", "memo://two/a"]}
    async with served(tmp_path, one, two) as url:
        asked = asking("subscriptions/listen", notifications=wanted)
        asked["headers"] |= AS_BOB
        async with client.stream("POST", url, **asked) as answer:
            async with asyncio.timeout(bound(10)):
                lines = answer.aiter_lines()
                first = await anext(each async for each in lines if each.startswith("data:"))
            assert two.followed == []
            assert one.followed == ["memo://one/a"]
    honoured = json.loads(first.removeprefix("data:"))["params"]["notifications"]
    assert honoured["resourceSubscriptions"] == ["memo://one/a"]


async def test_a_provider_is_told_who_calls_and_never_by_what_token(
    tmp_path: Path, client: httpx2.AsyncClient
) -> None:
    one = offering("one")
    async with served(tmp_path, one) as url:
        await ask(client, url, AS_BOB, name="tool_one")
    (call,) = one.calls
    assert call.caller.principal == "bob"
    assert BOB not in repr(call)


@pytest.mark.parametrize("mode", ["2026-07-28", "legacy"])
async def test_the_sdk_s_client_comes_in_with_a_token(tmp_path: Path, mode: Any) -> None:
    one = offering("one")
    one.on_call = lambda invocation: Answered(value="done")
    async with served(tmp_path, one) as url, httpx2.AsyncClient(headers=AS_BOB, trust_env=False) as http:
        async with (
            asyncio.timeout(bound(20)),
            Client(streamable_http_client(url, http_client=http), mode=mode) as client,
        ):
            assert [each.name for each in (await client.list_tools()).tools] == ["tool_one"]
            assert not (await client.call_tool("tool_one", {})).is_error
        assert {call.caller.principal for call in one.calls} == {"bob"}


async def test_a_stream_of_changes_ends_with_a_result_when_the_front_stops(
    tmp_path: Path, client: httpx2.AsyncClient
) -> None:
    one = offering("one")
    frames: list[dict[str, Any]] = []
    begun = asyncio.Event()

    async def listen(url: str) -> None:
        given = asking("subscriptions/listen", notifications={"toolsListChanged": True}, _meta=META)
        async with client.stream(
            "POST", url, **{**given, "headers": {**given["headers"], **BEARER}}
        ) as stream:
            async for line in stream.aiter_lines():
                if line.startswith("data: "):
                    frames.append(json.loads(line.removeprefix("data: ")))
                    begun.set()

    async with served(tmp_path, one) as url:
        listening_too = asyncio.ensure_future(listen(url))
        await asyncio.wait_for(begun.wait(), bound(10))
        one.replace(Offer(id="one", type="memory", status="connected"), Change(server="one", kind="tools"))
    await asyncio.wait_for(listening_too, bound(10))
    assert [each.get("method") for each in frames] == [
        "notifications/subscriptions/acknowledged",
        "notifications/tools/list_changed",
        None,
    ]
    assert "result" in frames[-1]


async def test_white_space_around_the_value_of_a_header_is_no_part_of_it(tmp_path: Path) -> None:
    params = {"name": "tool_one", "arguments": {}, "_meta": META}
    body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params})
    lines = (
        "POST /mcp HTTP/1.1",
        "Host: 127.0.0.1",
        f"Authorization: Bearer {TOKEN} \t",
        "Content-Type: application/json",
        "Accept: application/json, text/event-stream",
        "MCP-Protocol-Version:2026-07-28 ",
        "Mcp-Method: \t tools/call",
        "Mcp-Name: tool_one \t ",
        f"Content-Length: {len(body)}",
        "Connection: close",
    )
    async with asyncio.timeout(bound(20)), served(tmp_path, offering("one")) as url:
        reader, writer = await asyncio.open_connection("127.0.0.1", httpx2.URL(url).port)
        writer.write(("\r\n".join(lines) + "\r\n\r\n" + body).encode())
        answer = await reader.read()
        writer.close()
        await writer.wait_closed()
    assert answer.startswith(b"HTTP/1.1 200 "), answer
