"""What is on offer: tools, prompts, resources, templates and skills, each kind in a list of its own.

The pages of one of them, of search as a model would, and of calls are in the files beside this one.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from prowess.call.redaction import redacted
from prowess.capability.offer import Capability, Tool
from prowess.capability.snapshot import identity
from prowess.console import (
    capabilities_calling,
    capabilities_content,
    capabilities_searching,
    capabilities_skills,
)
from prowess.console.capabilities_calling import hints
from prowess.console.console import console_of
from prowess.console.rows import Rows, rows
from prowess.errors import ProwessError
from prowess.host import Host

SEARCHED = 2_000  # characters of a description that the list is searched by
SERVED_SECONDS = 5.0
LONGEST_ADDRESS = 1_500  # of a link; a page has a hundred of them
KINDS = {
    "tools": "Tools",
    "prompts": "Prompts",
    "resources": "Resources",
    "templates": "Templates",
    "skills": "Skills",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One line of a list: `of` is what it stands for, drawn when it is shown.

    `path` and `named` make its address.
    """

    server: str
    name: str
    about: str
    path: str
    named: tuple[tuple[str, str], ...]
    of: Any = None

    @property
    def address(self) -> str:
        """Where the row leads to; nothing where that would be too long."""
        if sum(len(value) for _, value in self.named) > LONGEST_ADDRESS:
            return ""
        made = f"/capabilities/{self.path}?{urlencode(self.named, errors='replace')}"
        return made if len(made) <= LONGEST_ADDRESS else ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """A row as it is drawn; `badges` are pairs of a look and a word."""

    row: Row
    badges: Sequence[tuple[str, str]] = ()


async def first(request: Request) -> Response:
    """One kind, a page of it at a time."""
    console = console_of(request)
    host = console.host
    asked = request.query_params.get("kind", "tools")
    kind = asked if asked in KINDS else "tools"
    counts = {
        each: sum(len(getattr(offer, each)) for offer in host.offers) for each in KINDS if each != "skills"
    }
    every = await _served(host) if kind == "skills" else []
    counts["skills"] = sum(len(each.skills) for each in host.packages) + len(every)
    found = (
        rows(request, [*_skills(host), *every], _text)
        if kind == "skills"
        else _drawn(rows(request, [one for each in host.offers for one in getattr(each, kind)], _said), kind)
    )
    return console.pages.page(
        request,
        "capabilities.html",
        kind=kind,
        kinds=KINDS,
        counts=counts,
        rows=found,
        lines=await _lines(host, found),
        down=[each for each in host.offers if each.status != "connected"][:20],
        notes=host.remote_skill_notes[:20] if kind == "skills" else (),
    )


def _text(row: Row) -> str:
    """What a row is found by."""
    return f"{row.name} {row.server} {row.about[:SEARCHED]}"


def _said(of: Capability) -> str:
    """The same of a capability that is no row yet: of thousands a page shows a hundred."""
    return f"{_name(of)} {of.server} {(of.description or '')[:SEARCHED]}"


def _drawn(found: Rows[Capability], kind: str) -> Rows[Row]:
    """Rows of the capabilities that the page shows."""
    path, key = _ADDRESSES[kind]
    made = [
        Row(
            server=each.server,
            name=_name(each),
            about=each.description or "",
            path=path,
            named=(("server", each.server), (key, identity(each))),
            of=each,
        )
        for each in found.shown
    ]
    return found.drawn(made)


def _name(of: Capability) -> str:
    return of.name if isinstance(of, Tool) else of.name or identity(of)


# The page of one of a kind, and what names it there beside its server.
_ADDRESSES = {
    "tools": ("tool", "name"),
    "prompts": ("prompt", "name"),
    "resources": ("resource", "uri"),
    "templates": ("template", "template"),
}


def _skills(host: Host) -> list[Row]:
    return [
        Row(
            server=each.plugin,
            name=each.name,
            about=each.skill.description,
            path="skill",
            named=(("name", each.name),),
        )
        for each in host.local_skills
    ]


async def _served(host: Host) -> list[Row]:
    """The skills that servers list; one that takes too long or fails has none here."""
    try:
        listed = await asyncio.wait_for(host.remote_skills(), SERVED_SECONDS)
    except (ProwessError, TimeoutError):
        return []
    return [
        Row(
            server=each.server,
            name=each.name,
            about=each.description,
            path="skill/served",
            named=(("name", each.name),),
        )
        for each in listed
    ]


async def _lines(host: Host, found: Rows[Row]) -> list[Line]:
    """The rows of this page, with what is asked of the host for these only."""
    path = host.path
    tools = [row.of for row in found.shown if isinstance(row.of, Tool)]
    pinned = set(map(id, path.pinned())) if tools else set()
    changed = await path.pins.changed([each for each in tools if id(each) in pinned])
    hidden = {id(each.tool) for each in changed}
    return [
        Line(row=redacted_row(row, path.secrets), badges=_badges(host, row, hidden)) for row in found.shown
    ]


def redacted_row(row: Row, secrets: Callable[[str], str]) -> Row:
    """A row without what a server must not give back."""
    name, about = redacted([row.name, row.about], secrets)
    return replace(row, name=name, about=folded(about))


def folded(text: str) -> str:
    """A description in one line, as much of it as a list may show."""
    return " ".join(text[:SEARCHED].split()) + text[SEARCHED:]


def _badges(host: Host, row: Row, hidden: set[int]) -> list[tuple[str, str]]:
    if not isinstance(row.of, Tool):
        return []
    changed = [("bad", "hidden: it changed")] if id(row.of) in hidden else []
    decision = host.path.decision(row.of).action
    policy = {"deny": [("bad", "denied")], "ask": [("warn", "asks first")], "allow": []}
    return [*changed, *policy[decision], *hints(row.of)]


ROUTES: Sequence[BaseRoute] = [
    Route("/capabilities", first),
    *capabilities_searching.ROUTES,
    *capabilities_calling.ROUTES,
    *capabilities_content.ROUTES,
    *capabilities_skills.ROUTES,
]
