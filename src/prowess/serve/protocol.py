"""The endpoint as a server of the Model Context Protocol, on the SDK's low-level server.

Both eras. What the SDK brings goes to the Endpoint in front of the SDK's own handlers, as a middleware,
so that params come as sent and a result leaves as its server sent it: the SDK's types, which drop what
they do not know, see neither. A request of the newer era, which needs nothing but itself, comes here by
a shorter way (`answered`). Malformed requests are refused by the SDK's own rules first.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any
from uuid import uuid4

from mcp.server import Server
from mcp.server.connection import Connection
from mcp.server.context import CallNext, HandlerResult, ServerRequestContext
from mcp.server.models import InitializationOptions
from mcp.server.subscriptions import ListenHandler
from mcp.shared.dispatcher import DispatchContext
from mcp.shared.exceptions import MCPError
from mcp.shared.inbound import InboundModernRoute
from mcp_types import (
    INTERNAL_ERROR,
    INVALID_PARAMS,
    METHOD_NOT_FOUND,
    SubscriptionsListenRequestParams,
    SubscriptionsListenResult,
    methods,
)
from mcp_types.version import (
    HANDSHAKE_PROTOCOL_VERSIONS,
    LATEST_HANDSHAKE_VERSION,
    MODERN_PROTOCOL_VERSIONS,
)

from prowess.errors import RequestFailed
from prowess.provider import Caller
from prowess.serve.client import Client
from prowess.serve.endpoint import Endpoint
from prowess.serve.news import LISTENS, May, News
from prowess.serve.request import CALLER_STATE, THEIRS, Era, Request
from prowess.serve.streaming import Streaming

_CAPABILITIES = "io.modelcontextprotocol/clientCapabilities"
_SERVER_INFO = "io.modelcontextprotocol/serverInfo"
_CACHED = frozenset(
    {
        "server/discover",
        "tools/list",
        "prompts/list",
        "resources/list",
        "resources/templates/list",
        "resources/read",
    }
)
_STATE = "prowess"

Context = ServerRequestContext[Any, Any]


class ProtocolServer(Server[Any]):
    """The SDK's server, with an Endpoint in front of its handlers."""

    def __init__(self, endpoint: Endpoint, news: News) -> None:
        super().__init__(
            endpoint.server_info["name"],
            version=endpoint.server_info["version"],
            get_tool_input_schema=endpoint.schema_of,
            on_subscriptions_listen=self._listen,
        )
        self.endpoint = endpoint
        self.news = news
        self._listening = ListenHandler(news.bus)
        self.middleware = [self._answer]

    def create_initialization_options(self, *_: Any, **__: Any) -> InitializationOptions:
        """What the SDK wants before a session begins; `initialize` itself is answered here."""
        return InitializationOptions(
            server_name=self.name, server_version=self.version, capabilities=self.get_capabilities()
        )

    async def run(
        self,
        read_stream: Any,
        write_stream: Any,
        initialization_options: Any = None,
        raise_exceptions: bool = False,
    ) -> None:
        """Serve one client over one stream until that ends, in the era that the client opens with."""
        async with self.lifespan(self) as lifespan:
            await Streaming(self, read_stream, write_stream, lifespan).run()

    async def _answer(self, ctx: Context, call_next: CallNext) -> HandlerResult:
        """One message: ours to answer, or the SDK's."""
        if ctx.request_id is None:
            return await self._heard(ctx, call_next)
        if ctx.method in THEIRS:
            return await call_next(ctx)
        connection = _connection(ctx)
        _insist_on_well_formed(ctx.method, ctx.protocol_version, ctx.params)
        if ctx.method == "initialize":
            return self._initialize(ctx, connection)
        if not connection.initialize_accepted:
            raise MCPError(INVALID_PARAMS, "the session has not begun: send initialize first")
        return await self._asked(ctx, connection)

    async def _asked(self, ctx: Context, connection: Connection) -> dict[str, Any]:
        """A request that came the SDK's way."""
        request, client = self._request(ctx, connection)
        result = await self._result(request, client)
        if ctx.method == "resources/subscribe" and request.era == "legacy":
            self.news.follow(connection, str(request.params.get("uri")))
        elif ctx.method == "resources/unsubscribe":
            self.news.unfollow(connection, str(request.params.get("uri")))
        return result

    def _request(self, ctx: Context, connection: Connection) -> tuple[Request, Client]:
        """A message as the endpoint sees it, and the client that it came from."""
        era: Era = "modern" if ctx.protocol_version in MODERN_PROTOCOL_VERSIONS else "legacy"
        params = ctx.params or {}
        client = Client(
            # The SDK's own session offers types only, which drop what they do not know.
            ctx.session._request_outbound,
            params,
            session=_session(connection, era),
            capabilities=_declared(params, connection),
            secrets=self.endpoint.host.path.secrets,
            after=connection.outbound,
            told=partial(self.news.tells, connection),
        )
        request = Request(
            method=ctx.method,
            params=params,
            caller=_caller(_scope(ctx), client),
            peer=client,
            era=era,
            version=ctx.protocol_version,
        )
        return request, client

    async def answered(
        self,
        context: DispatchContext[Any],
        method: str,
        params: Mapping[str, Any],
        route: InboundModernRoute,
        scope: Mapping[str, Any] | None = None,
    ) -> dict[str, Any]:
        """The raw result of a request of the newer era whose envelope was judged, of none of THEIRS.

        `scope` is what ASGI said of an HTTP request. Raises MCPError, and pydantic's ValidationError for
        what is malformed.
        """
        version, capabilities = route.protocol_version, route.client_capabilities
        _insist_on_well_formed(method, version, params)
        client = Client(
            context,
            params,
            session="",
            capabilities=capabilities if isinstance(capabilities, Mapping) else {},
            secrets=self.endpoint.host.path.secrets,
        )
        request = Request(
            method=method,
            params=params,
            caller=_caller(scope, client),
            peer=client,
            era="modern",
            version=version,
        )
        return await self._result(request, client)

    async def _result(self, request: Request, client: Client) -> dict[str, Any]:
        try:
            result = await self.endpoint.answer(request)
        except RequestFailed as error:
            raise MCPError(error.number, error.message, error.data) from None
        except Exception as error:  # noqa: BLE001  # boundary: a fault of ours fails this request alone
            self.endpoint.report(error)
            raise MCPError(INTERNAL_ERROR, f"Prowess itself failed: {type(error).__name__}") from None
        finally:
            client.over()
        return self._stamped(request.method, result) if request.era == "modern" else result

    def _stamped(self, method: str, result: dict[str, Any]) -> dict[str, Any]:
        """What every result of the newer era must carry, where its server did not write it."""
        result.setdefault("resultType", "complete")
        if method in _CACHED and result["resultType"] == "complete":
            result.setdefault("ttlMs", 0)
            result.setdefault("cacheScope", "private")
        meta = result.get("_meta", {})
        if isinstance(meta, Mapping) and not isinstance(meta.get(_SERVER_INFO), Mapping):
            result["_meta"] = {**meta, _SERVER_INFO: self.endpoint.server_info}
        return result

    # -- the older era ---------------------------------------------------------------------------

    def _initialize(self, ctx: Context, connection: Connection) -> dict[str, Any]:
        """The answer to the handshake; the SDK keeps what was agreed on."""
        params = ctx.params or {}
        asked = params.get("protocolVersion")
        capabilities = params.get("capabilities")
        caller = _known(_scope(ctx))
        connection.state[_STATE] = {
            "capabilities": capabilities if isinstance(capabilities, Mapping) else {},
            "session": connection.session_id or uuid4().hex,
        }
        result: dict[str, Any] = {
            "protocolVersion": asked if asked in HANDSHAKE_PROTOCOL_VERSIONS else LATEST_HANDSHAKE_VERSION,
            "capabilities": self.endpoint.capabilities("legacy", caller),
            "serverInfo": self.endpoint.server_info,
        }
        instructions = self.endpoint.instructions(caller)
        return result if instructions is None else {**result, "instructions": instructions}

    async def _heard(self, ctx: Context, call_next: CallNext) -> HandlerResult:
        """A notification. From its `initialized` to its end a session hears what changes, and is heard."""
        result = await call_next(ctx)
        connection = _connection(ctx)
        if _STATE not in connection.state or ctx.method == "notifications/cancelled":
            return result
        if ctx.method == "notifications/initialized":
            session = connection.state[_STATE]["session"]
            self.news.begin(connection, self._may(_known(_scope(ctx))))
            connection.exit_stack.push_async_callback(self._ended, connection, session)
        else:
            await self._told(ctx, connection)
        return result

    async def _told(self, ctx: Context, connection: Connection) -> None:
        """Hand on what a session's client says by itself; nobody waits for an answer."""
        request, client = self._request(ctx, connection)
        client.over()
        try:
            await self.endpoint.tell(request)
        except RequestFailed:
            return  # it holds what cannot be sent
        except Exception as error:  # noqa: BLE001  # boundary: a fault of ours costs this notification alone
            self.endpoint.report(error)

    async def _ended(self, connection: Connection, session: str) -> None:
        self.news.end(connection)
        await self.endpoint.host.end_session(session)

    # -- the newer era ---------------------------------------------------------------------------

    async def _listen(
        self, ctx: Context, params: SubscriptionsListenRequestParams
    ) -> SubscriptionsListenResult:
        """One stream of changes; the servers that own its resources are followed while it lasts."""
        caller = _known(_scope(ctx))
        wanted = params.notifications.resource_subscriptions or ()
        uris = [each for each in wanted if self.endpoint.may_follow(each, caller)]
        reached = params.notifications.model_copy(update={"resource_subscriptions": uris})
        params = params.model_copy(update={"notifications": reached})
        end, listens = self.news.following(uris), LISTENS.set(self._may(caller))
        try:
            return await self._listening(ctx, params)
        finally:
            LISTENS.reset(listens)
            end()

    def _may(self, caller: Caller) -> May:
        """Of whom `caller` may hear: servers, and plugins whose skills changed."""
        reach = self.endpoint.host.reach(caller)
        return lambda of: reach.server(of) or reach.plugin(of)

    def close_streams(self) -> None:
        """End every stream of changes in the protocol's own way."""
        self._listening.close()


def server_of(endpoint: Endpoint) -> ProtocolServer:
    """The protocol's server for `endpoint`; `news.begin_listening()` is the caller's to do."""
    return ProtocolServer(endpoint, News(endpoint))


def _connection(ctx: Context) -> Connection:
    # The SDK gives its middleware no other way to the connection that a request belongs to.
    return ctx.session._connection


def _session(connection: Connection, era: Era) -> str:
    return "" if era == "modern" else str(connection.state.get(_STATE, {}).get("session", ""))


def _insist_on_well_formed(method: str, version: str, params: Mapping[str, Any] | None) -> None:
    """By the SDK's own rules. Raises ValidationError and MCPError."""
    if method in methods.SPEC_CLIENT_METHODS:
        try:
            methods.validate_client_request(method, version, params)
        except KeyError:
            raise MCPError(METHOD_NOT_FOUND, "Method not found", method) from None


def _declared(params: Mapping[str, Any], connection: Connection) -> Mapping[str, Any]:
    """The client's capabilities as it sent them."""
    meta = params.get("_meta")
    sent = meta.get(_CAPABILITIES) if isinstance(meta, Mapping) else None
    if isinstance(sent, Mapping):
        return sent
    kept: Mapping[str, Any] = connection.state.get(_STATE, {}).get("capabilities", {})
    return kept


def _scope(ctx: Context) -> Mapping[str, Any] | None:
    """What ASGI said of the HTTP request that brought a message, if one did."""
    return getattr(ctx.request, "scope", None)


def _known(scope: Mapping[str, Any] | None) -> Caller:
    """Who asks, as the HTTP front found out, or the local user."""
    state = scope.get("state") if isinstance(scope, Mapping) else None
    known = state.get(CALLER_STATE) if isinstance(state, Mapping) else None
    return known if isinstance(known, Caller) else Caller()


def _caller(scope: Mapping[str, Any] | None, client: Client) -> Caller:
    """Who asks; a session is a conversation."""
    caller = _known(scope)
    if caller.conversation or not client.session:
        return caller
    return Caller(principal=caller.principal, conversation=client.session, rollout_key=caller.rollout_key)
