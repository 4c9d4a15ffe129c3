"""The area `rollout`: who gets which version of a unit, how the new one does, and what a person decides.

rollout             every unit, and one of them with its comparison and its history
rollout_comparing   a canary against the stable version, in numbers, intervals and words
rollout_settling    set, promote, roll back
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import anyio
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from prowess.console.calls_telling import milliseconds
from prowess.console.console import Console, console_of
from prowess.console.forms import failure, writing
from prowess.console.rollout_comparing import intervals, rails, verdict_of
from prowess.console.rollout_settling import desk_of, known_of, mark_of, promote, rollback, share
from prowess.console.rows import rows
from prowess.host.rollout_desk import RolloutDesk, state_of
from prowess.host.unit_folders import LABEL
from prowess.units.judging import Comparison
from prowess.units.rollout import Rollout

MOST_CHANGES = 50


async def first(request: Request) -> Response:
    """Every unit that is here or of which something is settled."""
    console = console_of(request)
    desk = desk_of(console)
    rollouts = await desk.read()
    names = sorted({*rollouts, *await _offered(console, desk)}, key=lambda name: (name not in rollouts, name))
    found = rows(request, names, lambda name: name)
    lines = []
    for name in found.shown:
        settled = rollouts.get(name)
        comparison = None if settled is None else await anyio.to_thread.run_sync(desk.seen, name, settled)
        lines.append((name, settled, None if settled is None else verdict_of(settled, comparison)))
    return console.pages.page(
        request,
        "rollout.html",
        rows=found,
        lines=lines,
        file=desk.file,
        state=state_of,
        any_units=bool(names),
    )


async def unit(request: Request) -> Response:
    """One unit: its versions, the comparison, the steps that can be taken, what was settled before."""
    console, name = console_of(request), request.query_params.get("name", "")
    desk = desk_of(console)
    settled = (await desk.read()).get(name)
    known = await known_of(console, desk, name)
    if settled is None and not known:
        return failure(request, 404, "There is no such unit")
    comparison = None if settled is None else await anyio.to_thread.run_sync(desk.seen, name, settled)
    return console.pages.page(
        request,
        "rollout_unit.html",
        name=name,
        settled=settled,
        known=known,
        state=state_of,
        **_compared(settled, comparison),
        changes=await anyio.to_thread.run_sync(desk.changes, name, MOST_CHANGES),
        mark=mark_of(settled),
        ms=milliseconds,
    )


def _compared(settled: Rollout | None, comparison: Comparison | None) -> dict[str, Any]:
    if settled is None:
        return {"verdict": None, "plot": None, "rails": ()}
    plot = None if comparison is None else intervals(settled, comparison)
    return {
        "verdict": verdict_of(settled, comparison),
        "plot": plot,
        "rails": () if comparison is None else rails(comparison),
    }


async def _offered(console: Console, desk: RolloutDesk) -> set[str]:
    """The names of all units; those in folders where none has been started."""
    offer = next((each for each in console.host.offers if each.id == LABEL), None)
    if offer is not None and offer.status == "connected":
        return {each.name for each in offer.tools}
    versions, _ = await anyio.to_thread.run_sync(desk.versions)
    return set(versions)


ROUTES: Sequence[BaseRoute] = [
    Route("/rollout", first),
    Route("/rollout/unit", unit),
    writing("/rollout/share", share),
    writing("/rollout/promote", promote),
    writing("/rollout/rollback", rollback),
]
