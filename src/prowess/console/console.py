"""What every page is given: the open Host, where it came from, and how pages are drawn."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from starlette.requests import Request

from prowess.console.door import Door
from prowess.console.pages import Pages
from prowess.host import Host
from prowess.host.setup import Setup

T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class Console:
    """One console: `paths` as they were given on the command line, `kept` what areas remember."""

    host: Host
    setup: Setup
    paths: Sequence[str]
    door: Door
    pages: Pages
    kept: dict[type[object], object] = field(default_factory=dict)


def console_of(request: Request) -> Console:
    """The console that a request came to."""
    found: Console = request.app.state.console
    return found


def one_of(request: Request, kind: type[T]) -> T:
    """The one `kind` that the console of a request has, made when it is first asked for."""
    kept = console_of(request).kept
    if kind not in kept:
        kept[kind] = kind()
    found = kept[kind]
    assert isinstance(found, kind)
    return found
