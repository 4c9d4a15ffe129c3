"""The area `drift`: what is on offer now, against what was frozen and what was seen first.

drift            the first page: tools that changed, calls that wait, each plugin against its fixtures
drift_plugin     one plugin: its changes, freezing what is on offer now
drift_between    any two snapshots
drift_pins       one changed tool: old and new definition, approve it, start over
drift_waiting    calls that wait for approval
"""

from __future__ import annotations

from collections.abc import Sequence

import anyio
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from prowess.console.console import console_of
from prowess.console.drift_between import between, compared
from prowess.console.drift_comparing import Standing, standing_of, subjects
from prowess.console.drift_pins import approve_tool, pin, reset_tool
from prowess.console.drift_plugin import freeze_now, plugin
from prowess.console.drift_waiting import approve_call, refuse_call, waiting
from prowess.console.forms import writing
from prowess.console.rows import MOST, rows

MOST_WAITING = 40  # calls on the first page; each shows its arguments


async def first(request: Request) -> Response:
    """What waits for a person, and how each plugin stands."""
    console = console_of(request)
    found = rows(request, subjects(console.host), lambda each: each.label)
    standings: list[Standing] = []
    for each in found.shown:
        now = each.now(console.host)
        standings.append(await anyio.to_thread.run_sync(standing_of, each, now))
    changed = await console.host.changed()
    asked = await waiting(console)
    return console.pages.page(
        request,
        "drift.html",
        rows=found,
        standings=standings,
        changed=changed[:MOST],
        more_changed=len(changed) - MOST,
        waiting=asked[:MOST_WAITING],
        more_waiting=len(asked) - MOST_WAITING,
    )


ROUTES: Sequence[BaseRoute] = [
    Route("/drift", first),
    Route("/drift/plugin", plugin),
    writing("/drift/freeze", freeze_now),
    Route("/drift/between", between),
    writing("/drift/compared", compared),
    Route("/drift/tool", pin),
    writing("/drift/tool/approve", approve_tool),
    writing("/drift/tool/reset", reset_tool),
    writing("/drift/call/approve", approve_call),
    writing("/drift/call/refuse", refuse_call),
]
