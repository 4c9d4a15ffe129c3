"""The attempts of one call: in line, behind the breaker, within one deadline, again only where safe.

Every attempt is a task of its own, so that a provider that ignores its cancellation cannot hold the
caller past the timeout. What a provider raises is turned into an outcome here.
"""

from __future__ import annotations

import asyncio
import traceback
from collections.abc import Callable, Mapping
from typing import Any, get_args

from prowess.call import spans
from prowess.call.breaker import Breakers
from prowess.call.clock import Clock
from prowess.call.limits import Limits
from prowess.call.recording import Journal
from prowess.call.resolving import VERSION_META
from prowess.call.retry import idempotent, may_repeat, wait_before
from prowess.call.running import Running
from prowess.call.slots import Slots
from prowess.call.spans import Step
from prowess.errors import ConnectionFailed, NotFound
from prowess.provider import Caller, Invocation, Lost, Outcome, Refused, TimedOut, ToolFailed
from prowess.redact import printable

CredentialOf = Callable[[str, Caller], str]


class Attempts:
    """Carries out calls that are allowed."""

    def __init__(self, limits: Limits, clock: Clock, journal: Journal, credential: CredentialOf) -> None:
        self._limits = limits
        self._clock = clock
        self._journal = journal
        self._credential = credential
        self._breakers = Breakers(limits.breaker_failures, limits.breaker_seconds, clock)
        self._servers = Slots(limits.per_server, clock)
        self._callers = Slots(limits.per_caller, clock)
        self._left: set[asyncio.Task[Outcome]] = set()

    async def run(self, running: Running) -> Outcome:
        """One outcome within `running.seconds`, whatever the provider does."""
        deadline = self._clock.monotonic() + running.seconds
        owner = (running.caller.principal, running.caller.conversation)
        if not await self._callers.take(owner, running.seconds):
            return _busy("this caller", self._limits.per_caller)
        try:
            server = running.found.keeper
            if not await self._servers.take(server, deadline - self._clock.monotonic()):
                return _busy(printable(server), self._limits.per_server)
            try:
                return await self._repeat(running, deadline)
            finally:
                self._servers.give(server)
        finally:
            self._callers.give(owner)

    async def _repeat(self, running: Running, deadline: float) -> Outcome:
        tool = running.found.tool
        keeper = running.found.keeper
        key = (keeper, self._credential(tool.server, running.caller))
        most = self._limits.attempts_of(tool) if idempotent(tool) else 1
        outcome: Outcome | None = None
        while True:
            closed = self._breakers.refuses(key)
            if closed is not None:
                return outcome or _open(keeper, closed)
            outcome = await self._once(running, key, deadline)
            if running.attempts >= most or not may_repeat(outcome):
                return outcome
            wait = self._wait(running, outcome, deadline)
            if wait is None:
                return outcome
            await self._clock.sleep(wait)

    def _wait(self, running: Running, outcome: Outcome, deadline: float) -> float | None:
        """Seconds to wait, or None (and a note) when there is no time for another attempt."""
        most = self._limits.max_retry_after
        wait = wait_before(running.attempts, outcome, self._clock.random(), most)
        if wait is None:
            running.notes.append(f"not tried again: the server asks to wait longer than {most:g} seconds")
        elif self._clock.monotonic() + wait >= deadline:
            running.notes.append(f"not tried again: no time left of {running.seconds:g} seconds")
            wait = None
        return wait

    async def _once(self, running: Running, key: tuple[str, str], deadline: float) -> Outcome:
        running.attempts += 1
        began = self._clock.monotonic()
        outcome: Outcome | None = None
        try:
            with spans.of_attempt(running.found, running.step, running.attempts) as step:
                outcome = await self._sent(running, deadline - self._clock.monotonic(), step)
                step.ended(outcome)
            return outcome
        finally:
            self._breakers.heard(key, outcome, began=began)

    async def _sent(self, running: Running, seconds: float, step: Step) -> Outcome:
        invocation = Invocation(
            tool=running.found.tool.name,
            arguments=running.arguments,
            caller=running.caller,
            timeout=seconds,
            meta=_meta(running, step),
            further=running.further,
            peer=running.peer,
        )
        work: asyncio.Task[Outcome] = asyncio.ensure_future(_called(running, invocation))
        try:
            if not await self._clock.settled(work, seconds):
                return TimedOut(seconds=running.seconds)
        finally:
            if not work.done():
                self._leave(work)
        return self._result(work)

    def _leave(self, work: asyncio.Task[Outcome]) -> None:
        """Cancel an attempt without waiting for it: it may never listen."""
        self._left.add(work)
        work.add_done_callback(self._gone)
        work.cancel()

    def _gone(self, work: asyncio.Task[Outcome]) -> None:
        self._left.discard(work)
        if not work.cancelled():
            work.exception()  # looked at, so that nobody is told that it was not

    def _result(self, work: asyncio.Task[Outcome]) -> Outcome:
        try:
            outcome: Any = work.result()
        except asyncio.CancelledError:
            return Lost(reason="the connection was closed during the call")
        except (NotFound, ConnectionFailed) as error:
            return Refused(code=error.code, reason=error.message)
        except Exception as error:  # noqa: BLE001  # boundary: what a provider raises is an outcome to a model
            stack = "".join(traceback.format_exception(error))
            self._journal.log("call-exception", error=type(error).__name__, stack=stack)
            return Lost(reason=printable(f"{type(error).__name__}: {error}", 500))
        if isinstance(outcome, get_args(Outcome)):
            return outcome  # type: ignore[no-any-return]  # just looked at
        return ToolFailed(
            message=f"the provider answered with a {type(outcome).__name__} and not with an outcome"
        )


def _meta(running: Running, step: Step) -> Mapping[str, Any]:
    """What the invocation carries: what the client sent, the trace, and the version that was found."""
    version = running.found.version
    ours = {**step.carried, VERSION_META: version} if version else step.carried
    return {**running.meta, **ours} if running.meta else ours


async def _called(running: Running, invocation: Invocation) -> Outcome:
    running.sent = True
    return await running.found.provider.call(invocation)


def _busy(who: str, limit: int) -> Refused:
    reason = f"{who} has {limit} calls running, and none ended in time; nothing was sent. Wait for one to end"
    return Refused(code="busy", reason=reason)


def _open(server: str, seconds: float) -> Refused:
    reason = f"{printable(server)} failed several times in a row, so nothing was sent"
    wait = max(1, round(seconds))
    return Refused(
        code="breaker-open", reason=f"{reason}. Do not call again for {wait} seconds", retry_after=wait
    )
