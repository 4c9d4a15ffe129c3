"""The five hops from files to calls: how far each package got, in a state and a few words.

manifest     read and accepted
components   skills and servers read, or dropped
connection   servers that are up, of those declared
offer        what is on offer, and what of it is left out or hidden
calls        how they went lately
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from prowess.capability.offer import Offer
from prowess.console.packages_facts import Facts
from prowess.console.packages_known import Known
from prowess.spec.diagnostics import Diagnostic, Reach
from prowess.store.reports_by_server import Ended

State = Literal["good", "warn", "bad", "off"]
WORDS: Mapping[State, str] = {"good": "fine", "warn": "to look at", "bad": "broken", "off": "not reached"}
NAMES = {
    "manifest": "Manifest",
    "components": "Components",
    "connection": "Connection",
    "offer": "Offer",
    "calls": "Calls",
}
LEFT_OUT = re.compile(r"(tools|prompts|resources|resourceTemplates): left out (.+?): (.+)", re.DOTALL)
DOWN = ("failed", "timed-out", "auth-required")


@dataclass(frozen=True, slots=True, kw_only=True)
class Fact:
    """A few words, which a page translates, and the values in them."""

    text: str
    values: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Hop:
    """One hop of one package."""

    id: str
    state: State
    facts: tuple[Fact, ...]

    @property
    def name(self) -> str:
        """What it is called."""
        return NAMES[self.id]

    @property
    def word(self) -> str:
        """Its state in a word."""
        return "nothing yet" if (self.id, self.state) == ("calls", "off") else WORDS[self.state]


def hops(package: Known, facts: Facts) -> tuple[Hop, ...]:
    """The five, in their order."""
    if package.is_rejected:
        rest = [_hop(each, "off", "did not get that far") for each in list(NAMES)[1:]]
        return (_manifest(package), *rest)
    return (
        _manifest(package),
        _components(package),
        _connection(package, facts),
        _offer(package, facts),
        _calls(package, facts),
    )


def order(found: Sequence[Hop], name: str) -> tuple[object, ...]:
    """What sorts the broken ones first, then those to look at; of each those that stopped earliest."""
    states = [each.state for each in found]
    bad = states.index("bad") if "bad" in states else len(states)
    missed = next((at for at, state in enumerate(states) if state == "warn" and at > 1), len(states))
    return (bad, missed, "warn" not in states, name.casefold(), name)


def worst(found: Sequence[Hop]) -> State:
    """The state of a package as a whole."""
    states = {each.state for each in found}
    return "bad" if "bad" in states else "warn" if "warn" in states else "good"


def _hop(id: str, state: State, text: str, **values: object) -> Hop:
    return Hop(id=id, state=state, facts=(Fact(text=text, values=values),))


def of_manifest(each: Diagnostic) -> bool:
    """Whether something is about the manifest, not about a component."""
    return each.reach is Reach.PLUGIN or each.rule.startswith(("manifest-", "package-"))


def _manifest(package: Known) -> Hop:
    fault = package.judgement.rejected
    if fault is not None:
        return _hop("manifest", "bad", "rejected: {why}", why=fault.message)
    if package.kind != "plugin":
        return _hop("manifest", "good", "none is needed")
    noted = any(of_manifest(each) and each.reach >= Reach.NOTE for each in package.judgement.diagnostics)
    state: State = "warn" if noted else "good"
    version = package.judgement.accepted.manifest.version
    return _hop("manifest", state, "accepted, version {version}" if version else "accepted", version=version)


def _components(package: Known) -> Hop:
    if package.kind in ("plugin", "skills"):
        counts = {"skills": len(package.skills)}
        if package.kind == "plugin":
            counts["servers"] = len(package.servers)
    else:
        counts = dict(package.counts)
    facts = [_counted(name, number) for name, number in counts.items()]
    dropped = dropped_of(package)
    if dropped:
        facts.append(Fact(text="{n} dropped", values={"n": len(dropped)}))
    noted = any(each.reach is Reach.NOTE and not of_manifest(each) for each in package.judgement.diagnostics)
    state: State = "bad" if dropped else "warn" if noted else "good"
    return Hop(id="components", state=state, facts=tuple(facts))


_COUNTED = {
    "skills": "skills: {n}",
    "servers": "servers: {n}",
    "units": "units: {n}",
    "workflows": "workflows: {n}",
    "prompts": "prompts: {n}",
    "resources": "resources: {n}",
    "templates": "templates: {n}",
}


def _counted(name: str, number: int) -> Fact:
    return Fact(text=_COUNTED[name], values={"n": number})


def dropped_of(package: Known) -> tuple[Diagnostic, ...]:
    """What did not load, one for each; of folders a fault each where no subject is named."""
    named = package.judgement.skipped
    faults = (Reach.ENTRY, Reach.COMPONENT)
    nameless = [e for e in package.judgement.diagnostics if e.reach in faults and not e.subject]
    return (*named, *{e.place.file: e for e in nameless}.values())


def _connection(package: Known, facts: Facts) -> Hop:
    offers = offers_of(package, facts)
    if not offers:
        lost = any(each.subject.startswith("mcp.json") for each in dropped_of(package))
        if lost:
            return _hop("connection", "off", "no server was read")
        return _hop("connection", "good", "no server is declared")
    up = sum(each.status == "connected" for each in offers)
    count = Fact(text="{up} of {all} up", values={"up": up, "all": len(offers)})
    down = next((each for each in offers if each.status in DOWN), None)
    if down is not None:
        state: State = "bad" if any(e.status in ("failed", "timed-out") for e in offers) else "warn"
        why = Fact(text="{why}", values={"why": down.reason})
        return Hop(id="connection", state=state, facts=(count, why))
    if not up:
        return _hop("connection", "off", "not started")
    return Hop(id="connection", state="good", facts=(count,))


def offers_of(package: Known, facts: Facts) -> tuple[Offer, ...]:
    """What the servers of a package offer."""
    return tuple(facts.offers.get(each) or _nothing(each) for each in package.servers)


def _nothing(server: str) -> Offer:
    return Offer(id=server, type="", status="not-started")


def listed_of(package: Known, offer: Offer) -> tuple[str, ...]:
    """The names of what one server offers of this package."""
    every = [*offer.tools, *offer.prompts, *offer.resources, *offer.templates]
    names = (each.name or str(each.wire.get("uri") or each.wire.get("uriTemplate") or "") for each in every)
    return tuple(each for each in names if package.own is None or each in package.own)


def usable_of(package: Known, offer: Offer, facts: Facts) -> tuple[str, ...]:
    """Of what one server offers of this package, what is neither hidden nor denied."""
    away = facts.waiting.get(offer.id, frozenset()) | facts.denied.get(offer.id, frozenset())
    return tuple(each for each in listed_of(package, offer) if each not in away)


def left_out_of(offer: Offer) -> tuple[tuple[str, str, str], ...]:
    """What a server listed and nobody can use: its kind, its name, why."""
    found = (LEFT_OUT.fullmatch(each) for each in offer.notes)
    return tuple((each[1], each[2], each[3]) for each in found if each is not None)


def _offer(package: Known, facts: Facts) -> Hop:
    offers = offers_of(package, facts)
    listed = len(package.skills) + sum(len(usable_of(package, each, facts)) for each in offers)
    if package.kind == "content":
        listed = sum(package.counts.values()) if any(e.status == "connected" for e in offers) else 0
    up = any(each.status == "connected" for each in offers)
    if not listed and not up:
        return _hop("offer", "off", "nothing is on offer")
    left = sum(len(left_out_of(each)) for each in offers)
    waiting = sum(len(_own(package, facts.waiting.get(each, frozenset()))) for each in package.servers)
    denied = sum(len(_own(package, facts.denied.get(each, frozenset()))) for each in package.servers)
    counts = {"{n} left out": left, "{n} waiting for approval": waiting, "{n} denied": denied}
    told = [Fact(text=text, values={"n": number}) for text, number in counts.items() if number]
    first = Fact(text="{n} on offer", values={"n": listed}) if listed else Fact(text="nothing is on offer")
    state: State = "bad" if left or not (listed or waiting or denied) else "warn" if waiting else "good"
    return Hop(id="offer", state=state, facts=(first, *told))


def _own(package: Known, names: frozenset[str]) -> frozenset[str]:
    return names if package.own is None else names & package.own


def _calls(package: Known, facts: Facts) -> Hop:
    ended = [facts.calls[each] for each in package.servers if each in facts.calls]
    calls, failed = sum(each.calls for each in ended), sum(each.failed for each in ended)
    if not calls:
        return _hop("calls", "off", "none lately")
    state: State = "good" if not failed else "warn" if failed < calls else "bad"
    told = [Fact(text="{n} calls", values={"n": calls})]
    told += [Fact(text="{n} failed", values={"n": failed})] if failed else []
    return Hop(id="calls", state=state, facts=tuple(told))


def ended_of(package: Known, facts: Facts) -> tuple[tuple[str, Ended], ...]:
    """How the calls of each of its servers ended."""
    return tuple((each, facts.calls[each]) for each in package.servers if each in facts.calls)
