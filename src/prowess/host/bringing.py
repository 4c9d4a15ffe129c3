"""Bringing providers up together and taking them down together.

All start at once; whatever one does is its own affair (Agent Plugins 1.0.0, 7.2 and 11: a failure
inside one server never stops another). Taking down is shielded from cancellation and bounded, so
that Ctrl-C in the middle of a start leaves nothing behind. It does not know what a provider is
made of.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence

from prowess.capability.offer import Offer
from prowess.provider import Provider
from prowess.redact import printable

CLOSE_SECONDS = 20.0  # the outer bound; a link's own steps (end of input, TERM, KILL) take less

Report = Callable[[Offer], None]


async def bring_up(providers: Sequence[Provider], on_offer: Report | None = None) -> None:
    """Open every provider at once; `on_offer` hears each as it is settled."""
    await asyncio.gather(*(_open(each, on_offer) for each in providers))


async def _open(provider: Provider, on_offer: Report | None) -> None:
    try:
        offer = await provider.open()
    except Exception as error:  # noqa: BLE001  # boundary: one provider's fault is that provider's alone
        offer = broken(provider, error)
    if on_offer is not None:
        on_offer(offer)


def offer_of(provider: Provider) -> Offer:
    """What a provider offers now; a fault of its own is a status."""
    try:
        return provider.offer()
    except Exception as error:  # noqa: BLE001  # boundary: one provider's fault is that provider's alone
        return broken(provider, error)


def broken(provider: Provider, error: Exception) -> Offer:
    """The offer of a provider that raised where the protocol says it answers."""
    reason = printable(f"{type(error).__name__}: {error}", 500)
    return Offer(id=provider.label, type="unknown", status="failed", reason=reason)


async def take_down(providers: Sequence[Provider]) -> None:
    """Close every provider at once, to the end even when cancelled meanwhile."""
    closing = asyncio.ensure_future(_close_in_order(providers))
    cancelled = False
    while not closing.done():
        try:
            await asyncio.wait({closing})
        except asyncio.CancelledError:
            cancelled = True
    if cancelled:
        raise asyncio.CancelledError


async def _close_in_order(providers: Sequence[Provider]) -> None:
    """Those that use others first: what they have under way needs the others."""
    users = [each for each in providers if getattr(each, "uses_others", False)]
    await _close_all(users)
    await _close_all([each for each in providers if each not in users])


async def _close_all(providers: Sequence[Provider]) -> None:
    tasks = [asyncio.ensure_future(_close(each)) for each in providers]
    if not tasks:
        return
    _, late = await asyncio.wait(tasks, timeout=CLOSE_SECONDS)
    for task in late:
        task.cancel()
    await asyncio.gather(*late, return_exceptions=True)


async def _close(provider: Provider) -> None:
    try:
        await provider.close()
    except Exception:  # noqa: BLE001  # boundary: closing one never keeps another open
        return
