"""From the name of a tool to the one tool meant, or NotFound with the nearest names.

A name is the tool's own, alone when no other server offers the same, or `server/tool` (a server
`plugin/server` may be said without its plugin while that means one); a provider
that has several versions of a tool is asked which one is meant (`tool@range`, or who calls). What is on
offer is asked of the providers each time and indexed again only when it changed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches

from prowess.call.limits import UNIT_TYPES
from prowess.call.policy import EVERYTHING, Reach
from prowess.capability.offer import Offer, Tool
from prowess.choose.versions import split
from prowess.errors import Ambiguous, NotFound
from prowess.provider import Caller, Provider
from prowess.redact import printable

VERSION_META = "dev.prowess/version"
_NOBODY = Caller()


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """One tool, who answers for it, and the type of its offer."""

    tool: Tool
    provider: Provider
    kind: str

    @property
    def version(self) -> str:
        """The version that the tool declares (`_meta`, `dev.prowess/version`), or an empty text."""
        meta = self.tool.wire.get("_meta")
        return str(meta.get(VERSION_META, "")) if isinstance(meta, Mapping) else ""

    @property
    def ours(self) -> bool:
        """Whether it is a function of this process: the user's own code, which nobody else can swap."""
        return self.kind in UNIT_TYPES or self.kind == "workflows"

    @property
    def keeper(self) -> str:
        """What is busy and fails as one: a server; of units each version by itself."""
        return f"{self.tool.server}/{self.tool.name}@{self.version}" if self.ours else self.tool.server


class Directory:
    """The tools of some providers, by name."""

    def __init__(self, providers: Sequence[Provider]) -> None:
        self._providers = providers
        self._seen: list[tuple[str, tuple[Tool, ...]]] = []
        self._index: dict[str, list[Found]] = {}
        self._offers: list[Offer] = []
        self._last: dict[str, tuple[Tool, ...]] = {}

    def all(self) -> tuple[Found, ...]:
        """Every tool on offer now, in the order of the providers."""
        self._refresh()
        return tuple(each for found in self._index.values() for each in found)

    def find(
        self,
        name: str,
        *,
        server: str | None = None,
        version: str | None = None,
        caller: Caller = _NOBODY,
        reach: Reach = EVERYTHING,
    ) -> Found:
        """The tool meant. Raises NotFound, or UsageError when more than one server has it.

        What is out of `reach` is neither meant nor named; with its `server` said it is found, for the
        call path to refuse and record.
        """
        self._refresh()
        candidates = self._candidates(name, server, reach)
        if not candidates and "@" in name:
            name, asked = split(name)
            candidates, version = self._candidates(name, server, reach), asked if version is None else version
        if not candidates:
            raise self._not_found(name, server, reach)
        servers = sorted({each.tool.server for each in candidates})
        if len(servers) > 1:
            qualified = ", ".join(f"{printable(each)}/{printable(name)}" for each in servers)
            raise Ambiguous(f"more than one server offers {printable(name)}", hint=f"say which: {qualified}")
        resolve = getattr(candidates[0].provider, "resolve", None)
        if resolve is not None:
            tool = resolve(candidates[0].tool.name, version or "", caller)
            return candidates[0] if tool is candidates[0].tool else replace(candidates[0], tool=tool)
        return candidates[0] if version is None else _of_version(candidates, version)

    def versions(self, tool: Tool) -> tuple[Tool, ...]:
        """Every version of a tool on offer, the oldest first; where it has one, the tool itself."""
        self._refresh()
        for each in self._index.get(tool.name, []):
            several = getattr(each.provider, "versions", None)
            if each.tool.server == tool.server and several is not None:
                found: tuple[Tool, ...] = several(tool.name)
                return found
        return (tool,)

    def _candidates(self, name: str, server: str | None, reach: Reach) -> list[Found]:
        named = self._named(name, server)
        return named if server is not None else [each for each in named if reach.tool(each.tool)]

    def _named(self, name: str, server: str | None) -> list[Found]:
        found = _of_server(self._index.get(name, []), server)
        if found:
            return found
        # A label may be `plugin/server`, and a tool's own name may hold a slash as well.
        parts = name.split("/")
        splits = [("/".join(parts[:at]), "/".join(parts[at:])) for at in range(1, len(parts))]
        named = [each for label, rest in splits for each in _of_server(self._index.get(rest, []), label)]
        return _of_server(named, server)

    def _refresh(self) -> None:
        offers = [(each, self._remembered(_offer_of(each))) for each in self._providers]
        now = [(offer.id, offer.tools) for _, offer in offers]
        self._offers = [offer for _, offer in offers]
        if len(now) == len(self._seen) and all(
            new[0] == old[0] and new[1] is old[1] for new, old in zip(now, self._seen, strict=True)
        ):
            return
        self._seen, self._index = now, {}
        for provider, offer in offers:
            for tool in offer.tools:
                found = Found(tool=tool, provider=provider, kind=offer.type)
                self._index.setdefault(tool.name, []).append(found)

    def _remembered(self, offer: Offer) -> Offer:
        """A server that is down for the moment keeps its tools: a call is what brings it up again."""
        if offer.status == "connected":
            self._last[offer.id] = offer.tools
            return offer
        last = self._last.get(offer.id)
        return replace(offer, tools=last) if last and not offer.tools else offer

    def _not_found(self, name: str, server: str | None, reach: Reach) -> NotFound:
        known = [
            tool
            for tool, found in self._index.items()
            if any(reach.tool(each.tool) for each in (found if server is None else self._named(tool, server)))
        ]
        near = get_close_matches(name.rpartition("/")[2], known, 3, 0.5)
        down = [
            f"{printable(each.id)} ({each.status}: {each.reason})"
            for each in self._offers
            if each.status != "connected" and reach.server(each.id)
        ]
        hints = [f"nearest: {', '.join(printable(each) for each in near)}"] if near else []
        hints += [f"servers that offer nothing now: {'; '.join(down)}"] if down else []
        where = f" on {printable(server)}" if server is not None else ""
        return NotFound(f"no tool named {printable(name)}{where}", hint=printable(". ".join(hints), 1_000))


def _of_server(found: list[Found], server: str | None) -> list[Found]:
    """Those of them that `server` has; `plugin/server` may be said without the plugin."""
    if server is None:
        return found
    exactly = [each for each in found if each.tool.server == server]
    return exactly or [each for each in found if each.tool.server.rpartition("/")[2] == server]


def _offer_of(provider: Provider) -> Offer:
    try:
        return provider.offer()
    except Exception as error:  # noqa: BLE001  # boundary: one provider's fault is that provider's alone
        return Offer(id=provider.label, type="unknown", status="failed", reason=type(error).__name__)


def _of_version(candidates: list[Found], version: str) -> Found:
    for each in candidates:
        if each.version == version:
            return each
    known = ", ".join(sorted({each.version for each in candidates if each.version})) or "none is declared"
    raise NotFound(
        f"no version {printable(version)} of {printable(candidates[0].tool.name)}",
        hint=f"versions: {printable(known)}",
    )
