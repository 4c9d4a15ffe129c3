"""Bringing a plugin up for a verb: consent first, progress while it lasts, a line for each failure.

Naming a PATH consents to running it; still, every command and every host is printed before it is
started or contacted. All of it goes to stderr.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager

from prowess.capability.offer import Offer
from prowess.cli import screen
from prowess.host import Host
from prowess.host.hints import hint_of
from prowess.redact import printable
from prowess.spec.model import Profile

TYPE_CHECKING = False
if TYPE_CHECKING:
    from prowess.call.approvals import Approver
    from prowess.provider import Starting

QUIET_SECONDS = 1.0  # nothing is said about a bring-up that takes less
REPEAT_SECONDS = 5.0


class Watch:
    """What is said while servers come up."""

    def __init__(self, timeout: float) -> None:
        self._timeout = timeout
        self._waiting: set[str] = set()

    def starting(self, start: Starting) -> None:
        """Say what is about to be started or contacted; it is fit to print."""
        self._waiting.add(start.server)
        screen.say(str(start))

    def settled(self, offer: Offer) -> None:
        """A server is up, or is not."""
        self._waiting.discard(offer.id)

    @contextlib.contextmanager
    def progress(self) -> Iterator[None]:
        """Say every few seconds who is waited for."""
        task = asyncio.ensure_future(self._repeat(asyncio.current_task()))
        try:
            yield
        finally:
            task.cancel()

    async def _repeat(self, bringing_up: asyncio.Task[None] | None) -> None:
        passed = QUIET_SECONDS
        await asyncio.sleep(QUIET_SECONDS)
        while True:
            if bringing_up is not None and bringing_up.cancelling():
                return  # stopped: from here on it is waited for their end
            if self._waiting:
                names = printable(", ".join(sorted(self._waiting)), 300)
                screen.say(f"waiting for {names} ({passed:.0f} s of {self._timeout:g})")
            await asyncio.sleep(REPEAT_SECONDS)
            passed += REPEAT_SECONDS


@asynccontextmanager
async def brought_up(
    path: str | Sequence[str],
    *,
    profile: Profile,
    timeout: float,
    connect: bool = True,
    only: Sequence[str] | None = None,
    approver: Approver | None = None,
    idle: float | None = None,
    local: bool = False,
    keep_rejected: bool = False,
) -> AsyncIterator[Host]:
    """A Host whose servers are settled; each that did not come up has been said.

    With `idle` those that are known from before start when they are first used, with `local` the
    skills of this project and person are here too. With `keep_rejected` a Host comes up whose only
    plugin is rejected.
    """
    watch = Watch(timeout)
    opening = Host.open(
        path,
        timeout=timeout,
        profile=profile,
        connect=connect,
        only=only,
        approver=approver,
        idle=idle,
        local=local,
        keep_rejected=keep_rejected,
        on_start=watch.starting,
        on_offer=watch.settled,
    )
    async with contextlib.AsyncExitStack() as stack:
        with watch.progress():
            host = await stack.enter_async_context(opening)
        for note in host.skill_notes:
            screen.say(note)
        for label, judgement in host.rejected.items():
            screen.complain(f"{printable(label, 80)}: rejected: {judgement.rejected.message}")  # type: ignore[union-attr]
        for offer in host.offers:
            if only is None or offer.id in only:
                _tell(offer, connect and not (idle and offer.status == "not-started"))
        yield host


def _tell(offer: Offer, connect: bool) -> None:
    name = printable(offer.id, 80)
    for note in offer.notes:
        screen.say(f"{name}: {note}")
    if offer.status == "connected":
        if not (offer.tools or offer.prompts or offer.resources or offer.templates):  # the notes say so
            screen.say("   hint: the manifest is fine; debug the server's own registration of tools")
        return
    if connect:
        screen.say(f"{name}: {offer.status}: {offer.reason}")
        if hint := hint_of(offer):
            screen.say(f"   hint: {hint}")
