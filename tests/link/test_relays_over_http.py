"""What a link relays over streamable HTTP, with a server on the SDK, in either era."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import ExitStack, asynccontextmanager
from typing import Any

import pytest
from tests.bounds import bound
from tests.link.probing import until
from tests.link.relaying import Client, Hearing, do
from tests.link.servers.sdk import Events, Shelf, shelf

from prowess.link import Link, MemoryEras, http
from prowess.provider import Answered, Change
from prowess.spec.model import HttpServer

pytestmark = pytest.mark.anyio

ERAS = ["modern", "legacy"]


@pytest.fixture
def served() -> Iterator[tuple[Shelf, str]]:
    """A server of its own for each test."""
    with ExitStack() as stack:
        yield stack.enter_context(shelf())


@asynccontextmanager
async def _linked(url: str, era: str) -> AsyncIterator[Link]:
    """A link that greets the server the way of `era`."""
    eras = MemoryEras()
    eras.put("shelf", era)
    server = HttpServer(id="shelf", type="streamable-http", url=url, headers={})
    link = Link(server, root="unused", data="unused", startup=bound(10), eras=eras)
    try:
        offer = await link.open()
        assert offer.protocol == ("2026-07-28" if era == "modern" else "2025-11-25"), offer
        yield link
    finally:
        await link.close()


@pytest.mark.parametrize("era", ERAS)
async def test_each_of_many_requests_hears_what_belongs_to_it(served: tuple[Shelf, str], era: str) -> None:
    async with _linked(served[1], era) as link:
        clients = [Client(wants_progress=True) for _ in range(8)]
        meta = {"io.modelcontextprotocol/logLevel": "debug"}
        answers = await asyncio.gather(
            *(
                link.ask(
                    "tools/call",
                    {"name": "do", "arguments": {"what": "tell", "of": number}, "_meta": meta},
                    peer=client,
                    timeout=bound(10),
                )
                for number, client in enumerate(clients)
            )
        )
        assert all(answer["content"] == [] for answer in answers)
    for number, client in enumerate(clients):
        expected = []
        for step in range(5):
            expected.append(("progress", {"progress": step, "total": 9, "message": "on"}))
            expected.append(("notifications/message", {"level": "info", "data": {"of": number}}))
        assert client.told == expected


@pytest.mark.parametrize("era", ERAS)
async def test_a_cancelled_call_is_cancelled_at_the_server(served: tuple[Shelf, str], era: str) -> None:
    server, url = served
    async with _linked(url, era) as link:
        calling = asyncio.ensure_future(do(link, "hang", Client()))
        await until(server.began.is_set, bound(5))
        calling.cancel()
        await until(server.cancelled.is_set, bound(5))
        assert (await asyncio.gather(calling, return_exceptions=True))[0] is not None


@pytest.mark.parametrize("era", ERAS)
async def test_changes_are_heard(served: tuple[Shelf, str], era: str) -> None:
    async with _linked(served[1], era) as link:
        hearing = Hearing()
        end = link.listen(hearing, ["shelf://a"])
        # The stream that changes come by opens on its own time, and nothing is said twice.
        async with asyncio.timeout(bound(10)):
            while not hearing.changes:
                await do(link, "touch")
        assert await hearing.next() == Change(server="shelf", kind="resource", uri="shelf://a")
        await do(link, "add", name="more")
        async with asyncio.timeout(bound(10)):
            while (change := await hearing.next()).kind == "resource":
                pass  # of another touch
        assert change == Change(server="shelf", kind="tools")
        assert [tool.name for tool in link.offer().tools] == ["do", "more"]
        end()


async def test_answers_that_come_on_another_stream_come(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(http, "STREAMS_MAX", 1)  # of its own accord a server gets one stream
    with shelf(event_store=Events(), retry_interval=1) as (_, url):
        async with _linked(url, "legacy") as link:
            for _ in range(4):
                assert isinstance(await do(link, "part", Client()), Answered)


async def test_a_session_is_asked_on_the_stream_of_its_request(served: tuple[Shelf, str]) -> None:
    server, url = served
    async with _linked(url, "modern") as link:
        declared: dict[str, Any] = {"elicitation": {"form": {}}}
        answer = {"action": "accept", "content": {"name": "é"}}
        clients = [
            Client(session=f"s{number}", capabilities=declared, answers={"elicitation/create": answer})
            for number in range(3)
        ]
        outcomes = await asyncio.gather(*(do(link, "ask", client) for client in clients))
        for outcome, client in zip(outcomes, clients, strict=True):
            assert isinstance(outcome, Answered) and outcome.value == answer
            assert [method for method, _ in client.asked] == ["elicitation/create"]
        assert len(server.sessions) == 3
        await link.end_session("s1")
        assert isinstance(await do(link, "ask", clients[1]), Answered)
        assert len(server.sessions) == 4
