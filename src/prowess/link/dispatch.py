"""JSON-RPC 2.0 over one pair of streams: requests either way, notifications, cancellation.

A Dispatcher in the SDK's sense, on its streams of messages. The SDK's own hands each message through
queues and tasks of its own, which cost more than all the rest of a relayed call
(docs/decisions/0030-short-ways.md). It does not know what the methods mean.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping
from itertools import count
from typing import Any

import anyio
import anyio.abc
from mcp.shared.dispatcher import (
    CallOptions,
    OnNotify,
    OnNotifyIntercept,
    OnRequest,
    as_request_id,
    coerce_request_id,
    run_notify_intercept,
)
from mcp.shared.exceptions import MCPError, NoBackChannelError
from mcp.shared.jsonrpc_dispatcher import handler_exception_to_error_data, progress_token_from_params
from mcp.shared.message import ClientMessageMetadata, MessageMetadata, SessionMessage
from mcp.shared.transport_context import TransportContext
from mcp_types import (
    CONNECTION_CLOSED,
    INTERNAL_ERROR,
    ErrorData,
    JSONRPCError,
    JSONRPCMessage,
    JSONRPCNotification,
    JSONRPCRequest,
    JSONRPCResponse,
    RequestId,
)
from opentelemetry import propagate, trace

CANCELLED = "notifications/cancelled"
COURTESY_SECONDS = 5.0  # for telling the other side that nobody waits any more
LAST_SECONDS = 1.0  # for telling it that the connection ends
CLOSED = "Connection closed"  # by these words of the SDK's the link knows an end from a server's error
GONE = (anyio.BrokenResourceError, anyio.ClosedResourceError)
PIPE = TransportContext(kind="jsonrpc", can_send_request=True)

_log = logging.getLogger(__name__)


class Dispatch:
    """Both directions of one connection. `run` it once; any task may ask and tell meanwhile.

    Requests named in `inline` are answered before the next message is looked at.
    """

    def __init__(self, incoming: Any, outgoing: Any, *, inline: frozenset[str] = frozenset()) -> None:
        self._incoming = incoming
        self._outgoing = outgoing
        self._inline = inline
        self._numbers = count(1)
        self._waiting: dict[RequestId, asyncio.Future[dict[str, Any] | ErrorData]] = {}
        self._handling: dict[RequestId, Handling] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._closed = False

    # -- what we send ------------------------------------------------------------------------------

    async def send_raw_request(
        self, method: str, params: Mapping[str, Any] | None, opts: CallOptions | None = None
    ) -> dict[str, Any]:
        """The raw result. Raises MCPError: the other side's error, or CONNECTION_CLOSED.

        Of the options it knows `request_id`, `headers` and `cancel_on_abandon`.
        """
        if self._closed:
            raise MCPError(CONNECTION_CLOSED, CLOSED)
        options: CallOptions = opts or {}
        id = self._id_for(options)
        key = coerce_request_id(id)
        answer: asyncio.Future[dict[str, Any] | ErrorData] = asyncio.get_running_loop().create_future()
        self._waiting[key] = answer
        try:
            request = _request(id, method, params)
            try:
                await self._write(request, _metadata(options))
                outcome = await answer
            except GONE:
                raise MCPError(CONNECTION_CLOSED, CLOSED) from None
            except asyncio.CancelledError:
                # A write that was interrupted may have arrived, so it counts as a request that was made.
                if options.get("cancel_on_abandon", True):
                    await self._last(CANCELLED, {"requestId": id, "reason": "caller cancelled"})
                raise
        finally:
            self._waiting.pop(key, None)
        if isinstance(outcome, ErrorData):
            raise MCPError(code=outcome.code, message=outcome.message, data=outcome.data)
        return outcome

    def _id_for(self, options: CallOptions) -> RequestId:
        id = options.get("request_id")
        if id is None:
            return next(number for number in self._numbers if number not in self._waiting)
        if coerce_request_id(id) in self._waiting:
            raise ValueError(f"request id {id!r} is already in flight")
        return id

    async def notify(
        self, method: str, params: Mapping[str, Any] | None, opts: CallOptions | None = None
    ) -> None:
        """Tell the other side something; nobody learns whether it arrived."""
        if self._closed:
            return
        message = (
            JSONRPCNotification(jsonrpc="2.0", method=method)
            if params is None
            else JSONRPCNotification(jsonrpc="2.0", method=method, params=dict(params))
        )
        try:
            await self._write(message, _metadata(opts or {}))
        except GONE:
            _log.debug("nobody is there for %s", method)

    async def _write(self, message: JSONRPCMessage, metadata: MessageMetadata = None) -> None:
        await self._outgoing.send(SessionMessage(message, metadata))

    async def _last(self, method: str, params: Mapping[str, Any]) -> None:
        """Tell something while being cancelled, in bounded time."""
        with anyio.move_on_after(COURTESY_SECONDS, shield=True):
            await self.notify(method, params)

    # -- what comes --------------------------------------------------------------------------------

    async def run(
        self,
        on_request: OnRequest,
        on_notify: OnNotify,
        on_notify_intercept: OnNotifyIntercept | None = None,
        *,
        task_status: anyio.abc.TaskStatus[None] = anyio.TASK_STATUS_IGNORED,
    ) -> None:
        """Take what comes until the other side is gone; then everybody who waits learns that it is."""
        self._on_request, self._on_notify, self._intercept = on_request, on_notify, on_notify_intercept
        async with self._outgoing:
            try:
                task_status.started()
                async with self._incoming:
                    await self._take_all()
            except anyio.ClosedResourceError:
                pass  # the transport was left; as good as the end
            finally:
                self._end()
                await self._ended()

    async def _take_all(self) -> None:
        async for item in self._incoming:
            if isinstance(item, SessionMessage):
                inline = self._take(item)
                if inline is not None:
                    await asyncio.wait({inline})
            else:
                _log.debug("the transport read what is no message: %r", item)

    def _take(self, item: SessionMessage) -> asyncio.Task[None] | None:
        """One message; what comes back is the task to wait for before the next one."""
        message = item.message
        if isinstance(message, JSONRPCResponse):
            self._settle(message.id, message.result)
        elif isinstance(message, JSONRPCError):
            if message.id is not None:
                self._settle(message.id, message.error)
        elif isinstance(message, JSONRPCRequest):
            task = self._begin(message, item.metadata)
            return task if message.method in self._inline else None
        else:
            self._hear(message, item.metadata)
        return None

    def _settle(self, id: RequestId, outcome: dict[str, Any] | ErrorData) -> None:
        waiting = self._waiting.get(coerce_request_id(id))
        if waiting is not None and not waiting.done():
            waiting.set_result(outcome)

    def _begin(self, request: JSONRPCRequest, metadata: MessageMetadata) -> asyncio.Task[None]:
        handling = Handling(self, request, metadata)
        key = coerce_request_id(request.id)
        self._handling[key] = handling
        handling.task = self._spawn(self._handle(handling))
        handling.task.add_done_callback(lambda _: self._over(key, handling))
        return handling.task

    def _over(self, key: RequestId, handling: Handling) -> None:
        if self._handling.get(key) is handling:  # an id that came twice belongs to the later one
            del self._handling[key]

    def _hear(self, message: JSONRPCNotification, metadata: MessageMetadata) -> None:
        params = message.params
        if message.method == CANCELLED and (id := as_request_id((params or {}).get("requestId"))) is not None:
            handling = self._handling.get(coerce_request_id(id))
            if handling is not None:
                handling.cancel()
        if not run_notify_intercept(self._intercept, message.method, params):
            self._spawn(self._heard(Handling(self, message, metadata), message.method, params))

    async def _heard(self, context: Handling, method: str, params: Mapping[str, Any] | None) -> None:
        try:
            await self._on_notify(context, method, params)
        except Exception as error:  # noqa: BLE001  # boundary: one notification never ends a connection
            _log.warning("%s could not be taken: %s", method, type(error).__name__)

    def _spawn(self, work: Any) -> asyncio.Task[None]:
        # Over HTTP the stream knows in whose context a message came.
        context = getattr(self._incoming, "last_context", None)
        task: asyncio.Task[None] = asyncio.get_running_loop().create_task(work, context=context)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    async def _handle(self, handling: Handling) -> None:
        """Answer one request: exactly once, or never when the other side took it back."""
        request: JSONRPCRequest = handling.request
        answer: JSONRPCResponse | JSONRPCError
        try:
            result = await self._on_request(handling, request.method, request.params)
            answer = JSONRPCResponse(jsonrpc="2.0", id=request.id, result=result)
        except asyncio.CancelledError:
            if handling.cancelled:
                return
            with anyio.move_on_after(LAST_SECONDS, shield=True):
                await self._answer(_failure(request.id, ErrorData(code=CONNECTION_CLOSED, message=CLOSED)))
            raise
        except Exception as error:  # noqa: BLE001  # boundary: what a handler raises is an error to the other side
            answer = _failure(request.id, _error_of(error, request.method))
        finally:
            handling.close()
            self._over(coerce_request_id(request.id), handling)
        if not handling.cancelled:
            await self._answer(answer)

    async def _answer(self, message: JSONRPCResponse | JSONRPCError) -> None:
        try:
            await self._write(message)
        except GONE:
            _log.debug("nobody is there for an answer")
        except ValueError as error:  # it holds what cannot be written, such as half a character
            if isinstance(message, JSONRPCResponse):
                await self._answer(_failure(message.id, _error_of(error, "an answer")))

    # -- the end -----------------------------------------------------------------------------------

    def _end(self) -> None:
        """Nobody is there any more: whoever waits learns it."""
        self._closed = True
        for waiting in self._waiting.values():
            if not waiting.done():
                waiting.set_result(ErrorData(code=CONNECTION_CLOSED, message=CLOSED))
        for task in self._tasks:
            task.cancel()

    async def _ended(self) -> None:
        if self._tasks:
            with anyio.CancelScope(shield=True):
                await asyncio.wait(self._tasks, timeout=COURTESY_SECONDS)


class Handling:
    """One message of the other side's that is being looked at: the SDK's DispatchContext."""

    __slots__ = ("_closed", "_dispatch", "_event", "cancelled", "message_metadata", "request", "task")

    def __init__(self, dispatch: Dispatch, request: Any, metadata: MessageMetadata) -> None:
        self._dispatch = dispatch
        self.request = request
        self.message_metadata = metadata
        self.task: asyncio.Task[None] | None = None
        self.cancelled = False
        self._closed = False
        self._event: anyio.Event | None = None

    @property
    def transport(self) -> TransportContext:
        """What is known of the transport."""
        return PIPE

    @property
    def can_send_request(self) -> bool:
        """Whether the other side can be asked as part of this request."""
        return not self._closed

    @property
    def request_id(self) -> RequestId | None:
        """The id of a request; None for a notification."""
        return self.request.id if isinstance(self.request, JSONRPCRequest) else None

    @property
    def cancel_requested(self) -> anyio.Event:
        """Set once the other side has taken its request back."""
        if self._event is None:
            self._event = anyio.Event()
            if self.cancelled:
                self._event.set()
        return self._event

    def cancel(self) -> None:
        """The other side takes its request back."""
        self.cancelled = True
        if self._event is not None:
            self._event.set()
        if self.task is not None:
            self.task.cancel()

    def close(self) -> None:
        """The request has its answer: nothing goes with it any more."""
        self._closed = True

    async def send_raw_request(
        self, method: str, params: Mapping[str, Any] | None, opts: CallOptions | None = None
    ) -> dict[str, Any]:
        """Ask the other side something while its request is open."""
        if self._closed:
            raise NoBackChannelError(method)
        return await self._dispatch.send_raw_request(method, params, opts)

    async def notify(
        self, method: str, params: Mapping[str, Any] | None, opts: CallOptions | None = None
    ) -> None:
        """Tell the other side something that belongs to its request."""
        if not self._closed:
            await self._dispatch.notify(method, params, opts)

    async def progress(self, progress: float, total: float | None = None, message: str | None = None) -> None:
        """Progress under the request's token, where it has one."""
        token = progress_token_from_params(self.request.params)
        if token is not None:
            params = {"progressToken": token, "progress": progress, "total": total, "message": message}
            await self.notify(
                "notifications/progress", {key: each for key, each in params.items() if each is not None}
            )


def _request(id: RequestId, method: str, params: Mapping[str, Any] | None) -> JSONRPCRequest:
    sent = dict(params or {})
    if meta := _traced(sent.get("_meta")):
        sent["_meta"] = meta
    else:
        sent.pop("_meta", None)
    if sent:
        return JSONRPCRequest(jsonrpc="2.0", id=id, method=method, params=sent)
    return JSONRPCRequest(jsonrpc="2.0", id=id, method=method)


def _traced(meta: Any) -> dict[str, Any]:
    """`_meta` with OpenTelemetry's current span, where there is one and nobody has said another (SEP-414)."""
    kept: dict[str, Any] = dict(meta or {})
    if "traceparent" not in kept and trace.get_current_span().get_span_context().is_valid:
        propagate.inject(kept)
    return kept


def _metadata(options: CallOptions) -> MessageMetadata:
    headers = options.get("headers")
    return ClientMessageMetadata(headers=headers) if headers else None


def _failure(id: RequestId, error: ErrorData) -> JSONRPCError:
    return JSONRPCError(jsonrpc="2.0", id=id, error=error)


def _error_of(error: Exception, method: str) -> ErrorData:
    known = handler_exception_to_error_data(error)
    if known is None:
        _log.error("the handler of %s failed", method, exc_info=error)
        known = ErrorData(code=INTERNAL_ERROR, message="Internal server error")
    return known
