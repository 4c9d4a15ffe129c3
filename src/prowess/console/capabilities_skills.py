"""A skill: what its frontmatter says, its text rendered, its files; and a skill that a server serves.

Agent Skills, progressive disclosure: nothing of a skill is read before somebody opens its page. To look
at one is not to activate it. Of what a server serves only its entry is shown: its text is read when it
was approved and is activated.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from posixpath import normpath
from urllib.parse import unquote, urlencode

from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from prowess.console.capabilities_outcomes import Part
from prowess.console.console import console_of
from prowess.console.forms import failure
from prowess.console.markdown import plain, rendered
from prowess.errors import ProwessError
from prowess.host.packages import LocalSkill
from prowess.source.reading import list_files, read_body, read_file

MOST_FILES = 200


async def skill(request: Request) -> Response:
    """A skill of a plugin or folder: its SKILL.md and its files."""
    found = _named(request)
    if found is None:
        return failure(request, 404, "There is no such skill")
    body, files = await asyncio.to_thread(_read, found)
    return console_of(request).pages.page(
        request,
        "capabilities_skill.html",
        found=found,
        body=body,
        files=files[:MOST_FILES],
        left=max(0, len(files) - MOST_FILES),
        address=file_address,
    )


async def file(request: Request) -> Response:
    """One file of a skill."""
    found = _named(request)
    if found is None:
        return failure(request, 404, "There is no such skill")
    path = request.query_params.get("path", "")
    try:
        content = await asyncio.to_thread(_file, found, path)
    except ProwessError as error:
        return failure(request, 404, "There is no such file", error.message)
    return console_of(request).pages.page(
        request, "capabilities_file.html", found=found, file=path, content=content, back=address(found.name)
    )


async def served(request: Request) -> Response:
    """A skill that a server serves, as its server describes it."""
    host = console_of(request).host
    try:
        found = await host.find_skill(request.query_params.get("name", ""))
        approved = await host.is_approved(found)
    except ProwessError as error:
        return failure(request, 404, "There is no such skill", error.message)
    return console_of(request).pages.page(
        request,
        "capabilities_served.html",
        found=found,
        approved=approved,
        files=(found.entry.files or ())[:MOST_FILES],
    )


def address(name: str) -> str:
    """The page of a skill."""
    return f"/capabilities/skill?{urlencode({'name': name})}"


def file_address(name: str, path: str) -> str:
    """The page of one of its files."""
    return f"/capabilities/skill/file?{urlencode({'name': name, 'path': path}, errors='replace')}"


def _named(request: Request) -> LocalSkill | None:
    name = request.query_params.get("name", "")
    skills = console_of(request).host.local_skills
    meant = (each for each in skills if name in (each.name, f"{each.plugin}/{each.skill.name}"))
    return next(meant, None)


def _read(found: LocalSkill) -> tuple[Markup | ProwessError, tuple[str, ...]]:
    try:
        return rendered(read_body(found.source, found.skill), own=_inside(found, "")), list_files(
            found.source, found.skill
        )
    except ProwessError as error:
        return error, ()


def _file(found: LocalSkill, path: str) -> Markup | Part:
    content = read_file(found.source, found.skill, path)
    try:
        text = content.decode()
    except UnicodeDecodeError:
        return Part(about=f"{len(content):,} B")
    if path.lower().endswith((".md", ".markdown")) and path != "SKILL.md":
        return rendered(text, own=_inside(found, path.rpartition("/")[0]))
    return plain(text)


def _inside(found: LocalSkill, folder: str) -> Callable[[str], str | None]:
    """Where a relative link in a file of `folder` leads: another file of the skill, or nowhere."""

    def own(target: str) -> str | None:
        path = normpath(f"{folder}/{unquote(target.partition('#')[0])}".lstrip("/"))
        return None if path.startswith("..") else file_address(found.name, path)

    return own


ROUTES: list[BaseRoute] = [
    Route("/capabilities/skill", skill),
    Route("/capabilities/skill/file", file),
    Route("/capabilities/skill/served", served),
]
