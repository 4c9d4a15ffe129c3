"""Lines of a client that hold no message as it should be: each that wants an answer gets one."""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import AsyncGenerator
from typing import Any

import pytest
from mcp.shared.message import SessionMessage
from tests.bounds import bound

from prowess.serve.stdio import Incoming, Out

pytestmark = pytest.mark.anyio


async def read(*lines: bytes) -> tuple[list[SessionMessage], list[Any]]:
    """The messages that these lines hold, and what was answered at once."""

    async def chunks() -> AsyncGenerator[bytes, None]:
        for line in lines:
            yield line + b"\n"

    reading, writing = os.pipe()
    try:
        async with Out(writing) as out:
            await out.open()
            async with asyncio.timeout(bound(5)):
                found = [each async for each in Incoming(chunks(), out)]
        os.close(writing)
        with os.fdopen(reading, "rb", closefd=False) as answers:
            return found, [json.loads(each) for each in answers.read().splitlines()]
    finally:
        os.close(reading)


@pytest.mark.parametrize("id", ["null", "1.5", "true", "[1]", '{"a": 1}'])
async def test_a_request_whose_id_is_none_is_refused_and_not_taken_for_a_notification(id: str) -> None:
    found, answers = await read(f'{{"jsonrpc": "2.0", "id": {id}, "method": "ping"}}'.encode())
    assert not found
    assert [(each["id"], each["error"]["code"]) for each in answers] == [(None, -32600)]


async def test_a_notification_may_speak_of_ids() -> None:
    line = b'{"jsonrpc": "2.0", "method": "notifications/x", "params": {"id": 1.5}}'
    found, answers = await read(line)
    assert len(found) == 1 and not answers
