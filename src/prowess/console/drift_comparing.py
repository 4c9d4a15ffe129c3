"""How the plugins of a Host stand to what was frozen of them, and differences made fit for a page."""

from __future__ import annotations

import json
import textwrap
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from prowess.author.fixtures_snapshot import by_itself, has_fixtures, read_frozen
from prowess.capability.canonical import digest
from prowess.capability.drift import Drift, compare
from prowess.capability.snapshot import Snapshot
from prowess.errors import ProwessError
from prowess.host import Host
from prowess.host.packages import Package

UNSEEN_COST = 80  # bytes of a page that a character takes which cannot be seen
WIDE = 120  # characters of a line of a definition
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


def in_lines(value: Any) -> Iterator[str]:
    """A JSON value in lines none of which is wider than a page; a text keeps its own lines."""
    written = json.dumps(value, indent=2, ensure_ascii=False, sort_keys=True, default=str)
    for line in written.split("\n"):
        if len(line) <= WIDE:
            yield line
            continue
        indent = " " * min(WIDE // 2, len(line) - len(line.lstrip()) + 4)
        for part in line.replace("\\n", "\\n\n").split("\n"):
            yield from textwrap.wrap(
                part,
                WIDE,
                subsequent_indent=indent,
                drop_whitespace=False,
                expand_tabs=False,
                replace_whitespace=False,
            )


def fitting(lines: Iterable[str], most: int = MOST_BYTES) -> tuple[Sequence[str], bool]:
    """As many of the lines as a page can hold, and whether there are more."""
    kept: list[str] = []
    for line in lines:
        most -= len(line) + 60 + sum(UNSEEN_COST for each in line if not each.isprintable())
        if most < 0:
            return kept, True
        kept.append(line)
    return kept, False
