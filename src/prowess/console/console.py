"""What every page is given: the open Host, where it came from, and how pages are drawn."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from starlette.requests import Request

from prowess.console.door import Door
from prowess.console.pages import Pages
from prowess.host import Host
from prowess.host.setup import Setup


@dataclass(frozen=True, slots=True, kw_only=True)
class Console:
    """One console: `paths` as they were given on the command line."""

    host: Host
    setup: Setup
    paths: Sequence[str]
    door: Door
    pages: Pages


def console_of(request: Request) -> Console:
    """The console that a request came to."""
    found: Console = request.app.state.console
    return found
