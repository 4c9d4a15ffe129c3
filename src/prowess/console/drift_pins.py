"""A tool that is hidden because it is not what it was: both definitions, and what a person decides.

What is approved is the definition that was shown, known by its digest; one that has changed once more is
shown again. Not deciding leaves it hidden.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import urlencode

import anyio
from starlette.requests import Request
from starlette.responses import Response

from prowess.author.differing import unified
from prowess.call.pinning import Changed, definition_of
from prowess.capability.canonical import plain
from prowess.console.console import console_of
from prowess.console.drift_comparing import fitting, in_lines
from prowess.console.forms import Form, confirm, done, failure
from prowess.console.language import translator
from prowess.console.pages import language_of
from prowess.host import Host
from prowess.store.remembered import Pin

MOST_LINES = 4_000  # of one definition that are compared
GONE = ("This tool is not waiting any more", "It is offered as it was approved, or it is gone.")


async def pin(request: Request) -> Response:
    """The page of one changed tool."""
    changed = await _changed(
        request, request.query_params.get("server", ""), request.query_params.get("tool", "")
    )
    if changed is None:
        return failure(request, 404, *GONE)
    console = console_of(request)
    old = await _pinned(request, changed)
    lines, cut = await anyio.to_thread.run_sync(_difference, console_of(request).host, old, changed)
    return console.pages.page(
        request,
        "drift_tool.html",
        tool=changed.tool,
        changes=[(console.host.masked(each.path), each.kind) for each in changed.changes[:50]],
        more=len(changed.changes) - 50,
        lines=lines,
        cut=cut,
        old=old,
        digest=console.host.path.pins.digest_of(changed.tool),
        command=f"prowess pins approve PATH {changed.tool.server}/{changed.tool.name}",
    )


async def approve_tool(request: Request, form: Form) -> Response:
    """Pin a tool as it was shown."""
    changed = await _changed(request, form.get("server"), form.get("tool"))
    if changed is None:
        return failure(request, 404, *GONE)
    pins = console_of(request).host.path.pins
    if pins.digest_of(changed.tool) != form.get("digest"):
        return failure(request, 409, "It has changed since you looked", "Look at it again before you decide.")
    if not form.confirmed:
        t = translator(language_of(request))
        return await _asked(request, form, changed, t("Approve this tool as it is now?"), t("Approve"))
    await pins.approve(changed.tool)
    return done("/drift")


async def reset_tool(request: Request, form: Form) -> Response:
    """Forget what a tool was."""
    changed = await _changed(request, form.get("server"), form.get("tool"))
    if changed is None:
        return failure(request, 404, *GONE)
    if not form.confirmed:
        t = translator(language_of(request))
        question = t("Forget what this tool was? The next sight of it counts as the first.")
        return await _asked(request, form, changed, question, t("Forget"))
    await console_of(request).host.path.pins.reset(changed.tool.server, changed.tool.name)
    return done("/drift")


async def _changed(request: Request, server: str, tool: str) -> Changed | None:
    every = await console_of(request).host.changed()
    return next((each for each in every if (each.tool.server, each.tool.name) == (server, tool)), None)


async def _pinned(request: Request, changed: Changed) -> Pin | None:
    every = await console_of(request).host.path.pins.listed()
    wanted = (changed.tool.server, changed.tool.name)
    return next((each for each in every if (each.server, each.tool) == wanted), None)


async def _asked(request: Request, form: Form, changed: Changed, question: str, yes: str) -> Response:
    t = translator(language_of(request))
    old = await _pinned(request, changed)
    lines, cut = await anyio.to_thread.run_sync(_difference, console_of(request).host, old, changed)
    tool = changed.tool
    details: list[tuple[str, object]] = [(t("Server"), tool.server), (t("Tool"), tool.name)]
    if cut:
        details.append((t("Note"), t("the difference is longer than a page and is cut below")))
    back = f"/drift/tool?{urlencode({'server': tool.server, 'tool': tool.name})}"
    return confirm(
        request, form, question=question, details=details, text="\n".join(lines), yes=yes, back=back
    )


def _difference(host: Host, old: Pin | None, changed: Changed) -> tuple[Sequence[str], bool]:
    """The lines of a unified diff that a page can hold, and whether something of it is left out."""
    before, cut_before = _lines(host, old.definition if old is not None else {})
    after, cut_after = _lines(host, definition_of(changed.tool))
    found = itertools.islice(unified(before, after), 2, None)
    kept, cut = fitting(each for each in found if not each.startswith("@@"))
    return kept, cut or cut_before or cut_after


def _lines(host: Host, definition: Mapping[str, Any]) -> tuple[list[str], bool]:
    """A definition in lines, without the secrets of this Host; and whether it has more."""
    made = list(itertools.islice(in_lines(plain(definition, host.masked)), MOST_LINES + 1))
    return made[:MOST_LINES], len(made) > MOST_LINES
