"""A client that keeps a session has a session of its own at the server, and everything passes on it."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from tests.link.probing import until
from tests.link.relaying import Client, Talk, do, state

from prowess.errors import RequestFailed
from prowess.link import sessions
from prowess.provider import Answered, Refused

pytestmark = pytest.mark.anyio

DECLARED = {"sampling": {"x-new": 1}, "elicitation": {}, "roots": {"listChanged": True}}
SAMPLED = {"role": "assistant", "content": {"type": "hologram"}, "x-kept": [None]}


def _client(session: str = "s1", **more: Any) -> Client:
    return Client(session=session, capabilities=DECLARED, **more)


async def test_a_session_gets_a_connection_greeted_with_what_its_client_declares(talk: Talk) -> None:
    link = talk.link()
    await link.open()
    everybodys = (await state(link))["pid"]
    first, second = await state(link, _client()), await state(link, _client("s2"))
    assert len({everybodys, first["pid"], second["pid"]}) == 3
    assert first["initialize"]["capabilities"] == DECLARED
    assert first["initialize"]["protocolVersion"] == "2025-11-25"
    assert (await state(link, _client()))["pid"] == first["pid"]


async def test_a_client_without_a_session_or_without_need_shares_the_connection_of_all(talk: Talk) -> None:
    link = talk.link("legacy")
    await link.open()
    shared = (await state(link))["pid"]
    assert (await state(link, Client(capabilities=DECLARED)))["pid"] == shared
    assert (await state(link, Client(session="s1")))["pid"] == shared
    assert len(talk.heard("start")) == 1


async def test_an_older_client_is_not_served_on_a_connection_of_the_newer_era(talk: Talk) -> None:
    link = talk.link()
    await link.open()
    assert (await state(link))["initialize"] == {}
    assert (await state(link, Client(session="s1")))["initialize"]["capabilities"] == {}


async def test_a_level_and_subscriptions_are_the_sessions_own(talk: Talk) -> None:
    link = talk.link("legacy")
    await link.open()
    client, other = Client(session="s1"), Client(session="s2")
    await link.ask("logging/setLevel", {"level": "debug"}, peer=client)
    await link.ask("resources/subscribe", {"uri": "talk://a"}, peer=client)
    await link.ask("resources/subscribe", {"uri": "talk://b"}, peer=client)
    await link.ask("resources/unsubscribe", {"uri": "talk://b"}, peer=client)
    own = await state(link, client)
    assert (own["level"], own["subscribed"]) == ("debug", ["talk://a"])
    assert (await state(link, other))["level"] == (await state(link))["level"] == ""


async def test_what_a_session_set_is_set_again_when_its_connection_was_lost(talk: Talk) -> None:
    link = talk.link()
    await link.open()
    client = _client()
    await link.ask("logging/setLevel", {"level": "debug"}, peer=client)
    await link.ask("resources/subscribe", {"uri": "talk://a"}, peer=client)
    before = await state(link, client)
    await do(link, "crash", client)
    after = await state(link, client)
    assert after["pid"] != before["pid"]
    assert {**after, "pid": 0, "params": 0} == {**before, "pid": 0, "params": 0}


async def test_what_the_server_asks_is_answered_raw_by_the_client(talk: Talk) -> None:
    link = talk.link()
    await link.open()
    refused = RequestFailed("the person said no", number=-1, data={"x": [1]})
    client = _client(
        answers={"sampling/createMessage": SAMPLED, "elicitation/create": refused, "ping": {}, "x/new": {}}
    )
    questions = [
        {"method": "sampling/createMessage", "params": {"messages": [], "x-kept": None}},
        {"method": "elicitation/create", "params": {"mode": "new"}},
        {"method": "ping", "params": {}},
        {"method": "x/new", "params": {"a": 1}},
    ]
    outcome = await do(link, "ask", client, of=questions)
    assert isinstance(outcome, Answered)
    sampled, elicited, pinged, new = outcome.value["answers"]
    assert sampled == {"result": SAMPLED}
    assert elicited == {"error": {"code": -1, "message": "the person said no", "data": {"x": [1]}}}
    assert pinged == new == {"result": {}}
    assert client.asked == [(each["method"], each["params"]) for each in questions]


async def test_on_the_connection_of_all_nobody_is_asked(talk: Talk) -> None:
    link = talk.link("legacy")
    await link.open()
    client = Client(capabilities=DECLARED)
    questions: list[dict[str, Any]] = [{"method": method, "params": {}} for method in ("ping", "roots/list")]
    outcome = await do(link, "ask", client, of=questions)
    assert isinstance(outcome, Answered) and client.asked == []
    pinged, asked = outcome.value["answers"]
    assert pinged == {"result": {}} and asked["error"]["code"] == -32601


async def test_between_requests_the_server_still_reaches_the_session(talk: Talk) -> None:
    link = talk.link()
    await link.open()
    client = _client(answers={"roots/list": {"roots": [], "x": 1}})
    await do(link, "later", client)
    await until(lambda: client.told)
    assert client.asked == [("roots/list", {"x-kept": 1})]
    answered = {"result": {"roots": [], "x": 1}}
    assert client.told == [("notifications/message", {"level": "info", "data": answered})]


async def test_notifications_of_any_kind_reach_the_session(talk: Talk) -> None:
    link = talk.link()
    await link.open()
    client = _client(wants_progress=True)
    await do(link, "touch", client, uri="talk://a")
    await do(link, "add", client, name="more")
    await do(link, "progress", client, times=1)
    assert [method for method, _ in client.told] == [
        "notifications/resources/updated",
        "notifications/tools/list_changed",
        "progress",
        "notifications/message",
    ]


async def test_a_notification_of_the_clients_reaches_its_own_connection(talk: Talk) -> None:
    link = talk.link()
    await link.open()
    client = _client()
    await link.tell("notifications/roots/list_changed", {}, peer=client)  # has none yet
    pid = (await state(link, client))["pid"]
    await link.tell("notifications/roots/list_changed", {}, peer=client)
    await until(lambda: talk.heard("notifications/roots/list_changed"))
    assert talk.heard("notifications/roots/list_changed") == [str(pid)]


async def test_a_server_of_the_newer_era_only_serves_everybody_on_one_connection(talk: Talk) -> None:
    link = talk.link("modern")
    await link.open()
    shared = (await state(link))["pid"]
    for session in ("s1", "s2"):
        own = await state(link, _client(session))
        assert own["pid"] == shared
        assert own["params"]["_meta"]["io.modelcontextprotocol/clientCapabilities"] == DECLARED
    assert len(talk.heard("initialize")) == 1  # found out once


async def test_a_client_of_the_older_era_may_set_what_a_server_of_the_newer_is_told_each_time(
    talk: Talk,
) -> None:
    link = talk.link("modern")
    await link.open()
    client = Client(session="s1")
    assert await link.ask("logging/setLevel", {"level": "error"}, peer=client) == {}
    assert await link.ask("resources/subscribe", {"uri": "talk://a"}, peer=client) == {}
    key = "io.modelcontextprotocol/logLevel"
    assert (await state(link, client))["params"]["_meta"][key] == "error"
    assert key not in (await state(link, Client(session="s2")))["params"]["_meta"]
    await until(lambda: talk.heard("subscriptions/listen"))
    await do(link, "touch", uri="talk://a")
    await until(lambda: client.told)
    assert client.told == [("notifications/resources/updated", {"uri": "talk://a"})]
    assert await link.ask("resources/unsubscribe", {"uri": "talk://a"}, peer=client) == {}
    await until(lambda: talk.heard("notifications/cancelled"))
    await link.end_session("s1")
    assert key not in (await state(link, client))["params"]["_meta"]


async def test_a_session_that_ends_takes_its_connection_along(talk: Talk) -> None:
    link = talk.link()
    await link.open()
    pid = (await state(link, _client()))["pid"]
    await link.end_session("s1")
    await link.end_session("nobody's")
    assert (await state(link, _client()))["pid"] != pid


async def test_what_a_session_set_outlives_a_link_that_is_closed_for_a_while(talk: Talk) -> None:
    link = talk.link()
    await link.open()
    await link.ask("logging/setLevel", {"level": "debug"}, peer=_client())
    await link.close()
    outcome = await do(link, "", _client())
    assert isinstance(outcome, Refused) and len(talk.heard("start")) == 2  # nothing is started on the quiet
    await link.open()
    assert (await state(link, _client()))["level"] == "debug"
    await link.close()
    await link.end_session("s1")
    await link.open()
    assert (await state(link, _client()))["level"] == ""


async def test_sessions_are_bounded_and_the_one_idle_longest_makes_room(
    talk: Talk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sessions, "SESSIONS_MAX", 2)
    link = talk.link()
    await link.open()
    first, second = (await state(link, _client("s1")))["pid"], (await state(link, _client("s2")))["pid"]
    assert (await state(link, _client("s1")))["pid"] == first
    await state(link, _client("s3"))
    assert (await state(link, _client("s1")))["pid"] == first
    assert (await state(link, _client("s2")))["pid"] != second


async def test_a_session_at_work_does_not_make_room(talk: Talk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sessions, "SESSIONS_MAX", 1)
    link = talk.link()
    await link.open()
    pid = (await state(link, _client()))["pid"]
    calling = asyncio.ensure_future(do(link, "hang", _client()))
    await until(lambda: talk.heard("tools/call").count(str(pid)) == 2)
    assert not isinstance(await do(link, "", _client("s2")), Answered)
    calling.cancel()
    await asyncio.gather(calling, return_exceptions=True)
    assert isinstance(await do(link, "", _client("s2")), Answered)
