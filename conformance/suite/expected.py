"""What is known to fail, and why, in one file a subject and revision; an entry that passes is stale.

The form is the suite's own: `server` or `client`, each a list of `scenario` or `scenario:check-id`.
Beside an entry stands its reason, as a comment, and a file without one for each entry is refused. As the
suite does, a warning counts as a failure here, so that none goes unseen.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import yaml
from conformance.suite.results import Check, Role, Scenario

_ENTRY = re.compile(r"^\s*-\s*(?P<entry>[^\s#]+)\s*(?:#\s*(?P<reason>\S.*))?$")


class Malformed(Exception):
    """A file of expected failures is not what it should be. Fit to print."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdicts:
    """How a run compares with what was expected of it."""

    unexpected: tuple[str, ...] = ()
    stale: tuple[str, ...] = ()
    known: tuple[tuple[str, str], ...] = field(default=())

    @property
    def holds(self) -> bool:
        """Whether everything is as the file says."""
        return not self.unexpected and not self.stale


def parse(text: str, name: str, role: Role) -> dict[str, str]:
    """The entries of one role and their reasons. Raises Malformed."""
    try:
        said = yaml.safe_load(text)
    except yaml.YAMLError as error:
        raise Malformed(f"{name}: no YAML: {error}") from error
    if said is None:
        return {}
    if not isinstance(said, dict) or set(said) - {"server", "client"}:
        raise Malformed(f"{name}: wants the lists `server` and `client`, nothing else")
    entries = said.get(role) or []
    if not isinstance(entries, list) or not all(isinstance(each, str) for each in entries):
        raise Malformed(f"{name}: `{role}` wants `scenario` or `scenario:check-id`, no space after the colon")
    reasons = _reasons(text)
    without = [each for each in entries if not reasons.get(each)]
    if without:
        raise Malformed(f"{name}: no reason beside {', '.join(without)}")
    doubled = [each for each in entries if ":" in each and each.partition(":")[0] in entries]
    if doubled or len(set(entries)) < len(entries):
        raise Malformed(f"{name}: the same thing is said twice: {', '.join(doubled or entries)}")
    return {each: reasons[each] for each in entries}


def _reasons(text: str) -> dict[str, str]:
    """The comment beside each entry, or the nearest one above it that stands alone."""
    reasons: dict[str, str] = {}
    above = ""
    for line in text.splitlines():
        if line.lstrip().startswith("#"):
            above = line.lstrip().removeprefix("#").strip()
        elif found := _ENTRY.match(line):
            reasons[found["entry"]] = found["reason"] or above
        else:
            above = ""
    return reasons


def load(folder: Path, subject: str, version: str, role: Role) -> dict[str, str]:
    """The file of a subject and revision; where there is none, nothing is expected to fail."""
    file = folder / f"{subject}-{version}.yml"
    try:
        return parse(file.read_text(encoding="utf-8"), file.name, role)
    except FileNotFoundError:
        return {}


def compare(scenarios: Sequence[Scenario], expected: dict[str, str]) -> Verdicts:
    """What failed and was not expected to, and what was expected to and did not."""
    unexpected: list[str] = []
    stale: list[str] = []
    known: list[tuple[str, str]] = []
    for scenario in scenarios:
        failing = [f"{scenario.name}:{each.id}" for each in scenario.checks if _failing(each)]
        if not scenario.checks:
            failing = [scenario.name]
        if scenario.name in expected:
            if failing:
                known.append((scenario.name, expected[scenario.name]))
            else:
                stale.append(scenario.name)
            continue
        unexpected += [each for each in failing if each not in expected]
        known += [(each, expected[each]) for each in failing if each in expected]
        passed = {f"{scenario.name}:{each.id}" for each in scenario.checks if each.verdict == "SUCCESS"}
        stale += sorted(passed & set(expected))
    names = {each.name for each in scenarios}
    stale += [each for each in expected if each.partition(":")[0] not in names]
    return Verdicts(unexpected=tuple(unexpected), stale=tuple(stale), known=tuple(known))


def _failing(check: Check) -> bool:
    return check.verdict in ("FAILURE", "WARNING")
