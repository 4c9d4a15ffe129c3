"""The older HTTP transport when something goes wrong after it came up."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator

import pytest
from tests.link.probing import until, use
from tests.link.servers.web import Web, serving

from prowess.link import Link
from prowess.provider import Answered, Lost, Refused, TimedOut, ToolFailed
from prowess.spec.model import HttpServer

pytestmark = pytest.mark.anyio

SECRET = "tok-4f9a77c1e0b2d3e4"


@pytest.fixture
def web() -> Iterator[Web]:
    with serving(Web()) as here:
        here.era = "legacy"
        yield here


@pytest.fixture
async def link(web: Web) -> AsyncIterator[Link]:
    """A link that is up."""
    server = HttpServer(id="web", type="sse", url=f"{web.url}/sse", headers={"X-Api-Key": SECRET})
    made = Link(server, root="unused", data="unused", startup=5.0)
    assert (await made.open()).status == "connected"
    yield made
    await made.close()


async def test_events_that_are_no_message_are_noted_without_secrets(web: Web, link: Link) -> None:
    for event in ("event: message\ndata: {nope " + SECRET, "event: other\ndata: x", "event: message\ndata:"):
        web.streams[-1].put(event + "\n\n")
    assert isinstance(await use(link), Answered)
    (note,) = link.offer().notes
    assert "no JSON-RPC message" in note and SECRET not in note


async def test_half_a_character_in_an_event_is_replaced_and_noted(web: Web, link: Link) -> None:
    web.streams[-1].put('event: message\ndata: {"jsonrpc": "2.0", "method": "notifications/\\ud83d"}\n\n')
    await use(link)
    assert [note for note in link.offer().notes if "half a character" in note]


@pytest.mark.parametrize(
    ("status", "outcome"),
    [(401, Refused), (403, ToolFailed), (404, ToolFailed), (429, ToolFailed), (500, Lost)],
)
async def test_a_message_that_is_turned_away_fails_its_own_call(
    web: Web, link: Link, status: int, outcome: type
) -> None:
    web.status = status
    assert isinstance(await use(link), outcome)
    web.status = 0
    assert isinstance(await use(link), Answered)


async def test_a_message_is_never_taken_to_another_origin(web: Web, link: Link) -> None:
    with serving(Web()) as foreign:
        web.redirect = (307, f"{foreign.url}/messages")
        outcome = await use(link)
        assert isinstance(outcome, Refused) and outcome.code == "origin" and foreign.seen == []


async def test_a_stream_that_grows_over_the_limit_ends_and_is_begun_again(
    web: Web, link: Link, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("prowess.link.sse.MAX_LINE", 100_000)
    await link.close()
    await link.open()
    before = len(web.streams)
    assert isinstance(await use(link, size=200_000), Lost)
    await until(lambda: len(web.streams) > before)
    assert isinstance(await use(link), Answered)


async def test_a_call_that_nobody_waits_for_any_more_harms_no_other(web: Web, link: Link) -> None:
    web.status = 202  # accepted, and never answered
    assert isinstance(await use(link, timeout=0.1), TimedOut)
    web.status = 0
    assert isinstance(await use(link), Answered)


async def test_arguments_that_are_no_unicode_are_not_sent_over_sse(web: Web, link: Link) -> None:
    before = len(web.seen)
    outcome = await use(link, text="\ud800")
    assert isinstance(outcome, Refused) and len(web.seen) == before
    assert isinstance(await use(link), Answered)
