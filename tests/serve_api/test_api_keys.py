"""A call with a key is made once, however often it is asked for, within its time."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import httpx2
import pytest
from tests.serve_api.conftest import Tempers, client_of, front, on_a_port

from prowess.call.running import CallResult
from prowess.host import Host
from prowess.provider import Answered, Caller
from prowess.serve import api_keys
from prowess.serve.api import api_app
from prowess.serve.api_keys import Keys
from prowess.serve.api_problems import HttpProblem

pytestmark = pytest.mark.anyio


class Clock:
    now = 1_000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
async def api(host: Host, clock: Clock) -> AsyncIterator[httpx2.AsyncClient]:
    app = api_app(host, key_seconds=60, now=clock)
    async with client_of(front(app, {"ann": Caller(principal="ann")})) as client:
        yield client


async def call(api: httpx2.AsyncClient, skill: str = "echo", who: str = "", **more: Any) -> httpx2.Response:
    body = {"skill": skill, "params": {"n": 1}, "key": "k1", **more}
    return await api.post("/call", json=body, headers={"x-who": who})


async def test_the_same_key_answers_the_same_result_and_calls_once(
    api: httpx2.AsyncClient, crm: Tempers
) -> None:
    first, second = await call(api), await call(api)
    assert first.json() == second.json() == {"result": {"got": {"n": 1}}}
    assert first.headers["prowess-record"] == second.headers["prowess-record"]
    assert len(crm.calls) == 1


async def test_calls_at_the_same_time_with_one_key_are_one_call(
    api: httpx2.AsyncClient, crm: Tempers
) -> None:
    calls = [asyncio.ensure_future(call(api, "wait")) for _ in range(8)]
    await asyncio.wait_for(crm.started.wait(), 5)
    crm.release.set()
    answers = await asyncio.gather(*calls)
    assert [each.json() for each in answers] == [{"result": {"calls": 1}}] * 8
    assert len(crm.calls) == 1


@pytest.mark.parametrize("more", [{"params": {"n": 2}}, {"skill": "fail"}, {"version": "1.0.0"}])
async def test_the_same_key_for_another_call_is_409(
    more: dict[str, Any], api: httpx2.AsyncClient, crm: Tempers
) -> None:
    await call(api)
    answer = await call(api, **{"skill": "echo", **more})
    assert answer.status_code == 409 and answer.json()["code"] == "key-reused"
    assert len(crm.calls) == 1


async def test_another_callers_key_is_another_key(api: httpx2.AsyncClient, crm: Tempers) -> None:
    await call(api)
    await call(api, who="ann", params={"n": 2})
    assert len(crm.calls) == 2


async def test_after_its_time_a_key_is_free_again(
    api: httpx2.AsyncClient, crm: Tempers, clock: Clock
) -> None:
    await call(api)
    clock.now += 59
    await call(api)
    assert len(crm.calls) == 1
    clock.now += 2
    await call(api)
    assert len(crm.calls) == 2


@pytest.mark.parametrize(
    ("skill", "times"), [("fail", 1), ("lost", 1), ("late", 1), ("away", 2), ("later", 2)]
)
async def test_what_may_have_acted_is_not_called_again_and_what_was_not_sent_is(
    skill: str, times: int, api: httpx2.AsyncClient, crm: Tempers
) -> None:
    first, second = await call(api, skill), await call(api, skill)
    assert first.status_code == second.status_code >= 500
    assert len(crm.calls) == times


async def test_a_refused_call_does_not_use_its_key_up(api: httpx2.AsyncClient, crm: Tempers) -> None:
    assert (await call(api, "query")).status_code == 400
    assert (await call(api, "query", params={"week": "2026-W31"})).status_code == 200


async def test_a_client_that_goes_away_finds_its_result_under_the_key(host: Host, crm: Tempers) -> None:
    async with on_a_port(api_app(host)) as api:
        impatient = asyncio.ensure_future(call(api, "wait"))
        await asyncio.wait_for(crm.started.wait(), 5)
        impatient.cancel()
        await asyncio.gather(impatient, return_exceptions=True)
        crm.release.set()
        assert (await call(api, "wait")).json() == {"result": {"calls": 1}}
    assert not crm.cancelled.is_set()


async def test_a_client_that_goes_away_without_a_key_ends_its_call(host: Host, crm: Tempers) -> None:
    async with on_a_port(api_app(host)) as api:
        impatient = asyncio.ensure_future(api.post("/call", json={"skill": "wait", "params": {}}))
        await asyncio.wait_for(crm.started.wait(), 5)
        impatient.cancel()
        await asyncio.gather(impatient, return_exceptions=True)
        await asyncio.wait_for(crm.cancelled.wait(), 5)


async def answered(value: Any = 1) -> CallResult:
    return CallResult(outcome=Answered(value=value), record="r")


async def test_no_more_keys_are_kept_than_may_be(monkeypatch: pytest.MonkeyPatch, clock: Clock) -> None:
    monkeypatch.setattr(api_keys, "MOST", 5)
    monkeypatch.setattr(api_keys, "MOST_OF_ONE_CALLER", 3)
    keys = Keys(seconds=60, now=clock)
    for number in range(10):
        await keys.once(Caller(principal="ann"), str(number), "d", answered)
    assert len(keys) == 3
    for number in range(10):
        await keys.once(Caller(principal=f"p{number}"), "k", "d", answered)
    assert len(keys) == 5


async def test_no_more_bytes_are_kept_than_may_be(monkeypatch: pytest.MonkeyPatch, clock: Clock) -> None:
    monkeypatch.setattr(api_keys, "MOST_BYTES", 1_000)
    keys = Keys(seconds=60, now=clock)
    for number in range(10):
        await keys.once(Caller(), str(number), "d", lambda: answered("x" * 300))
    assert len(keys) == 3


async def test_calls_that_run_are_not_forgotten_for_new_ones(
    monkeypatch: pytest.MonkeyPatch, clock: Clock
) -> None:
    monkeypatch.setattr(api_keys, "MOST_OF_ONE_CALLER", 1)
    keys, go = Keys(seconds=60, now=clock), asyncio.Event()

    async def waiting() -> CallResult:
        await go.wait()
        return await answered()

    first = asyncio.ensure_future(keys.once(Caller(), "a", "d", waiting))
    await asyncio.sleep(0)
    with pytest.raises(HttpProblem) as busy:
        await keys.once(Caller(), "b", "d", answered)
    assert busy.value.status == 429
    go.set()
    await first
    await keys.once(Caller(), "b", "d", answered)
    assert len(keys) == 1
