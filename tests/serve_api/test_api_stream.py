"""A call answered as events: progress and log messages, then one result or one problem."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from typing import Any

import httpx2
import pytest
from tests.serve_api.conftest import Tempers, on_a_port

from prowess.host import Host
from prowess.serve import api_stream
from prowess.serve.api import api_app
from prowess.serve.api_stream import StreamPeer, written

pytestmark = pytest.mark.anyio

EVENTS = {"Accept": "text/event-stream"}


@pytest.fixture
async def api(host: Host) -> AsyncIterator[httpx2.AsyncClient]:
    async with on_a_port(api_app(host)) as client:
        yield client


def events(text: str) -> list[tuple[str, Any]]:
    found = []
    for block in text.split("\n\n")[:-1]:
        event, data = block.split("\n")
        found.append((event.removeprefix("event: "), json.loads(data.removeprefix("data: "))))
    return found


async def stream(api: httpx2.AsyncClient, skill: str, **more: Any) -> httpx2.Response:
    return await api.post("/call", json={"skill": skill, "params": {}, **more}, headers=EVENTS)


async def test_progress_and_log_messages_come_before_the_result(api: httpx2.AsyncClient) -> None:
    answer = await stream(api, "progress")
    assert answer.status_code == 200
    assert answer.headers["content-type"].startswith("text/event-stream")
    assert events(answer.text) == [
        ("progress", {"progress": 1, "total": 2, "message": "half"}),
        ("log", {"level": "info", "data": "reading\nlines"}),
        ("result", {"result": {"done": True}}),
    ]


async def test_what_goes_wrong_on_the_way_is_a_problem_event(api: httpx2.AsyncClient) -> None:
    [(event, document)] = events((await stream(api, "fail")).text)
    assert event == "problem"
    assert (document["status"], document["code"], document["error"]) == (
        500,
        "tool-failed",
        "the ledger is closed",
    )


async def test_what_is_wrong_with_the_request_is_told_by_the_status(api: httpx2.AsyncClient) -> None:
    answer = await stream(api, "nothing")
    assert answer.status_code == 404
    assert answer.headers["content-type"] == "application/problem+json"


async def test_a_version_that_there_is_not_is_a_problem_event(api: httpx2.AsyncClient) -> None:
    [(event, document)] = events((await stream(api, "echo", version="9")).text)
    assert (event, document["status"]) == ("problem", 404)


async def test_a_repeated_key_streams_the_recorded_result(api: httpx2.AsyncClient, crm: Tempers) -> None:
    first = events((await stream(api, "progress", key="k")).text)
    second = events((await stream(api, "progress", key="k")).text)
    assert first[-1] == second[-1] and len(second) == 1 and len(crm.calls) == 1


async def test_the_client_that_goes_away_ends_the_call(api: httpx2.AsyncClient, crm: Tempers) -> None:
    body = {"skill": "wait", "params": {}}
    async with api.stream("POST", "/call", json=body, headers=EVENTS) as answer:
        assert answer.status_code == 200
        await asyncio.wait_for(crm.started.wait(), 5)
    await asyncio.wait_for(crm.cancelled.wait(), 5)


async def test_a_fault_of_our_own_is_a_problem_event(
    host: Host, api: httpx2.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def broken(*arguments: Any, **more: Any) -> Any:
        raise RuntimeError("hush-8391")

    monkeypatch.setattr(host, "call_recorded", broken)
    answer = await stream(api, "echo")
    [(event, document)] = events(answer.text)
    assert (event, document["code"]) == ("problem", "internal") and "hush" not in answer.text


async def test_a_quiet_call_is_kept_open_by_comments(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(api_stream, "QUIET_SECONDS", 0.01)
    heard = StreamPeer().events()
    assert written(await asyncio.wait_for(anext(heard), 5)) == ":\n\n"


async def test_a_slow_client_loses_the_oldest_events_and_no_memory_is_lost() -> None:
    peer = StreamPeer()
    for number in range(api_stream.WAITING + 5):
        await peer.progress({"progress": number})
    peer.end()
    await peer.progress({"progress": -1})
    heard = [each async for each in peer.events()]
    assert len(heard) == api_stream.WAITING
    assert heard[0] == ("progress", {"progress": 5})


async def test_an_injected_secret_that_comes_back_on_the_way_is_hidden() -> None:
    peer = StreamPeer(lambda text: text.replace("hush-8391", "[hidden]"))
    await peer.progress({"progress": 1, "message": "with hush-8391"})
    await peer.notify("notifications/message", {"data": {"token": ["hush-8391"]}})
    peer.end()
    assert "hush" not in "".join([written(each) async for each in peer.events()])
