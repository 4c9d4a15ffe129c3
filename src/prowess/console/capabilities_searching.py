"""Search as the model would: what a query brings up within a budget of tokens, why, and what it leaves out.

The same search as `Host.search` and `prowess search`, over what a model may see.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from prowess.choose.finding import LIMIT
from prowess.choose.searching import BUDGET, Found, Hit
from prowess.console.capabilities_calling import address
from prowess.console.console import console_of

LONGEST_QUERY = 2_000
MOST_BUDGET = 1_000_000
MOST_LIMIT = 50
NAMES = 20  # to fall back to, where nothing was found
WORDS = 8  # of one field of a hit
CORE = 50  # always shown ones that are drawn


@dataclass(frozen=True, slots=True, kw_only=True)
class Drawn:
    """One answer, as far as a page holds it."""

    found: Found
    shown: Sequence[Hit]
    left_out: Sequence[Hit]


async def search(request: Request) -> Response:
    """The page; without a query it only says what there is to search."""
    console = console_of(request)
    query = request.query_params.get("query", "")[:LONGEST_QUERY]
    budget = _whole(request, "budget", BUDGET, 0, MOST_BUDGET)
    limit = _whole(request, "limit", LIMIT, 1, MOST_LIMIT)
    among = await console.host.searchable()
    found = None
    if query.strip():
        found = await asyncio.to_thread(among.search, query, budget=budget, limit=limit)
    tools = sum(each.kind != "skill" for each in among.by_id.values())
    return console.pages.page(
        request,
        "capabilities_search.html",
        query=query,
        budget=budget,
        limit=limit,
        most_limit=MOST_LIMIT,
        among=len(among.by_id),
        hidden=len(console.host.path.known()) - tools,
        drawn=None if found is None else _drawn(found),
        link=link,
        words=WORDS,
        names=NAMES,
    )


def link(hit: Hit) -> str:
    """The page of what was found."""
    if hit.findable.kind == "skill":
        name = f"{hit.findable.server}/{hit.findable.document.name}"
        return f"/capabilities/skill?{urlencode({'name': name})}"
    return address(hit.findable.server, hit.findable.document.name)


def _drawn(found: Found) -> Drawn:
    return Drawn(found=found, shown=found.shown[: MOST_LIMIT + CORE], left_out=found.left_out)


def _whole(request: Request, name: str, otherwise: int, least: int, most: int) -> int:
    text = request.query_params.get(name, "")
    return min(most, max(least, int(text[:9]))) if text.isascii() and text.isdigit() else otherwise


ROUTES: list[BaseRoute] = [Route("/capabilities/search", search)]
