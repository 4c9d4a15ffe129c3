"""Events of an HTTP session, kept so that a client that lost its stream can read on (2025-11-25, SSE)."""

from __future__ import annotations

from collections import OrderedDict

from mcp.server.streamable_http import EventCallback, EventId, EventMessage, EventStore, StreamId
from mcp_types import JSONRPCMessage

KEPT = 1_000


class Events(EventStore):
    """The last events of all streams, in memory."""

    def __init__(self) -> None:
        self._events: OrderedDict[EventId, tuple[StreamId, JSONRPCMessage | None]] = OrderedDict()
        self._next = 0

    async def store_event(self, stream_id: StreamId, message: JSONRPCMessage | None) -> EventId:
        """Keep an event, forget the oldest when there are too many."""
        self._next += 1
        self._events[str(self._next)] = (stream_id, message)
        if len(self._events) > KEPT:
            self._events.popitem(last=False)
        return str(self._next)

    async def replay_events_after(
        self, last_event_id: EventId, send_callback: EventCallback
    ) -> StreamId | None:
        """Send what came on that stream after the event."""
        if last_event_id not in self._events:
            return None
        stream, _ = self._events[last_event_id]
        for id, (of, message) in tuple(self._events.items()):
            if of == stream and int(id) > int(last_event_id) and message is not None:
                await send_callback(EventMessage(message, id))
        return stream
