"""What a person looks for and a model cannot use: dropped, left out, hidden, denied, or of a server down.

Each has its reason in a few words and the place on its package's page that tells more. It knows only what
was seen: of a server that is down that is what was pinned before.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from prowess.capability.offer import Offer
from prowess.console.packages_facts import Facts
from prowess.console.packages_hops import DOWN, Fact, dropped_of, left_out_of, listed_of, offers_of
from prowess.console.packages_known import Known, names_inside
from prowess.spec.diagnostics import Diagnostic

MOST = 30  # shown of one search


@dataclass(frozen=True, slots=True, kw_only=True)
class Missing:
    """One thing that is not there. `kind` is a word, `at` where its package's page tells why."""

    name: str
    kind: str
    package: str
    why: Fact
    at: str
    server: str = ""  # of a tool that is hidden because it changed: there is a page of just that
    more: Sequence[str] = field(default=())  # by what else it may be looked for


def missing(package: Known, facts: Facts) -> Iterator[Missing]:
    """Everything that one package could have given and does not."""
    if package.is_rejected:
        yield from _rejected(package)
        return
    for each in dropped_of(package):
        yield _dropped(package, each)
    for offer in offers_of(package, facts):
        yield from _of_server(package, offer, facts)


def found(packages: Sequence[Known], facts: Facts, q: str) -> tuple[Missing, ...]:
    """The missing things that a search means, at most `MOST`. Blocking."""
    needles = q.casefold().split()
    if not needles:
        return ()
    kept: list[Missing] = []
    for each in (one for package in packages for one in missing(package, facts)):
        text = " ".join([each.name, *each.more]).casefold()
        if all(needle in text for needle in needles):
            kept.append(each)
    kept.sort(key=lambda each: (each.name.casefold() != q.strip().casefold(), len(each.name), each.name))
    return tuple(kept[:MOST])


def anchor(index: int) -> str:
    """Where a page shows the diagnostic of that number."""
    return f"finding-{index + 1}"


def _rejected(package: Known) -> Iterator[Missing]:
    fault = package.judgement.rejected
    assert fault is not None
    why = Fact(text="its package is rejected: {why}", values={"why": fault.message})
    yield Missing(name=package.name, kind="package", package=package.name, why=why, at="manifest")
    for name in names_inside(package):
        yield Missing(name=name, kind="skill", package=package.name, why=why, at="manifest")


def _dropped(package: Known, diagnostic: Diagnostic) -> Missing:
    subject = diagnostic.subject or diagnostic.place.file
    kind = "server" if subject.startswith("mcp.json") else package.kind.removesuffix("s")
    kind = "skill" if kind == "plugin" else kind
    name = subject.rpartition("#")[2] if kind == "server" else subject.rpartition("/")[2]
    return Missing(
        name=name or subject,
        kind=kind,
        package=package.name,
        why=Fact(text="dropped: {why}", values={"why": diagnostic.message}),
        at=anchor(package.judgement.diagnostics.index(diagnostic)),
        more=(subject,),
    )


def _of_server(package: Known, offer: Offer, facts: Facts) -> Iterator[Missing]:
    for kind, name, why in left_out_of(offer):
        word = {"resourceTemplates": "template"}.get(kind, kind.removesuffix("s"))
        yield _one(package, offer, name, word, Fact(text="left out: {why}", values={"why": why}), "offer")
    for name in sorted(facts.waiting.get(offer.id, ())):
        hidden = Fact(text="hidden: it changed since it was approved")
        yield replace(_one(package, offer, name, "tool", hidden, "offer"), server=offer.id)
    for name in sorted(facts.denied.get(offer.id, ())):
        yield _one(package, offer, name, "tool", Fact(text="denied by the policy"), "offer")
    yield from _gone(package, offer, facts)


def _gone(package: Known, offer: Offer, facts: Facts) -> Iterator[Missing]:
    """What a server is known to have offered and does not offer now."""
    if offer.status in DOWN:
        why = Fact(text="its server is down: {why}", values={"why": offer.reason})
        yield _one(package, offer, offer.id, "server", why, "connection")
    elif offer.status == "connected":
        why = Fact(text="its server offers it no more")
    else:
        why = Fact(text="its server is not started")
    listed = set(listed_of(package, offer))
    for name in sorted(facts.before.get(offer.id, frozenset()) - listed):
        at = "offer" if offer.status == "connected" else "connection"
        yield _one(package, offer, name, "tool", why, at)


def _one(package: Known, offer: Offer, name: str, kind: str, why: Fact, at: str) -> Missing:
    return Missing(name=name, kind=kind, package=package.name, why=why, at=at, more=(offer.id,))
