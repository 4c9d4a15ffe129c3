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

STYLES = {"pass": "green", "missing": "red", "not measured": "yellow"}

MORE = """\
A unit is ready when its examples, schemas and faults are good (prowess test), 80 % of its file ran, what
a model reads is complete, lint has no warning, and its trigger cases (evals/triggers.yaml) are three of each
kind and find it. What is not measured, such as triggers without cases, decides nothing.
Exit status: 0 every unit is ready, 1 something is missing, 2 could not answer."""


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
        "diagnostics": [as_dict(each) for each in report.broken],
    }


def _lines(report: Report) -> Iterator[str]:
    from prowess.cli.text import finding

    for diagnostic in report.broken:
        yield from finding(diagnostic)
    for each in report.units:
        yield from _of_unit(each)
    ready = sum(each.ok for each in report.units)
    yield f"{ready} of {len(report.units)} ready"


def _of_unit(unit: Readiness) -> Iterator[str]:
    import sys

    answer = (
        screen.paint("pass", "green", sys.stdout) if unit.ok else screen.paint("not ready", "red", sys.stdout)
    )
    yield f"{screen.paint(unit.title, 'bold', sys.stdout)}  {printable(unit.place, 200)}: {answer}"
    for each in unit.points:
        word = screen.paint(f"{each.answer:12}", STYLES[each.answer], sys.stdout)
        detail = f" {each.detail}" if each.detail else ""
        yield f"  {each.name:9} {word}{detail}".rstrip()
