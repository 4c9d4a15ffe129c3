"""A server that refuses the version that it was asked in, and what it says that it speaks."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from tests.link.servers.web import LEGACY, MODERN, Handler, Web, serving

from prowess.link import Link
from prowess.spec.model import HttpServer

pytestmark = pytest.mark.anyio


class Refusing(Web):
    """The first `refusals` questions in the newer era are refused, with `supported`."""

    def __init__(self) -> None:
        super().__init__()
        self.RequestHandlerClass = RefusingHandler
        self.refusals = 1
        self.supported = [MODERN]


class RefusingHandler(Handler):
    server: Refusing

    def answer(self, message: dict[str, Any]) -> None:
        if message["method"] != "server/discover" or self.server.refusals == 0:
            super().answer(message)
            return
        self.server.refusals -= 1
        data = {"supported": self.server.supported, "requested": self.headers["MCP-Protocol-Version"]}
        error = {"code": -32022, "message": "no", "data": data}
        body = json.dumps({"jsonrpc": "2.0", "id": message["id"], "error": error}).encode()
        self.reply(400, body, Content_Type="application/json")


@contextmanager
def refusing(*supported: str, refusals: int = 1, era: str = "modern") -> Iterator[Refusing]:
    web = Refusing()
    web.supported, web.refusals, web.era = list(supported), refusals, era
    with serving(web):
        yield web


async def connected(web: Web, folder: Path) -> tuple[str, str | None, list[str]]:
    """How a link to it came up, in which version, and what was asked for that."""
    entry = HttpServer(id="w", type="streamable-http", url=f"{web.url}/mcp")
    link = Link(entry, root=str(folder), data=str(folder), startup=10)
    try:
        offer = await link.open()
        asked = [method for *_, method in web.seen if method in ("server/discover", "initialize")]
        return offer.status, offer.protocol, asked
    finally:
        await link.close()


async def test_a_version_that_is_refused_and_named_as_spoken_is_asked_for_once_more(tmp_path: Path) -> None:
    with refusing(MODERN) as web:
        assert await connected(web, tmp_path) == ("connected", MODERN, ["server/discover"] * 2)


async def test_a_server_that_refuses_whatever_it_names_is_given_up(tmp_path: Path) -> None:
    with refusing(MODERN, refusals=9) as web:
        status, _, asked = await connected(web, tmp_path)
        assert (status, asked) == ("failed", ["server/discover"] * 2)


async def test_a_server_that_refuses_it_and_names_older_ones_is_greeted_the_old_way(tmp_path: Path) -> None:
    with refusing(MODERN, LEGACY, refusals=9, era="legacy") as web:
        status, version, asked = await connected(web, tmp_path)
        assert (status, version) == ("connected", LEGACY)
        assert asked == ["server/discover", "server/discover", "initialize"]
