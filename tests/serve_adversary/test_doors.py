"""By which name an endpoint is asked, however that is written; how long a token opens a stream."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta
from pathlib import Path
from urllib.parse import urlsplit

import httpx2
import pytest
from tests.bounds import bound
from tests.serve.offering import Offering, endpoint_of
from tests.serve_http.fronted import BEARER, HELLO, TOKEN, asking, fronted

from prowess.credentials.sections import Secret
from prowess.host.serving import BearerSection, ServeSection
from prowess.serve.address import Allowed
from prowess.serve.protocol import server_of

pytestmark = pytest.mark.anyio


@pytest.mark.parametrize(
    "name",
    ["localhost:evil.example", "localhost:", "localhost:80:80", "127.0.0.1:8x", "[::1]x:80", ":80", ""],
)
def test_a_host_with_a_port_that_is_none_is_no_name_of_ours(name: str) -> None:
    assert not Allowed(ServeSection(), "127.0.0.1").host(name)


@pytest.mark.parametrize("name", ["localhost", "LOCALHOST:1", "127.0.0.1:65535", "[::1]", "[::1]:80"])
def test_names_of_this_machine_go_with_every_port(name: str) -> None:
    assert Allowed(ServeSection(), "127.0.0.1").host(name)


async def status(url: str, target: str, host: str) -> int:
    at = urlsplit(url)
    reader, writer = await asyncio.open_connection(at.hostname, at.port)
    lines = [f"GET {target} HTTP/1.1", f"Host: {host}", "Connection: close", "", ""]
    writer.write("\r\n".join(lines).encode())
    line = await asyncio.wait_for(reader.readline(), bound(5))
    writer.close()
    await writer.wait_closed()
    return int(line.split()[1])


@pytest.mark.parametrize(
    ("target", "host", "answer"),
    [
        ("/mcp", "localhost", 406),  # it is ours to answer: a GET that takes no stream
        ("/mcp", "evil.example", 421),
        ("http://evil.example/mcp", "localhost", 421),
        ("http://localhost@evil.example/mcp", "localhost", 421),
        ("http://evil.example?/mcp", "localhost", 400),
        ("http://localhost/mcp", "evil.example", 406),
    ],
)
async def test_what_a_target_names_counts(target: str, host: str, answer: int) -> None:
    async with fronted(ServeSection()) as url:
        assert await status(url, target, host) == answer


@pytest.mark.parametrize("era", ["modern", "legacy"])
async def test_a_stream_without_an_end_ends_with_its_token(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, era: str
) -> None:
    monkeypatch.setenv("ANN_TOKEN", TOKEN)
    ends = datetime.now(UTC) + timedelta(seconds=bound(1))
    ann = BearerSection(token=Secret(env="ANN_TOKEN"), expires=ends)
    async with (
        endpoint_of(tmp_path, Offering()) as endpoint,
        fronted(ServeSection(tokens={"ann": ann}), server=server_of(endpoint)) as url,
        httpx2.AsyncClient(trust_env=False, timeout=bound(10), headers=BEARER) as client,
    ):
        if era == "modern":
            listening = asking("subscriptions/listen", notifications={"toolsListChanged": True})
            method = "POST"
        else:
            session = (await client.post(url, **HELLO)).headers["mcp-session-id"]
            listening = {"headers": {"accept": "text/event-stream", "mcp-session-id": session}}
            method = "GET"
        async with client.stream(method, url, **listening) as stream:
            assert stream.status_code == 200
            async for _ in stream.aiter_raw():
                pass
        assert datetime.now(UTC) >= ends
        assert (await client.post(url, **asking("tools/list"))).status_code == 401
