"""A client that speaks raw JSON-RPC to the protocol's server, over the SDK's own stream contract."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Any

import anyio
from mcp.shared.message import SessionMessage
from mcp_types import jsonrpc_message_adapter
from tests.bounds import bound

from prowess.serve.endpoint import Endpoint
from prowess.serve.protocol import ProtocolServer, server_of
from prowess.serve.stdio import listening

MODERN = "2026-07-28"
Message = dict[str, Any]


class Speaker:
    """Sends and receives messages as plain objects."""

    def __init__(self, server: ProtocolServer, capabilities: Mapping[str, Any] | None = None) -> None:
        self.server = server
        self.capabilities = dict(capabilities or {})
        self._to_server, self.server_reads = anyio.create_memory_object_stream[Any](64)
        self.server_writes, self._from_server = anyio.create_memory_object_stream[Any](64)
        self._id = 0
        self.heard: list[Message] = []

    async def send(self, message: Message) -> None:
        """Send one message."""
        parsed = jsonrpc_message_adapter.validate_python({"jsonrpc": "2.0", **message})
        await self._to_server.send(SessionMessage(parsed))

    async def receive(self) -> Message:
        """The next message from the server."""
        async with asyncio.timeout(bound(10)):
            item = await self._from_server.receive()
        message: Message = item.message.model_dump(by_alias=True, mode="json", exclude_unset=True)
        return message

    async def ask(
        self, method: str, params: Mapping[str, Any] | None = None, *, old: bool = False
    ) -> Message:
        """Ask and give back the answer; what comes before it is kept in `heard`."""
        number = await self.begin(method, params, old=old)
        return await self.answer_to(number)

    async def begin(self, method: str, params: Mapping[str, Any] | None = None, *, old: bool = False) -> int:
        """Ask and do not wait."""
        self._id += 1
        sent = dict(params or {})
        if not old:
            sent["_meta"] = {
                "io.modelcontextprotocol/protocolVersion": MODERN,
                "io.modelcontextprotocol/clientCapabilities": self.capabilities,
                **sent.get("_meta", {}),
            }
        await self.send({"id": self._id, "method": method, **({"params": sent} if sent else {})})
        return self._id

    async def answer_to(self, number: int) -> Message:
        """The answer to request `number`."""
        while True:
            message = await self.receive()
            if message.get("id") == number and "method" not in message:
                return message
            self.heard.append(message)

    async def shake_hands(self) -> Message:
        """The older era's handshake; the answer to `initialize`."""
        answer = await self.ask(
            "initialize",
            {
                "protocolVersion": "2025-11-25",
                "capabilities": self.capabilities,
                "clientInfo": {"name": "test", "version": "1"},
            },
            old=True,
        )
        await self.send({"method": "notifications/initialized"})
        return answer

    async def close(self) -> None:
        """Let go of every end of the streams."""
        for each in (self.server_reads, self.server_writes, self._from_server):
            await each.aclose()

    async def hang_up(self) -> None:
        """Close our side."""
        await self._to_server.aclose()


@asynccontextmanager
async def speaking(
    endpoint: Endpoint, capabilities: Mapping[str, Any] | None = None
) -> AsyncIterator[Speaker]:
    """A client of a new server for `endpoint`."""
    server = server_of(endpoint)
    speaker = Speaker(server, capabilities)
    options = server.create_initialization_options()
    async with listening(server), asyncio.timeout(bound(20)), asyncio.TaskGroup() as tasks:
        run = tasks.create_task(server.run(speaker.server_reads, speaker.server_writes, options))
        try:
            yield speaker
        finally:
            await speaker.hang_up()
            await asyncio.wait({run}, timeout=bound(5))
            run.cancel()
            await speaker.close()
