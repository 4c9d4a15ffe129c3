"""A link hands requests on as they are: raw results, errors with their codes, what a call carries."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from tests.bounds import bound
from tests.link.probing import until
from tests.link.relaying import Client, Talk, do, state

from prowess.errors import ConnectionFailed, NotFound, RequestFailed
from prowess.provider import Answered, InputRequired, Invocation, Refused, ToolFailed

pytestmark = pytest.mark.anyio

ERAS = ["modern", "legacy"]
PREFIX = "io.modelcontextprotocol/"


def _of(outcome: object) -> dict[str, Any]:
    assert isinstance(outcome, Answered), outcome
    params: dict[str, Any] = outcome.value["params"]
    return params


# -- any request -----------------------------------------------------------------------------------


@pytest.mark.parametrize("era", ERAS)
async def test_the_result_of_any_request_comes_back_whole(talk: Talk, era: str) -> None:
    link = talk.link(era)
    await link.open()
    for method in ("prompts/get", "completion/complete", "skills/read", "x/unheard-of"):
        result = await link.ask(method, {"name": "a", "x-more": [None]})
        assert result["method"] == method and result["params"]["x-more"] == [None]
        assert result["x-kept"] == {"deep": [None, 1.5]}


@pytest.mark.parametrize("era", ERAS)
async def test_an_error_of_the_servers_comes_with_its_code_and_data(talk: Talk, era: str) -> None:
    link = talk.link(era)
    await link.open()
    with pytest.raises(RequestFailed) as failed:
        await link.ask("fail", {"message": "as it\nwas said"})
    assert (failed.value.number, failed.value.message) == (-31999, "as it\nwas said")
    assert failed.value.data == {"why": ["because", None]}


async def test_a_server_that_goes_away_is_no_error_of_its_own(talk: Talk) -> None:
    link = talk.link()
    await link.open()
    asking = asyncio.ensure_future(link.ask("fail", {"message": "x"}))
    await do(link, "crash")
    with pytest.raises((ConnectionFailed, RequestFailed)):
        await asking
    with pytest.raises(ConnectionFailed):
        await talk.link().ask("prompts/get", {"name": "a"})  # never opened


async def test_a_request_that_takes_too_long_is_given_up_and_cancelled_at_the_server(talk: Talk) -> None:
    link = talk.link()
    await link.open()
    with pytest.raises(ConnectionFailed):
        await link.ask("tools/call", {"name": "do", "arguments": {"what": "hang"}}, timeout=0.2)
    assert (await state(link))["pid"]  # the talker heard the cancellation, or it would hang still


@pytest.mark.parametrize("era", ERAS)
async def test_a_call_that_is_cancelled_is_cancelled_at_the_server(talk: Talk, era: str) -> None:
    link = talk.link(era)
    await link.open()
    calling = asyncio.ensure_future(do(link, "hang", Client()))
    await until(lambda: talk.heard("tools/call"))
    calling.cancel()
    with pytest.raises(asyncio.CancelledError):
        await calling
    assert (await state(link))["pid"]  # the talker heard the cancellation, or it would hang still


async def test_text_that_is_none_is_the_askers_mistake(talk: Talk) -> None:
    link = talk.link()
    await link.open()
    for params in ({"name": "\ud83d"}, {"name": "a", "_meta": 7}):
        with pytest.raises(RequestFailed) as failed:
            await link.ask("prompts/get", params)
        assert failed.value.number == -32602


async def test_prompts_and_resources_are_still_got_by_name(talk: Talk) -> None:
    link = talk.link()
    await link.open()
    assert (await link.get_prompt("a", {"b": "c"}))["params"]["arguments"] == {"b": "c"}
    assert (await link.read_resource("talk://a"))["params"]["uri"] == "talk://a"


# -- what a call carries ---------------------------------------------------------------------------


@pytest.mark.parametrize("era", ERAS)
async def test_what_a_call_carries_beside_its_arguments_goes_on_as_sent(talk: Talk, era: str) -> None:
    link = talk.link(era)
    await link.open()
    further = {"inputResponses": {"who": {"action": "accept", "x": None}}, "requestState": "s", "x": [1]}
    meta = {
        "x-own": {"a": 1},
        "traceparent": "00-1-2-01",
        f"{PREFIX}logLevel": "debug",
        f"{PREFIX}protocolVersion": "1999-01-01",
        f"{PREFIX}clientInfo": {"name": "somebody else"},
        f"{PREFIX}clientCapabilities": {"sampling": {}},
        "progressToken": "theirs",
    }
    sent = _of(
        await link.call(Invocation(tool="do", arguments={"b": 1}, meta=meta, further=further, peer=Client()))
    )
    carried = sent.pop("_meta")
    assert sent == {"name": "do", "arguments": {"b": 1}, **further}
    assert carried.pop("x-own") == {"a": 1} and carried.pop("traceparent") == "00-1-2-01"
    assert carried.pop(f"{PREFIX}logLevel") == "debug"
    if era == "legacy":
        assert carried == {}  # neither what belongs to the newer era, nor a token that nobody listens to
    else:
        assert carried.pop(f"{PREFIX}clientInfo")["name"] == "prowess"
        assert carried == {f"{PREFIX}protocolVersion": "2026-07-28", f"{PREFIX}clientCapabilities": {}}


async def test_a_server_of_the_newer_era_is_told_what_each_client_declares(talk: Talk) -> None:
    link = talk.link("modern")
    await link.open()
    declared = {"elicitation": {"form": {}, "x-new": 1}, "x-unknown": {}}
    call = _of(await do(link, peer=Client(capabilities=declared)))
    assert call["_meta"][f"{PREFIX}clientCapabilities"] == declared
    asked = await link.ask("prompts/get", {"name": "a"}, peer=Client(capabilities=declared))
    assert asked["params"]["_meta"][f"{PREFIX}clientCapabilities"] == declared
    assert _of(await do(link))["_meta"][f"{PREFIX}clientCapabilities"] == {}


# -- what a call ends with -------------------------------------------------------------------------


async def test_a_tool_that_asks_for_input_does_so_where_there_is_a_client(talk: Talk) -> None:
    link = talk.link("modern")
    await link.open()
    outcome = await do(link, "input", Client())
    assert isinstance(outcome, InputRequired)
    assert outcome.wire["requestState"] == "opaque é" and outcome.wire["x-kept"] == 1
    assert isinstance(await do(link, "input"), ToolFailed)


async def test_a_tool_that_is_not_there_is_known_before_anything_is_sent(talk: Talk) -> None:
    link = talk.link()
    await link.open()
    for peer in (None, Client(), Client(session="s1", capabilities={"roots": {}})):
        with pytest.raises(NotFound):
            await link.call(Invocation(tool="gone", peer=peer, timeout=bound(10)))
    assert talk.heard("tools/call") == []


# -- what is on offer ------------------------------------------------------------------------------


async def test_the_offer_says_what_the_server_declares_and_how_long_lists_may_be_kept(talk: Talk) -> None:
    offer = await talk.link("caching").open()
    assert offer.capabilities["x-kept"] == {"a": 1}
    assert offer.caching == {
        "tools/list": (5_000, "public"),
        "prompts/list": (0, "private"),
        "resources/list": (5_000, "public"),
    }
    assert (await talk.link().open()).caching == {}


# -- what is said meanwhile ------------------------------------------------------------------------


@pytest.mark.parametrize("era", ERAS)
async def test_progress_is_heard_whole_in_order_and_before_the_result(talk: Talk, era: str) -> None:
    link = talk.link(era)
    await link.open()
    client = Client(wants_progress=True)
    sent = _of(await do(link, "progress", client, times=20))
    progress = [params for method, params in client.told if method == "progress"]
    assert progress == [
        {"progress": number, "total": 9, "message": "on", "x-kept": [number]} for number in range(20)
    ]
    log = [params for method, params in client.told if method == "notifications/message"]
    assert log == [{"level": "info", "data": number, "x-kept": {"a": None}} for number in range(20)]
    assert [method for method, _ in client.told[:2]] == ["progress", "notifications/message"]
    assert sent["_meta"]["progressToken"]


async def test_progress_is_not_asked_for_where_nobody_wants_it(talk: Talk) -> None:
    link = talk.link()
    await link.open()
    client = Client()
    assert "progressToken" not in _of(await do(link, "progress", client, times=1))["_meta"]
    assert [method for method, _ in client.told] == ["notifications/message"]


async def test_a_client_that_does_not_listen_costs_its_own_call_only(talk: Talk) -> None:
    link = talk.link()
    await link.open()
    deaf = Client(wants_progress=True, hold=asyncio.Event())
    outcome = await link.call(
        Invocation(tool="do", arguments={"what": "progress", "times": 2_000}, peer=deaf, timeout=0.5)
    )
    assert not isinstance(outcome, Answered | Refused)
    assert (await state(link))["pid"]


async def test_what_may_belong_to_either_of_two_requests_is_nobodys(talk: Talk) -> None:
    link = talk.link()
    await link.open()
    first, second = Client(wants_progress=True), Client(wants_progress=True)
    await asyncio.gather(do(link, "progress", first, times=3), do(link, "progress", second, times=2))
    for client, times in ((first, 3), (second, 2)):
        assert len([method for method, _ in client.told if method == "progress"]) == times
    assert len([1 for method, _ in first.told if method != "progress"]) < 3
