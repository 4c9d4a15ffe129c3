"""Both directions of one connection: what is asked, what is answered, what is taken back, how it ends."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from typing import Any

import anyio
import pytest
from mcp.shared.exceptions import MCPError
from mcp.shared.message import SessionMessage
from mcp_types import CONNECTION_CLOSED, INTERNAL_ERROR, jsonrpc_message_adapter
from tests.bounds import bound

from prowess.link.dispatch import Dispatch

pytestmark = pytest.mark.anyio
Message = dict[str, Any]
Handler = Callable[[Any, str, Mapping[str, Any] | None], Awaitable[dict[str, Any]]]


async def echo(context: Any, method: str, params: Mapping[str, Any] | None) -> dict[str, Any]:
    return {"method": method, **(params or {})}


async def deaf(context: Any, method: str, params: Mapping[str, Any] | None) -> None:
    return None


class Writing:
    """The way out, which fails for what cannot be written as a stream of bytes would."""

    def __init__(self, inner: Any) -> None:
        self._inner = inner

    async def send(self, item: SessionMessage) -> None:
        item.message.model_dump_json(by_alias=True, exclude_unset=True)
        await self._inner.send(item)

    async def __aenter__(self) -> Writing:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._inner.aclose()


class Far:
    """The other side, spoken to in plain objects."""

    def __init__(self, handler: Handler = echo) -> None:
        self._send, incoming = anyio.create_memory_object_stream[Any](64)
        outgoing, self._receive = anyio.create_memory_object_stream[Any](64)
        self.dispatch = Dispatch(incoming, Writing(outgoing), inline=frozenset({"first"}))
        self.handler = handler

    async def say(self, **message: Any) -> None:
        parsed = jsonrpc_message_adapter.validate_python({"jsonrpc": "2.0", **message})
        await self._send.send(SessionMessage(parsed))

    async def hear(self) -> Message:
        async with asyncio.timeout(bound(5)):
            item = await self._receive.receive()
        message: Message = item.message.model_dump(by_alias=True, mode="json", exclude_unset=True)
        return message

    async def leave(self) -> None:
        await self._send.aclose()

    @asynccontextmanager
    async def running(self) -> AsyncIterator[asyncio.Task[None]]:
        run = asyncio.ensure_future(self.dispatch.run(self.handler, deaf))
        try:
            await asyncio.sleep(0)
            yield run
        finally:
            await self.leave()
            async with asyncio.timeout(bound(5)):
                await run
            self._receive.close()


async def test_answers_find_their_requests_in_any_order_and_in_either_form_of_an_id() -> None:
    far = Far()
    async with far.running():
        asked = [asyncio.ensure_future(far.dispatch.send_raw_request("a", {"n": n})) for n in (1, 2)]
        ids = [(await far.hear())["id"] for _ in asked]
        await far.say(id=99, result={"whose": "nobody's"})
        await far.say(id=str(ids[1]), result={"n": 2})
        await far.say(id=ids[1], result={"n": "again"})
        await far.say(id=ids[0], error={"code": 7, "message": "no", "data": [None]})
        with pytest.raises(MCPError) as caught:
            await asked[0]
        assert (caught.value.code, caught.value.error.data) == (7, [None])
        assert await asked[1] == {"n": 2}


async def test_whoever_gives_up_tells_the_other_side_unless_that_is_not_allowed() -> None:
    far = Far()
    async with far.running():
        for allowed in (True, False):
            options: Any = {"cancel_on_abandon": allowed}
            asked = asyncio.ensure_future(far.dispatch.send_raw_request("a", None, options))
            id = (await far.hear())["id"]
            asked.cancel()
            await asyncio.wait({asked}, timeout=bound(5))
            assert asked.cancelled()
            if allowed:
                told = await far.hear()
                assert (told["method"], told["params"]["requestId"]) == ("notifications/cancelled", id)
        await far.dispatch.notify("last", None)
        assert (await far.hear())["method"] == "last"


async def test_a_request_that_is_taken_back_is_cancelled_and_never_answered() -> None:
    begun = asyncio.Event()

    async def handler(context: Any, method: str, params: Mapping[str, Any] | None) -> dict[str, Any]:
        if method == "wait":
            begun.set()
            await asyncio.Event().wait()
        return {}

    far = Far(handler)
    async with far.running():
        await far.say(id=1, method="wait")
        await asyncio.wait_for(begun.wait(), bound(5))
        await far.say(method="notifications/cancelled", params={"requestId": "1"})
        await far.say(id=2, method="other")
        assert (await far.hear())["id"] == 2


async def test_what_a_handler_raises_is_an_error_that_shows_nothing_of_itself() -> None:
    async def handler(context: Any, method: str, params: Mapping[str, Any] | None) -> dict[str, Any]:
        if method == "known":
            raise MCPError(-32602, "no", {"x": None})
        if method == "unknown":
            raise RuntimeError("inner matters")
        return {"half": "\ud83d"}

    far = Far(handler)
    async with far.running():
        for number, method in enumerate(("known", "unknown", "unwritable")):
            await far.say(id=number, method=method)
            answer = await far.hear()
            assert answer["id"] == number
            if method == "known":
                assert answer["error"] == {"code": -32602, "message": "no", "data": {"x": None}}
            else:
                assert answer["error"]["code"] == INTERNAL_ERROR and "inner" not in str(answer)


async def test_an_inline_request_is_answered_before_the_next_is_looked_at() -> None:
    order: list[str] = []

    async def handler(context: Any, method: str, params: Mapping[str, Any] | None) -> dict[str, Any]:
        for _ in range(3 if method == "first" else 0):
            await asyncio.sleep(0)
        order.append(method)
        return {}

    far = Far(handler)
    async with far.running():
        await far.say(id=1, method="first")
        await far.say(id=2, method="second")
        assert [(await far.hear())["id"] for _ in range(2)] == [1, 2]
    assert order == ["first", "second"]


async def test_at_the_end_nobody_is_left_waiting() -> None:
    begun = asyncio.Event()

    async def handler(context: Any, method: str, params: Mapping[str, Any] | None) -> dict[str, Any]:
        begun.set()
        await asyncio.Event().wait()
        return {}

    far = Far(handler)
    async with far.running() as run:
        asked = asyncio.ensure_future(far.dispatch.send_raw_request("a", None))
        await far.hear()
        await far.say(id=1, method="wait")
        await asyncio.wait_for(begun.wait(), bound(5))
        await far.leave()
        with pytest.raises(MCPError) as caught:
            await asyncio.wait_for(asked, bound(5))
        assert caught.value.code == CONNECTION_CLOSED
        assert (await far.hear())["error"]["code"] == CONNECTION_CLOSED
        await asyncio.wait_for(run, bound(5))
        with pytest.raises(MCPError):
            await far.dispatch.send_raw_request("a", None)


async def test_an_id_of_the_callers_own_is_kept_and_cannot_be_had_twice() -> None:
    far = Far()
    async with far.running():
        asked = asyncio.ensure_future(far.dispatch.send_raw_request("a", None, {"request_id": "listen-1"}))
        assert (await far.hear())["id"] == "listen-1"
        with pytest.raises(ValueError, match="in flight"):
            await far.dispatch.send_raw_request("a", None, {"request_id": "listen-1"})
        await far.say(id="listen-1", result={})
        assert await asked == {}
