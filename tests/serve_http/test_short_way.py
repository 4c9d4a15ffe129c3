"""The short way of a newer request over HTTP: it answers what the SDK's way answers, and hears who leaves."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx2
import pytest
from tests.bounds import bound
from tests.serve.offering import Offering, endpoint_of
from tests.serve_http.fronted import META, asking, fronted

from prowess.host.serving import ServeSection
from prowess.provider import Answered, Invocation
from prowess.serve import posting
from prowess.serve.protocol import server_of
from prowess.serve.stdio import listening

pytestmark = pytest.mark.anyio
OPEN = ServeSection(body_bytes=20_000)
MIRRORED = {"type": "object", "properties": {"week": {"type": "string", "x-mcp-header": "Week"}}}
WIRE = {
    "content": [{"type": "text", "text": "字", "novel": None}],
    "resultType": "complete",
    "x": {"a": None},
}


def offering() -> Offering:
    made = Offering(
        tools=[{"name": "who"}, {"name": "week", "inputSchema": MIRRORED}],
        prompts=[{"name": "ask"}],
        resources=[{"uri": "memo://a", "name": "a"}],
    )
    made.on_call = lambda _: Answered(value="x", wire=WIRE)
    return made


@asynccontextmanager
async def served(tmp_path: Path, offered: Offering) -> AsyncIterator[str]:
    async with endpoint_of(tmp_path, offered) as endpoint:
        server = server_of(endpoint)
        async with listening(server), fronted(OPEN, server=server) as url:
            yield url


def changed(
    asked: dict[str, Any], headers: dict[str, str | None] | None = None, **body: Any
) -> dict[str, Any]:
    """The same request with other headers (None: without it) and members."""
    named = {**asked["headers"], **(headers or {})}
    return {
        "headers": {name: each for name, each in named.items() if each is not None},
        "json": {**asked["json"], **body},
    }


def raw(text: str) -> dict[str, Any]:
    return {"headers": {**asking()["headers"], "content-type": "application/json"}, "content": text.encode()}


CALL = asking()
WEEK = changed(asking(name="week"), params={"name": "week", "arguments": {"week": "31"}, "_meta": META})
REQUESTS: dict[str, tuple[dict[str, Any], int, bool]] = {
    "a call": (CALL, 200, True),
    "an id that is text": (changed(CALL, id="a"), 200, True),
    "an unknown tool": (asking(name="none"), 400, True),
    "an unknown method": (asking("no/such"), 404, True),
    "tools": (asking("tools/list"), 200, True),
    "prompts": (asking("prompts/list"), 200, True),
    "discovery": (asking("server/discover"), 200, True),
    "a resource": (asking("resources/read", uri="memo://a"), 200, True),
    "arguments that are none": (
        changed(CALL, params={"name": "who", "arguments": 1, "_meta": META}),
        400,
        False,
    ),
    "a cursor that is none": (asking("tools/list", cursor=1), 400, True),
    "an argument with its header": (changed(WEEK, {"mcp-param-week": "31"}), 200, True),
    "an argument without its header": (WEEK, 400, False),
    "an argument with another header": (changed(WEEK, {"mcp-param-week": "32"}), 400, False),
    "another method in the header": (changed(CALL, {"mcp-method": "tools/list"}), 400, False),
    "another name in the header": (changed(CALL, {"mcp-name": "week"}), 400, False),
    "no version in the body": (changed(CALL, params={"name": "who", "_meta": {}}), 400, False),
    "no id": ({**changed(CALL), "json": {k: v for k, v in CALL["json"].items() if k != "id"}}, 202, False),
    "an id that is none": (changed(CALL, id=True), 400, False),
    "an id of null": (changed(CALL, id=None), 400, False),
    "a version of JSON-RPC that is none": (changed(CALL, jsonrpc="1.0"), 400, False),
    "no JSON": (raw("{"), 400, False),
    "a batch": (raw(f"[{json.dumps(CALL['json'])}]"), 400, False),
    "text": (raw('"tools/call"'), 400, False),
    "JSON alone": (changed(CALL, {"accept": "application/json"}), 406, False),
    "anything accepted": (changed(CALL, {"accept": "*/*"}), 200, False),
    "another kind of content": (changed(CALL, {"content-type": "text/plain"}), 400, False),
    "an unknown version": (changed(CALL, {"mcp-protocol-version": "2027-01-01"}), 400, False),
    "too much": (asking("tools/list", more="x" * 30_000), 413, False),
}


@pytest.mark.parametrize("name", REQUESTS)
async def test_the_short_way_answers_what_the_sdk_s_way_answers(
    tmp_path: Path, client: httpx2.AsyncClient, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    asked, status, short = REQUESTS[name]
    given: list[bool] = []
    post = posting.Posts._post

    def watched(self: posting.Posts, *arguments: Any) -> Any:
        given.append((found := post(self, *arguments)) is not None)
        return found

    async with served(tmp_path, offering()) as url:
        monkeypatch.setattr(posting.Posts, "_post", watched)
        mine = await client.post(url, **asked)
        monkeypatch.setattr(posting.Posts, "_post", lambda *_: None)
        theirs = await client.post(url, **asked)
    assert any(given) is short
    assert mine.status_code == theirs.status_code == status
    assert mine.headers.get("content-type") == theirs.headers.get("content-type")
    assert mine.content == theirs.content or mine.json() == theirs.json()


async def test_a_header_that_comes_twice_goes_the_long_way(
    tmp_path: Path, client: httpx2.AsyncClient
) -> None:
    async with served(tmp_path, offering()) as url:
        headers = [*CALL["headers"].items(), ("mcp-name", "who")]
        assert (await client.post(url, headers=headers, json=CALL["json"])).status_code == 400


async def test_what_a_server_says_meanwhile_comes_before_the_result(
    tmp_path: Path, client: httpx2.AsyncClient
) -> None:
    async def answer(invocation: Invocation) -> Any:
        assert invocation.peer is not None
        await invocation.peer.progress({"progress": 1, "novel": None})
        return Answered(value="x", wire=WIRE)

    offered = offering()
    offered.on_call = answer
    asked = changed(CALL, params={**CALL["json"]["params"], "_meta": {**META, "progressToken": "t"}})
    async with served(tmp_path, offered) as url:
        streamed = await client.post(url, **asked)
    assert streamed.headers["content-type"] == "text/event-stream"
    data = [line.removeprefix("data: ") for line in streamed.text.splitlines() if line.startswith("data: ")]
    told, result = map(json.loads, data)
    assert told["params"] == {"progress": 1, "novel": None, "progressToken": "t"}
    assert result["result"]["x"] == {"a": None}


async def test_a_slow_answer_becomes_a_stream_that_is_never_silent(
    tmp_path: Path, client: httpx2.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(posting, "LOOK_SECONDS", 0.0)
    monkeypatch.setattr(posting, "PING_SECONDS", 0.01)
    go = asyncio.Event()

    async def answer(_: Invocation) -> Any:
        await go.wait()
        return Answered(value="x", wire=WIRE)

    offered = offering()
    offered.on_call = answer
    async with (
        served(tmp_path, offered) as url,
        asyncio.timeout(bound(10)),
        client.stream("POST", url, **CALL) as streamed,
    ):
        lines = streamed.aiter_lines()
        assert (await anext(lines)).startswith(":")
        go.set()
        data = [line.removeprefix("data: ") async for line in lines if line.startswith("data: ")]
    assert json.loads(data[0])["result"]["x"] == {"a": None}


async def test_a_client_that_goes_away_takes_its_request_back(
    tmp_path: Path, client: httpx2.AsyncClient
) -> None:
    begun, cancelled = asyncio.Event(), asyncio.Event()

    async def answer(_: Invocation) -> Any:
        begun.set()
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            cancelled.set()
            raise

    offered = offering()
    offered.on_call = answer
    async with served(tmp_path, offered) as url:
        asked = asyncio.ensure_future(client.post(url, **CALL))
        await asyncio.wait_for(begun.wait(), bound(5))
        asked.cancel()
        await asyncio.wait_for(cancelled.wait(), bound(5))


async def test_a_client_that_goes_away_before_its_request_is_there_is_no_fault(
    tmp_path: Path, client: httpx2.AsyncClient, caplog: pytest.LogCaptureFixture
) -> None:
    head = "".join(f"{name}: {value}\r\n" for name, value in CALL["headers"].items())
    async with served(tmp_path, offering()) as url:
        for more in ("content-type: application/json\r\n", ""):  # the short way, and the long one
            _, writer = await asyncio.open_connection("127.0.0.1", httpx2.URL(url).port)
            host = f"POST /mcp HTTP/1.1\r\nhost: localhost\r\ncontent-length: 10\r\n{head}{more}\r\nhalf"
            writer.write(host.encode())
            writer.close()
            await writer.wait_closed()
            assert (await client.post(url, **CALL)).status_code == 200
    assert [record for record in caplog.records if record.levelname == "ERROR"] == []


async def test_what_cannot_be_written_as_unicode_is_still_an_answer(
    tmp_path: Path, client: httpx2.AsyncClient
) -> None:
    offered = offering()
    offered.on_call = lambda _: Answered(value="half \ud83d")
    async with served(tmp_path, offered) as url:
        answered = await client.post(url, **CALL)
    assert json.loads(answered.content)["result"]["content"][0]["text"] == "half \ud83d"
