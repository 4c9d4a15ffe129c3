"""The diagnostics of one package as its page shows them: where each is shown, and the line that it means.

Advice on descriptions is added to what the loader told: what a ranking or a model finds hard to choose.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from prowess.console.packages_known import Known
from prowess.console.packages_missing import anchor
from prowess.errors import ProwessError
from prowess.source.directory import DirectorySource
from prowess.spec import limits
from prowess.spec.diagnostics import Diagnostic, Place, Reach, first_of_each_reach
from prowess.spec.json_lines import pointer_lines

MOST = 30  # of each reach
STATES = {Reach.ADVICE: "off", Reach.NOTE: "warn", Reach.CONNECTION: "warn"}  # the others: bad


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One diagnostic, the name of its place on the page, and its line (0: none)."""

    told: Diagnostic
    at: str
    line: int

    @property
    def state(self) -> str:
        """How far it goes, as a state."""
        return STATES.get(self.told.reach, "bad")


def findings(package: Known) -> tuple[Finding, ...]:
    """What the loader told of a package, at most `MOST` of each reach. Blocking."""
    told = package.judgement.diagnostics
    shown = {id(each) for each in first_of_each_reach(told, MOST)}
    return _placed(package, [(anchor(at), each) for at, each in enumerate(told) if id(each) in shown])


def advice(package: Known, tell: Callable[[str], None]) -> tuple[Finding, ...]:
    """What could be better about descriptions; `tell` hears of unreadable trigger cases. Blocking."""
    try:
        told = list(_advice(package, tell))
    except ProwessError as error:
        tell(error.message)
        return ()
    return _placed(package, [(f"advice-{at + 1}", each) for at, each in enumerate(told[:MOST])])


def _advice(package: Known, tell: Callable[[str], None]) -> Iterable[Diagnostic]:
    if package.kind == "plugin" and not package.is_rejected:
        from prowess.content.judging import advice_for_plugin

        yield from advice_for_plugin(package.root)
    if package.skills:
        from prowess.evaluate.advising_among import of_skills

        yield from of_skills(package.root, package.skills, tell)
    if package.kind == "units":
        from prowess.evaluate.advising_among import of_units
        from prowess.units.discovery import judge

        yield from of_units(package.root, [each.unit for each in judge(package.root).units], tell)


def _placed(package: Known, told: Sequence[tuple[str, Diagnostic]]) -> tuple[Finding, ...]:
    lines = _lines(package.source, [each.place for _, each in told])
    return tuple(Finding(told=each, at=at, line=lines(each.place)) for at, each in told)


def _lines(source: DirectorySource, places: Iterable[Place]) -> Callable[[Place], int]:
    """The line of each place, by its pointer where it has one; a file is read once."""
    wanted: dict[str, set[str]] = defaultdict(set)
    for each in places:
        if each.line is None and each.pointer:
            wanted[each.file].add(each.pointer)
    known: dict[str, dict[str, int]] = {}
    for file, pointers in wanted.items():
        data = source.read(file, limits.JSON_BYTES)
        text = data.decode("utf-8", "replace") if isinstance(data, bytes) else ""
        known[file] = pointer_lines(text, pointers)

    def line(place: Place) -> int:
        return place.line or known.get(place.file, {}).get(place.pointer or "", 0)

    return line
