"""How a page is drawn: Jinja2 templates that escape everything, in the reader's language and colours."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote

from jinja2 import Environment, PackageLoader, StrictUndefined
from starlette.requests import Request
from starlette.responses import HTMLResponse

from prowess.console.door import Door
from prowess.console.language import LANGUAGES, chosen, translator
from prowess.console.shown import shown, shown_block
from prowess.console.times import moment

THEMES = ("auto", "light", "dark")
THEME_COOKIE = "prowess_theme"
LANGUAGE_COOKIE = "prowess_language"

# What the menu holds, in the order of a package's life: the path, and the name in English.
MENU = (
    ("/packages", "Packages"),
    ("/capabilities", "Capabilities"),
    ("/drift", "Drift"),
    ("/calls", "Calls"),
    ("/runs", "Runs"),
    ("/rollout", "Rollout"),
    ("/triggering", "Triggering"),
    ("/import", "Import"),
    ("/workbench", "Workbench"),
)


def _environment() -> Environment:
    made = Environment(
        loader=PackageLoader("prowess.console"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters.update(moment=moment, shown=shown, shown_block=shown_block, urlencode=in_an_address)
    return made


def in_an_address(text: object) -> str:
    """`text` as a part of an address; bytes of a file's name that are no text lead nowhere."""
    return quote(str(text), errors="replace")


@dataclass(frozen=True, slots=True)
class Pages:
    """The templates, and what every one of them is given."""

    door: Door
    environment: Environment = field(default_factory=_environment)

    def page(self, request: Request, template: str, *, status: int = 200, **values: Any) -> HTMLResponse:
        """`template` as a whole page. In it `t` translates, and `shown` is for what others wrote."""
        session = request.state.session
        language = language_of(request)
        theme = request.cookies.get(THEME_COOKIE, "")
        given = {
            "t": translator(language),
            "language": language,
            "languages": LANGUAGES,
            "theme": theme if theme in THEMES else "auto",
            "themes": THEMES,
            "menu": MENU,
            "path": request.url.path,
            "back": address_of(request),
            "csrf": self.door.token(session),
        }
        drawn = self.environment.get_template(template).render({**given, **values})
        return HTMLResponse(drawn.encode("utf-8", "replace"), status)  # half a surrogate pair is no text


def address_of(request: Request) -> str:
    """Where a reader can come back to: this page; of one that a form drew, its area."""
    path, query = request.url.path, request.url.query
    if request.method == "POST":
        return "/" + path.split("/")[1]
    return f"{path}?{query}" if query else path


def language_of(request: Request) -> str:
    """The reader's language."""
    return chosen(request.cookies.get(LANGUAGE_COOKIE), request.headers.get("accept-language", ""))
