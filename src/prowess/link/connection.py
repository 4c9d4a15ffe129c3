"""One life of a server: entered, held and left by one task.

Cancel scopes of the SDK belong to the task that entered them, so nothing here is handed to another
task but a Wire, which any task may ask. A connection is used up when it ends; the link makes a new
one.
"""

from __future__ import annotations

import asyncio
import errno
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from dataclasses import dataclass

from mcp.shared.exceptions import MCPError

from prowess.capability.offer import Status
from prowess.errors import ConnectionFailed, CredentialFailed
from prowess.link.channel import Channel
from prowess.link.era import LEGACY, EraMemory
from prowess.link.faults import Faulted
from prowess.link.handshake import StartAgain
from prowess.link.stamping import Greeting
from prowess.link.survey import Survey
from prowess.link.wire import Receiver, Wire, connected


@dataclass(frozen=True, slots=True, kw_only=True)
class Live:
    """A connection that is up, with what was found on it."""

    wire: Wire
    greeting: Greeting
    survey: Survey


@dataclass(frozen=True, slots=True, kw_only=True)
class Ending:
    """Why there is no connection now, in words and in one stable word (`Offer.reason_code`).

    `again` when a fresh process may do better, greeted the old way.
    """

    status: Status
    reason: str
    code: str = ""
    again: bool = False


News = Callable[[Live | Ending], None]
Open = Callable[[bool], Awaitable[Channel]]  # told whether this is the second start of one attempt
Arrive = Callable[[Wire, str | None, float], Awaitable[Live]]  # on a wire, with the era, until a deadline


class Connection:
    """Brings one server up, holds it until it ends or `leave` is called, takes it down.

    `arrive` greets the server and finds out what is needed to be up; `receiver` gets what the server
    says by itself. `startup` is the seconds for all of that.
    """

    def __init__(
        self,
        server: str,
        open_channel: Open,
        *,
        arrive: Arrive,
        receiver: Receiver,
        eras: EraMemory,
        startup: float,
    ) -> None:
        self._server = server
        self._open_channel = open_channel
        self._arrive = arrive
        self._receiver = receiver
        self._eras = eras
        self._startup = startup
        self._leave = asyncio.Event()

    @property
    def left(self) -> bool:
        """Whether it was let go on purpose."""
        return self._leave.is_set()

    def leave(self) -> None:
        """Take it down, soon."""
        self._leave.set()

    async def run(self, news: News) -> Ending:
        """The whole life; what comes back is how it ended.

        `news` hears when it is up, and how that ended before it is taken down, which takes a while.
        """
        deadline = asyncio.get_running_loop().time() + self._startup
        try:
            era = self._eras.get(self._server) or None
            ending = await self._life(era, deadline, news, again=False)
            return await self._life(LEGACY, deadline, news, again=True) if ending.again else ending
        except (ConnectionFailed, CredentialFailed) as error:
            reason = f"{error.message} ({error.hint})" if error.hint else error.message
            if isinstance(error, CredentialFailed):
                return Ending(status="auth-required", reason=reason, code=error.code)
            return Ending(status="failed", reason=reason, code="spawn")
        except OSError as error:
            return Ending(status="failed", reason=f"could not be started: {_system(error)}", code="spawn")
        except Exception as error:  # noqa: BLE001  # boundary: whatever the SDK raises is this server's failure
            return Ending(status="failed", reason=f"the connection broke: {_name(error)}")

    async def _life(self, era: str | None, deadline: float, news: News, *, again: bool) -> Ending:
        try:
            async with asyncio.timeout_at(deadline):
                channel = await self._open_channel(again)
        except TimeoutError:
            return Ending(
                status="timed-out", reason=f"its credential was not there within {self._startup:g} s"
            )
        ending: Ending | None = None
        try:
            async with AsyncExitStack() as stack:
                ending = await self._attempt(stack, channel, era, deadline, news)
        except Faulted as error:  # from entering the channel
            ending = _faulted(error, error.fault.reason)
        return ending

    async def _attempt(
        self, stack: AsyncExitStack, channel: Channel, era: str | None, deadline: float, news: News
    ) -> Ending:
        """Come up, hold, and say how it ended."""
        live: Live | None = None
        try:
            async with asyncio.timeout_at(deadline) as clock:
                live = await self._come_up(stack, channel, era, deadline)
        except StartAgain:
            # A value from here on: the SDK's task group would wrap an exception that passes through it.
            return Ending(status="failed", reason="", again=True)
        except (Faulted, MCPError, TimeoutError) as error:
            if era is not None:
                self._eras.put(self._server, "")  # what was remembered may be what went wrong
            return await self._not_up(channel, error, clock.expired())
        finally:
            if live is None:
                channel.hurry()
        news(live)
        await _either(channel.ended, self._leave)
        reason = await channel.last_words() or "the connection ended"
        ending = Ending(status="failed", reason=reason, code=channel.ending())
        news(ending)
        return ending

    async def _come_up(
        self, stack: AsyncExitStack, channel: Channel, era: str | None, deadline: float
    ) -> Live:
        wire = await stack.enter_async_context(connected(channel, self._receiver))
        live = await self._arrive(wire, era, deadline)
        self._eras.put(self._server, live.greeting.era)
        return live

    async def _not_up(
        self, channel: Channel, error: Faulted | MCPError | TimeoutError, expired: bool
    ) -> Ending:
        if isinstance(error, MCPError):
            words = channel.show(error.message)
            reason = f"refused the handshake: {words} (error {error.code})"
            return Ending(status="failed", reason=reason, code="protocol")
        if isinstance(error, Faulted) and error.fault.kind != "lost":
            return _faulted(error, channel.show(error.fault.reason, 400))
        words = await channel.last_words()
        if isinstance(error, Faulted):
            reason = f"{words or error.fault.reason} (before it was connected)"
            return Ending(status="failed", reason=reason, code=channel.ending())
        reason = f"no answer within {self._startup:g} s" + (f": {words}" if words else "")
        return Ending(status="timed-out" if expired else "failed", reason=reason, code="timeout")


def _name(error: BaseException) -> str:
    """The name of what went wrong at the bottom of it."""
    while isinstance(error, BaseExceptionGroup) and error.exceptions:
        error = error.exceptions[0]
    return type(error).__name__


def _faulted(error: Faulted, reason: str) -> Ending:
    status: Status = "auth-required" if error.fault.kind == "auth" else "failed"
    return Ending(status=status, reason=reason, code=error.fault.word)


def _system(error: OSError) -> str:
    """What the system said, and what to do where the words alone do not tell."""
    words = error.strerror or type(error).__name__
    return f"{words} (allow more with ulimit -n)" if error.errno == errno.EMFILE else words


async def _either(*events: asyncio.Event) -> None:
    """Wait for one of them."""
    tasks = [asyncio.ensure_future(event.wait()) for event in events]
    try:
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in tasks:
            task.cancel()
