"""`prowess readiness PATH`: what each unit still lacks before it is released."""

from __future__ import annotations

from prowess.cli import screen
from prowess.cli.trying import add_arguments, answer, told
from prowess.redact import printable

__all__ = ["MORE", "add_arguments", "run"]

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Iterator

    from prowess.evaluate.readiness import Readiness, Report
    from prowess.evaluate.workflow_readiness import Completion

STYLES = {"pass": "green", "missing": "red", "not measured": "yellow", "inconclusive": "yellow"}

MORE = """\
A unit is ready when its examples, schemas and faults are good (prowess test), 80 % of its file ran, what
a model reads is complete, lint has no warning, and its trigger cases (evals/triggers.yaml) are three of each
kind and find it. What is not measured, such as triggers without cases, decides nothing.
Of the runs of each version of a workflow that are over, 90 % completed, by the records of [workflows]; fewer
than 29 are inconclusive, unless they already show that it is not so, and decide nothing.
Exit status: 0 all is ready, 1 something is missing, 2 could not answer."""


def run(options: Namespace) -> int:
    """Try, sum up, answer."""
    told(options)
    from prowess.evaluate.readiness import readiness

    return answer(options, readiness(options.path, only=options.unit, live=options.live), _document, _lines)


def _document(report: Report) -> dict[str, object]:
    from prowess.cli.verdict import as_dict

    return {
        "ready": report.ok,
        "units": [each.to_dict() for each in report.units],
        "workflows": [each.to_dict() for each in report.workflows],
        "diagnostics": [as_dict(each) for each in report.broken],
    }


def _lines(report: Report) -> Iterator[str]:
    from prowess.cli.text import finding

    for diagnostic in report.broken:
        yield from finding(diagnostic)
    for each in report.units:
        yield from _of_unit(each)
    for ran in report.workflows:
        yield from _of_workflow(ran)
    yield f"{report.ready} of {report.tried} ready"


def _of_workflow(ran: Completion) -> Iterator[str]:
    import sys

    yield f"{_title(ran.title, ran.place)}: {_answer(ran.ok)}"
    word = screen.paint(f"{ran.answer:12}", STYLES[ran.answer], sys.stdout)
    yield f"  completion {word} {ran.detail}"


def _title(title: str, place: str) -> str:
    import sys

    return f"{screen.paint(printable(title, 120), 'bold', sys.stdout)}  {printable(place, 200)}"


def _answer(ok: bool) -> str:
    import sys

    return screen.paint("pass" if ok else "not ready", "green" if ok else "red", sys.stdout)


def _of_unit(unit: Readiness) -> Iterator[str]:
    import sys

    yield f"{_title(unit.title, unit.place)}: {_answer(unit.ok)}"
    for each in unit.points:
        word = screen.paint(f"{each.answer:12}", STYLES[each.answer], sys.stdout)
        detail = f" {each.detail}" if each.detail else ""
        yield f"  {each.name:9} {word}{detail}".rstrip()
