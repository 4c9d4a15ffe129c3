"""The front on a real port: both eras, names and pages, what it bounds, how it ends."""

from __future__ import annotations

import asyncio
import json
import socket
from typing import Any
from urllib.parse import urlsplit

import httpx2
import pytest
from tests.bounds import bound
from tests.serve_http.fronted import HELLO, Small, ask, asking, fronted, legacy, seen

from prowess.errors import UsageError
from prowess.host.serving import ServeSection
from prowess.serve.address import Allowed, parse, resolve
from prowess.serve.http import serve_http

pytestmark = pytest.mark.anyio

OPEN = ServeSection()


def port_of(url: str) -> int:
    port = urlsplit(url).port
    assert port is not None
    return port


async def raw(url: str) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    return await asyncio.open_connection("127.0.0.1", port_of(url))


async def test_both_eras_are_served_on_one_path(client: httpx2.AsyncClient) -> None:
    async with fronted(OPEN) as url:
        assert urlsplit(url).path == "/mcp"
        assert seen(await ask(client, url))["principal"] is None
        opened = await client.post(url, **HELLO)
        assert opened.status_code == 200
        session = opened.headers["mcp-session-id"]
        listing = legacy("tools/list", 2)
        listing["headers"]["mcp-session-id"] = session
        assert "wait" in (await client.post(url, **listing)).text


async def test_a_worker_among_several_keeps_no_session(client: httpx2.AsyncClient) -> None:
    async with fronted(OPEN, sessions=False) as url:
        opened = await client.post(url, **HELLO)
        assert opened.status_code == 200
        assert "mcp-session-id" not in opened.headers
        assert "wait" in (await client.post(url, **legacy("tools/list", 2))).text


WRONG = [
    ({"host": "evil.example.com"}, 421),
    ({"host": "localhost.evil.example.com"}, 421),
    ({"host": "127.0.0.1.evil.example.com:80"}, 421),
    ({"origin": "https://evil.example.com"}, 403),
    ({"origin": "http://localhost.evil.example.com"}, 403),
    ({"origin": "http://localhost@evil.example.com"}, 403),
    ({"origin": "null"}, 403),
    ({"origin": "http://localhost:80x"}, 403),
]


async def test_a_wrong_name_or_page_is_turned_away_on_every_path(client: httpx2.AsyncClient) -> None:
    async with fronted(OPEN) as url:
        base = url.removesuffix("/mcp")
        for path in ("/mcp", "/.well-known/oauth-protected-resource", "/"):
            for headers, status in WRONG:
                assert (await ask(client, base + path, headers)).status_code == status, (path, headers)


async def test_pages_of_this_machine_may_ask(client: httpx2.AsyncClient) -> None:
    async with fronted(OPEN) as url:
        for origin in ("http://localhost:3000", "http://127.0.0.1", "http://[::1]:5173"):
            assert (await ask(client, url, {"origin": origin})).status_code == 200


async def test_a_configured_page_gets_what_a_browser_asks_for_first(client: httpx2.AsyncClient) -> None:
    section = ServeSection(allowed_origins=("https://app.example.com",))
    async with fronted(section) as url:
        asked = {
            "origin": "https://app.example.com",
            "access-control-request-method": "POST",
            "access-control-request-headers": "authorization,mcp-method",
        }
        preflight = await client.options(url, headers=asked)
        assert preflight.status_code == 200
        assert preflight.headers["access-control-allow-origin"] == "https://app.example.com"
        answered = await ask(client, url, {"origin": "https://app.example.com"})
        assert "Mcp-Session-Id" in answered.headers["access-control-expose-headers"]


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.0.2.1"])
async def test_an_address_that_others_reach_needs_a_token(host: str) -> None:
    with pytest.raises(UsageError) as caught:
        await serve_http(Small().server, OPEN, host=host, port=0, started=lambda _: None)
    assert "serve.tokens" in caught.value.hint


async def test_a_name_that_leads_nowhere_is_said() -> None:
    with pytest.raises(UsageError):
        await serve_http(Small().server, OPEN, host="no.such.invalid", port=0, started=lambda _: None)


async def test_a_port_in_use_is_said() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        with pytest.raises(UsageError) as caught:
            await serve_http(
                Small().server, OPEN, host="127.0.0.1", port=taken.getsockname()[1], started=lambda _: None
            )
        assert "port" in caught.value.hint


def test_a_name_of_this_machine_is_judged_by_its_addresses() -> None:
    assert resolve("localhost", 80).loopback
    assert resolve("127.0.0.2", 80).loopback
    assert resolve("::ffff:127.0.0.1", 80).loopback
    assert not resolve("0", 80).loopback


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("127.0.0.1:8000", ("127.0.0.1", 8000)),
        ("[::1]:0", ("::1", 0)),
        ("8000", ("127.0.0.1", 8000)),
        ("::1:8000", None),
        (":8000", None),
        ("localhost:99999", None),
        ("localhost:", None),
        ("", None),
        ("a:٣", None),
    ],
)
def test_an_address_is_read_as_it_is_written(text: str, found: tuple[str, int] | None) -> None:
    if found is not None:
        assert parse(text) == found
        return
    with pytest.raises(UsageError):
        parse(text)


def test_a_name_may_be_allowed_with_one_port_or_with_all() -> None:
    allowed = Allowed(ServeSection(allowed_hosts=("mcp.example.com", "other.example.com:8443")), "10.1.2.3")
    good = (
        "MCP.example.com",
        "mcp.example.com:9",
        "other.example.com:8443",
        "10.1.2.3:1",
        "[::1]",
        "[::1]:2",
    )
    assert all(allowed.host(each) for each in good)
    bad = ("other.example.com", "other.example.com:8444", "10.1.2.4", "", ":80", "xmcp.example.com", "::1")
    assert not any(allowed.host(each) for each in bad)


async def test_a_body_over_the_bound_is_refused(client: httpx2.AsyncClient) -> None:
    async with fronted(ServeSection(body_bytes=2_000)) as url:
        assert (await ask(client, url, extra="x" * 2_000)).status_code == 413
        assert (await ask(client, url)).status_code == 200


async def test_a_head_over_the_bound_is_refused() -> None:
    async with fronted(OPEN) as url:
        reader, writer = await raw(url)
        writer.write(b"POST /mcp HTTP/1.1\r\nhost: localhost\r\nx: " + b"a" * 100_000)
        first = await asyncio.wait_for(reader.readline(), bound(5))
        assert b" 431 " in first
        writer.close()


NO_HTTP = {
    "two kinds of length": b"content-length: 4\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n",
    "two lengths": b"content-length: 4\r\ncontent-length: 5\r\n\r\nabcde",
    "a length with a sign": b"content-length: +4\r\n\r\nabcd",
    "an unknown coding": b"transfer-encoding: xchunked\r\n\r\n0\r\n\r\n",
    "a coding after chunks": b"transfer-encoding: chunked, identity\r\n\r\n0\r\n\r\n",
    "a header on two lines": b"x: a\r\n b\r\n\r\n",
    "a space before the colon": b"x : a\r\n\r\n",
    "a null": b"x: a\0b\r\n\r\n",
    "lines that end otherwise": b"x: a\n\n",
}


@pytest.mark.parametrize("name", NO_HTTP)
async def test_what_a_proxy_might_read_otherwise_is_refused(name: str) -> None:
    async with fronted(OPEN) as url:
        reader, writer = await raw(url)
        writer.write(b"POST /mcp HTTP/1.1\r\nhost: localhost\r\n" + NO_HTTP[name])
        whole = await asyncio.wait_for(reader.read(), bound(5))
        assert whole.startswith(b"HTTP/1.1 400 ") and whole.count(b"HTTP/1.1") == 1
        writer.close()


@pytest.mark.parametrize("endless", [b"0\r\n" + b"x: y\r\n" * 50_000, b"1;" + b"a" * 200_000])
async def test_what_is_no_body_is_bounded_also_after_the_head(endless: bytes) -> None:
    async with fronted(OPEN) as url:
        reader, writer = await raw(url)
        head = b"POST /mcp HTTP/1.1\r\nhost: localhost\r\ntransfer-encoding: chunked\r\n\r\n"
        writer.write(head + endless)
        first = await asyncio.wait_for(reader.readline(), bound(5))
        assert b" 431 " in first
        writer.close()


@pytest.mark.parametrize(
    "sent",
    [
        b"",
        b"POST /mcp HTTP/1.1\r\nhost: local",
        b"POST /mcp HTTP/1.1\r\nhost: localhost\r\ncontent-length: 10\r\n\r\nhalf",
    ],
)
async def test_a_request_that_does_not_arrive_is_over_in_time(sent: bytes) -> None:
    async with fronted(ServeSection(request_seconds=0.2)) as url:
        reader, writer = await raw(url)
        writer.write(sent)
        whole = await asyncio.wait_for(reader.read(), bound(5))
        assert whole.startswith(b"HTTP/1.1 408 ")
        writer.close()


async def test_a_request_that_trickles_is_over_all_the_same() -> None:
    async with fronted(ServeSection(request_seconds=0.3)) as url:
        reader, writer = await raw(url)
        ending = asyncio.ensure_future(reader.read())

        async def trickle() -> None:
            for byte in b"POST /mcp HTTP/1.1\r\nhost: localhost\r\n" + b"x: y\r\n" * 10_000:
                writer.write(bytes([byte]))
                await asyncio.sleep(0.01)

        trickling = asyncio.ensure_future(trickle())
        assert (await asyncio.wait_for(ending, bound(5))).startswith(b"HTTP/1.1 408 ")
        trickling.cancel()
        writer.close()


async def test_a_slow_answer_is_not_a_slow_request(client: httpx2.AsyncClient) -> None:
    small = Small()
    async with fronted(ServeSection(request_seconds=0.2), small) as url:
        asked = asyncio.ensure_future(ask(client, url, name="wait"))
        await asyncio.wait_for(small.waiting.wait(), bound(5))
        await asyncio.sleep(0.4)
        small.go.set()
        assert (await asyncio.wait_for(asked, bound(5))).status_code == 200
        assert (await ask(client, url)).status_code == 200  # on the same connection


async def test_connections_are_bounded() -> None:
    async with fronted(ServeSection(max_connections=2)) as url, httpx2.AsyncClient(trust_env=False) as client:
        held = [await raw(url) for _ in range(3)]
        assert (await ask(client, url)).status_code == 503
        for _, writer in held:
            writer.close()


async def test_a_client_that_goes_away_cancels_what_it_asked_for(client: httpx2.AsyncClient) -> None:
    small = Small()
    async with fronted(OPEN, small) as url:
        asked = asyncio.ensure_future(ask(client, url, name="wait"))
        await asyncio.wait_for(small.waiting.wait(), bound(5))
        asked.cancel()
        await asyncio.wait_for(small.cancelled.wait(), bound(5))


async def test_a_fault_of_ours_shows_nothing_of_itself(client: httpx2.AsyncClient) -> None:
    async with fronted(OPEN) as url:
        answer = await ask(client, url, name="fail")
        assert answer.json()["error"]["code"] == -32603
        assert "inner matters" not in answer.text and "Traceback" not in answer.text


async def test_a_body_that_is_no_request_is_the_clients_mistake(client: httpx2.AsyncClient) -> None:
    async with fronted(OPEN) as url:
        headers = {**asking()["headers"], "content-type": "application/json"}
        for body in (b"", b"{", b"[]", b"\xff\xfe", b"[" * 5_000, b"1" * 5_000):
            assert (await client.post(url, content=body, headers=headers)).status_code == 400, body[:9]


async def test_what_is_under_way_is_answered_before_the_end(client: httpx2.AsyncClient) -> None:
    small = Small()
    async with fronted(OPEN, small) as url:
        asked = asyncio.ensure_future(ask(client, url, name="wait"))
        await asyncio.wait_for(small.waiting.wait(), bound(5))
        asyncio.get_running_loop().call_later(0.2, small.go.set)
    assert (await asked).status_code == 200


async def test_what_does_not_end_is_cut_off_after_its_time(client: httpx2.AsyncClient) -> None:
    small = Small()
    async with fronted(ServeSection(shutdown_seconds=0.1), small) as url:
        asked = asyncio.ensure_future(ask(client, url, name="wait"))
        await asyncio.wait_for(small.waiting.wait(), bound(5))
    assert small.cancelled.is_set()
    with pytest.raises(httpx2.HTTPError):
        (await asked).raise_for_status()


async def test_the_stream_of_a_session_holds_up_no_end(client: httpx2.AsyncClient) -> None:
    loop = asyncio.get_running_loop()
    async with fronted(ServeSection(shutdown_seconds=60)) as url:
        session = (await client.post(url, **HELLO)).headers["mcp-session-id"]
        headers = {"accept": "text/event-stream", "mcp-session-id": session}
        ready = asyncio.Event()

        async def listen() -> Any:
            async with client.stream("GET", url, headers=headers) as stream:
                ready.set()
                return [each async for each in stream.aiter_raw()]

        listening = asyncio.ensure_future(listen())
        await asyncio.wait_for(ready.wait(), bound(5))
        began = loop.time()
    assert loop.time() - began < bound(8)
    await asyncio.wait({listening}, timeout=bound(5))
    assert listening.done()


@pytest.mark.parametrize("kept", [1, 3])
async def test_sessions_are_bounded_and_end_when_idle(client: httpx2.AsyncClient, kept: int) -> None:
    async with fronted(ServeSection(max_sessions=kept, session_idle_seconds=0.3)) as url:
        opened = [await client.post(url, **HELLO) for _ in range(kept + 1)]
        assert [each.status_code for each in opened] == [*[200] * kept, 503]
        session = opened[0].headers["mcp-session-id"]
        listing = legacy("tools/list", 2)
        listing["headers"]["mcp-session-id"] = session
        assert (await client.post(url, **listing)).status_code == 200
        await asyncio.sleep(0.6)
        assert (await client.post(url, **listing)).status_code == 404


async def test_answers_are_json(client: httpx2.AsyncClient) -> None:
    async with fronted(OPEN) as url:
        answer = await ask(client, url, {"host": "evil.example.com"})
        assert json.loads(answer.text)["error"] == "invalid_host"
