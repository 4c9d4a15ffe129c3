"""People sign in for the servers of a Host while it runs: nothing has to be opened again."""

from __future__ import annotations

import asyncio
import urllib.request
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from tests.acceptance.packages import plugin
from tests.credentials.servers.authorizing import Authorizing, authorizing

from prowess import Answered, Host, Refused, UsageError

pytestmark = pytest.mark.anyio


@pytest.fixture
def server() -> Iterator[Authorizing]:
    with authorizing() as server:
        yield server


@asynccontextmanager
async def host_of(folder: Path, server: Authorizing) -> AsyncIterator[Host]:
    plugin(folder / "shop", {"books": {"type": "streamable-http", "url": server.url}})
    (folder / "prowess.toml").write_text(
        f"""[plugins]
shop = "shop"
[servers."shop/books"]
credential = "books"
[[credentials.books.tokens]]
grant = "sign-in"
resource = "{server.url}"
"""
    )
    async with Host.open(folder, timeout=10) as host:
        yield host


def kept(folder: Path, secrets: list[str]) -> bool:
    """Whether a file below `folder` holds one of these."""
    written = [each.read_bytes() for each in folder.rglob("*") if each.is_file()]
    return any(one.encode() in each for one in secrets for each in written)


async def sign_in(host: Host, scope: str = "") -> str:
    """Sign in as a person does; the scope that was granted."""
    opening: list[asyncio.Task[None]] = []

    def read(url: str) -> None:
        with urllib.request.urlopen(url, timeout=10):
            pass

    def show(url: str) -> None:
        opening.append(asyncio.ensure_future(asyncio.to_thread(read, url)))

    found = await host.sign_ins.sign_in("books", show, scope=scope, seconds=10)
    await asyncio.gather(*opening)
    return found.scope


async def test_a_sign_in_brings_the_server_up_and_a_sign_out_ends_it(
    server: Authorizing, tmp_path: Path, home: Path
) -> None:
    async with host_of(tmp_path, server) as host:
        assert [each.status for each in host.offers] == ["auth-required"]
        assert host.sign_ins.wanted() == {"books": ""}
        assert await sign_in(host) == "books"
        assert [each.status for each in host.offers] == ["connected"] and host.sign_ins.wanted() == {}
        assert isinstance(await host.call("total", {"week": "1"}), Answered)

        server.wanted = "ledger"
        refused = await host.call("total", {"week": "1"})
        assert isinstance(refused, Refused) and refused.code == "credential-forbidden"
        assert host.sign_ins.wanted() == {"books": "ledger"}
        assert await sign_in(host) == "books ledger"
        assert isinstance(await host.call("total", {"week": "1"}), Answered)

        assert await host.sign_ins.sign_out("books") is not None
        assert isinstance(await host.call("total", {"week": "1"}), Refused)
        assert await host.sign_ins.sign_out("books") is None
        assert not kept(home, server.given)


async def test_a_host_without_credentials_has_nobody_to_sign_in(tmp_path: Path) -> None:
    async with Host.open(plugin(tmp_path, {}), timeout=10) as host:
        assert host.sign_ins.wanted() == {}
        with pytest.raises(UsageError):
            await sign_in(host)
        with pytest.raises(UsageError):
            await host.sign_ins.sign_out("books")
