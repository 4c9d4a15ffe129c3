"""`prowess units lint`: what could be better about units, in text or JSON."""

from __future__ import annotations

from prowess.cli import screen, units
from prowess.errors import NotFound, Unreadable
from prowess.redact import printable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Sequence

    from prowess.spec.diagnostics import Diagnostic
    from prowess.units.model import Unit
    from prowess.units.registry import Registry


def lint(options: Namespace) -> int:
    """Look, print, answer."""
    from prowess.spec.diagnostics import Reach
    from prowess.units.compatibility import judge_against
    from prowess.units.lint import lint as linted

    registry = _read(options.path)
    chosen = _chosen(registry.units, options.name)
    found = [*units.diagnostics_of(registry), *linted(chosen), *_among(options, registry.units, chosen)]
    if options.against is not None:
        found += judge_against(chosen, _read(options.against).units)
    found = list({(each.rule, str(each.place), each.message): each for each in found}.values())
    if options.format == "json":
        from prowess.cli.verdict import as_dict

        titles = [each.title for each in chosen]
        screen.document({"units": titles, "diagnostics": [as_dict(each) for each in found]})
    else:
        screen.data("".join(f"{line}\n" for line in _lines(chosen, found)))
    return 1 if any(each.reach >= Reach[options.fail_on.upper()] for each in found) else 0


def _among(options: Namespace, every: Sequence[Unit], chosen: Sequence[Unit]) -> list[Diagnostic]:
    """Advice about the chosen ones among all of them."""
    from prowess.cli.check_among import of_units

    own = {each.place.rpartition(":")[0] or each.place for each in chosen}
    return [each for each in of_units(options.path, every) if each.place.file in own]


def _read(path: str) -> Registry:
    from prowess.units.registry import Registry

    registry = Registry(units.roots_of(path))
    registry.refresh()
    if registry.failed:
        raise Unreadable(registry.failed[0])
    return registry


def _chosen(all_units: Sequence[Unit], name: str | None) -> list[Unit]:
    """Every unit, or every version of one."""
    found = [each for each in all_units if name in (None, each.name, each.title)]
    if not found and name is not None:
        known = printable(", ".join(sorted({each.name for each in all_units})), 500) or "none"
        raise NotFound(f"no unit named {printable(name, 80)}", hint=f"units: {known}")
    return found


def _lines(chosen: Sequence[Unit], found: Sequence[Diagnostic]) -> list[str]:
    from prowess.cli.text import finding

    lines = [line for each in found for line in finding(each)]
    counted = {reach: sum(each.reach == reach for each in found) for reach in {each.reach for each in found}}
    words = ", ".join(f"{counted[reach]} {reach.word}" for reach in sorted(counted, reverse=True))
    noun = "unit" if len(chosen) == 1 else "units"
    return [*lines, f"{len(chosen)} {noun}; {words or 'nothing to report'}"]
