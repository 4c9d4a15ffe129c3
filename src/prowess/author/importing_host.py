"""Servers of an open Host as an import reads from them, and the places that its plugins give a skill.

A Host's own server is asked where it is up already; whatever else a skill came from has to be brought up
(`importing_opening`). Nothing is started here.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

from prowess.author.importing_opening import Opened, Reference
from prowess.author.importing_places import PERSONAL, PROJECT, Layout, Place, place_of
from prowess.errors import NotFound, UsageError
from prowess.host import Host
from prowess.host.packages import Package
from prowess.host.setup import Setup, config_file
from prowess.redact import printable
from prowess.store.installed_opening import installed_at

ASK_SECONDS = 30.0


def up_in(host: Host, setup: Setup, label: str, place: Place | None = None) -> Opened:
    """The server of a Host with that label, as a skill in `place` names it. Raises NotFound."""
    offer = next((each for each in host.offers if each.id == label), None)
    if offer is None:
        raise NotFound(f"no server called {printable(label, 100)}")
    package = next((each for each in host.packages if label in each.ids), None)

    async def ask(method: str, params: Mapping[str, Any]) -> Mapping[str, Any]:
        return await host.ask(label, method, params, timeout=ASK_SECONDS)

    return Opened(
        reference=_reference(setup, label, package, place),
        offer=offer,
        ask=ask,
        server=None if package is None else next(each for each in package.servers if each.id == label),
        root=os.path.abspath(setup.place if package is None else package.root),
    )


def _reference(setup: Setup, label: str, package: Package | None, place: Place | None) -> Reference:
    """By the prowess.toml where there is one; a plugin's own skill names the plugin alone."""
    own = place is not None and package is not None and _same(place.base, package.root)
    if package is not None and (own or config_file(setup.place) is None):
        return Reference(kind="plugin", path=os.path.abspath(package.root), name=package.ids[label])
    return Reference(kind="plugin", path=os.path.abspath(setup.place), name=label)


def label_in(host: Host, setup: Setup, reference: Reference) -> str | None:
    """The label of the Host's own connected server that a reference means, if it means one of these."""
    if reference.kind != "plugin":
        return None
    for offer in host.offers:
        if offer.status != "connected":
            continue
        package = next((each for each in host.packages if offer.id in each.ids), None)
        if reference.name == offer.id and _same(reference.path, setup.place):
            return offer.id
        if package is None or not _same(reference.path, package.root):
            continue
        if reference.name == package.ids[offer.id] or (not reference.name and len(package.ids) == 1):
            return offer.id
    return None


def _same(one: str, other: str) -> bool:
    """Whether two paths are one; a prowess.toml may be named by its directory."""
    real, others = os.path.realpath(one), os.path.realpath(other)
    return real == others or os.path.join(real, "prowess.toml") == others


def plugin_places(host: Host) -> tuple[Place, ...]:
    """The plugins of a Host that a skill can be written into; those that were installed are not edited."""
    roots = [each.root for each in host.packages if not each.is_local]
    whole = [each for each in roots if os.path.isfile(os.path.join(each, "plugin.json"))]
    return tuple(place_of(each) for each in dict.fromkeys(whole) if installed_at(each) is None)


def chosen_place(host: Host, to: str, layout: str) -> Place:
    """A project's or a person's place, or that of one of the Host's plugins. Raises UsageError."""
    if to in (PROJECT, PERSONAL):
        kind: Layout = "claude" if layout == "claude" else "agents"
        return place_of(to, kind)
    for each in plugin_places(host):
        if each.name == to:
            return each
    raise UsageError(f"{printable(to, 200)} is no place for a skill")
