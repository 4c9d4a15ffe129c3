#!/usr/bin/env python3
"""Runs the public MCP conformance suite against what is built here, and tells what does not pass.

    python conformance/run.py                          everything
    python conformance/run.py own gateway-stdio        only these subjects
    python conformance/run.py own --version 2026-07-28 --scenario caching

What is known to fail is in conformance/expected, with the reason; an entry that passes is stale. Exit
status: 0 all is as those files say, 1 it is not, 2 it could not be run.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from conformance.suite.expected import Malformed
from conformance.suite.install import SUITE, SUITE_VERSION, CannotRun, installed
from conformance.suite.legs import Outcome, Runner
from conformance.suite.report import document, reasons, table
from conformance.suite.results import Unreadable
from conformance.suite.subjects import NEWER, OLDER, SUBJECTS

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent


def arguments(argv: Sequence[str] | None) -> argparse.Namespace:
    """What was asked for."""
    parser = argparse.ArgumentParser(
        description=f"Runs {SUITE} {SUITE_VERSION} against what is built here.",
        epilog="Exit status: 0 all is as conformance/expected says, 1 it is not, 2 it could not be run.",
    )
    names = [each.name for each in SUBJECTS]
    parser.add_argument("subjects", nargs="*", metavar="SUBJECT", help=f"{', '.join(names)} (all)")
    parser.add_argument("--version", action="append", choices=(OLDER, NEWER), help="a revision (both)")
    parser.add_argument("--scenario", action="append", default=[], help="only this scenario; may be repeated")
    parser.add_argument("--jobs", type=int, default=2, help="clients under way at once (2)")
    parser.add_argument("--json", action="store_true", help="one JSON object on stdout")
    parser.add_argument(
        "--cache",
        type=Path,
        default=ROOT / "build" / "conformance",
        help="where the suite and its Node are kept (build/conformance)",
    )
    parser.add_argument("--keep", type=Path, metavar="DIR", help="leave the suite's own files in DIR")
    chosen = parser.parse_args(argv)
    if unknown := sorted(set(chosen.subjects) - set(names)):
        parser.error(f"no such subject: {', '.join(unknown)}; there are {', '.join(names)}")
    if chosen.jobs < 1:
        parser.error("--jobs wants a number above 0")
    return chosen


def run(chosen: argparse.Namespace, work: Path) -> list[Outcome]:
    """All legs that were asked for. Raises CannotRun, Unreadable and Malformed."""
    runner = Runner(
        suite=installed(chosen.cache),
        expected=HERE / "expected",
        work=work,
        jobs=chosen.jobs,
        only=tuple(chosen.scenario),
    )
    outcomes: list[Outcome] = []
    for subject in SUBJECTS:
        if subject.name in (chosen.subjects or [subject.name]):
            print(f"{subject.name} ...", file=sys.stderr, flush=True)
            outcomes += runner.run(subject, chosen.version or (OLDER, NEWER))
    return [each for each in outcomes if each.scenarios]


def main(argv: Sequence[str] | None = None) -> int:
    """Run, tell, and say by the exit status how it went."""
    chosen = arguments(argv)
    try:
        if chosen.keep is not None:
            chosen.keep.mkdir(parents=True)
            outcomes = run(chosen, chosen.keep)
        else:
            with tempfile.TemporaryDirectory(prefix="conformance-") as work:
                outcomes = run(chosen, Path(work))
        if not outcomes:
            raise CannotRun("no such scenario in what was asked for")
    except (CannotRun, Unreadable, Malformed, OSError) as error:
        print(f"conformance: {error}", file=sys.stderr)
        return 2
    if chosen.json:
        print(json.dumps(document(outcomes), indent=2))
    else:
        print(table(outcomes))
        print(*reasons(outcomes), sep="\n")
    return 0 if all(each.verdicts.holds for each in outcomes) else 1


if __name__ == "__main__":
    sys.exit(main())
