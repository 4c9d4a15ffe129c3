"""Imported skills asked about again: whether their servers say something else now, and the update.

A server of this Host is asked as it is. Any other is named by the skill, which somebody else may have
written: what would be started or contacted is shown, and started once that is confirmed.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute

from prowess.author.importing_host import label_in, up_in
from prowess.author.importing_opening import Opened, opened, recorded
from prowess.author.importing_places import Imported
from prowess.author.importing_standing import Standing, against, asked_for, is_edited
from prowess.console.console import Console, console_of
from prowess.console.forms import Form, confirm, done, failure, writing
from prowess.console.importing_asking import READING, proposed, shown
from prowess.console.importing_known import Stood, imported_here, standings_of
from prowess.console.language import translator
from prowess.console.pages import language_of
from prowess.errors import ProwessError, UsageError

SECONDS = 20.0  # that a server has to come up
SOURCES = "sources"  # the field with the digest of what was shown
MOST_AT_ONCE = 50
TOGETHER = 4


async def _check(request: Request, form: Form) -> Response:
    """Ask the servers of the skills named, or of all; nothing is written."""
    console = console_of(request)
    chosen = await _chosen(console, form)
    if not chosen:
        return failure(request, 404, "No such skill was imported here")
    foreign = _foreign(console, chosen)
    if foreign and not _agreed(form, foreign):
        return _ask(request, form, foreign)
    room = asyncio.Semaphore(TOGETHER)

    async def ask(each: Imported) -> None:
        async with room:
            found = await _standing(console, each)
        standings_of(request)[each.directory] = Stood(standing=found, when=datetime.now(UTC))

    await asyncio.gather(*map(ask, chosen))
    one = form.get("at")
    return done(f"/import/skill?{urlencode({'at': one})}" if one else "/import#imported")


async def _chosen(console: Console, form: Form) -> list[Imported]:
    every = await asyncio.to_thread(imported_here, console)
    named = form.all("at")
    return [each for each in every if not named or each.directory in named][:MOST_AT_ONCE]


def _foreign(console: Console, chosen: Sequence[Imported]) -> list[str]:
    """The sources that are no server of this Host's, as the skills name them."""
    return sorted({each.provenance.source for each in chosen if _label(console, each) is None})


def _label(console: Console, one: Imported) -> str | None:
    try:
        reference = recorded(one.provenance.source, one.place)
    except UsageError:  # said where it is asked
        return None
    return label_in(console.host, console.setup, reference)


def _agreed(form: Form, foreign: Sequence[str]) -> bool:
    """Whether a person said yes to just these: a skill can have come to name another one meanwhile."""
    return form.confirmed and form.get(SOURCES) == _digest(foreign)


def _digest(foreign: Sequence[str]) -> str:
    return hashlib.sha256(json.dumps(foreign).encode()).hexdigest()


def _ask(request: Request, form: Form, foreign: Sequence[str]) -> Response:
    named = [(name, value) for name, value in form.fields if name != SOURCES]
    asked = Form(fields=(*named, (SOURCES, _digest(foreign))), confirmed=False)
    t = translator(language_of(request))
    return confirm(
        request,
        asked,
        question=t("Start or contact these servers?"),
        details=[
            (
                t("Why"),
                t("the skills say that they came from there, and only these can tell whether it changed"),
            )
        ],
        text="\n".join(foreign),
        yes=t("Ask them"),
        back="/import",
    )


@asynccontextmanager
async def _up(console: Console, one: Imported) -> AsyncIterator[Opened]:
    """The server that a skill came from: this Host's own, or brought up for as long as the block lasts."""
    label = _label(console, one)
    if label is not None:
        yield up_in(console.host, console.setup, label, one.place)
        return
    reference = recorded(one.provenance.source, one.place)
    async with opened(reference, timeout=SECONDS, on_start=lambda _: None) as up:
        yield up


async def _standing(console: Console, one: Imported) -> Standing:
    try:
        async with asyncio.timeout(READING), _up(console, one) as up:
            return await against(one, up)
    except TimeoutError:
        reason = f"it took longer than {READING:g} s"
    except ProwessError as error:
        reason = str(error)
    return Standing(imported=one, state="unreachable", reason=reason, edited=is_edited(one))


async def _update(request: Request, form: Form) -> Response:
    """Read again what was read then, and show the proposal with its difference."""
    console = console_of(request)
    chosen = await _chosen(console, form)
    if len(chosen) != 1 or not form.get("at"):
        return failure(request, 404, "No such skill was imported here")
    foreign = _foreign(console, chosen)
    if foreign and not _agreed(form, foreign):
        return _ask(request, form, foreign)
    (one,) = chosen
    said, wanted = asked_for(one)
    async with _up(console, one) as up:
        proposal = await proposed(up, said, wanted, one.place)
    return await shown(request, proposal, Form(fields=(), confirmed=False))


ROUTES: Sequence[BaseRoute] = [
    writing("/import/check", _check),
    writing("/import/update", _update),
]
