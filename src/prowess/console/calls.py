"""The area `calls`: what was called, as it comes; what it came to; one trace as one story.

It reads the records of this user, of every package, as `prowess calls` does. They hold no arguments and
no results, and were redacted before they were written. Nothing is written here.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Sequence
from typing import Any, TypeVar
from urllib.parse import urlencode

import anyio
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from prowess.console.calls_asked import OUTCOMES, Asked, asked
from prowess.console.calls_plots import MOST_ENDINGS, latencies, over_time
from prowess.console.calls_telling import entries, failure_rate, milliseconds
from prowess.console.console import console_of
from prowess.console.forms import failure
from prowess.console.language import translator
from prowess.console.pages import language_of
from prowess.console.rows import MOST, Rows, rows
from prowess.errors import NotFound
from prowess.store.remembered import CallRecord
from prowess.store.reports import Ending, Summary, calls, counted, endings, mark, story, summary

T = TypeVar("T")
OFF = "off"
NOTHING = Summary(calls=0, answered=0, refused=0, p50_ms=None, p95_ms=None, tools=(), failures=())


async def tail(request: Request) -> Response:
    """The latest calls. Asked by a page that shows the call it names in `seen`, it says nothing new (204)."""
    wanted = asked(request)
    now = await read(request, mark) or 0
    if request.query_params.get("seen") == str(now):
        return Response(status_code=204)
    at = _at(request)

    def work(connection: sqlite3.Connection) -> tuple[tuple[CallRecord, ...], int]:
        return calls(connection, wanted.filter, MOST, at), counted(connection, wanted.filter)

    found, total = await read(request, work) or ((), 0)
    live = at == 0 and request.query_params.get("live") != OFF
    return _page(
        request,
        "calls.html",
        wanted,
        rows=_rows(request, found, total, at, wanted),
        live=live,
        again=_address("/calls", wanted, seen=str(now)),
        switch=_address("/calls", wanted, **({"live": OFF} if live else {})),
        at_top=at == 0,
        ms=milliseconds,
    )


async def summed(request: Request) -> Response:
    """What the calls came to: of each tool, how long they took, how many failed and when."""
    wanted = asked(request)

    def work(connection: sqlite3.Connection) -> tuple[Summary, tuple[Ending, ...]]:
        return summary(connection, wanted.filter), endings(connection, wanted.filter, MOST_ENDINGS)

    whole, ends = await read(request, work) or (NOTHING, ())
    return _page(
        request,
        "calls_summary.html",
        wanted,
        whole=whole,
        rows=rows(request, whole.tools, lambda each: f"{each.server}/{each.tool}"),
        plots=(latencies(ends), over_time(ends)),
        plotted=len(ends),
        rate=failure_rate,
        ms=milliseconds,
        only=lambda each: f"/calls?{urlencode({'tool': each.tool, 'server': each.server})}",
    )


async def one(request: Request) -> Response:
    """The call or the trace of that id: its three records, and all that belongs to it in its order."""
    named = request.path_params["id"]
    try:
        told = await read(request, lambda connection: story(connection, named))
    except NotFound as error:
        return failure(request, 404, error.message, error.hint or "")
    if told is None:
        return failure(request, 404, "There are no records yet", "They are written by the first call.")
    call = next((each for each in told.calls if each.id == named), None)
    of_call = told.calls[0] if call is None and len(told.calls) == 1 else call
    every = entries(told)
    return console_of(request).pages.page(
        request,
        "calls_story.html",
        told=told,
        call=of_call,
        requests=[each for each in told.requests if of_call is not None and each.call == of_call.id][:MOST],
        rows=rows(request, every, lambda each: each.text),
        ms=milliseconds,
    )


async def read(request: Request, work: Callable[[sqlite3.Connection], T]) -> T | None:
    """What `work` finds in the records, read in a thread; None where there are none that can be read."""
    database = console_of(request).host.store.database
    if database is None or not database.exists():
        return None
    return await anyio.to_thread.run_sync(database.now, work)


def _page(request: Request, template: str, wanted: Asked, **values: Any) -> Response:
    console, t = console_of(request), translator(language_of(request))
    database = console.host.store.database
    return console.pages.page(
        request,
        template,
        wanted=wanted,
        outcomes=OUTCOMES,
        kept=database is not None,
        views=[(_address(each, wanted), t(name), each == request.url.path, None) for each, name in VIEWS],
        **values,
    )


VIEWS = (("/calls", "Latest"), ("/calls/summary", "Summary"))


def _at(request: Request) -> int:
    given = request.query_params.get("at", "")
    return int(given[:9]) // MOST * MOST if given.isascii() and given.isdigit() else 0


def _rows(
    request: Request, found: Sequence[CallRecord], total: int, at: int, wanted: Asked
) -> Rows[CallRecord]:
    """A page of a list that the database has counted already."""
    return Rows(shown=found, q="", at=at, matched=total, total=total, path="/calls", kept=wanted.fields)


def _address(path: str, wanted: Asked, **more: str) -> str:
    fields = [*wanted.fields, *more.items()]
    return f"{path}?{urlencode(fields)}" if fields else path


ROUTES: Sequence[BaseRoute] = [
    Route("/calls", tail),
    Route("/calls/summary", summed),
    Route("/calls/{id}", one),
]
