"""What one run of the suite left behind: a `checks.json` for each scenario, and a requirement set.

A scenario fails when one of its checks does. Only what a revision requires is scored; the rest is run
and told. Checks with the same id count as one, the worst of them (as the suite itself counts).
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import yaml

Role = Literal["server", "client"]
Verdict = Literal["FAILURE", "WARNING", "SUCCESS", "SKIPPED", "INFO"]

# From the worst to the best.
VERDICTS: tuple[Verdict, ...] = ("FAILURE", "WARNING", "SUCCESS", "SKIPPED", "INFO")

_TIMED = re.compile(r"-\d{4}-\d{2}-\d{2}T[\d-]+Z$")


class Unreadable(Exception):
    """The suite left something that is not what it documents. Fit to print."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    """One check: its id, how it went, and why."""

    id: str
    verdict: Verdict
    message: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Scenario:
    """One scenario: whether it is scored (else why not), and its checks."""

    name: str
    scored: bool
    unscored_because: str = ""
    checks: tuple[Check, ...] = ()

    @property
    def failed(self) -> bool:
        """Whether it failed; one that was not run did."""
        return not self.checks or any(each.verdict == "FAILURE" for each in self.checks)


@dataclass(frozen=True, slots=True, kw_only=True)
class Required:
    """What a revision asks of one role: the scored scenarios, and the others with the reason."""

    scored: tuple[str, ...]
    others: tuple[tuple[str, str], ...] = ()


def required(folder: Path, version: str, role: Role) -> Required:
    """The requirement set of a revision. Raises Unreadable."""
    try:
        said = yaml.safe_load((folder / f"{version}.yaml").read_text(encoding="utf-8"))
        scored = tuple(str(each) for each in said[role])
        others = tuple(
            (str(each["scenario"]), str(each["reason"]))
            for each in said.get("not_scored", ())
            if each["leg"] == role
        )
    except (OSError, yaml.YAMLError, KeyError, TypeError, AttributeError) as error:
        raise Unreadable(f"no requirement set for {version}: {type(error).__name__}") from error
    return Required(scored=scored, others=others)


def read(folder: Path, wanted: Required, role: Role) -> tuple[Scenario, ...]:
    """Every scenario of `wanted`, in its order, as the suite left it in `folder`. Raises Unreadable."""
    found = dict(_found(folder, role))
    return (
        *(Scenario(name=each, scored=True, checks=found.get(each, ())) for each in wanted.scored),
        *(
            Scenario(name=each, scored=False, unscored_because=reason, checks=found.get(each, ()))
            for each, reason in wanted.others
        ),
    )


def _found(folder: Path, role: Role) -> Iterable[tuple[str, tuple[Check, ...]]]:
    for file in sorted(folder.rglob("checks.json")):
        name = _TIMED.sub("", file.parent.relative_to(folder).as_posix())
        yield name.removeprefix("server-") if role == "server" else name, _checks(file)


def _checks(file: Path) -> tuple[Check, ...]:
    try:
        said = json.loads(file.read_text(encoding="utf-8"))
        return worst([_check(each) for each in said])
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise Unreadable(f"{file.parent.name}/checks.json cannot be read: {error}") from error


def _check(said: dict[str, Any]) -> Check:
    verdict = said["status"]
    if verdict not in VERDICTS:
        raise ValueError(f"a check has the status {verdict!r}")
    return Check(id=str(said["id"]), verdict=verdict, message=str(said.get("errorMessage") or ""))


def worst(checks: Sequence[Check]) -> tuple[Check, ...]:
    """One check an id, the worst of them, in the order in which the ids came."""
    kept: dict[str, Check] = {}
    for each in checks:
        known = kept.get(each.id)
        if known is None or VERDICTS.index(each.verdict) < VERDICTS.index(known.verdict):
            kept[each.id] = each
    return tuple(kept.values())
