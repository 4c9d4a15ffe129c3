"""The report of `trigger` for people: what was decided first, then the rates, then what went wrong."""

from __future__ import annotations

import sys

from prowess.cli import screen
from prowess.evaluate.trials_report import Report, SkillScore
from prowess.evaluate.trigger_markdown import rates
from prowess.redact import printable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

STYLES = {"pass": "green", "fail": "red", "inconclusive": "yellow", "stale": "yellow", "error": "red"}
MOST = 20  # confusions and failures that are listed


def lines(report: Report) -> Iterator[str]:
    """The report, line by line."""
    verdict = screen.paint(report.verdict, STYLES[report.verdict], sys.stdout)
    cases = "1 case" if len(report.trials) == 1 else f"{len(report.trials)} cases"
    yield f"{verdict}: {report.selector.measures} by {printable(report.selector.title, 200)}, {cases}"
    for gate in report.gates:
        word = screen.paint(f"{gate.verdict:12}", STYLES[gate.verdict], sys.stdout)
        told = "" if gate.counts else " (told only)"
        yield f"  {word} {gate.name}{told}: {printable(gate.detail, 500)}"
    yield "measured, with 95 % intervals"
    for name, rate in rates(report):
        yield f"  {name:32} {rate.percent}" + (f" of {rate.of}" if rate.of else "")
    for lang, rate in report.by_language.items():
        yield f"  {'recall, ' + printable(lang, 20):32} {rate.percent} of {rate.of}"
    yield from _skills(report)
    yield from _wrong(report)
    if report.calls:
        yield f"{report.calls} calls, about {report.spent} tokens"
    yield from (f"note: {each}" for each in report.notes)


def _skills(report: Report) -> Iterator[str]:
    asked = [each for each in report.skills if _was_asked(each)]
    if asked:
        yield "by capability: recall, precision, near misses, taken of others'"
    for each in asked:
        rates = (each.recall, each.precision, each.near_miss, each.hijacked)
        told = ", ".join("-" if rate.rate is None else f"{100 * rate.rate:.0f} %" for rate in rates)
        lacking = f"; lacks {each.completeness.missing}" if each.completeness.missing else ""
        errors = f"; {each.errors} without an answer" if each.errors else ""
        yield f"  {printable(each.id, 80)}: {told}{errors}{lacking}"


def _was_asked(of: SkillScore) -> bool:
    return bool(of.recall.of or of.near_miss.of or of.precision.of or of.boundary.of or of.errors)


def _wrong(report: Report) -> Iterator[str]:
    if report.confusions:
        yield "came out wrong"
    for each in report.confusions[:MOST]:
        wanted = ", ".join(printable(name, 80) for name in each.wanted)
        told = f", {wanted} was wanted" if wanted else ", and was not to"
        got = "nobody" if each.got is None else printable(each.got, 80)
        share = f" in {100 * each.share:.0f} % of the runs" if each.share < 1 else ""
        place = f"{each.place}: " if each.place else ""
        yield f"  {place}{printable(each.utterance, 100)!r}: {got} came{told}{share}"
    if len(report.confusions) > MOST:
        yield f"  and {len(report.confusions) - MOST} more"
    if report.failures:
        yield "without an answer"
    for failure in report.failures[:MOST]:
        yield f"  {printable(failure.case, 80)}: {failure.code}: {failure.message}"
    if len(report.failures) > MOST:
        yield f"  and {len(report.failures) - MOST} more"
