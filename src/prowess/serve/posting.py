"""Requests of 2026-07-28 over HTTP that are certainly well formed, answered by the shortest way.

MCP 2026-07-28, Streamable HTTP: one POST, one answer. It is JSON, or a stream where the server says
something meanwhile or takes its time; a client that goes away takes its request back. Whatever is in
the least unusual goes, as it came, to the SDK's application, which judges and refuses it: so nothing
is decided here but what is beyond doubt, by the SDK's own functions. What is asked is not known here.
"""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from mcp.shared.dispatcher import CallOptions
from mcp.shared.exceptions import NoBackChannelError
from mcp.shared.inbound import (
    ERROR_CODE_HTTP_STATUS,
    InboundModernRoute,
    classify_inbound_request,
    validate_mcp_param_headers,
)
from mcp.shared.jsonrpc_dispatcher import handler_exception_to_error_data, progress_token_from_params
from mcp.shared.message import MessageMetadata
from mcp.shared.transport_context import TransportContext
from mcp_types import INTERNAL_ERROR, ErrorData
from mcp_types.version import MODERN_PROTOCOL_VERSIONS
from pydantic_core import PydanticSerializationError, to_json
from starlette.requests import ClientDisconnect

from prowess.serve.address import PATH
from prowess.serve.answers import App, Message, Receive, Scope, Send
from prowess.serve.protocol import ProtocolServer
from prowess.serve.request import THEIRS

LOOK_SECONDS = 0.05  # an answer that takes longer is watched for its client going away
PING_SECONDS = 15.0  # a stream is never silent for longer, nor does an answer keep a client waiting longer
_JSON, _EVENTS = "application/json", "text/event-stream"
_ONE_WAY = TransportContext(kind="streamable-http", can_send_request=False)
_STREAM = [
    (b"content-type", b"text/event-stream"),
    (b"cache-control", b"no-cache, no-transform"),
    (b"x-accel-buffering", b"no"),
]

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Post:
    """One request that is beyond doubt."""

    id: int | str
    method: str
    params: Mapping[str, Any]
    route: InboundModernRoute


class Posts:
    """Answers what is beyond doubt; everything else is for `rest`."""

    def __init__(self, server: ProtocolServer, rest: App, *, body_bytes: int) -> None:
        self._server = server
        self._rest = rest
        self._body_bytes = body_bytes

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request, or the lifespan."""
        headers = _plain(scope) if scope["type"] == "http" and scope["path"] == PATH else None
        if headers is not None:
            first = await receive()
            post = self._post(first, headers)
            if post is not None:
                await Answer(post, receive, send).give(self._server, scope)
                return
            receive = _again(first, receive)
        try:
            await self._rest(scope, receive, send)
        except ClientDisconnect:
            _log.debug("a client went away before its request was there")

    def _post(self, first: Message, headers: Mapping[str, str]) -> Post | None:
        """The request, where there is nothing to say against it."""
        body = first.get("body", b"")
        if first["type"] != "http.request" or first.get("more_body") or len(body) > self._body_bytes:
            return None
        try:
            decoded = json.loads(body)
        except (ValueError, RecursionError):
            return None
        if not isinstance(decoded, dict) or decoded.get("jsonrpc") != "2.0":
            return None
        id, method, params = decoded.get("id"), decoded.get("method"), decoded.get("params")
        if type(id) not in (int, str) or type(method) is not str or type(params) is not dict:
            return None
        route = classify_inbound_request(decoded, headers=headers)
        if method in THEIRS or not isinstance(route, InboundModernRoute):
            return None
        if method == "tools/call" and not self._mirrored(params, headers):
            return None
        return Post(id, method, params, route)  # type: ignore[arg-type]  # just looked at

    def _mirrored(self, params: Mapping[str, Any], headers: Mapping[str, str]) -> bool:
        """Whether arguments and `Mcp-Param-*` headers say the same, where the tool's schema wants both."""
        name, arguments = params.get("name"), params.get("arguments", {})
        if not isinstance(name, str) or not isinstance(arguments, dict):
            return False
        schema = self._server.endpoint.schema_of(name)
        return schema is None or validate_mcp_param_headers(schema, arguments, headers) is None


class Answer:
    """The answer to one POST: the DispatchContext of its request, in the SDK's words."""

    can_send_request = False
    transport = _ONE_WAY
    message_metadata: MessageMetadata = None

    def __init__(self, post: Post, receive: Receive, send: Send) -> None:
        self._post = post
        self._receive = receive
        self._send = send
        self._streaming = False
        self._gone = False
        self._turn = asyncio.Lock()
        self._watch: asyncio.Task[None] | None = None

    async def give(self, server: ProtocolServer, scope: Scope) -> None:
        """Have the request answered and send that, unless the client goes away first."""
        work = asyncio.current_task()
        assert work is not None
        timer = asyncio.get_running_loop().call_later(LOOK_SECONDS, self._begin_watching, work)
        try:
            try:
                status, message = await self._message(server, scope)
            finally:
                timer.cancel()
                if self._watch is not None:
                    self._watch.cancel()
            async with self._turn:
                await self._last(status, message)
        except asyncio.CancelledError:
            if not self._gone:
                raise

    async def _message(self, server: ProtocolServer, scope: Scope) -> tuple[int, bytes]:
        post = self._post
        try:
            result = await server.answered(self, post.method, post.params, post.route, scope)
            return 200, _written({"jsonrpc": "2.0", "id": post.id, "result": result})
        except Exception as fault:  # noqa: BLE001  # boundary: what goes wrong is an error to the client
            error = handler_exception_to_error_data(fault)
            if error is None:
                _log.error("%s failed", post.method, exc_info=fault)
                error = ErrorData(code=INTERNAL_ERROR, message="Internal server error")
            said = error.model_dump(mode="json", exclude_none=True)
            return (
                ERROR_CODE_HTTP_STATUS.get(error.code, 200),
                _written({"jsonrpc": "2.0", "id": post.id, "error": said}),
            )

    async def _last(self, status: int, message: bytes) -> None:
        if self._streaming:
            await self._send({"type": "http.response.body", "body": _event(message)})
            return
        length = str(len(message)).encode()
        headers = [(b"content-type", b"application/json"), (b"content-length", length)]
        await self._send({"type": "http.response.start", "status": status, "headers": headers})
        await self._send({"type": "http.response.body", "body": message})

    # -- meanwhile ---------------------------------------------------------------------------------

    def _begin_watching(self, work: asyncio.Task[Any]) -> None:
        self._watch = asyncio.get_running_loop().create_task(self._watched(work))

    async def _watched(self, work: asyncio.Task[Any]) -> None:
        """Look out for the client, and let it know that we are at work."""
        leaving = asyncio.ensure_future(self._left())
        try:
            while not leaving.done():
                await asyncio.wait({leaving}, timeout=PING_SECONDS)
                if not leaving.done():
                    await self._say(b": ping\r\n\r\n")
        finally:
            leaving.cancel()
        self._gone = True
        work.cancel()

    async def _left(self) -> None:
        while (await self._receive())["type"] != "http.disconnect":
            pass

    async def _say(self, piece: bytes) -> None:
        """One piece of the stream, which begins with the first."""
        async with self._turn:
            if not self._streaming:
                await self._send({"type": "http.response.start", "status": 200, "headers": _STREAM})
                self._streaming = True
            await self._send({"type": "http.response.body", "body": piece, "more_body": True})

    # -- what the endpoint may do with it ------------------------------------------------------------

    @property
    def request_id(self) -> int | str:
        """The id of the request."""
        return self._post.id

    @property
    def cancel_requested(self) -> Any:
        """An event that is never set: a client that takes its request back goes away."""
        import anyio

        return anyio.Event()

    async def send_raw_request(
        self, method: str, params: Mapping[str, Any] | None, opts: CallOptions | None = None
    ) -> dict[str, Any]:
        """Raises NoBackChannelError: a client of the newer era is never asked."""
        raise NoBackChannelError(method)

    async def notify(
        self, method: str, params: Mapping[str, Any] | None, opts: CallOptions | None = None
    ) -> None:
        """Tell the client something that belongs to its request."""
        message: dict[str, Any] = {"jsonrpc": "2.0", "method": method}
        if params is not None:
            message["params"] = params
        await self._say(_event(_written(message)))

    async def progress(self, progress: float, total: float | None = None, message: str | None = None) -> None:
        """Progress under the request's token, where it has one."""
        token = progress_token_from_params(self._post.params)
        if token is not None:
            params = {"progressToken": token, "progress": progress, "total": total, "message": message}
            await self.notify(
                "notifications/progress", {key: each for key, each in params.items() if each is not None}
            )


def _plain(scope: Scope) -> dict[str, str] | None:
    """The headers of a POST of the newer era that wants either kind of answer, where none comes twice."""
    if scope["method"] != "POST":
        return None
    found: dict[str, str] = {}
    for key, value in scope["headers"]:
        name = key.decode("latin-1")
        if name in found:
            return None
        found[name] = value.decode("latin-1")
    if found.get("mcp-protocol-version") not in MODERN_PROTOCOL_VERSIONS:
        return None
    if found.get("content-type", "").partition(";")[0].strip() != _JSON:
        return None
    wanted = {each.strip() for each in found.get("accept", "").split(",")}
    return found if {_JSON, _EVENTS} <= wanted else None


def _again(first: Message, receive: Receive) -> Receive:
    """`receive` as it was before `first` came."""
    waiting = [first]

    async def again() -> Message:
        return waiting.pop() if waiting else await receive()

    return again


def _written(message: Mapping[str, Any]) -> bytes:
    try:
        return to_json(message)
    except (PydanticSerializationError, ValueError):  # half a character, or what only Python knows
        return json.dumps(message, default=str).encode()


def _event(message: bytes) -> bytes:
    return b"event: message\r\ndata: " + message + b"\r\n\r\n"
