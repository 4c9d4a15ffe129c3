"""One bring-up of one package, and everything the cases want to know about it afterwards."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.conformance.http_probe import Origin

from prowess.capability.offer import Offer
from prowess.host import Host
from prowess.provider import Answered, Invocation, Provider
from prowess.spec.model import Judgement

SECONDS = 15.0  # for each server to come up; nothing here takes longer unless something is wrong


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What was judged, what each server offers, and what the `observe` tool of each answered."""

    judgement: Judgement
    offers: Mapping[str, Offer]
    observations: Mapping[str, Any]
    started: frozenset[str]

    @property
    def skills(self) -> list[str]:
        """Names of the skills that loaded."""
        plugin = self.judgement.plugin
        return [] if plugin is None else [skill.name for skill in plugin.skills]

    @property
    def skipped(self) -> set[str]:
        """What did not load, in the words of the load report."""
        return {each.subject for each in self.judgement.skipped}


@dataclass(frozen=True, slots=True, kw_only=True)
class Suite:
    """What came of the packages, and the two origins that they spoke to."""

    core: Outcome
    recovery: Outcome
    invalid_mcp: Outcome
    core_root: Path
    origin: Origin
    foreign: Origin
    recovery_requests: int


def bring_up(root: Path) -> Outcome:
    """Bring the package up, use `observe` wherever it is offered, and take it down."""
    return asyncio.run(_bring_up(root))


async def _bring_up(root: Path) -> Outcome:
    async with Host.open(root, timeout=SECONDS) as host:
        offers = {each.id: each for each in host.offers}
        connected = [each for each in host._providers if offers[each.label].status == "connected"]
        answers = await asyncio.gather(*(_observe(each) for each in connected))
        started = root / "started"
        return Outcome(
            judgement=host.judgement,
            offers=offers,
            observations={each.label: answer for each, answer in zip(connected, answers, strict=True)},
            started=frozenset(each.name for each in started.iterdir()) if started.is_dir() else frozenset(),
        )


async def _observe(provider: Provider) -> Any:
    outcome = await provider.call(Invocation(tool="observe", timeout=SECONDS))
    return outcome.value if isinstance(outcome, Answered) else outcome
