"""What to import, the proposal as a person has to see it, and writing it once that person has said yes.

The yes is bound to the proposal that was shown: that one is kept here and written as it is, unless what it
would replace has changed meanwhile. To a proposal with findings, or one longer than a page, nobody can say
yes here.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any
from urllib.parse import urlencode

from markupsafe import escape
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from prowess.author.importing import PROMPT, Wanted, gather
from prowess.author.importing_host import chosen_place, plugin_places, up_in
from prowess.author.importing_opening import Opened
from prowess.author.importing_places import PERSONAL, PROJECT, Place, place_of
from prowess.author.importing_proposing import Proposal, accept, propose
from prowess.author.importing_rendering import Said
from prowess.author.importing_standing import to_ask
from prowess.author.importing_writing import read_skill
from prowess.capability.offer import Offer
from prowess.console.console import console_of
from prowess.console.forms import Form, confirm, done, failure, writing
from prowess.console.importing_known import proposals_of, servers_now, standings_of
from prowess.console.language import translator
from prowess.console.pages import language_of
from prowess.console.rows import MOST
from prowess.console.shown import visible
from prowess.errors import ConnectionFailed, ProwessError, UsageError
from prowess.redact import printable

SHOWN = 150_000  # characters of HTML for the texts; whoever cannot see all of it is not asked
CHANGES = 60_000  # and for the lines that differ, which say nothing that the texts do not
READING = 120.0  # seconds for everything that is read of one server
LONGEST = 20_000  # of what is typed into one field
LONGEST_URI = 1_500  # of what can be ticked, as it is written in the page


async def _form(request: Request) -> Response:
    """What a server has, to be chosen from."""
    offer = _offer(request, request.query_params.get("server", ""))
    return _no_server(request) if offer is None else _asked(request, offer, Form(fields=(), confirmed=False))


def _offer(request: Request, label: str) -> Offer | None:
    return next((each for each in console_of(request).host.offers if each.id == label), None)


def _no_server(request: Request) -> Response:
    return failure(request, 404, "There is no such server", "The page Import names those there are.")


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """Something that a server has. `needs` are the values without which it cannot be read."""

    uri: str
    kind: str
    name: str
    description: str
    needs: tuple[str, ...] = ()


def _items(offer: Offer) -> list[Item]:
    found = [_item(each.uri, "resource", each.wire) for each in offer.resources]
    found += [_item(each.uri_template, "template", each.wire) for each in offer.templates]
    return found + [_item(f"{PROMPT}{each.name}", "prompt", each.wire) for each in offer.prompts]


def _item(uri: str, kind: str, wire: Any) -> Item:
    arguments = wire.get("arguments")
    return Item(
        uri=uri,
        kind=kind,
        name=str(wire.get("title") or wire.get("name") or uri),
        description=str(wire.get("description") or ""),
        needs=tuple(
            str(each.get("name"))
            for each in (arguments if isinstance(arguments, list) else [])
            if isinstance(each, dict) and each.get("required") is True
        ),
    )


def _asked(request: Request, offer: Offer, form: Form, fault: ProwessError | None = None) -> Response:
    """The form, with what was filled in before."""
    host = console_of(request).host
    items = _items(offer)
    fitting = [each for each in items if len(escape(each.uri)) <= LONGEST_URI][:MOST]
    return console_of(request).pages.page(
        request,
        "import_from.html",
        offer=offer,
        items=fitting,
        more=len(items) - len(fitting),
        places=[(PROJECT, place_of(PROJECT).base), (PERSONAL, place_of(PERSONAL).base)],
        plugins=plugin_places(host),
        form=form,
        fault=fault,
    )


async def _propose(request: Request, form: Form) -> Response:
    """Read from the server, and show what would be written. Nothing is."""
    label = form.get("server")
    offer = _offer(request, label)
    if offer is None:
        return _no_server(request)
    console = console_of(request)
    try:
        place = chosen_place(console.host, form.get("to", PROJECT), form.get("layout"))
        up = up_in(console.host, console.setup, label, place)
        proposal = await proposed(up, _said(form), _wanted(form), place)
    except ProwessError as error:
        return _asked(request, offer, form, error)
    return await shown(request, proposal, form)


def _said(form: Form) -> Said:
    return Said(
        name=form.get("name").strip()[:200],
        description=" ".join(form.get("description")[:LONGEST].split()),
        triggers=_lines(form.get("triggers")),
    )


def _wanted(form: Form) -> Wanted:
    values: dict[str, str] = {}
    for line in _lines(form.get("values")):
        name, sign, value = line.partition("=")
        if not sign or not name.strip():
            raise UsageError(f"{printable(line, 100)}: write name=text, one a line")
        values[name.strip()] = value.strip()
    return Wanted(uris=form.all("uri"), values=values, live=form.all("live"), keep=form.all("keep"))


def _lines(text: str) -> tuple[str, ...]:
    return tuple(each.strip() for each in text[:LONGEST].splitlines() if each.strip())


async def proposed(up: Opened, said: Said, wanted: Wanted, place: Place) -> Proposal:
    """What an import would write. Raises what reading and proposing raise, ConnectionFailed after a while."""
    try:
        async with asyncio.timeout(READING):
            knowledge = await gather(up.offer, up.ask, wanted)
    except TimeoutError:
        raise ConnectionFailed(
            f"{printable(up.offer.id)} took longer than {READING:g} s to be read",
            hint="choose fewer of its parts",
        ) from None
    today = datetime.now(UTC).date().isoformat()
    asked = to_ask(said, wanted)
    return await asyncio.to_thread(
        lambda: propose(up, knowledge, said, place, asked, today=today, settle=tuple)
    )


async def shown(request: Request, proposal: Proposal, form: Form) -> Response:
    """The page of a proposal. `form` is what it was made from, so that it can be made anew."""
    kept = proposals_of(request).keep(proposal)
    texts, complete = await asyncio.to_thread(_texts, proposal)
    changes = await asyncio.to_thread(proposal.difference) if proposal.before else []
    shown_changes = await asyncio.to_thread(_within, changes, CHANGES)
    return console_of(request).pages.page(
        request,
        "import_proposal.html",
        kept=kept,
        proposal=proposal,
        texts=texts,
        complete=complete,
        changes=shown_changes,
        changes_left=len(changes) - len(shown_changes),
        servers=None if proposal.servers is None else proposal.servers.decode("utf-8", "replace"),
        marks=[(part, mark) for part in proposal.knowledge.parts for mark in part.marks][:MOST],
        again=[(name, value) for name, value in form.fields if name not in ("live", "keep", "uri")],
        form=form,
    )


def _texts(proposal: Proposal) -> tuple[list[tuple[str, str]], bool]:
    """The files by path as far as a page has room, and whether that is all of them."""
    texts = [(path, data.decode("utf-8", "replace")) for path, data in sorted(proposal.draft.files.items())]
    if proposal.servers is not None:
        texts.append(("mcp.json", proposal.servers.decode("utf-8", "replace")))
    sizes = [len(visible(text, frozenset("\n\t"))) + 200 for _, text in texts]
    if sum(sizes) <= SHOWN:
        return texts, True
    found, left = [], SHOWN
    for (path, text), size in zip(texts, sizes, strict=True):
        if size > left:
            found.append((path, text[: left // 70]))  # one character takes at most so many
            break
        found.append((path, text))
        left -= size
    return found, False


def _within(lines: Sequence[str], room: int) -> list[str]:
    found = []
    for line in lines:
        room -= len(visible(line[:2_000])) + 60
        if room < 0:
            break
        found.append(line)
    return found


# -- yes and no


async def _write(request: Request, form: Form) -> Response:
    """Write the proposal that was shown, once that was confirmed, and only if nothing changed meanwhile."""
    kept = proposals_of(request).get(form.get("proposal"), form.get("digest"))
    if kept is None:
        return failure(
            request, 409, "This proposal is not known any more", "Propose it again and look at it."
        )
    proposal = kept.proposal
    _, complete = await asyncio.to_thread(_texts, proposal)
    if proposal.open_findings or not complete:
        hint = "Findings are suppressed, and long texts are agreed to, by prowess import."
        return failure(request, 409, "Nobody can say yes to this here", hint)
    now = await asyncio.to_thread(lambda: (read_skill(proposal.directory), servers_now(proposal)))
    if now != (dict(proposal.before), kept.servers):
        return failure(
            request, 409, "What is there has changed meanwhile", "Propose it again and look at it."
        )
    if not form.confirmed:
        lines = await asyncio.to_thread(lambda: _within(proposal.difference(), SHOWN))
        return _ask(request, form, proposal, lines)
    await asyncio.to_thread(accept, proposal)
    proposals_of(request).forget(kept.key)
    standings_of(request).clear()
    await console_of(request).host.look_again()
    return done(f"/import/skill?{urlencode({'at': proposal.directory, 'written': '1'})}")


def _ask(request: Request, form: Form, proposal: Proposal, lines: Sequence[str]) -> Response:
    t = translator(language_of(request))
    details = [
        (t("Directory"), proposal.directory),
        (t("From"), proposal.draft.provenance.source),
        (t("Files"), ", ".join(sorted(proposal.draft.files))),
        (t("Digest"), proposal.digest),
    ]
    if proposal.servers is not None:
        details.append((t("The plugin's mcp.json"), t("is replaced: the server joins it")))
    return confirm(
        request,
        form,
        question=t("Write this skill?"),
        details=details,
        text="\n".join(lines),
        yes=t("Write it"),
        back="/import",
    )


async def _refuse(request: Request, form: Form) -> Response:
    """Forget a proposal. There is nothing to undo."""
    proposals_of(request).forget(form.get("proposal"))
    return done("/import?refused=1")


ROUTES: Sequence[BaseRoute] = [
    Route("/import/from", _form),
    writing("/import/propose", _propose),
    writing("/import/write", _write),
    writing("/import/refuse", _refuse),
]
