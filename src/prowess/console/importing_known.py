"""What the pages of imports remember while a console runs: proposals as they were shown, how skills stood."""

from __future__ import annotations

import os
import secrets
from collections import OrderedDict
from dataclasses import dataclass
from datetime import datetime

from starlette.requests import Request

from prowess.author.importing_host import plugin_places
from prowess.author.importing_places import Imported, imported_in, local_places
from prowess.author.importing_proposing import Proposal
from prowess.author.importing_standing import Standing
from prowess.console.console import Console, one_of

MOST_KEPT = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class Stood:
    """How a skill stood, and when."""

    standing: Standing
    when: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """A proposal as a person was shown it, with the plugin's `mcp.json` as it was then."""

    key: str
    proposal: Proposal
    servers: bytes | None


class Proposals:
    """The proposals that were shown last; what is written is one of them, and nothing that was read since."""

    def __init__(self) -> None:
        self._kept: OrderedDict[str, Shown] = OrderedDict()

    def keep(self, proposal: Proposal) -> Shown:
        """Remember it under a name that nobody guesses."""
        shown = Shown(key=secrets.token_urlsafe(16), proposal=proposal, servers=servers_now(proposal))
        self._kept[shown.key] = shown
        while len(self._kept) > MOST_KEPT:
            self._kept.popitem(last=False)
        return shown

    def get(self, key: str, digest: str) -> Shown | None:
        """The one that was shown under that name, if it has that digest."""
        found = self._kept.get(key)
        return found if found is not None and found.proposal.digest == digest else None

    def forget(self, key: str) -> None:
        """It was refused, or written."""
        self._kept.pop(key, None)


def servers_now(proposal: Proposal) -> bytes | None:
    """The `mcp.json` that would be replaced, as it is now; None where none would or none is there."""
    if proposal.servers is None:
        return None
    try:
        with open(os.path.join(proposal.place.base, "mcp.json"), "rb") as file:
            return file.read()
    except OSError:
        return None


def proposals_of(request: Request) -> Proposals:
    """Those of this console."""
    return one_of(request, Proposals)


class Standings(dict[str, Stood]):
    """How imported skills stood when they were last asked about, by their directories."""


def standings_of(request: Request) -> Standings:
    """Those of this console."""
    return one_of(request, Standings)


def imported_here(console: Console) -> list[Imported]:
    """The imported skills of this directory, this person and the plugins here. Blocking."""
    places = {os.path.realpath(each.folder): each for each in (*local_places(), *plugin_places(console.host))}
    return list(imported_in(tuple(places.values())))


def named(console: Console, directory: str) -> Imported | None:
    """The imported skill in that directory, if it is one of those. Blocking."""
    return next((each for each in imported_here(console) if each.directory == directory), None)
