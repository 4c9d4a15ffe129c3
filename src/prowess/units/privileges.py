"""What a unit's declared permissions are worth, in words: in this process, and in a process of its own."""

from __future__ import annotations

from prowess.redact import printable
from prowess.units.addresses import networks
from prowess.units.confining import Powers, confinement, probe, report
from prowess.units.hosts import declared
from prowess.units.model import Unit

HERE = (
    "In this process: its context refuses everything that is not declared here, the code itself is trusted.",
    "Python that goes around its context is not held back; run only units whose code you would run anyway.",
)
APART = "As part of an installed plugin it runs in a process of its own, never in this one."


def words(unit: Unit, powers: Powers | None = None) -> list[str]:
    """Both ways of running it, a line for each thing worth knowing; `powers` are this machine's."""
    powers = probe() if powers is None else powers
    # The plugin's own places are called by what they are: this unit may not be installed at all.
    shut = confinement([unit.permissions], root="its own folder", data="its data directory")
    shown = report(shut, powers)
    means = "" if shown.means == "nothing" else f" by {shown.means}"
    lines = [*_odd(unit), *HERE, APART]
    lines += [f"closed there{means}: {each}" for each in shown.closed]
    lines += [f"not closed there: {each}" for each in shown.open]
    return [printable(each, 500) for each in lines]


def _odd(unit: Unit) -> list[str]:
    """What was declared and grants nothing, because it cannot be read."""
    _, hosts = declared(unit.permissions.hosts)
    _, addresses = networks(unit.permissions.addresses)
    kinds = (("host", hosts), ("address", addresses))
    return [
        f"the {kind} {printable(each, 100)} cannot be read and grants nothing"
        for kind, found in kinds
        for each in found
    ]
