"""The endpoint as a server of the protocol, in both eras, spoken to in raw JSON."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from tests.serve.offering import Offering, endpoint_of
from tests.serve.speaking import speaking

from prowess.errors import RequestFailed
from prowess.provider import Answered, Change, InputRequired, Invocation

pytestmark = pytest.mark.anyio
ECHO = {"name": "echo"}
SERVER_INFO = "io.modelcontextprotocol/serverInfo"


async def test_discover_names_the_version_the_capabilities_and_who_answers(tmp_path: Path) -> None:
    async with endpoint_of(tmp_path, Offering(tools=[ECHO])) as endpoint, speaking(endpoint) as client:
        result = (await client.ask("server/discover"))["result"]
    assert result["supportedVersions"] == ["2026-07-28"]
    assert result["resultType"] == "complete"
    assert result["capabilities"]["tools"] == {"listChanged": True}
    assert {"ttlMs", "cacheScope"} <= set(result)
    assert result["_meta"][SERVER_INFO]["name"] == "prowess"


async def test_a_newer_result_keeps_null_and_unknown_members_and_is_stamped_once(tmp_path: Path) -> None:
    wire = {
        "content": [{"type": "text", "text": "x", "novel": None}],
        "resultType": "complete",
        "ünknown": {"a": None},
        "_meta": {SERVER_INFO: {"name": "upstream", "version": "9"}, "k": 1},
    }
    server = Offering(tools=[ECHO])
    server.on_call = lambda _: Answered(value="x", wire=wire)
    async with endpoint_of(tmp_path, server) as endpoint, speaking(endpoint) as client:
        assert (await client.ask("tools/call", {"name": "echo"}))["result"] == wire


async def test_an_older_result_is_handed_on_without_a_stamp(tmp_path: Path) -> None:
    wire = {"content": [], "isError": False, "later": None}
    server = Offering(tools=[ECHO])
    server.on_call = lambda _: Answered(value=[], wire=wire)
    async with endpoint_of(tmp_path, server) as endpoint, speaking(endpoint) as client:
        await client.shake_hands()
        assert (await client.ask("tools/call", {"name": "echo"}, old=True))["result"] == wire


async def test_state_and_questions_pass_as_they_are(tmp_path: Path) -> None:
    asking = {
        "resultType": "input_required",
        "requestState": 'sta"te\\ 字',
        "inputRequests": {"k": {"method": "elicitation/create", "params": {"x": None}}},
        "novel": [None],
    }
    server = Offering(tools=[ECHO])
    server.on_call = lambda _: InputRequired(wire=asking)
    async with endpoint_of(tmp_path, server) as endpoint, speaking(endpoint) as client:
        result = (await client.ask("tools/call", {"name": "echo"}))["result"]
        assert {key: each for key, each in result.items() if key != "_meta"} == asking
        assert "ttlMs" not in result


@pytest.mark.parametrize("old", [False, True])
async def test_progress_comes_under_the_clients_token_with_every_member(tmp_path: Path, old: bool) -> None:
    async def answer(invocation: Invocation) -> Any:
        assert invocation.peer is not None
        await invocation.peer.progress({"progress": 0.5, "total": 1, "message": "半", "novel": None})
        return Answered(value="ok")

    server = Offering(tools=[ECHO])
    server.on_call = answer
    async with endpoint_of(tmp_path, server) as endpoint, speaking(endpoint) as client:
        if old:
            await client.shake_hands()
        await client.ask("tools/call", {"name": "echo", "_meta": {"progressToken": "t"}}, old=old)
    progress = [each for each in client.heard if each["method"] == "notifications/progress"]
    assert [each["params"] for each in progress] == [
        {"progress": 0.5, "total": 1, "message": "半", "novel": None, "progressToken": "t"}
    ]


async def test_without_a_token_no_progress_is_sent(tmp_path: Path) -> None:
    async def answer(invocation: Invocation) -> Any:
        assert invocation.peer is not None
        assert not invocation.peer.wants_progress
        await invocation.peer.progress({"progress": 1})
        return Answered(value="ok")

    server = Offering(tools=[ECHO])
    server.on_call = answer
    async with endpoint_of(tmp_path, server) as endpoint, speaking(endpoint) as client:
        await client.ask("tools/call", {"name": "echo"})
    assert client.heard == []


async def test_the_clients_capabilities_reach_the_provider_as_sent(tmp_path: Path) -> None:
    server = Offering(tools=[ECHO])
    declared = {"elicitation": {"novel": {}}, "extensions": {"a/b": {"c": None}}}
    async with endpoint_of(tmp_path, server) as endpoint:
        async with speaking(endpoint, declared) as client:
            await client.ask("tools/call", {"name": "echo"})
        async with speaking(endpoint, declared) as client:
            await client.shake_hands()
            await client.ask("tools/call", {"name": "echo"}, old=True)
    peers = [each.peer for each in server.calls]
    assert [each.capabilities for each in peers if each] == [declared, declared]
    assert [bool(each.session) for each in peers if each] == [False, True]


async def test_a_server_may_ask_an_older_client_and_gets_its_raw_answer(tmp_path: Path) -> None:
    got: list[Any] = []

    async def answer(invocation: Invocation) -> Any:
        assert invocation.peer is not None
        got.append(await invocation.peer.ask("sampling/createMessage", {"messages": [], "novel": None}))
        return Answered(value="ok")

    server = Offering(tools=[ECHO])
    server.on_call = answer
    async with endpoint_of(tmp_path, server) as endpoint, speaking(endpoint, {"sampling": {}}) as client:
        await client.shake_hands()
        number = await client.begin("tools/call", {"name": "echo"}, old=True)
        question = await client.receive()
        assert question["method"] == "sampling/createMessage"
        assert question["params"] == {"messages": [], "novel": None}
        await client.send({"id": question["id"], "result": {"role": "assistant", "novel": {"a": None}}})
        await client.answer_to(number)
    assert got == [{"role": "assistant", "novel": {"a": None}}]


async def test_a_clients_error_reaches_the_server_with_its_code(tmp_path: Path) -> None:
    caught: list[RequestFailed] = []

    async def answer(invocation: Invocation) -> Any:
        assert invocation.peer is not None
        try:
            await invocation.peer.ask("elicitation/create", {})
        except RequestFailed as error:
            caught.append(error)
        return Answered(value="ok")

    server = Offering(tools=[ECHO])
    server.on_call = answer
    async with endpoint_of(tmp_path, server) as endpoint, speaking(endpoint) as client:
        await client.shake_hands()
        number = await client.begin("tools/call", {"name": "echo"}, old=True)
        question = await client.receive()
        await client.send({"id": question["id"], "error": {"code": -1, "message": "no", "data": {"d": 1}}})
        await client.answer_to(number)
    assert [(each.number, each.data) for each in caught] == [(-1, {"d": 1})]


async def test_a_newer_client_cannot_be_asked(tmp_path: Path) -> None:
    caught: list[int] = []

    async def answer(invocation: Invocation) -> Any:
        assert invocation.peer is not None
        try:
            await invocation.peer.ask("elicitation/create", {})
        except RequestFailed as error:
            caught.append(error.number)
        return Answered(value="ok")

    server = Offering(tools=[ECHO])
    server.on_call = answer
    async with endpoint_of(tmp_path, server) as endpoint, speaking(endpoint) as client:
        await client.ask("tools/call", {"name": "echo"})
    assert len(caught) == 1


async def test_a_cancelled_request_cancels_the_call(tmp_path: Path) -> None:
    begun, cancelled = asyncio.Event(), asyncio.Event()

    async def answer(invocation: Invocation) -> Any:
        begun.set()
        try:
            await asyncio.Event().wait()
        finally:
            cancelled.set()

    server = Offering(tools=[ECHO])
    server.on_call = answer
    async with endpoint_of(tmp_path, server) as endpoint, speaking(endpoint) as client:
        number = await client.begin("tools/call", {"name": "echo"})
        await begun.wait()
        await client.send({"method": "notifications/cancelled", "params": {"requestId": number}})
        await cancelled.wait()


async def test_a_stream_of_changes_begins_with_an_acknowledgement_and_tells_what_was_asked_for(
    tmp_path: Path,
) -> None:
    server = Offering(tools=[ECHO], resources=[{"uri": "a:1", "name": "a"}])
    async with endpoint_of(tmp_path, server) as endpoint, speaking(endpoint) as client:
        wanted = {"notifications": {"toolsListChanged": True, "resourceSubscriptions": ["a:1"]}}
        number = await client.begin("subscriptions/listen", wanted)
        acknowledged = await client.receive()
        assert acknowledged["method"] == "notifications/subscriptions/acknowledged"
        assert server.followed == ["a:1"]
        server.tell(
            Change(server="one", kind="prompts"),
            Change(server="one", kind="tools"),
            Change(server="one", kind="resource", uri="a:1"),
        )
        told = [await client.receive(), await client.receive()]
        client.server.close_streams()
        ended = await client.answer_to(number)
    assert {each["method"] for each in told} == {
        "notifications/tools/list_changed",
        "notifications/resources/updated",
    }
    assert all(each["params"]["_meta"]["io.modelcontextprotocol/subscriptionId"] == number for each in told)
    assert "result" in ended
    assert server.followed == []


async def test_an_older_session_hears_of_lists_and_of_what_it_subscribed_to(tmp_path: Path) -> None:
    server = Offering(tools=[ECHO], resources=[{"uri": "a:1", "name": "a"}])
    async with endpoint_of(tmp_path, server) as endpoint, speaking(endpoint) as client:
        await client.shake_hands()
        await client.ask("resources/subscribe", {"uri": "a:1"}, old=True)
        server.tell(Change(server="one", kind="resource", uri="a:1"), Change(server="one", kind="tools"))
        told = [await client.receive(), await client.receive()]
        await client.ask("resources/unsubscribe", {"uri": "a:1"}, old=True)
        assert server.followed == []
    assert {each["method"] for each in told} == {
        "notifications/resources/updated",
        "notifications/tools/list_changed",
    }


async def test_a_session_that_ends_is_told_to_the_providers_and_follows_nothing(tmp_path: Path) -> None:
    server = Offering(tools=[ECHO], resources=[{"uri": "a:1", "name": "a"}])
    async with endpoint_of(tmp_path, server) as endpoint:
        async with speaking(endpoint) as client:
            await client.shake_hands()
            await client.ask("resources/subscribe", {"uri": "a:1"}, old=True)
        assert server.followed == []
        assert len(server.ended) == 1


@pytest.mark.parametrize(
    ("method", "params", "code"),
    [
        ("tools/call", {}, -32602),
        ("tools/call", {"name": "echo", "arguments": []}, -32602),
        ("logging/setLevel", {"level": "info"}, -32601),
        ("no/such", {}, -32601),
    ],
)
async def test_malformed_and_unknown_requests_are_refused_by_code(
    tmp_path: Path, method: str, params: dict[str, Any], code: int
) -> None:
    async with endpoint_of(tmp_path, Offering(tools=[ECHO])) as endpoint, speaking(endpoint) as client:
        assert (await client.ask(method, params))["error"]["code"] == code


async def test_an_older_client_must_shake_hands_first(tmp_path: Path) -> None:
    async with endpoint_of(tmp_path, Offering(tools=[ECHO])) as endpoint, speaking(endpoint) as client:
        assert (await client.ask("tools/list", old=True))["error"]["code"] == -32602
