"""The HTTP+SSE transport of 2024-11-05: one event stream down, one POST a message up.

Agent Plugins 1.0.0, section 7.2 (`sse`). The first event names the place for messages; a place on
another origin is refused. A message that cannot be delivered fails its own request, the rest goes on.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from types import TracebackType
from typing import Any

import anyio
import httpx2
from mcp.shared.message import SessionMessage
from mcp_types import INTERNAL_ERROR, ErrorData, JSONRPCError, JSONRPCRequest, jsonrpc_message_adapter
from pydantic import ValidationError

from prowess.link.channel import Item, Streams
from prowess.link.faults import Fault, Faulted
from prowess.link.finish import finish
from prowess.link.gate import Gate, said
from prowess.link.http import http_client, network
from prowess.link.injected import Injected
from prowess.link.lines import MAX_LINE
from prowess.link.shown import Shown
from prowess.redact import printable
from prowess.spec.model import HttpServer

QUEUED = 64  # outgoing messages that may wait while the server does not read
SMALL = 64 * 1024  # a body that is read to its end although nobody wants it

_log = logging.getLogger(__name__)


class SseChannel:
    """A Channel over HTTP+SSE."""

    handshake_only = True  # the transport is older than server/discover
    renewable = False
    headed = True

    def __init__(self, server: HttpServer, show: Shown, injected: Injected | None = None) -> None:
        self.show = show
        self._url = httpx2.URL(server.url)
        self._gate = Gate(network(server.url), server.url, server.headers, show, injected)
        self._stack = AsyncExitStack()
        self._tasks: set[asyncio.Task[None]] = set()
        self.ended = asyncio.Event()

    async def __aenter__(self) -> Streams:
        async with AsyncExitStack() as stack:
            client = await stack.enter_async_context(http_client(self._gate))
            events = await self._listen(stack, client)
            place = await self._place(events)
            self._inbox, incoming = anyio.create_memory_object_stream[Item](0)
            outgoing, self._outbox = anyio.create_memory_object_stream[SessionMessage](QUEUED)
            stack.push_async_callback(finish_tasks, self._tasks)
            self._start(self._read(events))
            self._start(self._write(client, place))
            self._stack = stack.pop_all()
        return incoming, outgoing

    async def _listen(
        self, stack: AsyncExitStack, client: httpx2.AsyncClient
    ) -> AsyncIterator[tuple[str, str]]:
        request = client.build_request(
            "GET", self._url, headers={"accept": "text/event-stream", "cache-control": "no-store"}
        )
        response = await client.send(request, stream=True)
        stack.push_async_callback(response.aclose)
        kind = response.headers.get("content-type", "").partition(";")[0].strip().lower()
        if kind != "text/event-stream":
            raise Faulted("incompatible", f"no event stream, but {printable(kind) or 'nothing'}")
        return _events(response)

    async def _place(self, events: AsyncIterator[tuple[str, str]]) -> httpx2.URL:
        """Where messages go: the first event."""
        try:
            name, data = await anext(events)
        except StopAsyncIteration:
            raise Faulted("lost", "the event stream ended before its first event") from None
        except (httpx2.HTTPError, httpx2.SSEError, httpx2.StreamError) as error:
            raise Faulted("unreadable", f"the event stream cannot be read: {said(error)}") from None
        if name != "endpoint":
            raise Faulted("incompatible", "the event stream does not begin with an endpoint event")
        try:
            place = self._url.join(data)
        except (httpx2.InvalidURL, ValueError):
            raise Faulted("incompatible", "the endpoint event names no place that can be read") from None
        self._gate.keep_inside(place)
        if place.userinfo and place.userinfo != self._url.userinfo:
            raise Faulted("origin", "refused an endpoint event that brings a user name")
        return place

    def _start(self, work: Any) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> bool | None:
        self.ended.set()
        return await self._stack.__aexit__(kind, error, trace)

    async def _read(self, events: AsyncIterator[tuple[str, str]]) -> None:
        try:
            async for name, data in events:
                if name == "message" and data:
                    try:
                        message = jsonrpc_message_adapter.validate_json(data, by_name=False)
                    except ValidationError:
                        self._gate.notes.add("events that are no JSON-RPC message", data)
                        continue
                    await self._inbox.send(SessionMessage(message))
        except (Faulted, httpx2.HTTPError, httpx2.SSEError, httpx2.StreamError) as error:
            _log.debug("event stream ended: %r", error)
        except (anyio.BrokenResourceError, anyio.ClosedResourceError):
            pass  # the session left first
        finally:
            self.ended.set()
            self._inbox.close()

    async def _write(self, client: httpx2.AsyncClient, place: httpx2.URL) -> None:
        async with self._outbox:
            async for message in self._outbox:
                if isinstance(message.message, JSONRPCRequest):
                    self._start(self._post(client, place, message))  # may be answered late
                else:
                    await self._post(client, place, message)  # in order

    async def _post(self, client: httpx2.AsyncClient, place: httpx2.URL, message: SessionMessage) -> None:
        try:
            content = message.message.model_dump_json(by_alias=True, exclude_unset=True)
            headers = {"content-type": "application/json", "accept": "application/json"}
            request = client.build_request("POST", place, content=content, headers=headers)
            response = await client.send(request, stream=True)
            if int(response.headers.get("content-length", "-1")) in range(SMALL):
                await response.aread()  # of no use, the answer comes as an event; keeps the connection open
            await response.aclose()
        except Faulted as error:
            await self._fail(message, error.fault)
        except (httpx2.HTTPError, ValueError) as error:
            await self._fail(message, Fault(kind="lost", reason=said(error)))

    async def _fail(self, message: SessionMessage, fault: Fault) -> None:
        if isinstance(message.message, JSONRPCRequest):
            error = ErrorData(code=INTERNAL_ERROR, message=fault.reason, data=fault)
            try:
                await self._inbox.send(
                    SessionMessage(JSONRPCError(jsonrpc="2.0", id=message.message.id, error=error))
                )
            except (anyio.BrokenResourceError, anyio.ClosedResourceError):
                pass  # nobody waits any more

    def fault(self, data: Any) -> Fault | None:
        """Faults of this channel travel as they are."""
        return data if isinstance(data, Fault) else None

    def hurry(self) -> None:
        """Nothing to hurry."""

    def notes(self) -> tuple[str, ...]:
        """Configured headers that gave way, events that were no messages."""
        return self._gate.notes.all()

    async def last_words(self) -> str:
        """HTTP ends without words."""
        return "the event stream ended" if self.ended.is_set() else ""

    def ending(self) -> str:
        """A stream has no other way to end than this."""
        return "disconnected"


async def _events(response: httpx2.Response) -> AsyncIterator[tuple[str, str]]:
    async for event in httpx2.EventSource(response, max_event_size=MAX_LINE):
        yield event.event, event.data


async def finish_tasks(tasks: set[asyncio.Task[None]]) -> None:
    """Cancel every task and see it over."""
    await finish(_end(tuple(tasks)))


async def _end(tasks: tuple[asyncio.Task[None], ...]) -> None:
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
