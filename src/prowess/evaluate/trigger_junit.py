"""A report on triggering as JUnit XML. Pure.

What is decided are the tests: a gate that fails is a failure, one that is inconclusive or only told is
skipped, one that is stale or an error is an error. Each case is a test beside them; a case without an
answer is an error, one that came out wrong is skipped with what came, because one case decides nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from prowess.evaluate.trials import Trial
from prowess.evaluate.trials_report import Gate, Report

_UNFIT = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_ESCAPES = {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "\n": "&#10;", "\t": "&#9;", "\r": "&#13;"}
_MARKS = str.maketrans(_ESCAPES)

Ending = Literal["", "failure", "error", "skipped"]


@dataclass(frozen=True, slots=True)
class _Test:
    suite: str
    name: str
    ending: Ending = ""
    message: str = ""


def junit(report: Report) -> str:
    """The document."""
    gates = [_of_gate(each) for each in report.gates]
    cases = [_of_trial(each) for each in report.trials]
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        f"<testsuites {_attributes(name='prowess trigger')} {_counts([*gates, *cases])}>",
        *_suite(f"verdict: {report.verdict}", gates),
        *_suite(f"cases: {report.selector.measures}, {report.selector.title}", cases),
        "</testsuites>",
    ]
    return "\n".join(lines) + "\n"


def _of_gate(gate: Gate) -> _Test:
    endings: dict[str, Ending] = {"pass": "", "fail": "failure", "inconclusive": "skipped"}
    ending = endings.get(gate.verdict, "error")
    if not gate.counts and ending:
        ending = "skipped"
    return _Test("gates", gate.name, ending, f"{gate.verdict}: {gate.detail}")


def _of_trial(trial: Trial) -> _Test:
    case = trial.case
    suite, name = " ".join(case.expect) or case.skill or "nobody", f"{case.id}: {case.utterance}"
    if not trial.answered:
        told = trial.failures[0] if trial.failures else None
        return _Test(suite, name, "error", f"{told.code}: {told.message}" if told else "not asked")
    if trial.right == 1 or case.kind == "boundary":
        return _Test(suite, name)
    came = ", ".join(f"{id or 'nobody'} {count} x" for id, count in trial.first.items())
    return _Test(suite, name, "skipped", f"{case.kind} case of {case.place}: came {came}")


def _suite(name: str, tests: list[_Test]) -> Iterable[str]:
    yield f"  <testsuite {_attributes(name=name)} {_counts(tests)}>"
    for each in tests:
        said = _attributes(classname=each.suite, name=each.name)
        if each.ending:
            yield f"    <testcase {said}>"
            yield f"      <{each.ending} {_attributes(message=each.message)}/>"
            yield "    </testcase>"
        else:
            yield f"    <testcase {said}/>"
    yield "  </testsuite>"


def _counts(tests: list[_Test]) -> str:
    counts = {"tests": len(tests)}
    counts |= {f"{each}s": sum(e.ending == each for e in tests) for each in ("failure", "error")}
    counts["skipped"] = sum(each.ending == "skipped" for each in tests)
    return _attributes(**{name: str(count) for name, count in counts.items()})


def _attributes(**values: str) -> str:
    return " ".join(f'{name}="{xml_text(value)}"' for name, value in values.items())


def xml_text(text: str) -> str:
    """Text for XML 1.0: what cannot stand in it is left out, its marks are escaped, and what turns or hides
    text, or steers a terminal, is shown as what it is."""
    fit = _UNFIT.sub("", text)
    if not fit.isprintable():
        fit = "".join(
            each if each.isprintable() or each in "\t\n\r" else f"\\u{{{ord(each):x}}}" for each in fit
        )
    return fit.translate(_MARKS)
