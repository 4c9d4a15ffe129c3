"""Changes reach everybody who wants to know, each once, under the URI that was asked for."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.serve.offering import Offering, endpoint_of
from tests.serve.speaking import Message, Speaker, speaking

from prowess.provider import Change

pytestmark = pytest.mark.anyio
SUBSCRIPTION = "io.modelcontextprotocol/subscriptionId"
UPDATED = "notifications/resources/updated"


def watched(label: str = "one") -> Offering:
    return Offering(
        label,
        resources=[{"uri": "memo://d", "name": "d"}],
        capabilities={"resources": {"subscribe": True, "listChanged": True}},
    )


def changed(uri: str, server: str = "one") -> Change:
    return Change(server=server, kind="resource", uri=uri)


async def listen(client: Speaker, *uris: str) -> int:
    """Open a stream for these; its id."""
    wanted = {"toolsListChanged": True, "resourceSubscriptions": list(uris)}
    number = await client.begin("subscriptions/listen", {"notifications": wanted})
    assert (await client.receive())["method"] == "notifications/subscriptions/acknowledged"
    return number


async def received(client: Speaker, number: int) -> list[Message]:
    return [await client.receive() for _ in range(number)]


async def test_each_of_two_streams_hears_of_a_change_once(tmp_path: Path) -> None:
    server = watched()
    async with endpoint_of(tmp_path, server) as endpoint, speaking(endpoint) as client:
        streams = [await listen(client, "memo://d"), await listen(client, "memo://d", "memo://d")]
        assert server.followed == ["memo://d"]
        server.tell(changed("memo://d"), Change(server="one", kind="tools"))
        heard = await received(client, 4)
    for stream in streams:
        own = [each for each in heard if each["params"]["_meta"][SUBSCRIPTION] == stream]
        assert [each["method"] for each in own] == [UPDATED, "notifications/tools/list_changed"]


async def test_a_part_of_a_resource_is_told_as_such_to_a_session_and_as_the_whole_to_a_stream(
    tmp_path: Path,
) -> None:
    server = watched()
    async with endpoint_of(tmp_path, server) as endpoint, speaking(endpoint) as client:
        await listen(client, "memo://d")
        server.tell(changed("memo://d/part"))
        assert (await client.receive())["params"]["uri"] == "memo://d"
    async with endpoint_of(tmp_path, server) as endpoint, speaking(endpoint) as client:
        await client.shake_hands()
        await client.ask("resources/subscribe", {"uri": "memo://d"}, old=True)
        server.tell(changed("memo://d/part"))
        assert (await client.receive())["params"] == {"uri": "memo://d/part"}


async def test_a_resource_of_the_second_server_with_its_uri_is_told_under_its_own_name(
    tmp_path: Path,
) -> None:
    one, two = watched("one"), watched("two")
    async with endpoint_of(tmp_path, one, two) as endpoint, speaking(endpoint) as client:
        await client.shake_hands()
        await client.ask("resources/subscribe", {"uri": "two+memo://d"}, old=True)
        assert (one.followed, two.followed) == ([], ["memo://d"])
        two.tell(changed("memo://d", "two"))
        assert (await client.receive())["params"] == {"uri": "two+memo://d"}


async def test_nothing_is_followed_any_more_when_the_last_one_ended(tmp_path: Path) -> None:
    server = watched()
    async with endpoint_of(tmp_path, server) as endpoint, speaking(endpoint) as client:
        await client.shake_hands()
        for _ in range(2):
            await client.ask("resources/subscribe", {"uri": "memo://d"}, old=True)
        assert server.followed == ["memo://d"]
        await client.ask("resources/unsubscribe", {"uri": "memo://d"}, old=True)
        assert server.followed == []
