"""The first page: every package with its five hops, the broken ones first, and a search for what is missing.

One search looks for packages, for what they offer, and for what they could offer and do not; of the last
it says why.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import anyio.to_thread
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from prowess.console import packages_detail, packages_files
from prowess.console.console import Console, console_of
from prowess.console.packages_facts import DAYS, Facts, gathered
from prowess.console.packages_hops import Hop, State, hops, listed_of, offers_of, order, worst
from prowess.console.packages_known import KINDS, Known, folders_of, known
from prowess.console.packages_missing import Missing, found
from prowess.console.rows import rows


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One package of the list."""

    package: Known
    hops: Sequence[Hop]
    text: str

    @property
    def state(self) -> State:
        """How it is as a whole."""
        return worst(self.hops)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Overview:
    rows: Sequence[Row]
    missing: Sequence[Missing]


async def first(request: Request) -> Response:
    """The list, or the part of it that was searched for."""
    console = console_of(request)
    facts = await gathered(console)
    q = request.query_params.get("q", "")[:200]
    folders = folders_of(request)
    overview = await anyio.to_thread.run_sync(
        lambda: _overview(known(console, folders), facts, q), abandon_on_cancel=True
    )
    return console.pages.page(
        request,
        "packages.html",
        rows=rows(request, overview.rows, lambda row: row.text),
        missing=overview.missing,
        counts=_counts(overview.rows),
        fault=facts.fault,
        notes=_notes(console),
        kinds=KINDS,
        days=DAYS,
    )


def _overview(packages: Sequence[Known], facts: Facts, q: str) -> _Overview:
    made = [_row(each, facts, searched=bool(q)) for each in packages]
    made.sort(key=lambda row: order(row.hops, row.package.name))
    return _Overview(rows=made, missing=found(packages, facts, q))


def _row(package: Known, facts: Facts, *, searched: bool) -> Row:
    return Row(package=package, hops=hops(package, facts), text=_text(package, facts) if searched else "")


def _text(package: Known, facts: Facts) -> str:
    """What a package is found by: its own words, and the names of all that it offers."""
    offered = [name for offer in offers_of(package, facts) for name in listed_of(package, offer)]
    skills = [each.name for each in package.skills]
    return "\n".join([package.name, package.kind, package.root, *package.servers, *skills, *offered])


def _counts(every: Sequence[Row]) -> dict[State, int]:
    counts: dict[State, int] = {"bad": 0, "warn": 0, "good": 0}
    for row in every:
        counts[row.state] += 1
    return counts


def _notes(console: Console) -> Sequence[str]:
    """What the Host left out of folders of skills when it was opened."""
    return console.host.skill_notes[:20]


ROUTES: Sequence[BaseRoute] = [
    Route("/packages", first),
    *packages_files.ROUTES,
    *packages_detail.ROUTES,
]
