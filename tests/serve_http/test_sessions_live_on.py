"""A session of 2025-11-25 over HTTP outlives what its requests come to."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import httpx2
import pytest
from tests.bounds import bound
from tests.serve.offering import Offering
from tests.serve_http.fronted import HELLO, fronted, legacy

from prowess import Host
from prowess.host.serving import ServeSection
from prowess.serve.endpoint import Endpoint
from prowess.serve.protocol import server_of
from prowess.serve.stdio import listening
from prowess.store.remembered import Record

pytestmark = pytest.mark.anyio


class Slow:
    """A recorder that waits to be let go, as a database does that others have locked."""

    def __init__(self) -> None:
        self.asked, self.go = asyncio.Event(), asyncio.Event()

    async def commit(self, record: Record) -> None:
        self.asked.set()
        await self.go.wait()


async def test_a_request_that_is_taken_back_while_it_is_recorded_ends_no_session(
    tmp_path: Path, client: httpx2.AsyncClient
) -> None:
    recorder = Slow()
    offered = Offering(tools=[{"name": "safe", "annotations": {"readOnlyHint": True}}])
    (tmp_path / "plugin.json").write_text(
        '{"$schema": "https://agent-plugins.org/schemas/1.0.0/plugin.schema.json", "name": "served"}'
    )
    async with Host.open(tmp_path, providers=[offered], records=recorder) as host:
        server = server_of(Endpoint(host))
        async with listening(server), fronted(ServeSection(), server=server) as url:
            opened = await client.post(url, **HELLO)
            session = {"mcp-session-id": opened.headers["mcp-session-id"]}

            async def post(asked: dict[str, Any]) -> httpx2.Response:
                return await client.post(url, json=asked["json"], headers={**asked["headers"], **session})

            await post(legacy("notifications/initialized", None))
            waiting = asyncio.ensure_future(post(legacy("tools/call", 2, name="safe", arguments={})))
            await asyncio.wait_for(recorder.asked.wait(), bound(5))
            await post(legacy("notifications/cancelled", None, requestId=2))
            recorder.go.set()
            listed = await asyncio.wait_for(post(legacy("tools/list", 3)), bound(5))
            assert listed.status_code == 200 and "safe" in listed.text
            waiting.cancel()
            await asyncio.wait({waiting}, timeout=bound(5))
