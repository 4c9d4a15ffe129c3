"""Credentials on their way into real servers, over stdio and HTTP, and nowhere else."""

from __future__ import annotations

import asyncio
import base64
import hashlib
import json
import os
import sys
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from tests.credentials.servers.guarded import Guarded
from tests.credentials.token_endpoint import CLIENT, CLIENT_SECRET, FIRST_REFRESH, Endpoint, Now
from tests.link.probing import use
from tests.link.servers.web import serving

from prowess.capability.snapshot import Snapshot
from prowess.credentials import Credentials, FixedInjector, Injection, Injector, MemoryBindings, MemoryVault
from prowess.credentials.sections import CredentialSection, Given, Secret, ServerSection, TokenSection
from prowess.link import Link, MemoryEras
from prowess.provider import Answered, Refused, Starting, ToolFailed
from prowess.source.judging import judge
from prowess.spec.model import HttpServer, StdioServer

pytestmark = pytest.mark.anyio

TOKEN = "plain/looking value+17"  # matches no pattern: only exact masking can find it
LEAKY = str(Path(__file__).parent / "servers" / "leaky.py")
FORMS = (TOKEN, base64.b64encode(TOKEN.encode()).decode(), quote(TOKEN, safe=""))


@pytest.fixture
def web() -> Iterator[Guarded]:
    with serving(Guarded()) as web:
        assert isinstance(web, Guarded)
        yield web


@pytest.fixture
async def links(tmp_path: Path) -> AsyncIterator[Callable[..., Link]]:
    made: list[Link] = []

    def make(server: StdioServer | HttpServer, injector: Injector, **more: Any) -> Link:
        eras = MemoryEras()
        data = str(tmp_path / "data")
        base = {"PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"}
        link = Link(
            server,
            root=str(tmp_path),
            data=data,
            startup=10,
            base_env=base,
            eras=eras,
            injector=injector,
            **more,
        )
        made.append(link)
        return link

    yield make
    await asyncio.gather(*(each.close() for each in made))


def credentials(*tokens: TokenSection, **more: Any) -> Credentials:
    section = CredentialSection(tokens=tokens, **more)
    return Credentials({"erp": section}, vault=MemoryVault(), bindings=MemoryBindings())


def http(web: Guarded) -> HttpServer:
    return HttpServer(id="api", type="streamable-http", url=f"{web.url}/mcp")


def stdio(**env: str) -> StdioServer:
    return StdioServer(id="api", command=Path(sys.executable).name, args=("-S", LEAKY), env=env)


def injector(
    held: Credentials, server: StdioServer | HttpServer, section: ServerSection | None = None
) -> Injector:
    return held.injector(
        "shop/api", section or ServerSection(credential="erp"), server, plugin="/plugins/shop"
    )


@pytest.fixture
def static(monkeypatch: pytest.MonkeyPatch) -> Credentials:
    monkeypatch.setenv("ERP_TOKEN", TOKEN)
    return credentials(TokenSection(env="ERP_TOKEN"))


def nowhere(*things: object) -> None:
    """No form of the token is in any of these."""
    for each in things:
        text = each if isinstance(each, str) else f"{each!r}{json.dumps(each, default=repr)}"
        for form in FORMS:
            assert form not in text, f"{form} is in {text}"


# -- stdio


STDIO = ServerSection(env={"API_TOKEN": Given(credential="erp"), "MODE": Given(value="fast")})


async def test_a_stdio_server_gets_the_token_and_nothing_that_it_says_shows_it(
    links: Callable[..., Link], static: Credentials, tmp_path: Path
) -> None:
    server = stdio(API_TOKEN="${SET_BY_HOST}")
    link = links(server, injector(static, server, STDIO))
    offer = await link.open()
    assert offer.status == "connected" and [each.name for each in offer.tools] == ["echo"]
    answer = await use(link)
    assert isinstance(answer, Answered)
    assert answer.value["digest"] == hashlib.sha256(TOKEN.encode()).hexdigest()  # it did reach the server
    assert answer.value["other"] == "tok-other"
    failed = await use(link, "fail")
    assert isinstance(failed, ToolFailed)
    notes, stderr = link.offer().notes, link.stderr()
    assert len(notes) >= 3 and "starting with ***" in stderr
    (tmp_path / "plugin.json").write_text(
        '{"$schema": "https://agent-plugins.org/schemas/1.0.0/plugin.schema.json", "name": "shop"}'
    )
    snapshot = Snapshot.of(judge(str(tmp_path)), [link.offer()]).to_json()
    nowhere(offer, answer, failed, notes, stderr, snapshot)
    lost = await use(link, "crash")
    assert "***" in str(lost)
    nowhere(lost, link.offer(), link.stderr())


async def test_a_stdio_server_is_not_started_without_its_credential(
    links: Callable[..., Link], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("ERP_TOKEN", raising=False)
    server = stdio()
    link = links(server, injector(credentials(TokenSection(env="ERP_TOKEN")), server, STDIO))
    offer = await link.open()
    assert offer.status == "auth-required" and "ERP_TOKEN" in offer.reason
    refused = await use(link)
    assert isinstance(refused, Refused) and refused.code == "auth"
    monkeypatch.setenv("ERP_TOKEN", TOKEN)
    assert isinstance(await use(link), Answered)


async def test_a_server_that_starts_again_gets_the_token_of_that_time(
    links: Callable[..., Link], tmp_path: Path
) -> None:
    file = tmp_path / "token"
    file.write_text("first-1111")
    file.chmod(0o600)
    server = stdio()
    for value in ("first-1111", "second-2222"):
        file.write_text(value)
        held = credentials(TokenSection(file=str(file)))
        answer = await use(links(server, injector(held, server, STDIO)))
        assert isinstance(answer, Refused)  # not opened yet
        link = links(server, injector(held, server, STDIO))
        await link.open()
        answer = await use(link)
        assert isinstance(answer, Answered)
        assert answer.value["digest"] == hashlib.sha256(value.encode()).hexdigest()


async def test_a_process_whose_token_is_due_is_replaced_while_nobody_waits_for_it(
    links: Callable[..., Link], endpoint: Endpoint, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CLIENT_SECRET", CLIENT_SECRET)
    now = Now()
    starts: list[Starting] = []
    token = TokenSection(
        grant="client-credentials",
        token_url=endpoint.url,
        client_id=CLIENT,
        client_secret=Secret(env="CLIENT_SECRET"),
    )
    section = CredentialSection(tokens=(token,))
    held = Credentials({"erp": section}, vault=MemoryVault(), bindings=MemoryBindings(), now=now)
    server = stdio()
    link = links(server, injector(held, server, STDIO), now=now, on_start=starts.append)

    async def seen() -> str:
        answer = await use(link)
        assert isinstance(answer, Answered)
        return str(answer.value["digest"])

    def digest(token: str) -> str:
        return hashlib.sha256(token.encode()).hexdigest()

    await link.open()
    first = endpoint.token
    assert (await seen(), len(starts)) == (digest(first), 1)
    now.passes(3_000)
    assert (await seen(), len(starts)) == (digest(first), 1)
    now.passes(570)  # of 3600, within the minute before the end
    assert (await seen(), len(starts)) == (digest(endpoint.token), 2)
    assert endpoint.token != first and link.offer().status == "connected"
    endpoint.status = 500
    now.passes(3_570)  # another token is not to be had: the process that is there goes on
    assert (await seen(), len(starts)) == (digest(endpoint.token), 2)


# -- HTTP


async def test_an_http_server_gets_a_bearer_token_and_nothing_that_it_says_shows_it(
    links: Callable[..., Link], static: Credentials, web: Guarded
) -> None:
    web.tokens = {TOKEN: 200}
    link = links(http(web), injector(static, http(web)))
    offer = await link.open()
    answer = await use(link)
    assert offer.status == "connected" and offer.tools[0].wire["description"] == "By ***."
    assert {headers.get("authorization") for *_, headers, _ in web.seen} == {f"Bearer {TOKEN}"}
    assert isinstance(answer, Answered) and answer.wire["content"][0]["text"] == "seen Bearer ***"
    nowhere(offer, answer, link.offer().notes)


async def test_the_token_may_go_into_a_header_of_another_name_and_wins_over_the_packages_own(
    links: Callable[..., Link], static: Credentials, web: Guarded
) -> None:
    web.tokens, web.header = {TOKEN: 200}, "x-api-key"
    server = HttpServer(
        id="api", type="streamable-http", url=f"{web.url}/mcp", headers={"x-api-KEY": "${KEY}", "X-B": "1"}
    )
    section = ServerSection(headers={"X-Api-Key": Given(credential="erp"), "X-Team": Given(value="a")})
    link = links(server, injector(static, server, section))
    assert (await link.open()).status == "connected"
    for *_, headers, _ in web.seen:
        assert (headers["x-api-key"], headers["x-team"], headers["x-b"]) == (TOKEN, "a", "1")
        assert "authorization" not in headers


async def test_sse_gets_it_too(links: Callable[..., Link], static: Credentials, web: Guarded) -> None:
    web.tokens, web.era = {TOKEN: 200}, "legacy"
    server = HttpServer(id="api", type="sse", url=f"{web.url}/sse")
    link = links(server, injector(static, server))
    assert (await link.open()).status == "connected"
    assert isinstance(await use(link), Answered)
    assert {headers.get("authorization") for *_, headers, _ in web.seen} == {f"Bearer {TOKEN}"}


def granted(endpoint: Endpoint, monkeypatch: pytest.MonkeyPatch, **more: Any) -> TokenSection:
    monkeypatch.setenv("CLIENT_SECRET", CLIENT_SECRET)
    return TokenSection(
        grant="client-credentials",
        token_url=endpoint.url,
        client_id=CLIENT,
        client_secret=Secret(env="CLIENT_SECRET"),
        **more,
    )


async def test_a_401_renews_the_token_once_and_the_call_goes_through(
    links: Callable[..., Link], endpoint: Endpoint, web: Guarded, monkeypatch: pytest.MonkeyPatch
) -> None:
    held = credentials(granted(endpoint, monkeypatch))
    first = (await held.pool("erp").take()).token.value
    web.tokens = {first: 200}
    link = links(http(web), injector(held, http(web)))
    await link.open()
    web.tokens = {"at-2-73c0f19ad2e6": 200}  # the first was revoked
    answers = await asyncio.gather(*(use(link) for _ in range(20)))
    assert [each for each in answers if not isinstance(each, Answered)] == []
    assert endpoint.count == 2


async def test_a_401_after_the_renewal_is_a_structured_refusal(
    links: Callable[..., Link], endpoint: Endpoint, web: Guarded, monkeypatch: pytest.MonkeyPatch
) -> None:
    held = credentials(granted(endpoint, monkeypatch))
    web.tokens = {"at-1-73c0f19ad2e6": 200}
    link = links(http(web), injector(held, http(web)))
    await link.open()
    web.tokens = {}
    refused = await use(link)
    assert isinstance(refused, Refused) and refused.code == "credential-rejected"
    assert len(web.calls()) == 2 and endpoint.count == 2
    assert "at-" not in refused.reason
    assert link.offer().status == "auth-required"


async def test_a_403_says_that_the_credential_may_not_and_keeps_the_connection(
    links: Callable[..., Link], static: Credentials, web: Guarded
) -> None:
    web.tokens, web.only = {TOKEN: 403}, "tools/call"
    web.challenge = f'Bearer error="insufficient_scope", scope="write", got="{TOKEN}"'
    link = links(http(web), injector(static, http(web)))
    await link.open()
    refused = await use(link)
    assert isinstance(refused, Refused) and refused.code == "credential-forbidden"
    assert refused.reason.startswith("the current credential may not access this; check its scopes")
    assert 'scope="write"' in refused.reason and len(web.calls()) == 1
    nowhere(refused)
    assert link.offer().status == "connected"


async def test_a_token_over_its_rate_gives_way_to_the_next(
    links: Callable[..., Link], web: Guarded, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("A", "tok-aaaa-1")
    monkeypatch.setenv("B", "tok-bbbb-2")
    held = credentials(TokenSection(env="A"), TokenSection(env="B"))
    web.tokens, web.only, web.retry_after = {"tok-aaaa-1": 429, "tok-bbbb-2": 200}, "tools/call", "30"
    link = links(http(web), injector(held, http(web)))
    await link.open()
    assert isinstance(await use(link), Answered) and isinstance(await use(link), Answered)
    assert web.calls() == ["Bearer tok-aaaa-1", "Bearer tok-bbbb-2", "Bearer tok-bbbb-2"]
    web.tokens["tok-bbbb-2"] = 429
    last = await use(link)
    assert isinstance(last, ToolFailed) and last.transient and last.retry_after == 30
    then = await use(link)  # nothing is sent while both rest
    assert isinstance(then, ToolFailed) and then.transient and then.retry_after is not None
    assert len(web.calls()) == 4


@pytest.mark.parametrize("status", [401, 403, 429])
async def test_a_server_that_was_given_no_secret_is_asked_once(
    links: Callable[..., Link], static: Credentials, web: Guarded, status: int
) -> None:
    web.tokens, web.only = {"": status}, "tools/call"
    section = ServerSection(headers={"X-Team": Given(value="a")})
    link = links(http(web), injector(static, http(web), section))
    await link.open()
    answer = await use(link)
    assert len(web.calls()) == 1
    assert isinstance(answer, ToolFailed | Refused) and "credential" not in str(answer)


async def test_a_fixed_token_that_is_turned_away_is_not_sent_twice(
    links: Callable[..., Link], web: Guarded
) -> None:
    fixed = FixedInjector(Injection(headers={"Authorization": "Bearer fixed-1"}, secrets=("fixed-1",)))
    assert (await links(http(web), fixed).open()).status == "auth-required"
    assert len(web.seen) <= 2


async def test_a_token_goes_to_no_other_origin(
    links: Callable[..., Link], static: Credentials, web: Guarded
) -> None:
    web.tokens = {TOKEN: 200}
    with serving(Guarded()) as foreign:
        web.redirect = (307, f"{foreign.url}/mcp")
        offer = await links(http(web), injector(static, http(web))).open()
        assert offer.status == "failed" and foreign.seen == []


# -- on disk


async def test_tokens_are_on_disk_in_their_store_and_nowhere_else(
    links: Callable[..., Link],
    endpoint: Endpoint,
    web: Guarded,
    tmp_path: Path,
    home: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("REFRESH_TOKEN", FIRST_REFRESH)
    token = TokenSection(
        grant="refresh-token",
        token_url=endpoint.url,
        client_id=CLIENT,
        refresh_token=Secret(env="REFRESH_TOKEN"),
    )
    held = Credentials({"erp": CredentialSection(tokens=(token,))})
    web.tokens = {"at-1-73c0f19ad2e6": 200}
    server = stdio()
    outside, inside = (
        links(http(web), injector(held, http(web))),
        links(server, held.injector("shop/local", STDIO, server, plugin="/plugins/shop")),
    )
    for link in (outside, inside):
        assert (await link.open()).status == "connected"
        assert isinstance(await use(link), Answered)
    web.tokens = {"at-2-73c0f19ad2e6": 200}
    assert isinstance(await use(outside), Answered)
    secrets = [f"at-{n}-73c0f19ad2e6" for n in (1, 2)] + [f"rt-{n}-5a1de8c47b90" for n in (0, 1, 2)]
    holding = {
        path.name: sorted(each for each in secrets if each.encode() in path.read_bytes())
        for root in (tmp_path, home)
        for path in root.rglob("*")
        if path.is_file() and any(each.encode() in path.read_bytes() for each in secrets)
    }
    (name,) = holding
    assert name.endswith(".json") and holding[name] == [endpoint.token, endpoint.refresh]
    assert (home / "data" / "prowess" / "credentials" / name).is_file()
