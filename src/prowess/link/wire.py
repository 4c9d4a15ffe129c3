"""One live connection, asked in raw JSON.

Requests come back as the server sent them, so that a field that the SDK does not know is never lost and
a result that its types reject still reaches the caller. What a server says or asks by itself is as raw,
and goes to whoever has the request that it belongs to, else to a Receiver.
"""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import replace
from itertools import count
from typing import Any, Protocol, TypeVar

import anyio
from mcp.shared.dispatcher import CallOptions, DispatchContext
from mcp.shared.exceptions import MCPError
from mcp.shared.subscriptions import SUBSCRIPTION_ID_META_KEY
from mcp.shared.transport_context import TransportContext
from mcp_types import CONNECTION_CLOSED, INTERNAL_ERROR, INVALID_REQUEST, METHOD_NOT_FOUND, PARSE_ERROR

from prowess.link.channel import Channel
from prowess.link.dispatch import CLOSED, Dispatch
from prowess.link.era import LEGACY
from prowess.link.exchange import CURRENT, PROGRESS, TOKEN, Exchange
from prowess.link.faults import Faulted
from prowess.link.stamping import Greeting, sendable, stamped
from prowess.provider import Peer
from prowess.redact import printable

# The SDK logs with tracebacks what is a fault of the server's, and reported as one here. Without a
# handler of the application's own, Python would print that to stderr, and with it what a server said.
for _name in ("mcp", "client"):
    logging.getLogger(_name).addHandler(logging.NullHandler())

Value = TypeVar("Value")

# How the SDK's HTTP transport begins its own errors about an answer.
_UNPARSED = ("Failed to parse JSON response", "Failed to parse SSE message")
_OTHER_KIND = "Unexpected content type:"
# What changed at the server is nobody's request, whoever asks just then.
CHANGES = frozenset(
    {
        "notifications/tools/list_changed",
        "notifications/prompts/list_changed",
        "notifications/resources/list_changed",
        "notifications/resources/updated",
    }
)


class Receiver(Protocol):
    """Who gets what a server says or asks by itself."""

    def heard(self, wire: Wire, method: str, params: Mapping[str, Any]) -> None:
        """A notification that belongs to no request; may not block."""
        ...

    async def asked(
        self, wire: Wire, method: str, params: Mapping[str, Any], exchange: Exchange | None
    ) -> Mapping[str, Any]:
        """The answer to a request of the server's, made during `exchange` if known. Raises MCPError."""
        ...


class Nobody:
    """Answers a ping, refuses everything else, and hears nothing."""

    def heard(self, wire: Wire, method: str, params: Mapping[str, Any]) -> None:
        """Nothing comes of it."""

    async def asked(
        self, wire: Wire, method: str, params: Mapping[str, Any], exchange: Exchange | None
    ) -> Mapping[str, Any]:
        """A ping is answered."""
        if method == "ping":
            return {}
        raise MCPError(METHOD_NOT_FOUND, "Method not found", method)


class Wire:
    """A connection that requests can be sent on; any task may ask."""

    def __init__(
        self,
        channel: Channel,
        dispatcher: Dispatch,
        receiver: Receiver,
        incoming: Any,
    ) -> None:
        self.channel = channel
        self.greeting: Greeting | None = None
        self._dispatcher = dispatcher
        self._receiver = receiver
        self._incoming = incoming
        self._numbers = count(1)
        self._exchanges: dict[int, Exchange] = {}  # of those that have a peer
        self._streams: dict[str, Callable[[str, Mapping[str, Any]], None]] = {}

    async def ask(
        self,
        method: str,
        params: Mapping[str, Any] | None = None,
        *,
        version: str | None = None,
        schema: Mapping[str, Any] | None = None,
        peer: Peer | None = None,
    ) -> dict[str, Any]:
        """Send a request and give back its raw result; the caller bounds the time.

        `version` speaks 2026-07-28 before it is agreed on. `schema` is the input schema of the tool
        that is called. `peer` is who asks: its capabilities are told, and it hears what the server says
        meanwhile. Raises MCPError for the server's own error and Faulted for everything else.
        """
        exchange = Exchange(next(self._numbers), peer)
        prepared, options = stamped(
            self.greeting,
            method,
            dict(params or {}),
            exchange,
            version=version,
            schema=schema,
            headed=self.channel.headed,
        )
        if peer is None:
            return await self._sent(method, prepared, options, exchange)
        self._exchanges[exchange.number] = exchange
        try:
            try:
                result = await self._sent(method, prepared, options, exchange)
            except (MCPError, Faulted):
                await exchange.emptied()
                raise
            await exchange.emptied()
            return result
        finally:
            del self._exchanges[exchange.number]
            if exchange.outbox is not None:
                exchange.outbox.drop()

    async def stream(
        self, method: str, params: Mapping[str, Any], hear: Callable[[str, Mapping[str, Any]], None]
    ) -> dict[str, Any]:
        """As `ask`, for a request that stays open; `hear` gets the notifications that carry its id."""
        id = f"listen-{next(self._numbers)}"
        exchange = Exchange(0, None)
        prepared, options = stamped(self.greeting, method, dict(params), exchange)
        options["request_id"] = id
        self._streams[id] = hear
        try:
            return await self._sent(method, prepared, options, exchange)
        finally:
            del self._streams[id]

    async def tell(self, method: str, params: Mapping[str, Any]) -> None:
        """Send a notification; nobody learns whether it arrived. Raises Faulted for what cannot be sent."""
        prepared, options = stamped(self.greeting, method, dict(params), Exchange(0, None))
        await self._dispatcher.notify(method, prepared or None, options)

    async def _sent(
        self, method: str, prepared: dict[str, Any], options: CallOptions, exchange: Exchange
    ) -> dict[str, Any]:
        before = CURRENT.set(exchange)
        try:
            result: dict[str, Any] = await self._dispatcher.send_raw_request(method, prepared, options)
            return self._clean(result)
        except MCPError as error:
            fault = self.channel.fault(error.error.data)
            if fault is not None:
                raise Faulted.of(replace(fault, reason=self._clean(fault.reason))) from None
            if unreadable := _unreadable(error):
                raise Faulted("unreadable", self._clean(unreadable)) from None
            if error.code == CONNECTION_CLOSED and self._is_over(error.message):
                raise Faulted("lost", "the connection ended before an answer") from None
            raise MCPError(error.code, self._clean(error.message), self._clean(error.error.data)) from None
        finally:
            CURRENT.reset(before)

    def _clean(self, value: Value) -> Value:
        """Here, where everything passes that a server answers, it loses what was injected into it."""
        cleaned: Value = self.channel.show.clean(value)
        return cleaned

    def _is_over(self, message: str) -> bool:
        # A peer may use the SDK's code; the SDK's own words, or a channel that ended, tell them apart.
        return self.channel.ended.is_set() or message == CLOSED or message.startswith("SSE stream")

    async def adopt(self, greeting: Greeting) -> None:
        """Speak as agreed from now on."""
        self.greeting = greeting
        if greeting.era == LEGACY:
            await self.tell("notifications/initialized", {})

    # -- what the server says and asks by itself -----------------------------------------------------

    def latest(self) -> Exchange | None:
        """The exchange with a peer that began last and is not over."""
        return next(reversed(self._exchanges.values()), None)

    def hear(self, method: str, params: Mapping[str, Any] | None) -> bool:
        """Take every notification, in the order of the stream; the dispatcher has nothing left to do."""
        self._take(method, self._clean(params or {}))
        return True

    def _take(self, method: str, params: Mapping[str, Any]) -> None:
        if method == "notifications/cancelled":
            return  # the dispatcher has seen to it
        meta = params.get("_meta")
        subscription = meta.get(SUBSCRIPTION_ID_META_KEY) if isinstance(meta, dict) else None
        if isinstance(subscription, str) and (stream := self._streams.get(subscription)) is not None:
            stream(method, params)
        elif method == PROGRESS:
            self._progress(params)
        elif (exchange := self._owner()) is not None and method not in CHANGES:
            exchange.add(method, params)
        else:
            self._receiver.heard(self, method, params)

    def _progress(self, params: Mapping[str, Any]) -> None:
        token = params.get(TOKEN)
        number = int(token) if isinstance(token, str) and token.isascii() and token.isdigit() else token
        exchange = self._exchanges.get(number) if isinstance(number, int) else None
        if exchange is not None:
            exchange.add(PROGRESS, {name: each for name, each in params.items() if name != TOKEN})

    def _owner(self) -> Exchange | None:
        """The exchange that the message just read belongs to, as far as can be told."""
        if hasattr(self._incoming, "last_context"):
            context = self._incoming.last_context
            return self._of(None if context is None else context.get(CURRENT))
        # One stream for everything: it is clear only while one request alone is on its way.
        return self.latest() if len(self._exchanges) == 1 else None

    def _of(self, exchange: Exchange | None) -> Exchange | None:
        """The exchange, if it is one of this connection's that is not over."""
        if exchange is None or self._exchanges.get(exchange.number) is not exchange:
            return None
        return exchange

    async def answer(
        self, context: DispatchContext[TransportContext], method: str, params: Mapping[str, Any] | None
    ) -> dict[str, Any]:
        """The answer to a request of the server's."""
        exchange = self._of(CURRENT.get())
        result = dict(await self._receiver.asked(self, method, self._clean(params or {}), exchange))
        if not sendable(result):
            raise MCPError(INTERNAL_ERROR, "the answer holds text that is not valid Unicode")
        return result


async def _unheard(
    context: DispatchContext[TransportContext], method: str, params: Mapping[str, Any] | None
) -> None:
    """What is left of a notification after `Wire.hear`: nothing."""


def _unreadable(error: MCPError) -> str:
    """What is said in place of the SDK's words for an answer that it could not read; those quote it."""
    if error.code == CONNECTION_CLOSED and error.message.startswith("SSE stream failed"):
        return "the answer cannot be read, or is over the size limit"
    if error.code == PARSE_ERROR and error.message.startswith(_UNPARSED):
        return "the answer is not a JSON-RPC message that can be read"
    if error.code == INVALID_REQUEST and error.message.startswith(_OTHER_KIND):
        kind = printable(error.message.removeprefix(_OTHER_KIND).partition(";")[0].strip(), 80)
        return f"the answer is no JSON-RPC, but {kind or 'nothing'}"
    return ""


@asynccontextmanager
async def connected(channel: Channel, receiver: Receiver) -> AsyncIterator[Wire]:
    """Enter `channel` and read what comes over it; entered and left by one task."""
    async with channel as (incoming, outgoing):
        dispatcher = Dispatch(incoming, outgoing)
        wire = Wire(channel, dispatcher, receiver, incoming)
        async with anyio.create_task_group() as group:
            await group.start(dispatcher.run, wire.answer, _unheard, wire.hear)
            try:
                yield wire
            finally:
                group.cancel_scope.cancel()
