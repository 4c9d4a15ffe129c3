"""Signing in to a server that means harm, or is only careless."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterator
from urllib.parse import parse_qs, parse_qsl, urlsplit

import httpx2
import pytest
from mcp.client.auth.exceptions import OAuthFlowError
from tests.credentials.servers.careless import CLIENT_SECRET, Careless, careless

from prowess.credentials.sections import TokenSection
from prowess.errors import CredentialFailed
from prowess.link.redirect import Redirect
from prowess.link.sign_in import _Flow, sign_in

pytestmark = pytest.mark.anyio


@pytest.fixture
def server() -> Iterator[Careless]:
    with careless() as server:
        yield server


class Lines(logging.Handler):
    """What an application that logs everything writes down."""

    def __init__(self) -> None:
        super().__init__(logging.DEBUG)
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append(self.format(record))


@pytest.fixture
def root() -> Iterator[list[str]]:
    handler, logger = Lines(), logging.getLogger()
    before = logger.level
    logger.addHandler(handler)
    logger.setLevel(logging.DEBUG)
    yield handler.lines
    logger.setLevel(before)
    logger.removeHandler(handler)


async def refused(server: Careless) -> tuple[CredentialFailed, list[str]]:
    """How a sign-in fails in which the person comes back at once; and the pages that were shown."""
    shown: list[str] = []
    coming: list[asyncio.Task[bytes]] = []

    def show(url: str) -> None:
        shown.append(url)
        asked = parse_qs(urlsplit(url).query)
        back = urlsplit(asked["redirect_uri"][0])
        coming.append(
            asyncio.ensure_future(said(back.port or 0, f"{back.path}?code=k0de-1&state={asked['state'][0]}"))
        )

    section = TokenSection(grant="sign-in", resource=f"{server.url}/mcp")
    with pytest.raises(CredentialFailed) as caught:
        await sign_in(section, "", show, seconds=5)
    await asyncio.gather(*coming)
    return caught.value, shown


async def said(port: int, target: str = "", raw: bytes = b"") -> bytes:
    """What the listener answers to a request, or to raw bytes."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    try:
        writer.write(raw or f"GET {target} HTTP/1.1\r\nHost: x\r\n\r\n".encode())
        await writer.drain()
        return await asyncio.wait_for(reader.read(), 5)
    except ConnectionError:
        return b""
    finally:
        writer.close()


async def test_what_a_token_endpoint_repeats_is_in_no_message_and_no_log(
    server: Careless, root: list[str]
) -> None:
    error, _ = await refused(server)
    sent = dict(parse_qsl(server.sent[0]))
    told = f"{error.message}{error.hint}{root}"
    assert error.code == "credential-rejected" and "invalid_grant" in told and root
    assert sent["client_secret"] == CLIENT_SECRET
    assert not [name for name in ("code", "client_secret", "code_verifier") if sent[name] in told]


@pytest.mark.parametrize("page", ["http://elsewhere.example/authorize", "https://me:pw@elsewhere.example/a"])
async def test_a_page_that_nobody_should_open_is_not_shown(server: Careless, page: str) -> None:
    server.page = page
    error, shown = await refused(server)
    assert (error.code, shown) == ("credential-rejected", [])


async def test_a_code_goes_over_no_plain_http(server: Careless) -> None:
    server.token_url = "http://elsewhere.example/token"
    error, shown = await refused(server)
    assert error.code == "credential-rejected" and len(shown) == 1


async def test_an_endless_answer_is_not_read_to_its_end(server: Careless) -> None:
    server.filler = "x" * 300_000
    error, shown = await refused(server)
    assert (error.code, shown) == ("credential-rejected", [])


@pytest.mark.parametrize("url", ["http://127.0.0.1:1/", "http://localhost:1/", "http://other.example/"])
async def test_a_server_elsewhere_cannot_have_this_machine_asked(url: str) -> None:
    with pytest.raises(OAuthFlowError):
        await _Flow("https://mcp.example/mcp").handle_async_request(httpx2.Request("GET", url))


@pytest.mark.parametrize(
    "raw",
    [
        b"POST /callback?code=a&state=s HTTP/1.1\r\n\r\n",
        b"GET /other?code=a&state=s HTTP/1.1\r\n\r\n",
        b"GET /callback?code=a HTTP/1.1\r\n\r\n",
        b"\xff\xfe\x00\r\n\r\n",
        b"GET http://[/callback?code=a&state=s HTTP/1.1\r\n\r\n",
        b"GET /callback?" + b"x" * 40_000,
        b"GET / HTTP/1.1\r\n",
    ],
)
async def test_nothing_but_the_expected_request_ends_the_wait(raw: bytes) -> None:
    async with Redirect(0, 5) as redirect:
        redirect.expect("https://a.example/?state=s")
        port = urlsplit(redirect.url).port or 0
        assert b"200 OK" not in await asyncio.wait_for(talk(port, raw), 5)
        answer = await said(port, "/callback?code=real&state=s")
        assert b"200 OK" in answer and b"real" not in answer
        assert (await redirect.wait()).code == "real"
        assert b"404" in await said(port, "/callback?code=late&state=s")


async def talk(port: int, raw: bytes) -> bytes:
    """Raw bytes, and no more to come."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    try:
        writer.write(raw)
        writer.write_eof()
        return await reader.read()
    except ConnectionError:
        return b""
    finally:
        writer.close()
