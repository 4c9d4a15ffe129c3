"""Writing to a client's pipe: an answer is a piece of its own."""

from __future__ import annotations

import asyncio
import os

import pytest
from mcp.shared.message import SessionMessage
from mcp_types import JSONRPCNotification, JSONRPCResponse

from prowess.serve.stdio import Out

pytestmark = pytest.mark.anyio
TOLD = SessionMessage(JSONRPCNotification(jsonrpc="2.0", method="notifications/progress"))
ANSWER = SessionMessage(JSONRPCResponse(jsonrpc="2.0", id=1, result={}))


async def test_an_answer_does_not_arrive_in_one_piece_with_what_was_told_before_it() -> None:
    reading, writing = os.pipe()
    try:
        async with Out(writing) as out:
            await out.open()
            await out.send(TOLD)
            answering = asyncio.create_task(out.send(ANSWER))
            await asyncio.sleep(0)
            assert os.read(reading, 10_000).splitlines() == [
                b'{"jsonrpc":"2.0","method":"notifications/progress"}'
            ]
            await answering
            assert os.read(reading, 10_000).splitlines() == [b'{"jsonrpc":"2.0","id":1,"result":{}}']
    finally:
        os.close(reading)
        os.close(writing)
