"""A link to one MCP server: the Provider that the Host holds.

Agent Plugins 1.0.0, 7.2: whatever goes wrong with a server is that server's status. A keeper
owns its connections; callers ask over the wire of the one that is up, or wait for the next one.
"""

from __future__ import annotations

import asyncio
import os
import shlex
import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import httpx2
from mcp.shared.exceptions import MCPError

from prowess.capability.offer import Offer, Status
from prowess.credentials.injecting import Injection, Injector
from prowess.errors import ConnectionFailed, CredentialFailed, NotFound
from prowess.link.answers import outcome_of, outcome_of_error, outcome_of_fault
from prowess.link.channel import Channel
from prowess.link.connection import Connection, Ending, Live
from prowess.link.environment import base_environment
from prowess.link.era import EraMemory, MemoryEras
from prowess.link.faults import Fault, Faulted
from prowess.link.gate import origin_text
from prowess.link.http import HttpChannel
from prowess.link.injected import Injected
from prowess.link.keeper import Keeper
from prowess.link.shown import Shown
from prowess.link.sse import SseChannel
from prowess.link.stdio import StdioChannel
from prowess.provider import Invocation, Lost, Outcome, Refused, Starting, TimedOut
from prowess.redact import printable
from prowess.source.launch import resolve_launch
from prowess.spec.model import Server, StdioServer

REASON_SHOWN = 1_500


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
        self._root, self._data = root, data
        self._startup = startup
        self._base_env = base_env
        self._eras = eras if eras is not None else MemoryEras()
        self._on_start = on_start
        self._show = Shown(server)
        self._injected = Injected(injector, self._show)
        self._now = now
        self._given: Injection | None = None
        self._asking = 0
        self._renewing = False
        self._channel: Channel | None = None
        self._offer = self._nothing("not-started", "not opened yet")
        self._keeper = Keeper(server.id, self._connection, self._hear)

    @property
    def label(self) -> str:
        """The server's id in `mcp.json`."""
        return self._server.id

    def offer(self) -> Offer:
        """What is on offer now; its notes grow while the server runs."""
        live = self._keeper.live
        if live is not None:
            return replace(self._offer, notes=(*live.survey.notes, *live.wire.channel.notes()))
        if self._offer.status == "connected" and not self._renewing:  # the keeper has not looked yet
            return self._nothing("failed", "the connection ended just now")
        return self._offer

    def stderr(self) -> str:
        """The end of what a stdio server wrote to stderr since its last start, secrets masked."""
        return self._channel.stderr() if isinstance(self._channel, StdioChannel) else ""

    async def open(self) -> Offer:
        """Bring the server up, or say in the offer's status why not; a failed one is tried again."""
        self._keeper.start()
        try:
            await self._keeper.use()
        except ConnectionFailed:
            pass  # the offer says it
        except asyncio.CancelledError:
            await self.close()
            raise
        return self.offer()

    async def close(self) -> None:
        """Take everything down; bounded, safe to call twice, carried to its end when cancelled."""
        try:
            await self._keeper.stop()
        finally:
            self._offer = self._nothing("not-started", "closed")

    async def call(self, invocation: Invocation) -> Outcome:
        """Use a tool. A connection that is down is brought up first, within the call's own time."""
        try:
            async with asyncio.timeout(invocation.timeout) as clock:
                return await self._call(invocation)
        except TimeoutError:
            if not clock.expired():
                return Lost(reason="the connection did not take the message")
            if self._keeper.live is None:
                return Refused(reason=self._offer.reason or "not connected", code="unreachable")
            return TimedOut(seconds=invocation.timeout)

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
        params = {"name": invocation.tool, "arguments": dict(invocation.arguments)}
        if invocation.meta:
            params["_meta"] = dict(invocation.meta)
        try:
            return outcome_of(await self._ask("tools/call", params, tool=invocation.tool))
        except MCPError as error:
            return outcome_of_error(error)
        except Faulted as error:
            return outcome_of_fault(error.fault)
        except ConnectionFailed as error:
            unauthorized = self._offer.status == "auth-required"
            return Refused(reason=error.message, code="auth" if unauthorized else "unreachable")

    async def _get(self, method: str, params: Mapping[str, Any], timeout: float) -> Mapping[str, Any]:
        try:
            async with asyncio.timeout(timeout):
                return await self._ask(method, params)
        except MCPError as error:
            words = self._show(error.message)
            if error.code in (-32602, -32002):
                raise NotFound(f"{self.label}: {words}") from None
            raise ConnectionFailed(f"{self.label}: {words} (error {error.code})") from None
        except Faulted as error:
            raise ConnectionFailed(f"{self.label}: {error.fault.reason}") from None
        except TimeoutError:
            raise ConnectionFailed(f"{self.label}: no answer within {timeout:g} s") from None

    async def _ask(
        self, method: str, params: Mapping[str, Any], *, tool: str | None = None
    ) -> dict[str, Any]:
        """Ask, and once more on a new connection when nothing of the first attempt was looked at."""
        for attempt in (1, 2):
            await self._renew()
            live = await self._keeper.use()
            schema = None if tool is None else _schema_of(live, tool, self.label)
            try:
                self._asking += 1
                try:
                    return await live.wire.ask(method, params, schema=schema)
                finally:
                    self._asking -= 1
            except Faulted as error:
                again = error.fault.kind in ("unreachable", "session") and not live.wire.channel.renewable
                if again:
                    self._let_go(live, "failed", error.fault)
                if not again or attempt == 2:
                    raise await self._with_last_words(live, error) from None
        raise ConnectionFailed("unreachable")

    async def _renew(self) -> None:
        """A process keeps the token that it was started with: when that is due, start another process.

        Only while nobody waits for an answer of this one, and only when there is another token.
        """
        live, given = self._keeper.live, self._given
        if live is None or given is None or not given.due(self._now()):
            return
        try:
            current = await self._injected.current()
        except CredentialFailed:
            return  # it may still be good for a while, and the server says so when it is not
        if current.env != given.env and not self._asking and self._keeper.live is live:
            self._renewing = True
            self._keeper.let_go(live)

    async def _with_last_words(self, live: Live, error: Faulted) -> Faulted:
        if error.fault.kind == "auth":
            self._let_go(live, "auth-required", error.fault)
        if error.fault.kind != "lost":
            return error
        words = await live.wire.channel.last_words()
        reason = f"{error.fault.reason}: {words}" if words else error.fault.reason
        return Faulted("lost", self._show(reason, REASON_SHOWN), retry_after=error.fault.retry_after)

    def _let_go(self, live: Live, status: Status, fault: Fault) -> None:
        self._keeper.let_go(live)
        self._offer = self._nothing(status, fault.reason, fault.word)

    # -- what is on offer --------------------------------------------------------------------------

    def _hear(self, news: Live | Ending) -> None:
        """The keeper brought a connection up, or one ended."""
        self._renewing = False
        if isinstance(news, Ending):
            self._offer = self._nothing(news.status, news.reason, news.code)
            return
        found, greeting = news.survey, news.greeting
        self._offer = Offer(
            id=self.label,
            type=self._server.type,
            status="connected",
            tools=found.tools,
            prompts=found.prompts,
            resources=found.resources,
            templates=found.templates,
            notes=found.notes,
            server_info=greeting.server_info,
            instructions=greeting.instructions,
            protocol=greeting.version,
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
        return Connection(self.label, self._open_channel, self._eras, self._startup)

    async def _open_channel(self, again: bool) -> Channel:
        """A new transport, after saying what it will start or contact."""
        server = self._server
        if isinstance(server, StdioServer):
            base = base_environment(os.environ) if self._base_env is None else self._base_env
            launch = resolve_launch(self._root, server, self._data, base)
            injection = self._given = await self._injected.current()
            launch = replace(launch, env={**launch.env, **injection.env})
            self._say(self._show(shlex.join((server.command, *launch.argv[1:])), 500), again)
            self._channel = StdioChannel(launch, self._show)
        else:
            self._say(origin_text(httpx2.URL(server.url)), again)
            kind = SseChannel if server.type == "sse" else HttpChannel
            self._channel = kind(server, self._show, self._injected)
        return self._channel

    def _say(self, target: str, again: bool) -> None:
        if self._on_start is not None:
            self._on_start(
                Starting(server=printable(self.label, 80), type=self._server.type, target=target, again=again)
            )


def _schema_of(live: Live, tool: str, label: str) -> Mapping[str, Any]:
    for each in live.survey.tools:
        if each.name == tool:
            return each.input_schema
    raise NotFound(f"no tool named {printable(tool)} on {label}")
