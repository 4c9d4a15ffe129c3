"""A file of a package with its lines numbered, and the page of a rule.

Of files only those inside the package are shown: what a path leads to is settled by the Source that the
package was loaded from, and only text is shown, a bounded part of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from importlib.resources import files

import anyio.to_thread
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from prowess.console.console import console_of
from prowess.console.forms import failure
from prowess.console.markdown import rendered
from prowess.console.packages_known import Known, folders_of, known
from prowess.spec import limits
from prowess.spec.questions import Failure
from prowess.spec.rules import RULES

LARGEST = limits.JSON_BYTES  # bytes that are read of a file
MOST_LINES = 400  # on one page
LONGEST = 400  # characters of a line
LEAD = 40  # lines shown before the one that is meant
MOST_LISTED = 500
NO_PACKAGE = "There is no such package"


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """Some lines of a text, the first of them number `first`; `total` lines in all."""

    lines: Sequence[str]
    first: int
    total: int
    marked: int

    @property
    def before(self) -> int:
        """Where the part before begins, or 0."""
        return max(1, self.first - MOST_LINES) if self.first > 1 else 0

    @property
    def after(self) -> int:
        """Where the next part begins, or 0."""
        return self.first + MOST_LINES if self.first + MOST_LINES <= self.total else 0


def part_of(text: str, line: int, begin: int) -> Part:
    """The lines around `line`, or from `begin` on where that is not 0."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    if lines[-1] == "" and len(lines) > 1:
        lines.pop()
    last = max(1, len(lines))
    first = min(begin or max(1, line - LEAD), last)
    shown = lines[first - 1 : first - 1 + MOST_LINES]
    return Part(lines=shown, first=first, total=len(lines), marked=line)


async def file(request: Request) -> Response:
    """One file of a package, or what is in it where the path is a folder."""
    console, name = console_of(request), request.path_params["name"]
    path = request.query_params.get("path", "")
    folders = folders_of(request)
    package = await anyio.to_thread.run_sync(lambda: named(known(console, folders), name))
    if package is None:
        return failure(request, 404, NO_PACKAGE)
    if "\0" in path or path.startswith("/") or len(path) > 4_000:
        return failure(request, 404, "There is no such file in this package")
    text = await anyio.to_thread.run_sync(lambda: read(package, path))
    if isinstance(text, Failure):
        status = 404 if text.reason in ("missing", "outside") else 400
        return failure(request, status, "This file cannot be shown", text.detail)
    if not isinstance(text, str):
        return console.pages.page(
            request, "packages_folder.html", package=package, file=path.strip("/"), entries=text
        )
    line, begin = _number(request, "line"), _number(request, "from")
    part = part_of(text, line, begin)
    return console.pages.page(
        request, "packages_file.html", package=package, file=path, part=part, longest=LONGEST
    )


def named(packages: Sequence[Known], name: str) -> Known | None:
    """The package of that name."""
    return next((each for each in packages if each.name == name), None)


def read(package: Known, path: str) -> str | Sequence[tuple[str, bool]] | Failure:
    """The text of a file, the names in a folder (and which of them are folders), or why not. Blocking."""
    if not package.holds(path):
        return Failure("outside", "it is outside of the package")
    source = package.source
    if source.kind(path) == "directory":
        listing = source.list(path)
        if isinstance(listing, Failure):
            return listing
        return sorted((each.name, each.kind == "directory") for each in listing.values())[:MOST_LISTED]
    data = source.read(path, LARGEST)
    if isinstance(data, Failure):
        return data
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        return Failure("not-file", "it is no text in UTF-8")
    return Failure("not-file", "it is no text: it holds NUL bytes") if "\0" in text else text


def _number(request: Request, name: str) -> int:
    given = request.query_params.get(name, "")[:9]
    return int(given) if given.isascii() and given.isdigit() else 0


async def rule(request: Request) -> Response:
    """What a rule asks for, why, and how to mend it."""
    id = request.path_params["rule"]
    if id not in RULES:
        return failure(request, 404, "There is no such rule")
    reach, section = RULES[id]
    text = files("prowess.spec").joinpath("pages", f"{id}.md").read_text("utf-8")
    body = text.partition("\n")[2] if text.startswith("# ") else text  # its title is the page's
    return console_of(request).pages.page(
        request, "packages_rule.html", rule=id, reach=reach.word, section=section, body=rendered(body)
    )


ROUTES: Sequence[BaseRoute] = [
    Route("/packages/{name}/file", file),
    Route("/packages/rules/{rule}", rule),
]
