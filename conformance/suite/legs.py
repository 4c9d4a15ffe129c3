"""One leg: the suite is run against a subject at one revision, and what it left is read.

A requirement set of server scenarios is one run of the suite, which takes them one after the other. The
client scenarios each start a client, and the suite would start all of them at once, so each is a run of
its own and only so many are under way.
"""

from __future__ import annotations

import shlex
import subprocess
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path

from conformance.suite.expected import Verdicts, compare, load
from conformance.suite.install import CannotRun, Suite
from conformance.suite.results import Required, Scenario, read, required
from conformance.suite.subjects import Leg, Subject, environment

SCENARIO_MS = 90_000
LEG_SECONDS = 600


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What one leg came to. `again` are the scenarios that failed at first and were run once more."""

    subject: str
    leg: Leg
    scenarios: tuple[Scenario, ...]
    verdicts: Verdicts
    again: tuple[str, ...] = ()

    @property
    def passed(self) -> int:
        """Scored scenarios that passed."""
        return sum(each.scored and not each.failed for each in self.scenarios)

    @property
    def scored(self) -> int:
        """Scored scenarios in all."""
        return sum(each.scored for each in self.scenarios)


@dataclass(frozen=True, slots=True, kw_only=True)
class Runner:
    """Runs subjects. `expected` is the folder of known failures, `work` a directory to work in.

    `only` are the names of the scenarios to run, or nothing for all of them; `jobs` says how many clients
    may be under way at once.
    """

    suite: Suite
    expected: Path
    work: Path
    jobs: int = 2
    only: tuple[str, ...] = ()

    def run(self, subject: Subject, versions: Sequence[str]) -> list[Outcome]:
        """Each leg of a subject at those revisions. Raises CannotRun."""
        legs = [each for each in subject.legs if each.version in versions]
        place = self.work / subject.name
        place.mkdir(parents=True)
        with ExitStack() as stack:
            url = ""
            if subject.start is not None and any(each.role == "server" for each in legs):
                url = subject.start(stack, place)
            return [self._outcome(subject, leg, url, place / f"{leg.role}-{leg.version}") for leg in legs]

    def _outcome(self, subject: Subject, leg: Leg, url: str, place: Path) -> Outcome:
        place.mkdir()
        wanted = self._wanted(leg)
        if leg.role == "server" and not (leg.only or self.only):
            self._call(place, "server", "--url", url, "--requirements", leg.version, "-o", str(place))
        else:
            self._each(subject, leg, url, wanted, place)
        scenarios = read(place, wanted, leg.role)
        expected = load(self.expected, subject.name, leg.version, leg.role)
        if self.only:
            expected = {each: why for each, why in expected.items() if each.partition(":")[0] in self.only}
        verdicts = compare(scenarios, expected)
        again = tuple(sorted({each.partition(":")[0] for each in verdicts.unexpected}))
        if again:
            scenarios = self._again(subject, leg, url, place / "again", scenarios, again)
            verdicts = compare(scenarios, expected)
        return Outcome(subject=subject.name, leg=leg, scenarios=scenarios, verdicts=verdicts, again=again)

    def _again(
        self,
        subject: Subject,
        leg: Leg,
        url: str,
        place: Path,
        scenarios: Sequence[Scenario],
        names: Sequence[str],
    ) -> tuple[Scenario, ...]:
        """Each of `names` once more, by itself: the suite looks for some things for half a second only."""
        place.mkdir()
        alone = replace(self, jobs=1)
        alone._each(subject, leg, url, Required(scored=tuple(names)), place)
        found = {each.name: each.checks for each in read(place, Required(scored=tuple(names)), leg.role)}
        return tuple(
            replace(each, checks=found[each.name]) if each.name in found else each for each in scenarios
        )

    def _wanted(self, leg: Leg) -> Required:
        wanted = (
            Required(scored=leg.only)
            if leg.only
            else required(self.suite.requirements, leg.version, leg.role)
        )
        if not self.only:
            return wanted
        return Required(
            scored=tuple(each for each in wanted.scored if each in self.only),
            others=tuple(each for each in wanted.others if each[0] in self.only),
        )

    def _each(self, subject: Subject, leg: Leg, url: str, wanted: Required, place: Path) -> None:
        how = ["--url", url] if leg.role == "server" else ["--command", shlex.join(subject.command)]
        names = [*wanted.scored, *(each for each, _ in wanted.others)]
        common = ["--spec-version", leg.version, "--force", "--timeout", str(SCENARIO_MS), "-o", str(place)]
        at_once = self.jobs if leg.role == "client" else 1
        with ThreadPoolExecutor(at_once) as pool:
            tuple(
                pool.map(lambda name: self._call(place, leg.role, *how, "--scenario", name, *common), names)
            )

    def _call(self, place: Path, *arguments: str) -> None:
        """The suite once. Its status says what its files say too, so only the files are looked at."""
        try:
            with (place / "suite.log").open("ab") as log:
                subprocess.run(
                    self.suite.command(*arguments),
                    stdin=subprocess.DEVNULL,
                    stdout=log,
                    stderr=log,
                    env=environment(place),
                    timeout=LEG_SECONDS,
                    check=False,
                )
        except subprocess.TimeoutExpired:
            raise CannotRun(f"the suite was not done in {LEG_SECONDS} s") from None
