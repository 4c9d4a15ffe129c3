"""How the plugins of a Host stand to what was frozen of them, and differences made fit for a page."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from prowess.author.fixtures_snapshot import by_itself, has_fixtures, read_frozen
from prowess.capability.canonical import digest
from prowess.capability.drift import Drift, compare
from prowess.capability.snapshot import Snapshot
from prowess.errors import ProwessError
from prowess.host import Host
from prowess.host.packages import Package

UNSEEN_COST = 80  # bytes of a page that a character takes which cannot be seen
MOST_BYTES = 150_000  # of a difference on one page


@dataclass(frozen=True, slots=True, kw_only=True)
class Subject:
    """One plugin of a Host that has a snapshot."""

    label: str
    package: Package

    def now(self, host: Host) -> Snapshot:
        """What it offers now, its servers called as it calls them itself."""
        return by_itself(host.snapshot(self.label), self.package.ids)


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """A plugin against its fixtures; no `drift` where nothing is frozen, or it cannot be read (`fault`)."""

    label: str
    now: Snapshot
    drift: Drift | None = None
    fault: str = ""
    hint: str = ""
    has_fixtures: bool = False

    @property
    def effects(self) -> dict[str, int]:
        """How many changes have which effect."""
        return counted(self.drift) if self.drift is not None else {}

    @property
    def digest(self) -> str:
        """What is on offer now, in a few letters."""
        return digest(self.now.to_dict())


def subjects(host: Host) -> list[Subject]:
    """Every plugin that loads, folders of skills left out where there is something else."""
    loaded = [each for each in host.packages if each.judgement.plugin is not None]
    plugins = [each for each in loaded if not each.is_local] or loaded
    return [Subject(label=each.label, package=each) for each in plugins]


def standing_of(subject: Subject, now: Snapshot) -> Standing:
    """How a plugin stands; it reads the file that was frozen."""
    source = subject.package.source
    fixed = has_fixtures(source)
    try:
        frozen = read_frozen(source)
    except ProwessError as error:
        return Standing(
            label=subject.label, now=now, fault=error.message, hint=error.hint or "", has_fixtures=fixed
        )
    drift = None if frozen is None else compare(frozen, now)
    return Standing(label=subject.label, now=now, drift=drift, has_fixtures=fixed)


def counted(drift: Drift) -> dict[str, int]:
    """How many changes have which effect, the worst first."""
    found = Counter(each.effect for each in drift.changes)
    return {each: found[each] for each in ("breaking", "unknown", "compatible") if found[each]}


def fitting(lines: Iterable[str], most: int = MOST_BYTES) -> tuple[Sequence[str], bool]:
    """As many of the lines as a page can hold, and whether there are more."""
    kept: list[str] = []
    for line in lines:
        most -= len(line) + 60 + sum(UNSEEN_COST for each in line if not each.isprintable())
        if most < 0:
            return kept, True
        kept.append(line)
    return kept, False
