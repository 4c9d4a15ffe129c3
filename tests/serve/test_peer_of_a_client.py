"""What a client gets to hear and is asked: under its own token, once, without secrets."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from prowess.errors import RequestFailed
from prowess.serve.client import Client

pytestmark = pytest.mark.anyio
SECRET = "-".join(("hush", "8391"))
UPDATED = "notifications/resources/updated"
Json = Mapping[str, Any]


class Exchange:
    """One way to the client, which keeps what goes there."""

    transport: Any = None
    can_send_request = True

    def __init__(self) -> None:
        self.sent: list[tuple[str, Any]] = []

    async def notify(self, method: str, params: Json | None, opts: Any = None) -> None:
        self.sent.append((method, params))

    async def send_raw_request(self, method: str, params: Json | None, opts: Any = None) -> dict[str, Any]:
        self.sent.append((method, params))
        return {"action": "accept", "content": {"said": SECRET}}


def hidden(text: str) -> str:
    return text.replace(SECRET, "***")


def client_of(exchange: Exchange, **more: Any) -> Client:
    return Client(exchange, {"_meta": {"progressToken": "t"}}, session="s", capabilities={}, **more)


async def test_injected_secrets_are_hidden_in_whatever_is_said_on_the_way() -> None:
    exchange = Exchange()
    client = client_of(exchange, secrets=hidden)
    await client.progress({"progress": 1, "message": f"key {SECRET}"})
    await client.notify("notifications/message", {"level": "info", "data": {SECRET: [SECRET, 1, None]}})
    answer = await client.ask("elicitation/create", {"message": SECRET, "n": 1.5})
    assert exchange.sent == [
        ("notifications/progress", {"progress": 1, "message": "key ***", "progressToken": "t"}),
        ("notifications/message", {"level": "info", "data": {"***": ["***", 1, None]}}),
        ("elicitation/create", {"message": "***", "n": 1.5}),
    ]
    # What the client itself answers is the server's to have.
    assert answer == {"action": "accept", "content": {"said": SECRET}}


async def test_what_changed_is_left_to_whoever_tells_it_otherwise() -> None:
    exchange = Exchange()
    client = client_of(exchange, told=lambda uri: uri == "memo://a")
    await client.notify("notifications/tools/list_changed", {})
    await client.notify(UPDATED, {"uri": "memo://a"})
    await client.notify(UPDATED, {"uri": "memo://b"})
    assert exchange.sent == [(UPDATED, {"uri": "memo://b"})]


async def test_after_its_answer_a_session_is_spoken_with_on_its_own_channel() -> None:
    during, after = Exchange(), Exchange()
    client = client_of(during, after=after)
    client.over()
    await client.progress({"progress": 1})
    await client.notify("notifications/message", {"data": 1})
    await client.ask("roots/list", {})
    assert during.sent == []
    assert after.sent == [("notifications/message", {"data": 1}), ("roots/list", {})]
    nobody = client_of(during)
    nobody.over()
    with pytest.raises(RequestFailed):
        await nobody.ask("roots/list", {})
