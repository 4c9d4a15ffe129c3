"""The console as one application: its areas, what holds for all of them, and how a person comes in."""

from __future__ import annotations

import logging
import traceback
from collections.abc import Callable

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from prowess.console.areas import ROUTES
from prowess.console.console import Console, console_of
from prowess.console.forms import Form, done, failure, local, writing
from prowess.console.guard import ENTER, Guard, cookie_of
from prowess.console.language import LANGUAGES
from prowess.console.pages import LANGUAGE_COOKIE, THEME_COOKIE, THEMES
from prowess.errors import ProwessError
from prowess.redact import printable

LOG = logging.getLogger("prowess.console")
YEAR = 365 * 24 * 3600


def console_app(console: Console, *, entered: Callable[[], None] = lambda: None) -> Guard:
    """Every page of `console`. `entered` hears each time that somebody came in by a link."""
    app = Starlette(
        routes=[
            Route("/", _first),
            Route(ENTER, _enter),
            writing("/display", _display),
            Mount("/static", StaticFiles(packages=[("prowess.console", "static")])),
            *ROUTES,
        ],
        exception_handlers={HTTPException: _routing, ProwessError: _refused, Exception: _broken},
    )
    app.state.console = console
    app.state.entered = entered
    return Guard(app, console.door)


async def _first(request: Request) -> Response:
    return RedirectResponse("/packages", 303)


async def _enter(request: Request) -> Response:
    """Let in whoever has a link, once; the token leaves the address bar with it."""
    session = console_of(request).door.enter(request.query_params.get("token", ""))
    if session is None:
        return Response(
            "this link was used before; `prowess console` printed another\n", 401, media_type="text/plain"
        )
    request.app.state.entered()
    answer = RedirectResponse("/packages", 303)
    answer.set_cookie(cookie_of(request.scope), session, httponly=True, samesite="strict")
    return answer


async def _display(request: Request, form: Form) -> Response:
    """The reader's language and colours: a cookie each, and nothing else."""
    answer = done(local(form.get("back", "/")))
    language, theme = form.get("language"), form.get("theme")
    if language in LANGUAGES:
        answer.set_cookie(LANGUAGE_COOKIE, language, YEAR, httponly=True, samesite="strict")
    if theme in THEMES:
        answer.set_cookie(THEME_COOKIE, theme, YEAR, httponly=True, samesite="strict")
    return answer


async def _routing(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    known = {
        404: "There is no such page",
        405: "That cannot be done here",
        400: "The form cannot be read",
        413: "That is too large",
    }
    return failure(request, error.status_code, known.get(error.status_code, "That did not work"))


async def _refused(request: Request, error: Exception) -> Response:
    assert isinstance(error, ProwessError)
    return failure(request, 400, str(error), error.hint or "")


async def _broken(request: Request, error: Exception) -> Response:
    """A fault of ours: the page tells its kind, the log where it happened."""
    kind = printable(type(error).__name__, 100)
    LOG.error("%s in the console\n%s", kind, "".join(traceback.format_tb(error.__traceback__)))
    return failure(request, 500, "Prowess itself failed", kind)
