"""The area `calls`."""

from __future__ import annotations

from collections.abc import Sequence

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from prowess.console.console import console_of


async def first(request: Request) -> Response:
    """The first page of the area."""
    return console_of(request).pages.page(request, "calls.html")


ROUTES: Sequence[BaseRoute] = [Route("/calls", first)]
