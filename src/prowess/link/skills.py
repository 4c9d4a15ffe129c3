"""The skills that one connected server serves: list them, get one, read one of their files.

MCP extension `io.modelcontextprotocol/skills` (SEP-2640), the client's side of the wire. It asks through
anything that can ask (a Link, a Host), never for more than it is told to, and gives back what was sent:
pages put together, raw bytes out of `resources/read`. Whether to trust any of it is not decided here.
"""

from __future__ import annotations

import base64
import binascii
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any

from prowess.capability.offer import Offer
from prowess.capability.skill_entry import EXTENSION, MOST_BYTES, SINCE, SkillEntry, entry_of
from prowess.errors import RequestFailed
from prowess.provider import Asking, Caller, Peer
from prowess.redact import printable

PAGES_MAX = 500
ENTRIES_MAX = 10_000
NOTES_MAX = 50
INVALID_ANSWER = -32603

Ask = Callable[[str, Mapping[str, Any]], Awaitable[Mapping[str, Any]]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Listing:
    """What `skills/list` gave: the valid entries, in the server's order, each URI once.

    `ttl_ms` and `scope` say how long it may be kept and by whom; `notes` what was left out.
    """

    entries: tuple[SkillEntry, ...] = ()
    ttl_ms: float = 0.0
    scope: str = "private"
    notes: tuple[str, ...] = ()


def settings_of(offer: Offer) -> Mapping[str, Any] | None:
    """The extension's settings as the server declared them, or None: nothing may be asked then."""
    extensions = offer.capabilities.get("extensions")
    settings = extensions.get(EXTENSION) if isinstance(extensions, Mapping) else None
    return settings if isinstance(settings, Mapping) and offer.protocol >= SINCE else None


def asking(
    provider: Asking, *, caller: Caller | None = None, peer: Peer | None = None, timeout: float = 60.0
) -> Ask:
    """Ways to ask one provider."""
    who = caller or Caller()

    async def ask(method: str, params: Mapping[str, Any]) -> Mapping[str, Any]:
        try:
            return await provider.ask(method, params, peer=peer, caller=who, timeout=timeout)
        except RequestFailed as error:  # a server's own words, for people from here on
            said = f"{method} failed: {printable(error.message, 500)} (error {error.number})"
            raise RequestFailed(said, number=error.number, data=error.data) from None

    return ask


async def list_skills(ask: Ask) -> Listing:
    """Every page of `skills/list`. Raises RequestFailed and ConnectionFailed where the first one fails."""
    listing = _Pages()
    cursor: str | None = None
    for number in range(PAGES_MAX):
        try:
            page = await ask("skills/list", {} if cursor is None else {"cursor": cursor})
        except RequestFailed as error:
            if number == 0:
                raise
            listing.note(f"{printable(error.message, 600)}, after {number} pages")
            break
        cursor = listing.take(page)
        if cursor is None:
            break
    else:
        listing.note(f"skills/list has more than {PAGES_MAX} pages; the rest is left out")
    return listing.all()


async def get_skill(ask: Ask, uri: str) -> SkillEntry:
    """The entry of the skill at `uri` as it is now. Raises RequestFailed, also for an entry that is none."""
    result = await ask("skills/get", {"uri": uri})
    entry = entry_of(result.get("skill"))
    if isinstance(entry, str):
        raise RequestFailed(f"skills/get gave no valid entry: {entry}", number=INVALID_ANSWER)
    if entry.uri != uri:
        raise RequestFailed("skills/get gave the entry of another skill", number=INVALID_ANSWER)
    return entry


async def read_bytes(ask: Ask, uri: str) -> bytes:
    """The raw bytes of one file. Raises RequestFailed where the answer holds none for that URI."""
    result = await ask("resources/read", {"uri": uri})
    contents = result.get("contents")
    found = [
        each
        for each in (contents if isinstance(contents, list) else [])
        if isinstance(each, Mapping) and each.get("uri") == uri
    ]
    if result.get("resultType") not in (None, "complete") or len(found) != 1:
        raise RequestFailed(f"the server gave no content for {printable(uri, 300)}", number=INVALID_ANSWER)
    data = _bytes(found[0])
    if data is None:
        raise RequestFailed(
            f"the content of {printable(uri, 300)} is neither text nor base64", number=INVALID_ANSWER
        )
    return data


def _bytes(content: Mapping[str, Any]) -> bytes | None:
    text, blob = content.get("text"), content.get("blob")
    try:
        if isinstance(text, str) and blob is None:
            return text.encode("utf-8")
        if isinstance(blob, str) and text is None and len(blob) <= 2 * MOST_BYTES:
            return base64.b64decode(blob, validate=True)
    except (UnicodeEncodeError, binascii.Error):
        return None
    return None


class _Pages:
    """Pages put together: what is wrong with one costs its part only."""

    def __init__(self) -> None:
        self._entries: dict[str, SkillEntry] = {}
        self._cursors: set[str] = set()
        self._notes: list[str] = []
        self._ttl: float | None = None
        self._public = True

    def take(self, page: Mapping[str, Any]) -> str | None:
        """Keep what a page holds; the next cursor, if there is one to follow."""
        found = page.get("skills")
        if page.get("resultType") not in (None, "complete") or not isinstance(found, list):
            self.note("skills/list gave a page that is no list of skills")
            return None
        ttl = page.get("ttlMs")
        seconds = float(ttl) if isinstance(ttl, int | float) and not isinstance(ttl, bool) else 0.0
        self._ttl = max(0.0, seconds if self._ttl is None else min(self._ttl, seconds))
        self._public = self._public and page.get("cacheScope") == "public"
        for each in found:
            self._keep(each)
        if len(self._entries) > ENTRIES_MAX:
            self.note(f"skills/list has more than {ENTRIES_MAX} entries; the rest is left out")
            return None
        cursor = page.get("nextCursor")
        if cursor is None:
            return None
        if not isinstance(cursor, str) or cursor in self._cursors:
            self.note("skills/list gave a cursor that leads nowhere new; stopped there")
            return None
        self._cursors.add(cursor)
        return cursor

    def _keep(self, wire: object) -> None:
        entry = entry_of(wire)
        if isinstance(entry, str):
            uri = wire.get("uri") if isinstance(wire, Mapping) else None
            self.note(f"left out {printable(str(uri or 'an entry'), 300)}: {entry}")
        elif entry.uri in self._entries:
            self.note(f"{printable(entry.uri, 300)} is listed more than once; the first is kept")
        else:
            self._entries[entry.uri] = entry

    def note(self, text: str) -> None:
        if len(self._notes) < NOTES_MAX:
            self._notes.append(text)

    def all(self) -> Listing:
        return Listing(
            entries=tuple(self._entries.values())[:ENTRIES_MAX],
            ttl_ms=self._ttl or 0.0,
            scope="public" if self._public and self._ttl is not None else "private",
            notes=tuple(self._notes),
        )
