"""A description tried in the whole library, before it is written: numbers before and after, and the diff.

The numbers are those of `prowess improve` without a model, over every case of the library; what is
proposed is what it proposes. The file is changed as `--write` changes it, and not a byte else.
"""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from prowess.console.console import console_of
from prowess.console.forms import Form, confirm, done, failure, writing
from prowess.console.language import translator
from prowess.console.pages import language_of
from prowess.console.triggering_measuring import measuring_of
from prowess.errors import ProwessError
from prowess.evaluate.improving import (
    Comparison,
    Improvement,
    Wording,
    compared,
    reworded,
    splits_of,
    trials_of,
    wording_of,
)
from prowess.evaluate.improving_files import File, Written, rewritten
from prowess.evaluate.improving_words import improved_by_words
from prowess.evaluate.selectors_lexical import Lexical
from prowess.evaluate.trials_report import Rate
from prowess.evaluate.trigger_host import Among, among_of, wording_file
from prowess.redact import printable

RANKS = 5  # that a comparison looks at
LONGEST = 20_000  # characters of a description that are looked at; what is too long is said by the writer


@dataclass(frozen=True, slots=True, kw_only=True)
class Desk:
    """One capability in its library: what it says now, and the file that says it, where one does."""

    id: str
    among: Among
    old: Wording
    file: File | None

    @property
    def address(self) -> str:
        """The page about it."""
        return f"/triggering/description?{urlencode({'id': self.id})}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Tried:
    """Another wording with its numbers and, where it can be written, the file before and after."""

    wording: Wording
    comparison: Comparison
    written: Written | None
    problem: ProwessError | None
    utterances: dict[str, str]

    @property
    def digest(self) -> str:
        """The same for the same file as it was looked at."""
        return hashlib.sha256(self.written.changed.before).hexdigest() if self.written else ""


async def _desk(request: Request, id: str) -> Desk | None:
    console = console_of(request)
    among = await among_of(console.host, console.setup, console.paths)
    if id not in among.found:
        return None
    return Desk(
        id=id,
        among=among,
        old=wording_of(among.library.candidates, id),
        file=await asyncio.to_thread(wording_file, console.host, console.setup, among, id),
    )


async def _page(request: Request) -> Response:
    desk = await _desk(request, request.query_params.get("id", ""))
    return _missing(request) if desk is None else _drawn(request, desk, desk.old)


async def _try(request: Request, form: Form) -> Response:
    """Compare what was written, or propose something. Nothing is changed."""
    desk = await _desk(request, form.get("id"))
    if desk is None:
        return _missing(request)
    if form.get("do") == "propose":
        found = await asyncio.to_thread(lambda: asyncio.run(_proposed(desk)))
        if found.wording is None:
            return _drawn(request, desk, desk.old, found=found)
        tried = await _tried(desk, found.wording)
        return _drawn(request, desk, found.wording, tried=tried, found=found)
    wording = _wording(desk, form)
    return _drawn(request, desk, wording, tried=await _tried(desk, wording))


async def _write(request: Request, form: Form) -> Response:
    """Put it into its file, once a person has seen the diff and the numbers."""
    desk = await _desk(request, form.get("id"))
    if desk is None:
        return _missing(request)
    tried = await _tried(desk, _wording(desk, form))
    if tried.problem is not None:
        raise tried.problem
    if tried.written is None or tried.digest != form.get("digest"):
        return failure(
            request, 409, "The file has changed meanwhile", "Open the page again and compare anew."
        )
    if not form.confirmed:
        return _ask(request, form, desk, tried, tried.written)
    await asyncio.to_thread(tried.written.save)
    await console_of(request).host.look_again()
    measuring_of(request).last = None
    return done(f"{desk.address}&written=1")


def _ask(request: Request, form: Form, desk: Desk, tried: Tried, written: Written) -> Response:
    t = translator(language_of(request))
    one = tried.comparison
    details = [
        (t("File"), written.path),
        (t("Its own, found first"), _pair(one.before.own, one.after.own)),
        (t("Near misses that came"), _pair(one.before.near_miss, one.after.near_miss)),
        (t("Of others, found first"), _pair(one.before.siblings, one.after.siblings)),
        (t("Fixed and broken"), f"{len(one.fixed)} / {len(one.broken)}"),
    ]
    if desk.file is not None and desk.file.unit:
        details.append((t("Takes effect"), t("when the console is started again")))
    return confirm(
        request,
        form,
        question=t("Write this description of {name}?", name=printable(desk.id, 80)),
        details=details,
        text=written.diff,
        yes=t("Write it"),
        back=desk.address,
    )


def _pair(old: Rate, new: Rate) -> str:
    return f"{old.hits:g} → {new.hits:g} / {old.of}"


def _missing(request: Request) -> Response:
    return failure(request, 404, "Nothing here has that name")


# -- trying


def _wording(desk: Desk, form: Form) -> Wording:
    """What was typed, on one line as it is written; a unit's phrases are only added to."""
    description = " ".join(form.get("description")[: LONGEST + 1].split())
    more = [" ".join(each.split()) for each in form.get("triggers")[:LONGEST].splitlines()]
    new = tuple(each for each in dict.fromkeys(more) if each and each not in desk.old.triggers)
    return Wording(
        description=description or desk.old.description,
        triggers=(*desk.old.triggers, *(new if desk.file is not None and desk.file.unit else ())),
    )


async def _tried(desk: Desk, wording: Wording) -> Tried:
    return await asyncio.to_thread(lambda: asyncio.run(_compared(desk, wording)))


async def _compared(desk: Desk, wording: Wording) -> Tried:
    library = desk.among.library
    cases = [each for each in library.cases if each.split != "example" and each.kind != "boundary"]
    changed = reworded(library.candidates, desk.id, wording)
    before = await trials_of(Lexical(RANKS), library.candidates, cases)
    after = await trials_of(Lexical(RANKS), changed, cases)
    written, problem = _rewritten(desk, wording)
    return Tried(
        wording=wording,
        comparison=compared((library.candidates, before), (changed, after), desk.id),
        written=written,
        problem=problem,
        utterances={each.id: each.utterance for each in cases},
    )


def _rewritten(desk: Desk, wording: Wording) -> tuple[Written | None, ProwessError | None]:
    """The file with it; nothing where there is none, and the problem where it cannot hold it."""
    if desk.file is None or wording == desk.old:
        return None, None
    try:
        return rewritten(desk.file, desk.old, wording), None
    except ProwessError as error:
        return None, error


async def _proposed(desk: Desk) -> Improvement:
    library = desk.among.library
    return await improved_by_words(
        library.candidates, splits_of(library.cases, desk.id), desk.id, Lexical(RANKS)
    )


def _drawn(
    request: Request,
    desk: Desk,
    wording: Wording,
    *,
    tried: Tried | None = None,
    found: Improvement | None = None,
) -> Response:
    return console_of(request).pages.page(
        request,
        "triggering_description.html",
        desk=desk,
        wording=wording,
        more="\n".join(wording.triggers[len(desk.old.triggers) :]),
        tried=tried,
        found=found,
        written=request.query_params.get("written") == "1",
    )


ROUTES: Sequence[BaseRoute] = [
    Route("/triggering/description", _page),
    writing("/triggering/description", _try),
    writing("/triggering/write", _write),
]
