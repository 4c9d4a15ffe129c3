"""One package: its five hops, each with everything that happened there.

What is wrong with its files is judged anew, so that whoever mends them sees it by loading the page again;
servers are as they were brought up. Arguments, headers and values of the environment are not shown.
"""

from __future__ import annotations

import re
import time
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any
from urllib.parse import urlsplit

import anyio.to_thread
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from prowess.capability.offer import Offer
from prowess.console.console import Console, console_of
from prowess.console.forms import failure
from prowess.console.packages_facts import DAYS, Facts, gathered
from prowess.console.packages_files import NO_PACKAGE, named
from prowess.console.packages_findings import Finding, advice, findings
from prowess.console.packages_hops import hops, left_out_of, of_manifest, offers_of, usable_of
from prowess.console.packages_known import KINDS, Known, folders_of, judged_again, known
from prowess.console.packages_missing import Missing, missing
from prowess.errors import ProwessError
from prowess.host import Host
from prowess.host.hints import hint_of
from prowess.spec.model import HttpServer, Server
from prowess.store.reports import Filter, ToolSummary, summary

MOST = 60  # skills, missing things, tools that were called
MOST_SERVERS = 20  # those that are down first
MOST_NOTES = 20  # of a server each
MOST_NAMES = 40  # of capabilities, a server each; the others are a search away
STDERR = 3_000  # characters of its end
STATES = {
    "connected": "good",
    "failed": "bad",
    "timed-out": "bad",
    "auth-required": "warn",
    "not-started": "off",
}
FIRST = ("bad", "warn", "off", "good")


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerSeen:
    """One server as it is: `target` is a program or a host, `names` what it offers."""

    offer: Offer
    target: str
    hint: str
    stderr: str
    names: Sequence[str]
    left_out: Sequence[tuple[str, str, str]]

    @property
    def state(self) -> str:
        """Its status as a state."""
        return STATES[self.offer.status]


@dataclass(frozen=True, slots=True, kw_only=True)
class Read:
    """What was read for one page; `told` is what could not be."""

    package: Known
    is_changed: bool
    findings: Sequence[Finding]
    advice: Sequence[Finding]
    advised: int  # of the advice, what the loader told
    missing: Sequence[Missing]
    called: Sequence[ToolSummary]
    told: Sequence[str]


async def one(request: Request) -> Response:
    """The page of one package."""
    console, name = console_of(request), request.path_params["name"]
    facts = await gathered(console)
    folders = folders_of(request)
    read = await anyio.to_thread.run_sync(lambda: _read(known(console, folders), name, console.host, facts))
    if read is None:
        return failure(request, 404, NO_PACKAGE)
    return console.pages.page(request, "packages_one.html", **_values(console, read, facts))


def _values(console: Console, read: Read, facts: Facts) -> dict[str, Any]:
    package = read.package
    offers = sorted(offers_of(package, facts), key=lambda each: FIRST.index(STATES[each.status]))
    return {
        "package": package,
        "kind": KINDS[package.kind],
        "hops": {each.id: each for each in hops(package, facts)},
        "read": read,
        "of_manifest": [each for each in read.findings if of_manifest(each.told)],
        "of_components": [each for each in read.findings if not of_manifest(each.told)],
        "servers": [_server(package, each, facts, console.host) for each in offers[:MOST_SERVERS]],
        "fault": facts.fault,
        "days": DAYS,
        "most": MOST,
        "most_notes": MOST_NOTES,
        "more_findings": len(package.judgement.diagnostics) - len(read.findings) - read.advised,
        "most_names": MOST_NAMES,
    }


def _server(package: Known, offer: Offer, facts: Facts, host: Host) -> ServerSeen:
    return ServerSeen(
        offer=offer,
        target=target_of(package.declared.get(offer.id)),
        hint=hint_of(offer) if offer.status != "connected" else "",
        stderr=host.stderr(offer.id)[-STDERR:],
        names=usable_of(package, offer, facts),
        left_out=left_out_of(offer),
    )


def target_of(server: Server | None) -> str:
    """The program or the host of a server, and nothing that could hold a secret."""
    if not isinstance(server, HttpServer):
        return server.command if server is not None else ""
    found = urlsplit(server.url)  # it was judged: it is a URL
    return f"{found.scheme}://{found.netloc.rpartition('@')[2]}"


def _read(every: Sequence[Known], name: str, host: Host, facts: Facts) -> Read | None:
    """What one page takes. Blocking."""
    before = named(every, name)
    if before is None:
        return None
    package = judged_again(before)
    told: list[str] = []
    advised = advice(package, told.append)
    found = findings(package)
    return Read(
        package=package,
        is_changed=package.judgement.diagnostics != before.judgement.diagnostics,
        findings=[each for each in found if each.state != "off"],
        advice=[*(each for each in found if each.state == "off"), *advised],
        advised=sum(each.state == "off" for each in found),
        missing=tuple(missing(package, facts)),
        called=_called(package.servers, host, told),
        told=told,
    )


def _called(servers: Sequence[str], host: Host, told: list[str]) -> tuple[ToolSummary, ...]:
    """How the calls of its tools went, those that failed most first."""
    database = host.store.database
    if database is None or not database.exists():
        return ()
    since = time.time() - DAYS * 24 * 3600
    found: list[ToolSummary] = []
    for server in servers:
        wanted = Filter(server=re.sub(r"([*?[])", r"[\1]", server), since=since)
        try:
            found += database.now(partial(summary, wanted=wanted)).tools
        except ProwessError as error:
            told.append(error.message)
            break
    found.sort(key=lambda each: (each.answered - each.calls, -each.calls, each.server, each.tool))
    return tuple(found[:MOST])


ROUTES: Sequence[BaseRoute] = [Route("/packages/{name}", one)]
