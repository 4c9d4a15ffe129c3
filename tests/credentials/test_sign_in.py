"""A person signs in to a real MCP server behind the SDK's authorization server; tokens live on from there."""

from __future__ import annotations

import asyncio
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from tests.credentials.servers.authorizing import Authorizing, authorizing
from tests.credentials.token_endpoint import Now
from tests.link.servers.web import Web, serving

from prowess.credentials import Credentials, FileVault, MemoryBindings, MemoryVault, SignedIn
from prowess.credentials.sections import CredentialSection, ServerSection, TokenSection
from prowess.errors import CredentialFailed, UsageError
from prowess.link import Link
from prowess.link.sign_in import sign_in
from prowess.provider import Answered, Invocation, Refused
from prowess.spec.model import HttpServer

pytestmark = pytest.mark.anyio


@pytest.fixture
def server() -> Iterator[Authorizing]:
    with authorizing() as server:
        yield server


def opened(url: str) -> int:
    """A browser: opens the page and goes where it is sent; the status at the end."""
    try:
        with urllib.request.urlopen(url, timeout=10) as answer:
            status: int = answer.status
            return status
    except urllib.error.HTTPError as error:
        return error.code


def holding(secrets: list[str], folder: Path) -> list[Path]:
    """The files below a folder that hold one of these."""
    files = [each for each in folder.rglob("*") if each.is_file()]
    return [each for each in files if any(one.encode() in each.read_bytes() for one in secrets)]


class Person:
    """Opens what is shown, in a thread of its own."""

    def __init__(self) -> None:
        self.urls: list[str] = []
        self.tasks: list[asyncio.Task[int]] = []

    def __call__(self, url: str) -> None:
        self.urls.append(url)
        self.tasks.append(asyncio.ensure_future(asyncio.to_thread(opened, url)))


def section(server: Authorizing, **more: Any) -> TokenSection:
    return TokenSection(grant="sign-in", resource=server.url, **more)


async def signed_in(server: Authorizing, **more: Any) -> tuple[SignedIn, Person]:
    person = Person()
    found = await sign_in(section(server, **more), "", person, seconds=10)
    assert [await each for each in person.tasks] == [200]
    return found, person


def credentials(server: Authorizing, vault: Any, now: Any = None, **more: Any) -> Credentials:
    held = CredentialSection(tokens=(section(server),))
    settings = {"now": now} if now is not None else {}
    return Credentials({"erp": held}, vault=vault, bindings=MemoryBindings(), **settings, **more)


def link_of(server: Authorizing, held: Credentials, folder: Path) -> Link:
    entry = HttpServer(id="books", type="streamable-http", url=server.url)
    injector = held.injector("shop/books", ServerSection(credential="erp"), entry, plugin="/p")
    return Link(entry, root=str(folder), data=str(folder), startup=10, injector=injector)


async def total(link: Link) -> Any:
    return await link.call(Invocation(tool="total", arguments={"week": "2026-W31"}, timeout=10))


async def test_a_sign_in_uses_pkce_state_and_a_resource_and_gives_what_refreshing_needs(
    server: Authorizing,
) -> None:
    found, person = await signed_in(server)
    asked = parse_qs(urlsplit(person.urls[0]).query)
    assert asked["code_challenge_method"] == ["S256"] and asked["resource"] == [server.url]
    assert len(asked["state"][0]) > 20 and asked["redirect_uri"][0].startswith("http://127.0.0.1:")
    assert found.value in server.access and found.refresh in server.refresh
    assert found.client.token_url == server.url.replace("/mcp", "/token")
    assert found.client.client_id in server.clients and found.client.resource == server.url


async def test_a_configured_scope_takes_the_place_of_the_servers(server: Authorizing) -> None:
    found, _ = await signed_in(server, scope="books ledger")
    assert server.access[found.value].scopes == ["books", "ledger"]
    found, _ = await signed_in(server)
    assert server.access[found.value].scopes == ["books"]


async def test_without_a_sign_in_the_server_is_auth_required_with_the_command_to_run(
    server: Authorizing, tmp_path: Path
) -> None:
    held = credentials(server, MemoryVault(), place="/etc/my host/prowess.toml")
    link = link_of(server, held, tmp_path)
    try:
        offer = await link.open()
        assert offer.status == "auth-required"
        assert "prowess credentials sign-in erp --config '/etc/my host/prowess.toml'" in offer.reason
        assert isinstance(await total(link), Refused)
        found, _ = await signed_in(server)
        await held.keep("erp", found)
        assert isinstance(await total(link), Answered)  # no restart is needed
    finally:
        await link.close()


async def test_signed_in_then_called_and_an_expired_token_is_refreshed_once(
    server: Authorizing, tmp_path: Path, home: Path
) -> None:
    found, _ = await signed_in(server)
    now = Now()
    vault = FileVault()
    await credentials(server, vault, now).keep("erp", found)
    held = [credentials(server, FileVault(), now) for _ in range(2)]  # as two processes would have it
    links = [link_of(server, each, tmp_path) for each in held]
    try:
        for link in links:
            assert (await link.open()).status == "connected"
        assert server.refreshes == 0
        now.passes(4_000)
        server.forget_access()
        answers = await asyncio.gather(*(total(link) for link in links for _ in range(10)))
        assert all(isinstance(each, Answered) for each in answers)
        assert server.refreshes == 1
        offers = repr([link.offer() for link in links])
    finally:
        await asyncio.gather(*(link.close() for link in links))
        await asyncio.gather(*(each.close() for each in held))
    kept = holding(server.given, home)
    assert [each.parent for each in kept] == [home / "data" / "prowess" / "credentials"]
    assert kept[0].stat().st_mode & 0o777 == 0o600
    assert not any(each in offers + repr(answers) + repr(found) for each in server.given)


async def test_a_token_that_the_server_no_longer_takes_is_refreshed_too(
    server: Authorizing, tmp_path: Path
) -> None:
    found, _ = await signed_in(server)
    held = credentials(server, MemoryVault())
    await held.keep("erp", found)
    link = link_of(server, held, tmp_path)
    try:
        assert (await link.open()).status == "connected"
        server.forget_access()
        assert isinstance(await total(link), Answered)
        assert server.refreshes == 1
    finally:
        await link.close()


async def test_a_refused_refresh_token_is_sent_once_and_then_a_sign_in_is_asked_for(
    server: Authorizing, tmp_path: Path
) -> None:
    found, _ = await signed_in(server)
    held = credentials(server, MemoryVault())
    await held.keep("erp", found)
    server.forget_access()
    server.refresh.clear()
    link = link_of(server, held, tmp_path)
    try:
        offer = await link.open()
        assert offer.status == "auth-required" and "prowess credentials sign-in erp" in offer.reason
        assert isinstance(await total(link), Refused)
        assert server.refreshes == 1
        again, _ = await signed_in(server)
        await held.keep("erp", again)
        assert isinstance(await total(link), Answered)
    finally:
        await link.close()


async def test_two_credentials_are_two_accounts_and_one_token_is_for_its_server_only(
    server: Authorizing,
) -> None:
    held = CredentialSection(tokens=(section(server),))
    both = Credentials({"mine": held, "ours": held}, vault=MemoryVault(), bindings=MemoryBindings())
    found, _ = await signed_in(server)
    await both.keep("mine", found)
    assert (await both.pool("mine").take()).token.value == found.value
    with pytest.raises(CredentialFailed) as caught:
        await both.pool("ours").take()
    assert caught.value.code == "credential-missing"
    elsewhere = HttpServer(id="x", type="streamable-http", url="https://elsewhere.example/mcp")
    with pytest.raises(UsageError):
        both.injector("p/x", ServerSection(credential="mine"), elsewhere, plugin="/p")


async def test_a_client_that_is_registered_already_is_used(server: Authorizing) -> None:
    first, _ = await signed_in(server)
    client = server.clients[first.client.client_id]
    port = urlsplit(str((client.redirect_uris or [])[0])).port
    person = Person()
    found = await sign_in(section(server, client_id=client.client_id), "", person, seconds=10, port=port or 0)
    assert found.client.client_id == client.client_id and len(server.clients) == 1


# -- what goes wrong


async def test_a_refusal_on_the_page_is_told(server: Authorizing) -> None:
    server.refuse = "access_denied"
    with pytest.raises(CredentialFailed) as caught:
        await sign_in(section(server), "", Person(), seconds=10)
    assert caught.value.code == "credential-rejected" and "access_denied" in caught.value.message


async def test_nobody_comes_back_in_time(server: Authorizing) -> None:
    with pytest.raises(CredentialFailed) as caught:
        await sign_in(section(server), "", lambda url: None, seconds=0.05)
    assert caught.value.code == "credential-missing"


async def test_only_the_state_of_this_sign_in_ends_it(server: Authorizing) -> None:
    statuses: list[int] = []
    person = Person()

    def intruded(url: str) -> None:
        back = parse_qs(urlsplit(url).query)["redirect_uri"][0]

        async def intrude() -> None:
            guesses = ("?code=x&state=guessed", "?error=access_denied", "?code=x&state=")
            statuses.extend([await asyncio.to_thread(opened, back + each) for each in guesses])
            person(url)

        person.tasks.append(asyncio.ensure_future(intrude()))  # type: ignore[arg-type]

    found = await sign_in(section(server), "", intruded, seconds=10)
    assert statuses == [404, 404, 404] and found.value in server.access


async def test_a_server_that_asks_for_no_sign_in_gives_no_token() -> None:
    with serving(Web()) as web, pytest.raises(CredentialFailed) as caught:
        await sign_in(TokenSection(grant="sign-in", resource=f"{web.url}/mcp"), "", Person(), seconds=5)
    assert caught.value.code == "credential-rejected"


async def test_a_port_that_is_taken_is_said(server: Authorizing) -> None:
    port = urlsplit(server.url).port or 0
    with pytest.raises(UsageError):
        await sign_in(section(server), "", Person(), seconds=5, port=port)


@pytest.mark.parametrize(
    "wrong",
    [
        {},
        {"resource": "http://remote.example/mcp"},
        {"resource": "https://a.example/mcp", "token_url": "https://a.example/token"},
        {"resource": "https://a.example/mcp", "audience": "a"},
        {"resource": "https://a.example/mcp", "env": "A"},
    ],
)
def test_a_sign_in_that_makes_no_sense_is_refused(wrong: dict[str, str]) -> None:
    with pytest.raises(UsageError):
        TokenSection(grant="sign-in", **wrong)  # type: ignore[arg-type]
