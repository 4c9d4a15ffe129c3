"""Changes at a server that a caller may not reach are not told to that caller, in either era."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import httpx2
import pytest
from tests.bounds import bound
from tests.serve.offering import Offering
from tests.serve_http.fronted import HELLO, asking, fronted, legacy

from prowess.host import Host
from prowess.host.storing import Store
from prowess.provider import Change
from prowess.serve.endpoint import Endpoint
from prowess.serve.protocol import server_of
from prowess.serve.stdio import listening

pytestmark = pytest.mark.anyio

SCHEMA = "https://agent-plugins.org/schemas/1.0.0/plugin.schema.json"
TOKENS = {"ann": "a-token-of-ann-0123456789", "bob": "a-token-of-bob-9876543210"}
URI = "memo://nobody-lists-it"


def offering(label: str) -> Offering:
    return Offering(label, capabilities={"resources": {"subscribe": True}, "tools": {}})


class Served:
    """An endpoint of two servers, of which bob may reach one."""

    def __init__(self, url: str, bank: Offering, shop: Offering) -> None:
        self.url, self.bank, self.shop = url, bank, shop

    def happens(self) -> None:
        """Something at the bank, then the same at the shop."""
        for server in (self.bank, self.shop):
            server.tell(Change(server=server.label, kind="tools"))
            server.tell(Change(server=server.label, kind="resource", uri=URI))


@pytest.fixture
async def served(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Served]:
    (tmp_path / "shop").mkdir()
    (tmp_path / "shop" / "plugin.json").write_text(json.dumps({"$schema": SCHEMA, "name": "shop"}))
    for name, token in TOKENS.items():
        monkeypatch.setenv(f"{name.upper()}_TOKEN", token)
    config = tmp_path / "prowess.toml"
    config.write_text(
        'format = 1\n[plugins]\nshop = "shop"\n[serve.tokens.ann]\ntoken = { env = "ANN_TOKEN" }\n'
        '[serve.tokens.bob]\ntoken = { env = "BOB_TOKEN" }\nservers = ["shop/*"]\n'
    )
    bank, shop = offering("bank/api"), offering("shop/api")
    async with Host.open(config, providers=[bank, shop], store=Store.in_memory()) as host:
        from prowess.host.setup import setup_of

        server = server_of(Endpoint(host))
        async with listening(server), fronted(setup_of([str(config)]).serve, server=server) as url:
            yield Served(url, bank, shop)


async def told(lines: AsyncIterator[str], many: int) -> list[dict[str, Any]]:
    """The next messages of a stream."""
    found: list[dict[str, Any]] = []
    async with asyncio.timeout(bound(5)):
        async for line in lines:
            if line.startswith("data: {"):
                found.append(json.loads(line.removeprefix("data: ")))
            if len(found) == many:
                break
    return found


@pytest.mark.parametrize(("who", "times"), [("ann", 2), ("bob", 1)])
@pytest.mark.parametrize("era", ["modern", "legacy"])
async def test_nobody_hears_of_a_server_out_of_reach(served: Served, era: str, who: str, times: int) -> None:
    headers = {"authorization": f"Bearer {TOKENS[who]}"}
    async with httpx2.AsyncClient(trust_env=False, timeout=bound(10), headers=headers) as client:
        if era == "modern":
            wanted = {"toolsListChanged": True, "resourceSubscriptions": [URI]}
            opened = client.stream("POST", served.url, **asking("subscriptions/listen", notifications=wanted))
        else:
            session = {"mcp-session-id": (await client.post(served.url, **HELLO)).headers["mcp-session-id"]}
            for each in (
                legacy("notifications/initialized", None),
                legacy("resources/subscribe", 2, uri=URI),
            ):
                each["headers"] |= session
                assert (await client.post(served.url, **each)).status_code in (200, 202)
            opened = client.stream("GET", served.url, headers={"accept": "text/event-stream", **session})
        async with opened as stream:
            lines = stream.aiter_lines()
            if era == "modern":
                await told(lines, 1)  # that it is open
            served.happens()
            served.shop.tell(Change(server="shop/api", kind="prompts"))
            served.shop.tell(Change(server="shop/api", kind="tools"))  # the last that is told
            heard = await told(lines, 2 * times + 1 + (era == "legacy"))
    methods = [each["method"].rpartition("notifications/")[2] for each in heard]
    assert methods.count("resources/updated") == times
    assert methods.count("tools/list_changed") == times + 1
