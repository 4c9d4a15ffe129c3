"""What is asked once for all packages of a page: offers, pins, policy, and the records of calls."""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

import anyio.to_thread

from prowess.call.policy import Policy
from prowess.capability.offer import Offer, Tool
from prowess.console.console import Console
from prowess.errors import ProwessError
from prowess.host import Host
from prowess.store.reports_by_server import Ended, by_server

DAYS = 7  # of calls that are counted
Names = Mapping[str, frozenset[str]]  # of tools, by server


@dataclass(frozen=True, slots=True, kw_only=True)
class Facts:
    """`waiting` are tools hidden until a person approves them, `denied` those that the policy keeps away.

    `before` are all that were ever seen of a server. `fault` says why pins or records cannot be read.
    """

    offers: Mapping[str, Offer] = field(default_factory=dict)
    waiting: Names = field(default_factory=dict)
    denied: Names = field(default_factory=dict)
    before: Names = field(default_factory=dict)
    calls: Mapping[str, Ended] = field(default_factory=dict)
    fault: str = ""


async def gathered(console: Console) -> Facts:
    """The facts as they are now."""
    host = console.host
    waiting: Names = {}
    before: Names = {}
    calls: Mapping[str, Ended] = {}
    fault = ""
    try:
        waiting, before = await _pins(host)
        calls = await anyio.to_thread.run_sync(_calls, host)
    except ProwessError as error:
        fault = error.message
    return Facts(
        offers={each.id: each for each in host.offers},
        waiting=waiting,
        denied=_denied(console.setup.policy, host),
        before=before,
        calls=calls,
        fault=fault,
    )


async def _pins(host: Host) -> tuple[Names, Names]:
    """Which tools wait, and which were ever seen; first sight pins, as wherever tools are listed."""
    tools = host.path.pinned()
    pins = host.path.pins
    kept = {(each.server, each.tool): each.digest for each in await pins.listed()}
    if any((each.server, each.name) not in kept for each in tools):
        await host.changed()
        kept = {(each.server, each.tool): each.digest for each in await pins.listed()}
    waiting = [each for each in tools if kept.get((each.server, each.name)) != pins.digest_of(each)]
    return _names((each.server, each.name) for each in waiting), _names(kept)


def _denied(policy: Policy, host: Host) -> Names:
    words = {policy.default, policy.destructive, *(each.action for each in policy.rules)}
    if "deny" not in words:
        return {}
    return _names((each.server, each.name) for each in host.path.known() if _denies(policy, each))


def _denies(policy: Policy, tool: Tool) -> bool:
    return policy.decide(tool).action == "deny"


def _names(pairs: Iterable[tuple[str, str]]) -> Names:
    found: dict[str, set[str]] = defaultdict(set)
    for server, tool in pairs:
        found[server].add(tool)
    return {server: frozenset(tools) for server, tools in found.items()}


def _calls(host: Host) -> Mapping[str, Ended]:
    database = host.store.database
    if database is None or not database.exists():
        return {}
    since = time.time() - DAYS * 24 * 3600
    return database.now(lambda connection: by_server(connection, since))
