"""One package's verdict, as the formats of `check` write it, and how many there were of each reach."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field

from prowess.spec.diagnostics import Diagnostic, Place, Reach
from prowess.spec.model import Judgement, Skill


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """What was said about one PATH.

    `kind` is `plugin`, `skills` (a folder without a manifest), `units`, `content` or `workflows`;
    `content` says how many there are of each kind of content.
    """

    path: str
    kind: str
    judgement: Judgement
    skills: tuple[Skill, ...] = ()
    units: int = 0
    content: Mapping[str, int] = field(default_factory=dict)
    workflows: int = 0

    @property
    def servers(self) -> int:
        """How many servers are configured validly."""
        return len(self.judgement.plugin.servers) if self.judgement.plugin else 0

    def file(self, place: Place) -> str:
        """Where a place is, as seen from the working directory, written with `/`."""
        root = os.path.dirname(self.path) if self.kind == "units" and os.path.isfile(self.path) else self.path
        path = os.path.normpath(os.path.join(root, *place.file.split("/")))
        try:
            path = path.removeprefix(os.getcwd() + os.sep)
        except OSError:  # the working directory is gone; there is nothing to be relative to
            pass
        return path.replace(os.sep, "/")


@dataclass(slots=True, kw_only=True)
class Tally:
    """What all verdicts add up to."""

    packages: int = 0
    rejected: int = 0
    reaches: dict[Reach, int] = field(default_factory=lambda: dict.fromkeys(sorted(Reach, reverse=True), 0))

    def add(self, verdict: Verdict) -> None:
        """Count one verdict."""
        self.packages += 1
        self.rejected += verdict.judgement.rejected is not None
        for each in verdict.judgement.diagnostics:
            self.reaches[each.reach] += 1

    def at_or_above(self, reach: Reach) -> int:
        """How many diagnostics go that far."""
        return sum(count for each, count in self.reaches.items() if each >= reach)

    def words(self) -> str:
        """The summary line."""
        found = ", ".join(f"{count} {reach.word}" for reach, count in self.reaches.items() if count)
        noun = "package" if self.packages == 1 else "packages"
        return f"{self.packages} {noun}, {self.rejected} rejected; {found or 'nothing to report'}"


LEVELS = {  # one mapping for every format that knows three levels
    Reach.PLUGIN: "error",
    Reach.COMPONENT: "error",
    Reach.ENTRY: "error",
    Reach.CONNECTION: "warning",
    Reach.NOTE: "warning",
    Reach.ADVICE: "note",
}


def as_dict(diagnostic: Diagnostic) -> dict[str, object]:
    """A diagnostic as JSON."""
    return {
        "rule": diagnostic.rule,
        "reach": diagnostic.reach.word,
        "file": diagnostic.place.file,
        "line": diagnostic.place.line,
        "pointer": diagnostic.place.pointer,
        "message": diagnostic.message,
        "hint": diagnostic.hint,
        "section": diagnostic.section,
        "subject": diagnostic.subject,
    }
