"""Links to HTTP servers: origin, headers, faults; every server is a real one on loopback."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import ExitStack, suppress
from typing import Any, Literal

import pytest
from tests.bounds import bound
from tests.link.probing import use
from tests.link.servers.web import Web, serving

from prowess.link import Link, MemoryEras, Starting
from prowess.provider import Answered, Lost, Refused, TimedOut, ToolFailed
from prowess.spec.model import HttpServer

pytestmark = pytest.mark.anyio

SECRET = "tok-4f9a77c1e0b2d3e4"
HEADERS = {"X-Team": "a team | ${PLUGIN_ROOT}", "X-Api-Key": SECRET}
TYPES: list[Literal["streamable-http", "sse"]] = ["streamable-http", "sse"]


@pytest.fixture
def webs() -> Iterator[tuple[Web, Web]]:
    """The configured origin and a foreign one."""
    with ExitStack() as stack:
        yield stack.enter_context(serving(Web())), stack.enter_context(serving(Web()))


class Links:
    """Makes links and remembers them."""

    def __init__(self) -> None:
        self.made: list[Link] = []
        self.started: list[Starting] = []
        self.eras = MemoryEras()

    def to(
        self,
        url: str,
        type: Literal["streamable-http", "sse"] = "streamable-http",
        headers: Mapping[str, str] = HEADERS,
        startup: float = 5.0,
    ) -> Link:
        server = HttpServer(id="web", type=type, url=url, headers=headers)
        link = Link(
            server,
            root="unused",
            data="unused",
            startup=startup,
            eras=self.eras,
            on_start=self.started.append,
        )
        self.made.append(link)
        return link

    def at(self, web: Web, type: Literal["streamable-http", "sse"], **more: Any) -> Link:
        if type == "sse":
            web.era = "legacy"
        return self.to(web.url + ("/sse" if type == "sse" else "/mcp"), type, **more)


@pytest.fixture
async def links() -> AsyncIterator[Links]:
    here = Links()
    yield here
    for link in here.made:
        await link.close()


# -- coming up -------------------------------------------------------------------------------------


@pytest.mark.req("AP-7.2-14")
@pytest.mark.parametrize("events", [False, True])
@pytest.mark.parametrize("era", ["modern", "legacy"])
async def test_streamable_http_of_either_era_comes_up(
    links: Links, webs: tuple[Web, Web], era: str, events: bool
) -> None:
    web, _ = webs
    web.era, web.events = era, events
    link = links.at(web, "streamable-http")
    offer = await link.open()
    assert (offer.status, offer.type, offer.tools[0].wire["x-kept"]) == ("connected", "streamable-http", 1)
    assert offer.protocol == ("2026-07-28" if era == "modern" else "2025-11-25")
    assert await use(link, x=1) == Answered(
        value={"do": "", "x": 1},
        wire={"content": [{"type": "text", "text": "x"}], "structuredContent": {"do": "", "x": 1}},
    )
    assert [str(each) for each in links.started] == [f"web: contacting {web.url}"]
    assert links.eras.get("web") == era


@pytest.mark.req("AP-7.2-14", "AP-7.2-12")
async def test_sse_of_2024_comes_up_and_is_greeted_the_old_way(links: Links, webs: tuple[Web, Web]) -> None:
    link = links.at(webs[0], "sse")
    assert (await link.open()).status == "connected"
    assert isinstance(await use(link), Answered)
    assert "server/discover" not in [method for *_, method in webs[0].seen]


@pytest.mark.req("AP-7.2-12")
async def test_the_declared_type_is_the_only_one_that_is_tried(links: Links, webs: tuple[Web, Web]) -> None:
    web, _ = webs
    web.era = "legacy"
    assert (
        await links.to(web.url + "/sse", "streamable-http").open()
    ).status == "connected"  # POST is served
    assert not [
        each for each in web.seen if each[0] == "GET" and each[2].get("accept") == "text/event-stream"
    ]
    before = len(web.seen)
    assert (await links.to(web.url + "/mcp", "sse").open()).status == "failed"
    assert [each[0] for each in web.seen[before:]] == ["GET"]


async def test_a_modern_call_carries_the_headers_of_its_protocol(links: Links, webs: tuple[Web, Web]) -> None:
    link = links.at(webs[0], "streamable-http")
    await link.open()
    await use(link, region="eu")
    headers = webs[0].seen[-1][2]
    assert headers["mcp-protocol-version"] == "2026-07-28"
    assert (headers["mcp-method"], headers["mcp-name"], headers["mcp-param-region"]) == (
        "tools/call",
        "echo",
        "eu",
    )


# -- headers ---------------------------------------------------------------------------------------


@pytest.mark.req("AP-7.2-9")
@pytest.mark.parametrize("type", TYPES)
async def test_configured_headers_and_url_arrive_literally(
    links: Links, webs: tuple[Web, Web], type: Literal["streamable-http", "sse"]
) -> None:
    web, _ = webs
    web.era = "legacy"
    url = f"{web.url}/{'sse' if type == 'sse' else 'mcp'}?value=$HOME"
    link = links.to(url, type, headers={**HEADERS, "X-Latin": "caf\xe9"})
    await link.open()
    await use(link)
    for method, path, headers, _ in web.seen:
        assert headers["x-team"] == HEADERS["X-Team"] and headers["x-api-key"] == SECRET
        assert headers["x-latin"] == "caf\xe9"
        assert path.endswith("?value=$HOME") or (type == "sse" and method == "POST")


@pytest.mark.req("AP-7.2-10")
@pytest.mark.parametrize("type", TYPES)
async def test_headers_of_the_client_win_over_configured_ones_whatever_their_case(
    links: Links, webs: tuple[Web, Web], type: Literal["streamable-http", "sse"]
) -> None:
    web, _ = webs
    configured = {
        "AcCePt": "text/plain",
        "content-TYPE": "text/plain",
        "HOST": "elsewhere.example",
        "Content-Length": "1",
        "MCP-Protocol-Version": "1999-01-01",
        "Mcp-Session-Id": "stolen",
        "mcp-METHOD": "x",
        "Transfer-Encoding": "chunked",
        "Accept-Encoding": "gzip",
        "User-Agent": "other",
    }
    link = links.at(web, type, headers=configured)
    offer = await link.open()
    assert offer.status == "connected" and offer.notes
    assert isinstance(await use(link), Answered)
    for method, _, headers, rpc in web.seen:
        assert headers["host"] == f"127.0.0.1:{web.port}" and headers["accept"] != "text/plain"
        assert headers.get("mcp-protocol-version") != "1999-01-01" and "mcp-session-id" not in headers
        assert headers.get("mcp-method") in (None, rpc) and "transfer-encoding" not in headers
        assert headers["accept-encoding"] == "identity" and headers["user-agent"].startswith("prowess/")
        if method == "POST":
            assert headers["content-type"] == "application/json" and headers["content-length"] != "1"


# -- other origins ---------------------------------------------------------------------------------


@pytest.mark.req("AP-7.2-11")
@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
@pytest.mark.parametrize("type", TYPES)
async def test_a_redirect_to_another_origin_is_refused_and_nothing_is_sent_there(
    links: Links, webs: tuple[Web, Web], type: Literal["streamable-http", "sse"], status: int
) -> None:
    web, foreign = webs
    web.redirect = (status, f"{foreign.url}/moved/mcp?secret=1")
    offer = await links.at(web, type).open()
    assert offer.status == "failed" and "origin" in offer.reason and foreign.url in offer.reason
    assert "secret" not in offer.reason and foreign.seen == []


@pytest.mark.req("AP-7.2-11")
async def test_a_redirect_that_starts_later_is_refused_too(links: Links, webs: tuple[Web, Web]) -> None:
    web, foreign = webs
    link = links.at(web, "streamable-http")
    await link.open()
    web.redirect = (307, f"{foreign.url}/mcp")
    assert isinstance(await use(link), Refused)
    assert foreign.seen == []


@pytest.mark.req("AP-7.2-11")
@pytest.mark.parametrize(
    "place", ["{foreign}/messages", "//127.0.0.1:{port}/messages", "http://a:b@{own}/messages"]
)
async def test_an_endpoint_event_for_another_origin_is_refused_and_nothing_is_sent_there(
    links: Links, webs: tuple[Web, Web], place: str
) -> None:
    web, foreign = webs
    web.endpoint = place.format(foreign=foreign.url, port=foreign.port, own=f"127.0.0.1:{web.port}")
    offer = await links.at(web, "sse").open()
    assert offer.status == "failed" and "refused" in offer.reason
    assert foreign.seen == [] and [each[0] for each in web.seen] == ["GET"]


@pytest.mark.parametrize("type", TYPES)
async def test_a_307_within_the_origin_is_followed(
    links: Links, webs: tuple[Web, Web], type: Literal["streamable-http", "sse"]
) -> None:
    web, _ = webs
    web.redirect = (307, "/moved/sse" if type == "sse" else "/moved/mcp")
    link = links.at(web, type)
    if type == "sse":
        web.endpoint = "/moved/messages"
    assert (await link.open()).status == "connected"
    assert [headers["x-api-key"] for *_, headers, _ in web.seen] == [SECRET] * len(web.seen)


async def test_a_redirect_that_would_lose_the_message_is_refused(links: Links, webs: tuple[Web, Web]) -> None:
    webs[0].redirect = (302, "/moved/mcp")
    offer = await links.at(webs[0], "streamable-http").open()
    assert offer.status == "failed" and "302" in offer.reason


@pytest.mark.parametrize("type", TYPES)
async def test_redirects_are_bounded(
    links: Links, webs: tuple[Web, Web], type: Literal["streamable-http", "sse"]
) -> None:
    webs[0].redirect = (307, "/again")
    assert (await links.at(webs[0], type).open()).status == "failed"
    assert len(webs[0].seen) <= 12


# -- faults ----------------------------------------------------------------------------------------


@pytest.mark.req("AP-7.2-13")
@pytest.mark.parametrize("type", TYPES)
async def test_a_401_is_auth_required(
    links: Links, webs: tuple[Web, Web], type: Literal["streamable-http", "sse"]
) -> None:
    webs[0].status = 401
    offer = await links.at(webs[0], type).open()
    assert offer.status == "auth-required" and SECRET not in offer.reason
    webs[0].status, webs[0].extra = 403, {"WWW-Authenticate": "Bearer"}
    assert (await links.at(webs[0], type).open()).status == "auth-required"
    webs[0].extra = {}
    assert (await links.at(webs[0], type).open()).status == "failed"


async def test_a_401_in_a_call_is_refused_and_shows_in_the_status(
    links: Links, webs: tuple[Web, Web]
) -> None:
    link = links.at(webs[0], "streamable-http")
    await link.open()
    webs[0].status = 401
    outcome = await use(link)
    assert isinstance(outcome, Refused) and outcome.code == "auth"
    assert link.offer().status == "auth-required"
    webs[0].status = 0
    assert isinstance(await use(link), Answered)


@pytest.mark.parametrize("type", TYPES)
async def test_nobody_listening_is_a_failed_connection_and_opening_again_recovers(
    links: Links, type: Literal["streamable-http", "sse"]
) -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        port = unused.getsockname()[1]
    link = links.to(f"http://127.0.0.1:{port}/{'sse' if type == 'sse' else 'mcp'}", type)
    assert (await link.open()).status == "failed"
    web = Web(port)
    web.era = "legacy"
    with serving(web):
        assert (await link.open()).status == "connected"
        await link.close()


@pytest.mark.parametrize("era", ["modern", "legacy"])
async def test_a_server_that_was_away_for_a_while_is_found_again(links: Links, era: str) -> None:
    web = Web()
    web.era, port = era, web.port
    with serving(web):
        link = links.at(web, "streamable-http")
        assert (await link.open()).status == "connected"
    assert isinstance(await use(link), Refused | Lost)
    assert isinstance(await use(link), Refused)
    assert link.offer().status == "failed"
    again = Web(port)
    again.era = era
    with serving(again):
        assert isinstance(await use(link), Answered)
        assert link.offer().status == "connected"
        await link.close()


async def test_a_session_that_the_server_forgot_is_begun_again(links: Links, webs: tuple[Web, Web]) -> None:
    web, _ = webs
    web.era, web.sessions = "legacy", set()
    link = links.at(web, "streamable-http")
    await link.open()
    assert isinstance(await use(link), Answered)
    web.sessions.clear()
    assert isinstance(await use(link), Answered)
    assert [method for *_, method in web.seen].count("initialize") == 2


async def test_a_session_is_ended_on_close(links: Links, webs: tuple[Web, Web]) -> None:
    web, _ = webs
    web.era, web.sessions = "legacy", set()
    link = links.at(web, "streamable-http")
    await link.open()
    await link.close()
    assert web.seen[-1][0] == "DELETE"


async def test_statuses_in_calls_say_what_may_have_happened(links: Links, webs: tuple[Web, Web]) -> None:
    web, _ = webs
    link = links.at(web, "streamable-http")
    await link.open()
    web.status, web.extra = 429, {"Retry-After": "7"}
    assert await use(link) == ToolFailed(
        message="the server answered HTTP 429", transient=True, retry_after=7.0
    )
    web.status, web.extra = 500, {}
    assert isinstance(await use(link), Lost)
    web.status = 418
    assert isinstance(await use(link), ToolFailed)
    web.status = 0
    assert isinstance(await use(link), Answered)


async def test_an_answer_that_breaks_off_is_lost_and_the_link_lives(
    links: Links, webs: tuple[Web, Web]
) -> None:
    link = links.at(webs[0], "streamable-http")
    await link.open()
    assert isinstance(await use(link, "break"), Lost)
    assert isinstance(await use(link), Answered)


@pytest.mark.parametrize("type", TYPES)
async def test_a_call_over_http_that_takes_too_long_times_out(
    links: Links, webs: tuple[Web, Web], type: Literal["streamable-http", "sse"]
) -> None:
    link = links.at(webs[0], type)
    await link.open()
    webs[0].hold.clear()
    if type == "sse":
        webs[0].status = 202  # accepted, and never answered
    assert await use(link, "hang", timeout=0.2) == TimedOut(seconds=0.2)
    webs[0].status = 0
    assert isinstance(await use(link), Answered)


@pytest.mark.parametrize("events", [False, True])
async def test_an_http_answer_of_several_megabytes_is_an_answer(
    links: Links, webs: tuple[Web, Web], events: bool
) -> None:
    webs[0].events = events
    link = links.at(webs[0], "streamable-http")
    await link.open()
    outcome = await use(link, size=3_000_000)
    assert isinstance(outcome, Answered) and len(outcome.wire["content"][0]["text"]) == 3_000_000


@pytest.mark.parametrize("events", [False, True])
async def test_an_http_answer_over_the_limit_fails_its_own_call(
    links: Links, webs: tuple[Web, Web], events: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("prowess.link.gate.MAX_LINE", 100_000)
    monkeypatch.setattr("prowess.link.http.MAX_LINE", 100_000)
    webs[0].events = events
    link = links.at(webs[0], "streamable-http")
    await link.open()
    assert isinstance(await use(link, size=200_000), ToolFailed)
    assert isinstance(await use(link), Answered)


async def test_a_compressed_answer_is_refused(links: Links, webs: tuple[Web, Web]) -> None:
    webs[0].extra = {"Content-Encoding": "gzip"}
    assert (await links.at(webs[0], "streamable-http").open()).status == "failed"


async def test_an_event_stream_that_ends_is_begun_again(links: Links, webs: tuple[Web, Web]) -> None:
    link = links.at(webs[0], "sse")
    await link.open()
    webs[0].streams[0].put(None)
    deadline = time.monotonic() + 5
    while link.offer().status == "connected" and time.monotonic() < deadline:
        await use(link, timeout=0.05)
    assert isinstance(await use(link), Answered)
    assert len(webs[0].streams) == 2


async def test_a_server_that_accepts_and_says_nothing_times_out(links: Links) -> None:
    with socket.socket() as mute:
        mute.bind(("127.0.0.1", 0))
        mute.listen()
        url = f"http://127.0.0.1:{mute.getsockname()[1]}/mcp"
        began = time.monotonic()
        for type in TYPES:
            assert (await links.to(url, type, startup=0.3).open()).status == "timed-out"
        assert time.monotonic() - began < bound(2.0)


# -- proxies and certificates ----------------------------------------------------------------------


@pytest.mark.req("AP-7.2-11")
async def test_loopback_never_goes_through_a_proxy_and_netrc_is_not_read(
    links: Links, webs: tuple[Web, Web], monkeypatch: pytest.MonkeyPatch, tmp_path: Any
) -> None:
    web, proxy = webs
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.setenv(name, proxy.url)
    (tmp_path / "netrc").write_text("machine 127.0.0.1 login user password pass\n")
    monkeypatch.setenv("NETRC", str(tmp_path / "netrc"))
    assert (await links.at(web, "streamable-http").open()).status == "connected"
    assert proxy.seen == [] and "authorization" not in web.seen[-1][2]


@pytest.mark.req("AP-7.2-11")
async def test_a_proxy_sees_the_name_of_an_https_host_and_no_header(
    links: Links, monkeypatch: pytest.MonkeyPatch
) -> None:
    with socket.socket() as proxy:
        proxy.bind(("127.0.0.1", 0))
        proxy.listen()
        monkeypatch.setenv("HTTPS_PROXY", f"http://127.0.0.1:{proxy.getsockname()[1]}")
        monkeypatch.delenv("NO_PROXY", raising=False)
        monkeypatch.delenv("no_proxy", raising=False)
        heard: list[bytes] = []

        def listen() -> None:
            with suppress(OSError):  # the socket is shut down in the end
                while True:
                    connection, _ = proxy.accept()
                    heard.append(connection.recv(65536))
                    connection.sendall(b"HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n")
                    connection.close()

        listener = threading.Thread(target=listen)
        listener.start()
        assert (await links.to("https://tools.invalid/mcp", startup=3.0).open()).status == "failed"
        proxy.shutdown(socket.SHUT_RDWR)
        listener.join(5)
    assert heard and heard[0].startswith(b"CONNECT tools.invalid:443")
    assert not [each for each in heard if SECRET.encode() in each or b"x-team" in each.lower()]


async def test_a_certificate_that_nobody_vouches_for_is_refused(
    links: Links, certificate: tuple[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    import ssl

    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(*certificate)
    with serving(Web(), context) as web:
        offer = await links.to(web.url + "/mcp").open()
        assert offer.status == "failed" and "certificate" in offer.reason.lower()
        assert web.seen == []
        monkeypatch.setenv("SSL_CERT_FILE", certificate[0])
        assert (await links.to(web.url + "/mcp").open()).status == "connected"
        await links.made[-1].close()


@pytest.fixture
def certificate(tmp_path: Any) -> tuple[str, str]:
    """A self-signed certificate for 127.0.0.1, made now, and its key."""
    import datetime
    import ipaddress

    from cryptography import x509
    from cryptography.hazmat.primitives import hashes, serialization
    from cryptography.hazmat.primitives.asymmetric import ec

    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "127.0.0.1")])
    now = datetime.datetime.now(datetime.UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(days=1))
        .not_valid_after(now + datetime.timedelta(days=1))
        .add_extension(
            x509.SubjectAlternativeName([x509.IPAddress(ipaddress.ip_address("127.0.0.1"))]), False
        )
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), True)
        .sign(key, hashes.SHA256())
    )
    (tmp_path / "cert.pem").write_bytes(made.public_bytes(serialization.Encoding.PEM))
    (tmp_path / "key.pem").write_bytes(
        key.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
        )
    )
    return str(tmp_path / "cert.pem"), str(tmp_path / "key.pem")
