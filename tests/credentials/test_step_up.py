"""A server wants more scopes than a sign-in has; a person signs out. The authorization server is real."""

from __future__ import annotations

import asyncio
import urllib.request
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from tests.credentials.servers.authorizing import Authorizing, authorizing

from prowess.credentials import Credentials, MemoryBindings, MemoryVault, SignedIn
from prowess.credentials.sections import CredentialSection, ServerSection, TokenSection
from prowess.errors import CredentialFailed
from prowess.host.signing_in import SignIns, signed_in
from prowess.link import Link
from prowess.link.sign_in import sign_in
from prowess.provider import Answered, Invocation, Outcome, Refused
from prowess.spec.model import HttpServer

pytestmark = pytest.mark.anyio


@pytest.fixture
def server() -> Iterator[Authorizing]:
    with authorizing() as server:
        yield server


class Person:
    """Opens what is shown, in a thread of its own."""

    def __init__(self) -> None:
        self.urls: list[str] = []
        self.tasks: list[asyncio.Task[None]] = []

    def __call__(self, url: str) -> None:
        self.urls.append(url)
        self.tasks.append(asyncio.ensure_future(asyncio.to_thread(self._open, url)))

    def _open(self, url: str) -> None:
        with urllib.request.urlopen(url, timeout=10):
            pass


def credentials(server: Authorizing, vault: MemoryVault, **more: Any) -> Credentials:
    section = TokenSection(grant="sign-in", resource=server.url, **more)
    held = CredentialSection(tokens=(section,))
    return Credentials({"erp": held}, place="/etc/p.toml", vault=vault, bindings=MemoryBindings())


async def sign(held: Credentials, scope: str = "") -> SignedIn:
    person = Person()
    found = await signed_in(held, "erp", person, scope=scope, seconds=10)
    await asyncio.gather(*person.tasks)
    return found


@asynccontextmanager
async def link_of(server: Authorizing, held: Credentials, folder: Path) -> AsyncIterator[Link]:
    entry = HttpServer(id="books", type="streamable-http", url=server.url)
    injector = held.injector("shop/books", ServerSection(credential="erp"), entry, plugin="/p")
    link = Link(entry, root=str(folder), data=str(folder), startup=10, injector=injector)
    try:
        await link.open()
        yield link
    finally:
        await link.close()


async def total(link: Link) -> Outcome:
    return await link.call(Invocation(tool="total", arguments={"week": "2026-W31"}, timeout=10))


async def forbidden(link: Link) -> str:
    """The reason of a call that was refused for want of a scope."""
    refused = await total(link)
    assert isinstance(refused, Refused) and refused.code == "credential-forbidden"
    assert link.offer().status == "connected"
    return refused.reason


async def test_a_scope_that_is_wanted_is_said_with_the_command_and_a_sign_in_for_it_takes_effect(
    server: Authorizing, tmp_path: Path
) -> None:
    held = credentials(server, MemoryVault())
    assert held.wanted() == {}
    async with link_of(server, held, tmp_path) as link:
        assert held.wanted() == {"erp": ""}
        await sign(held)
        assert isinstance(await total(link), Answered) and held.wanted() == {}
        server.wanted = "ledger"
        reason = await forbidden(link)
        assert "prowess credentials sign-in erp --config /etc/p.toml --scope ledger" in reason
        assert held.wanted() == {"erp": "ledger"}
        found = await sign(held)
        assert found.scope.split() == ["books", "ledger"]  # what was granted before is not lost
        assert isinstance(await total(link), Answered) and held.wanted() == {}


async def test_a_sign_in_of_another_process_takes_effect_without_a_restart(
    server: Authorizing, tmp_path: Path
) -> None:
    vault = MemoryVault()
    held = credentials(server, vault)
    await sign(held)
    async with link_of(server, held, tmp_path) as link:
        server.wanted = "ledger"
        await forbidden(link)
        await sign(credentials(server, vault), "ledger")
        assert isinstance(await total(link), Answered) and held.wanted() == {}


async def test_a_refresh_keeps_the_scopes(server: Authorizing, tmp_path: Path) -> None:
    vault = MemoryVault()
    held = credentials(server, vault)
    await sign(held, "ledger")
    server.wanted = "ledger"
    async with link_of(server, held, tmp_path) as link:
        server.forget_access()
        assert isinstance(await total(link), Answered) and server.refreshes == 1
    (kept,) = vault.tokens.values()
    assert kept.scope == kept.asked == "books ledger"


async def test_what_was_asked_for_and_not_granted_is_not_asked_for_again(
    server: Authorizing, tmp_path: Path
) -> None:
    held = credentials(server, MemoryVault())
    server.wanted, server.grants = "ledger", {"books"}
    found = await sign(held, "ledger")
    assert (found.asked, found.scope) == ("books ledger", "books")
    async with link_of(server, held, tmp_path) as link:
        assert "not granted" in (reason := await forbidden(link)) and "sign-in erp" not in reason
        assert held.wanted() == {}


async def test_a_server_that_wants_what_it_was_given_asks_for_no_sign_in(
    server: Authorizing, tmp_path: Path
) -> None:
    held = credentials(server, MemoryVault())
    await sign(held)
    server.wanted, server.challenge = "ledger", 'Bearer error="insufficient_scope", scope="books"'
    async with link_of(server, held, tmp_path) as link:
        assert "sign-in erp" not in await forbidden(link)
        assert held.wanted() == {}
        server.challenge = 'Bearer error="insufficient_scope"'
        assert "sign-in erp --config /etc/p.toml --scope SCOPE" in await forbidden(link)
        server.challenge = "Bearer"  # no challenge that names a reason
        assert "sign-in erp" not in await forbidden(link)


async def test_names_that_are_no_scopes_are_neither_asked_for_nor_shown(
    server: Authorizing, tmp_path: Path
) -> None:
    held = credentials(server, MemoryVault())
    await sign(held)
    server.wanted = "led"
    server.challenge = 'Bearer error="insufficient_scope", scope="\'; rm -rf x \\\\"'
    async with link_of(server, held, tmp_path) as link:
        assert """--scope ''"'"'; rm -rf x'""" in await forbidden(link)


async def test_a_configured_scope_stays_and_others_join_it(server: Authorizing) -> None:
    held = credentials(server, MemoryVault(), scope="books")
    assert (await sign(held)).asked == "books"
    assert (await sign(held, "ledger")).asked == "books ledger"
    assert (await sign(held)).asked == "books"


async def test_a_client_is_not_taken_to_another_authorization_server(server: Authorizing) -> None:
    issuer = server.url.removesuffix("/mcp")
    vault = MemoryVault()
    first = await sign(credentials(server, vault))
    assert first.client.issuer.rstrip("/") == issuer
    section = TokenSection(grant="sign-in", resource=server.url, client_id=first.client.client_id)
    person = Person()
    with pytest.raises(CredentialFailed) as caught:
        await sign_in(section, "", person, seconds=5, issuer="https://elsewhere.example")
    assert caught.value.code == "credential-rejected" and "elsewhere.example" in caught.value.message
    assert not person.urls and len(server.clients) == 1


async def test_signing_out_ends_the_token_there_and_forgets_it_here(
    server: Authorizing, tmp_path: Path
) -> None:
    vault = MemoryVault()
    held = credentials(server, vault)
    ins = SignIns(held, ())
    server.confidential = True  # the SDK's server lets no other client end a token
    assert await ins.sign_out("erp") is None
    found = await sign(held)
    async with link_of(server, held, tmp_path) as link:
        assert isinstance(await total(link), Answered)
        assert await ins.sign_out("erp") is True
        assert server.revoked == [found.refresh] and not vault.tokens
        refused = await total(link)
        assert isinstance(refused, Refused) and "sign-in erp" in refused.reason
        assert ins.wanted() == {"erp": ""}


async def test_a_server_that_does_not_want_to_end_a_token_is_signed_out_of_all_the_same(
    server: Authorizing,
) -> None:
    vault = MemoryVault()
    held = credentials(server, vault)
    await sign(held)
    assert await held.sign_out("erp") is False and not vault.tokens


async def test_a_server_that_ends_no_tokens_is_signed_out_of_all_the_same() -> None:
    with authorizing(revoking=False) as server:
        vault = MemoryVault()
        held = credentials(server, vault)
        await sign(held)
        assert await held.sign_out("erp") is False and not vault.tokens


async def test_signing_out_of_a_server_that_is_gone_forgets_the_token() -> None:
    vault = MemoryVault()
    with authorizing() as server:
        held = credentials(server, vault)
        await sign(held)
    assert await held.sign_out("erp") is False and not vault.tokens
