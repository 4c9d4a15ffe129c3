"""`prowess test PATH`: try units: their examples, schemas and faults, and what of their code ran."""

from __future__ import annotations

from prowess.cli import screen
from prowess.cli.trying import add_arguments, answer, told
from prowess.redact import printable

__all__ = ["MORE", "add_arguments", "run"]

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Iterator

    from prowess.evaluate.checks import Check, UnitReport, UnitReports

STYLES = {"ok": "green", "failed": "red", "skipped": "yellow"}

MORE = """\
An example is {"input": {...}, "output": {...}} or, in place of the output, "error": "words of it"; with
"http": [{"url": "...", "json": {...}}] it says what ctx.http is answered. The units' own code runs, but
nothing is sent anywhere without --live. Faults (timeout, upstream 500, garbage) are tried with an example
that asks something outside.
Exit status: 0 nothing failed, 1 something did, 2 could not answer."""


def run(options: Namespace) -> int:
    """Try, print, answer."""
    told(options)
    from prowess.evaluate.unit_tests import run_tests

    return answer(options, run_tests(options.path, only=options.unit, live=options.live), document, _lines)


def document(tested: UnitReports) -> dict[str, object]:
    """The report as JSON."""
    from prowess.cli.verdict import as_dict

    return {
        "ok": tested.ok,
        "units": [each.to_dict() for each in tested.units],
        "diagnostics": [as_dict(each) for each in tested.broken],
        "checks": dict(tested.counted),
    }


def _lines(tested: UnitReports) -> Iterator[str]:
    from prowess.cli.text import finding

    for diagnostic in tested.broken:
        yield from finding(diagnostic)
    for each in tested.units:
        yield from _of_unit(each)
    counted = ", ".join(f"{count} {status}" for status, count in tested.counted.items() if count)
    noun = "unit" if len(tested.units) == 1 else "units"
    yield f"{len(tested.units)} {noun}: {counted or 'nothing to try'}"


def _of_unit(report: UnitReport) -> Iterator[str]:
    import sys

    yield f"{screen.paint(report.unit.title, 'bold', sys.stdout)}  {printable(report.unit.place, 200)}"
    for check in report.checks:
        yield from _of_check(check)
    if report.coverage is not None:
        file = printable(report.unit.file.rpartition("/")[2], 80)
        missing = report.coverage.missing_words()
        told = f"; not run: {missing}" if missing else ""
        yield f"  {'coverage':8} {report.coverage.percent:.0f} % of {file}{told}"


def _of_check(check: Check) -> Iterator[str]:
    import sys

    word = screen.paint(f"{check.status:8}", STYLES[check.status], sys.stdout)
    detail = f": {check.detail}" if check.detail else ""
    kind = "" if check.kind in ("example", "load") else f"{check.kind}: "
    yield f"  {word} {kind}{check.name}{detail}"
    if check.hint and check.status != "ok":
        yield f"  {'':8} hint: {check.hint}"
