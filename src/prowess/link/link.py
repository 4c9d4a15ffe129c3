"""A link to one MCP server: the Provider that the Host holds.

Agent Plugins 1.0.0, 7.2: whatever goes wrong with a server is that server's status. A keeper
owns its connections; callers ask over the wire of the one that is up, or wait for the next one.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Collection, Mapping
from dataclasses import replace
from typing import Any

from mcp.shared.exceptions import MCPError

from prowess.capability.offer import Offer, Status
from prowess.credentials.injecting import Injector
from prowess.errors import ConnectionFailed, NotFound, RequestFailed
from prowess.link.answers import outcome_of, outcome_of_error, outcome_of_fault
from prowess.link.channel import Channel
from prowess.link.connection import Connection, Ending, Live
from prowess.link.era import MODERN, EraMemory, MemoryEras
from prowess.link.exchange import PROGRESS
from prowess.link.faults import Faulted
from prowess.link.finish import finish
from prowess.link.handshake import greet
from prowess.link.injected import Injected
from prowess.link.line import REASON_SHOWN, Line
from prowess.link.listening import Listening
from prowess.link.sessions import STATEFUL, Session, Sessions, unwanted
from prowess.link.shown import Shown
from prowess.link.stand_in import StandIns
from prowess.link.stdio import StdioChannel
from prowess.link.survey import Survey, survey
from prowess.link.transport import Transport
from prowess.link.wire import Wire
from prowess.provider import Caller, Change, Invocation, Lost, Outcome, Peer, Refused, Starting, TimedOut
from prowess.redact import printable
from prowess.spec.model import Server, StdioServer

INVALID_PARAMS = -32602
RESOURCE_NOT_FOUND = -32002  # of 2025-11-25
_ANYBODY = Caller()


class Link:
    """One MCP server. `open`, use, `close`; never raises for a failure of the server's own."""

    def __init__(
        self,
        server: Server,
        *,
        root: str,
        data: str,
        startup: float = 30.0,
        base_env: Mapping[str, str] | None = None,
        eras: EraMemory | None = None,
        on_start: Callable[[Starting], None] | None = None,
        injector: Injector | None = None,
        now: Callable[[], float] = time.time,
    ) -> None:
        """`root` and `data` are the plugin's directory and its data directory.

        `startup` is the seconds to come up, handshake and lists included. `base_env` replaces the
        allow-listed part of the user's environment. `injector` gives what the host adds to the
        environment of each start, or to the headers of each request; `now` is the clock that its
        tokens expire by.
        """
        self._server = server
        self._startup = startup
        self._eras = eras if eras is not None else MemoryEras()
        self._show = Shown(server)
        self._injected = Injected(injector, self._show)
        self._now = now
        self._transport = Transport(
            server,
            root=root,
            data=data,
            base_env=base_env,
            on_start=on_start,
            injected=self._injected,
            show=self._show,
        )
        self._channel: Channel | None = None
        self._offer = self._nothing("not-started", "not opened yet")
        self._schemas: dict[str, Mapping[str, Any]] = {}
        self._stateless = False  # known to keep no sessions
        self._line = self._new_line(self._connection, self._hear, unasked=True)
        self._listening = Listening(server.id, self._found)
        of_its_own = isinstance(server, StdioServer)
        self._sessions = Sessions(self._line_of, self._listening.heard if of_its_own else None)
        self._stand_ins = StandIns(self._listening.listen)

    @property
    def label(self) -> str:
        """The server's id in `mcp.json`."""
        return self._server.id

    def offer(self) -> Offer:
        """What is on offer now; its notes grow while the server runs."""
        live = self._line.keeper.live
        if live is not None:
            more = live.wire.channel.notes()
            return replace(self._offer, notes=(*self._offer.notes, *more)) if more else self._offer
        if self._offer.status == "connected" and not self._line.renewing:  # the keeper has not looked yet
            return self._nothing("failed", "the connection ended just now")
        return self._offer

    def stderr(self) -> str:
        """The end of what a stdio server wrote to stderr since its last start, secrets masked."""
        return self._channel.stderr() if isinstance(self._channel, StdioChannel) else ""

    async def open(self) -> Offer:
        """Bring the server up, or say in the offer's status why not; a failed one is tried again."""
        self._line.keeper.start()
        try:
            await self._line.keeper.use()
        except ConnectionFailed:
            pass  # the offer says it
        except asyncio.CancelledError:
            await self.close()
            raise
        return self.offer()

    async def close(self) -> None:
        """Take everything down; bounded, safe to call twice, carried to its end when cancelled.

        Who listens, and what sessions set, is remembered for the case that it is opened again.
        """
        try:
            await finish(self._close())
        finally:
            self._offer = self._nothing("not-started", "closed")

    async def _close(self) -> None:
        self._stand_ins.rest()
        await asyncio.gather(self._listening.close(), self._sessions.rest(), self._line.keeper.stop())

    async def call(self, invocation: Invocation) -> Outcome:
        """Use a tool. A connection that is down is brought up first, within the call's own time."""
        try:
            async with asyncio.timeout(invocation.timeout) as clock:
                return await self._call(invocation)
        except TimeoutError:
            if not clock.expired():
                return Lost(reason="the connection did not take the message")
            if self._line.keeper.live is None:
                return Refused(reason=self._offer.reason or "not connected", code="unreachable")
            return TimedOut(seconds=invocation.timeout)

    async def ask(
        self,
        method: str,
        params: Mapping[str, Any],
        *,
        peer: Peer | None = None,
        caller: Caller = _ANYBODY,
        timeout: float = 60.0,
    ) -> Mapping[str, Any]:
        """The raw result of any request but `tools/call`. Raises RequestFailed and ConnectionFailed."""
        try:
            async with asyncio.timeout(timeout):
                return await self._asked(method, params, peer)
        except MCPError as error:
            # As it was sent: whoever relays it must not change it, whoever prints it has to.
            raise RequestFailed(error.message, number=error.code, data=error.error.data) from None
        except Faulted as error:
            if error.fault.kind == "unsendable":
                raise RequestFailed(error.fault.reason, number=INVALID_PARAMS) from None
            raise ConnectionFailed(f"{self.label}: {error.fault.reason}") from None
        except TimeoutError:
            raise ConnectionFailed(f"{self.label}: no answer within {timeout:g} s") from None

    async def tell(self, method: str, params: Mapping[str, Any], *, peer: Peer) -> None:
        """Hand on a notification of a client's session, such as `notifications/roots/list_changed`.

        It goes to the connection that the session has; without one there is nobody to tell. Progress
        goes to the server that asked for what it is on. Raises RequestFailed for what cannot be sent.
        """
        session = self._sessions.find(peer.session)
        live = None if session is None else session.line.keeper.live
        if session is not None and method == PROGRESS:
            params = session.questions.progress(params) or {}
        if live is not None and (params or method != PROGRESS):
            try:
                await live.wire.tell(method, params)
            except Faulted as error:
                raise RequestFailed(error.fault.reason, number=INVALID_PARAMS) from None

    def keeps(self, session: str) -> bool:
        """Whether something is kept here for a client's session: a connection of its own, what it set."""
        return self._sessions.find(session) is not None or self._stand_ins.keeps(session)

    async def end_session(self, session: str) -> None:
        """The client's session is over, so its connection ends; nothing happens when it has none."""
        self._stand_ins.end(session)
        if (ending := self._sessions.forget(session)) is not None:
            await asyncio.wait({ending})

    def listen(self, hear: Callable[[Change], None], resources: Collection[str] = ()) -> Callable[[], None]:
        """Tell `hear` of every change of a list, and of the content of `resources`; what comes back ends it.

        The server is listened to only while somebody does, also across its restarts.
        """
        return self._listening.listen(hear, resources)

    async def get_prompt(
        self, name: str, arguments: Mapping[str, str] | None = None, *, timeout: float = 60.0
    ) -> Mapping[str, Any]:
        """The raw result of prompts/get; NotFound or ConnectionFailed when there is none."""
        return await self._get("prompts/get", {"name": name, "arguments": dict(arguments or {})}, timeout)

    async def read_resource(self, uri: str, *, timeout: float = 60.0) -> Mapping[str, Any]:
        """The raw result of resources/read; NotFound or ConnectionFailed when there is none."""
        return await self._get("resources/read", {"uri": uri}, timeout)

    # -- callers ---------------------------------------------------------------------------------

    async def _call(self, invocation: Invocation) -> Outcome:
        params: dict[str, Any] = {
            **invocation.further,
            "name": invocation.tool,
            "arguments": dict(invocation.arguments),
        }
        if invocation.meta:
            params["_meta"] = invocation.meta
        peer = invocation.peer
        try:
            result = await self._asked("tools/call", params, peer, tool=invocation.tool)
            return outcome_of(result, asks_back=peer is not None)
        except MCPError as error:
            return outcome_of_error(error)
        except Faulted as error:
            return outcome_of_fault(error.fault)
        except ConnectionFailed as error:
            unauthorized = self._offer.status == "auth-required"
            return Refused(reason=error.message, code="auth" if unauthorized else "unreachable")

    async def _get(self, method: str, params: Mapping[str, Any], timeout: float) -> Mapping[str, Any]:
        try:
            return await self.ask(method, params, timeout=timeout)
        except RequestFailed as error:
            words = self._show(error.message)
            if error.number in (INVALID_PARAMS, RESOURCE_NOT_FOUND):
                raise NotFound(f"{self.label}: {words}") from None
            raise ConnectionFailed(f"{self.label}: {words} (error {error.number})") from None

    async def _asked(
        self, method: str, params: Mapping[str, Any], peer: Peer | None, *, tool: str | None = None
    ) -> dict[str, Any]:
        """Ask on the connection that is right for `peer`."""

        def schema() -> Mapping[str, Any] | None:
            return None if tool is None else self._schema_of(tool)

        def shared(sent: Mapping[str, Any]) -> Awaitable[dict[str, Any]]:
            return self._line.ask(method, sent, schema=schema, peer=peer)

        if peer is None or not peer.session or not self._line.keeper.begun:
            return await shared(params)
        session = None if self._stateless else await self._session(peer, method)
        if session is not None:
            try:
                return await session.ask(method, params, schema, peer)
            except ConnectionFailed:
                if not unwanted(session) or (await self._line.keeper.use()).greeting.era != MODERN:
                    raise
                self._stateless = True  # it knows the newer era only
                self._sessions.forget(peer.session)
        if self._stateless:
            return await self._stand_ins.of(peer).ask(method, params, peer, shared)
        return await shared(params)

    async def _session(self, peer: Peer, method: str) -> Session | None:
        """The connection that is `peer`'s own, where it needs one."""
        session = self._sessions.get(peer)
        if session is None:
            needed = bool(peer.capabilities) or method in STATEFUL
            if needed or (await self._line.keeper.use()).greeting.era == MODERN:
                session = self._sessions.get(peer) or self._sessions.add(peer)
        return session

    def _schema_of(self, tool: str) -> Mapping[str, Any] | None:
        """The input schema of a tool; NotFound when it is known not to be there."""
        if tool in self._schemas:
            return self._schemas[tool]
        if self._line.keeper.live is None:
            return None  # a session of its own is up, and what everybody sees is not known now
        raise NotFound(f"no tool named {printable(tool)} on {self.label}")

    # -- what is on offer --------------------------------------------------------------------------

    def _hear(self, news: Live | Ending) -> None:
        """The line brought a connection up, or one ended."""
        if isinstance(news, Ending):
            self._offer = self._nothing(news.status, news.reason, news.code)
            self._listening.down()
            return
        greeting = news.greeting
        self._stateless = False
        self._offer = Offer(
            id=self.label,
            type=self._server.type,
            status="connected",
            server_info=greeting.server_info,
            instructions=greeting.instructions,
            protocol=greeting.version,
            capabilities=greeting.capabilities,
        )
        self._found(news, news.survey)
        self._listening.up(news)

    def _found(self, live: Live, survey: Survey) -> None:
        """What the connection that is up has on offer, now."""
        self._schemas = {each.name: each.input_schema for each in survey.tools}
        self._offer = replace(
            self._offer,
            tools=survey.tools,
            prompts=survey.prompts,
            resources=survey.resources,
            templates=survey.templates,
            notes=survey.notes,
            caching=survey.caching,
        )

    def _nothing(self, status: Status, reason: str, code: str = "") -> Offer:
        return Offer(
            id=self.label,
            type=self._server.type,
            status=status,
            reason=self._show(reason, REASON_SHOWN),
            reason_code=code,
            notes=self._channel.notes() if self._channel is not None else (),
        )

    # -- the transport ---------------------------------------------------------------------------

    def _connection(self) -> Connection:
        """A connection for everybody."""
        return Connection(
            self.label,
            self._open_channel,
            arrive=self._arrive,
            receiver=self._listening,
            eras=self._eras,
            startup=self._startup,
        )

    async def _arrive(self, wire: Wire, era: str | None, deadline: float) -> Live:
        greeting = await greet(wire, era, deadline - asyncio.get_running_loop().time())
        return Live(wire=wire, greeting=greeting, survey=await survey(wire, self.label, deadline))

    def _line_of(self, session: Session) -> Line:
        """The connections of one session; a lost one is made again when it is asked for."""

        async def open_channel(again: bool) -> Channel:
            channel, line.given = await self._transport.open(again)
            return channel

        def connection() -> Connection:
            return Connection(
                self.label,
                open_channel,
                arrive=session.arrive,
                receiver=session,
                eras=MemoryEras(),
                startup=self._startup,
            )

        line = self._new_line(connection, session.tell, unasked=False)
        return line

    def _new_line(
        self, make: Callable[[], Connection], tell: Callable[[Live | Ending], None], *, unasked: bool
    ) -> Line:
        return Line(
            self.label, make, tell, injected=self._injected, show=self._show, now=self._now, unasked=unasked
        )

    async def _open_channel(self, again: bool) -> Channel:
        self._channel, self._line.given = await self._transport.open(again)
        return self._channel
