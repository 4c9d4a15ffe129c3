"""Which servers may have the resource at a URI.

Listed: the server that lists it. Else those with a template that the URI fits (RFC 6570), else every
server that has resources at all, because a tool may name a resource that no list holds; first the one
whose label stands in front of it, as it does where two servers list the same URI.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from mcp.shared.uri_template import UriTemplate

from prowess.capability.offer import Offer
from prowess.serve.catalogue import Catalogue, Entry, prefix_of


def locate(catalogue: Catalogue, offers: Sequence[Offer], uri: str) -> list[Entry]:
    """Whom to ask for `uri`, in order; the entry's name is the URI that the server knows."""
    if (listed := catalogue.resources.get(uri)) is not None:
        return [listed]
    fitting: dict[str, Entry] = {}
    for known, entry in catalogue.templates.items():
        if _fits(known, uri):
            fitting.setdefault(entry.server, _at(entry.server, _own(uri, known, entry)))
    if fitting:
        return list(fitting.values())
    having = [
        offer.id
        for offer in offers
        if offer.resources or offer.templates or "resources" in offer.capabilities
    ]
    meant = [
        _at(label, uri.removeprefix(prefix_of(label))) for label in having if uri.startswith(prefix_of(label))
    ]
    return [*meant, *(_at(label, uri) for label in having)]


def _own(uri: str, known: str, entry: Entry) -> str:
    """The URI without the label that made its template unique."""
    return uri[len(known) - len(entry.name) :]


def _at(server: str, uri: str) -> Entry:
    return Entry(server=server, name=uri, wire={})


def _fits(template: str, uri: str) -> bool:
    parsed = _parsed(template)
    return parsed is not None and parsed.match(uri) is not None


@lru_cache(maxsize=1_000)
def _parsed(template: str) -> UriTemplate | None:
    try:
        return UriTemplate.parse(template)
    except ValueError:
        return None
