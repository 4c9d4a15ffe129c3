"""The skills of the servers behind a gateway: their entries unchanged, and who owns a URI.

MCP extension `io.modelcontextprotocol/skills` (SEP-2640). A server is asked only where it declares the
extension. Its listing is kept for as long as it says; a URI that stands in two listings belongs to the
first server, and the other entry is left out with a note. It knows nothing of our own skills.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from prowess.capability.offer import Offer
from prowess.capability.skill_entry import SkillEntry
from prowess.errors import ProwessError, RequestFailed
from prowess.host import Host
from prowess.link.skills import Listing, list_skills, settings_of
from prowess.provider import Caller
from prowess.redact import printable
from prowess.serve.media import media_type
from prowess.serve.request import Request

DIRECTORY = "inode/directory"
LONGEST_KEPT_MS = 24 * 3_600_000.0
MOST_KEPT = 1_000  # listings, one for each server and principal


@dataclass(frozen=True, slots=True, kw_only=True)
class Owned:
    """One entry and the server that it came from."""

    server: str
    entry: SkillEntry


@dataclass(frozen=True, slots=True, kw_only=True)
class Upstream:
    """What the servers serve together; `ttl_ms` and `scope` are those of the whole."""

    skills: tuple[Owned, ...]
    ttl_ms: float
    scope: str


class UpstreamSkills:
    """The skills of every server that declares the extension."""

    def __init__(self, host: Host, *, now: Callable[[], float] = time.monotonic) -> None:
        self._host = host
        self._now = now
        self._kept: dict[tuple[str, str], tuple[float, Listing]] = {}
        self._seen: dict[tuple[str, str], Listing] = {}
        self._notes: dict[str, tuple[str, ...]] = {}

    @property
    def notes(self) -> tuple[str, ...]:
        """What was left out of the last listing, and why."""
        return tuple(note for server in sorted(self._notes) for note in self._notes[server])

    def servers(self, caller: Caller | None = None) -> list[str]:
        """The servers that serve skills and are within a caller's reach, in the order of their ids."""
        declaring = [each.id for each in self._declaring()]
        return [each for each in declaring if caller is None or self._host.reaches(caller, each)]

    def reads_directories(self, server: str) -> bool:
        """Whether a server may be asked for a directory."""
        settings = {each.id: settings_of(each) or {} for each in self._declaring()}
        return settings.get(server, {}).get("directoryRead") is True

    def _declaring(self) -> list[Offer]:
        return [each for each in self._host.offers if settings_of(each) is not None]

    async def all(self, request: Request, ours: Collection[str] = ()) -> Upstream:
        """Every entry whose URI is not one of `ours`; a server that fails costs its own entries."""
        taken = dict.fromkeys(ours, "here")
        skills: list[Owned] = []
        listings: list[Listing] = []
        for server in self.servers(request.caller):
            listing, notes = await self._listing(server, request)
            listings.append(listing)
            for entry in listing.entries:
                if (first := taken.setdefault(entry.uri, server)) == server:
                    skills.append(Owned(server=server, entry=entry))
                else:
                    notes += (f"{printable(entry.uri, 300)} is left out: it is served by {first} too",)
            self._notes[server] = tuple(f"{server}: {each}" for each in notes)
        public = bool(listings) and all(each.scope == "public" for each in listings)
        return Upstream(
            skills=tuple(skills),
            ttl_ms=min((each.ttl_ms for each in listings), default=0.0),
            scope="public" if public else "private",
        )

    async def owner(self, uri: str, request: Request) -> Owned | None:
        """Whose skill the file or directory at `uri` belongs to, where a listing tells it."""
        return _deepest((await self.all(request)).skills, uri)

    def known(self, uri: str, request: Request) -> Owned | None:
        """The same by the listings that this caller's requests brought last, however old; asks nobody."""
        who = request.caller.principal
        seen = [
            Owned(server=server, entry=each)
            for server in self.servers(request.caller)
            for each in self._seen.get((server, who), Listing()).entries
        ]
        return _deepest(seen, uri)

    async def _listing(self, server: str, request: Request) -> tuple[Listing, tuple[str, ...]]:
        key = (server, request.caller.principal)
        until, listing = self._kept.get(key, (0.0, Listing()))
        if self._now() < until:
            return listing, listing.notes
        try:
            listing = await list_skills(self._asking(server, request.caller))
        except ProwessError as error:
            return Listing(), (printable(error.message, 600),)
        kept_ms = min(listing.ttl_ms, LONGEST_KEPT_MS)
        if len(self._seen) >= MOST_KEPT:
            self._seen.clear()
            self._kept.clear()
        self._seen[key] = listing
        if kept_ms > 0:
            self._kept[key] = (self._now() + kept_ms / 1_000, listing)
        return listing, listing.notes

    def _asking(self, server: str, caller: Caller) -> Any:
        async def ask(method: str, params: Mapping[str, Any]) -> Mapping[str, Any]:
            return await self._host.ask(server, method, params, caller=caller)

        return ask


def _deepest(skills: Sequence[Owned], uri: str) -> Owned | None:
    """The skill whose directory is the nearest above `uri`; of two with one URI the first."""
    fitting = [each for each in skills if _holds(each.entry, uri)]
    return max(fitting, key=lambda each: len(each.entry.root), default=None)


def _holds(entry: SkillEntry, uri: str) -> bool:
    return uri == entry.root or uri.startswith(f"{entry.root}/")


def children_by_entry(entry: SkillEntry, uri: str) -> list[dict[str, Any]]:
    """What is directly in a directory, told from the entry alone. Raises RequestFailed (-32602)."""
    files: Sequence[str] = [each.uri for each in entry.files or ()]
    below = [each.removeprefix(f"{uri}/") for each in files if each.startswith(f"{uri}/")]
    if not below:
        raise RequestFailed(f"{printable(uri, 300)} is no directory", number=-32602, data={"uri": uri})
    names = dict.fromkeys(each.partition("/")[0] for each in below)
    return [_child(f"{uri}/{name}", name, name in below) for name in names]


def _child(uri: str, name: str, is_file: bool) -> dict[str, Any]:
    kind = media_type(name) if is_file else DIRECTORY
    return {"uri": uri, "name": name, **({"mimeType": kind} if kind else {})}
