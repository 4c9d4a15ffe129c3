"""A Host of units under test: the real call path, over twins or live, remembering nothing afterwards."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from prowess.call.clock import Clock
from prowess.call.limits import Limits
from prowess.call.policy import Policy
from prowess.call.recording import no_sink
from prowess.errors import UsageError
from prowess.evaluate.twin_context import TwinContexts
from prowess.host.host import Host
from prowess.host.setup import setup_of
from prowess.host.storing import Store
from prowess.redact import printable
from prowess.units.provider import UnitProvider
from prowess.units.registry import Registry

SERVER = "units"
# One attempt, so that a failure is seen as it is; no breaker, because failures are what is tried here.
LIMITS = Limits(
    attempts=1,
    breaker_failures=1_000_000,
    max_timeout=3_600.0,
    result_bytes=50_000_000,
    argument_bytes=50_000_000,
)


@asynccontextmanager
async def twin_host(
    path: str, contexts: TwinContexts, clock: Clock | None = None
) -> AsyncIterator[tuple[Host, Registry]]:
    """The units at `path`, callable, and what is known of them. Raises UsageError where there are none."""
    provider = UnitProvider(roots_of(path), contexts, label=SERVER)
    async with Host.open(
        path,
        providers=[provider],
        policy=Policy(destructive="allow"),
        limits=LIMITS,
        store=Store.in_memory(),
        clock=clock,
        sink=no_sink,
    ) as host:
        yield host, provider.registry


@asynccontextmanager
async def live_host(path: str) -> AsyncIterator[Host]:
    """The same without twins: units reach what they declare, with what a `prowess.toml` gives them."""
    policy = Policy(destructive="allow")
    store = Store.in_memory()
    async with Host.open(
        path, only=[SERVER], policy=policy, limits=LIMITS, store=store, sink=no_sink
    ) as host:
        yield host


def roots_of(path: str) -> tuple[str, ...]:
    """Where the units are that `path` means. Raises UsageError where there are none."""
    roots = setup_of(path).units.paths
    if not roots:
        raise UsageError(
            f"{printable(path, 500)}: there are no units",
            hint="a folder of units holds NAME/schema.json beside NAME/skill.py",
        )
    return roots
