"""The area Import: servers whose knowledge can become a skill, and skills that were imported before.

Issue 9, page 6. What is read, proposed, scanned and written is `author/importing*.py`, as for
`prowess import`; a person sees the whole text before anything is written.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from prowess.author.importing_places import Imported
from prowess.author.importing_proposing import difference
from prowess.author.importing_standing import is_edited
from prowess.author.importing_writing import read_skill, remembered
from prowess.author.scan import Finding, scan_files
from prowess.console import importing_asking, importing_checking
from prowess.console.console import console_of
from prowess.console.forms import failure
from prowess.console.importing_known import imported_here, named, standings_of
from prowess.console.rows import rows
from prowess.errors import ProwessError

MOST_LINES = 2_000


async def _page(request: Request) -> Response:
    """Servers to import from, and what was imported."""
    console = console_of(request)
    found = await asyncio.to_thread(imported_here, console)
    offers = [each for each in console.host.offers if each.prompts or each.resources or each.templates]
    return console.pages.page(
        request,
        "import.html",
        offers=offers,
        silent=sum(each.status != "connected" for each in console.host.offers),
        rows=rows(request, found, lambda each: f"{each.skill.name} {each.provenance.source}"),
        standings=standings_of(request),
        refused=request.query_params.get("refused") == "1",
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Looked:
    """An imported skill as it is on disk, against what somebody agreed to."""

    agreed: bool
    edited: bool
    changes: Sequence[str]
    findings: Sequence[Finding]
    fault: str = ""


async def _skill(request: Request) -> Response:
    """One imported skill: where it came from, and whether it is what was agreed to."""
    console = console_of(request)
    one = await asyncio.to_thread(named, console, request.query_params.get("at", ""))
    if one is None:
        return failure(request, 404, "No such skill was imported here")
    return console.pages.page(
        request,
        "import_skill.html",
        one=one,
        looked=await asyncio.to_thread(_looked, one),
        standing=standings_of(request).get(one.directory),
        written=request.query_params.get("written") == "1",
    )


def _looked(one: Imported) -> Looked:
    files = read_skill(one.directory)
    try:
        agreed, edited = remembered(one.directory), is_edited(one)
    except ProwessError as error:
        return Looked(agreed=False, edited=True, changes=(), findings=scan_files(files), fault=str(error))
    changes = difference(agreed.files, files, words=("as agreed", "as it is")) if agreed is not None else []
    return Looked(
        agreed=agreed is not None,
        edited=edited,
        changes=changes[:MOST_LINES],
        findings=scan_files(files),
    )


ROUTES: Sequence[BaseRoute] = [
    Route("/import", _page),
    Route("/import/skill", _skill),
    *importing_asking.ROUTES,
    *importing_checking.ROUTES,
]
