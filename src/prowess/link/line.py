"""What requests go over: one connection after another to the same server.

A connection that is down is brought up first. A request is sent once more when nothing of the first
attempt was looked at. It knows raw requests; what their results mean is for the link.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from prowess.capability.offer import Status
from prowess.credentials.injecting import Injection
from prowess.errors import ConnectionFailed, CredentialFailed
from prowess.link.connection import Connection, Ending, Live
from prowess.link.faults import Faulted
from prowess.link.injected import Injected
from prowess.link.keeper import Keeper
from prowess.link.shown import Shown
from prowess.provider import Peer

REASON_SHOWN = 1_500


class Line:
    """The connections to one server, for everybody or for one session.

    `make` gives a new Connection, `tell` hears of each that is up and how each ended. `injected` gives
    what a new process would be started with, by the clock `now`. `unasked` is the Keeper's.
    """

    def __init__(
        self,
        name: str,
        make: Callable[[], Connection],
        tell: Callable[[Live | Ending], None],
        *,
        injected: Injected,
        show: Shown,
        now: Callable[[], float],
        unasked: bool = True,
    ) -> None:
        self.keeper = Keeper(name, make, self._hear, unasked=unasked)
        self.given: Injection | None = None  # what the process that runs now was started with
        self.renewing = False
        self.asking = 0  # requests that wait for an answer
        self._tell = tell
        self._injected = injected
        self._show = show
        self._now = now

    async def ask(
        self,
        method: str,
        params: Mapping[str, Any],
        *,
        schema: Callable[[], Mapping[str, Any] | None] = lambda: None,
        peer: Peer | None = None,
    ) -> dict[str, Any]:
        """The raw result. `schema` gives the input schema of the tool that is called, once connected.

        Raises MCPError, Faulted and ConnectionFailed, and what `schema` raises.
        """
        for attempt in (1, 2):
            await self._renew()
            live = await self.keeper.use()
            known = schema()
            try:
                self.asking += 1
                try:
                    return await live.wire.ask(method, params, schema=known, peer=peer)
                finally:
                    self.asking -= 1
            except Faulted as error:
                again = error.fault.kind in ("unreachable", "session") and not live.wire.channel.renewable
                if again:
                    self._let_go(live, "failed", error)
                if not again or attempt == 2:
                    raise await self._with_last_words(live, error) from None
        raise ConnectionFailed("unreachable")

    async def _renew(self) -> None:
        """A process keeps the token that it was started with: when that is due, start another process.

        Only while nobody waits for an answer of this one, and only when there is another token.
        """
        live, given = self.keeper.live, self.given
        if live is None or given is None or not given.due(self._now()):
            return
        try:
            current = await self._injected.current()
        except CredentialFailed:
            return  # it may still be good for a while, and the server says so when it is not
        if current.env != given.env and not self.asking and self.keeper.live is live:
            self.renewing = True
            self.keeper.let_go(live)

    async def _with_last_words(self, live: Live, error: Faulted) -> Faulted:
        if error.fault.kind == "auth":
            self._let_go(live, "auth-required", error)
        if error.fault.kind != "lost":
            return error
        words = await live.wire.channel.last_words()
        reason = f"{error.fault.reason}: {words}" if words else error.fault.reason
        return Faulted("lost", self._show(reason, REASON_SHOWN), retry_after=error.fault.retry_after)

    def _let_go(self, live: Live, status: Status, error: Faulted) -> None:
        self.keeper.let_go(live)
        self._tell(Ending(status=status, reason=error.fault.reason, code=error.fault.word))

    def _hear(self, news: Live | Ending) -> None:
        """The keeper brought a connection up, or one ended."""
        self.renewing = False
        self._tell(news)
