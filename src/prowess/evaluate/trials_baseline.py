"""A baseline: how each case came out once, committed beside the cases, so that a change can be decided on.

Cases are paired by what they are (`Case.digest`). Of a selector that always answers alike, more broken
than mended is a change for the worse; of any other, only what chance does not explain (McNemar, exact,
one-sided 5 %). With a baseline the change decides, and absolute limits are only told. Pure.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from prowess.errors import UsageError
from prowess.evaluate.cases import Case
from prowess.evaluate.selectors import Identity
from prowess.evaluate.statistics import ALPHA, mcnemar
from prowess.evaluate.trials import Trial
from prowess.evaluate.trials_report import Gate, Report, Verdict
from prowess.redact import printable

FORMAT = 1
DROP = 0.10  # of a capability's recall, beyond which it counts by itself
_HEAD = "prowess-trigger-baseline"
_KINDS = ("positive", "negative")


@dataclass(frozen=True, slots=True, kw_only=True)
class Baseline:
    """How much of each case came out right, by its digest; `recall` is that of each capability."""

    selector: str
    model: str
    right: Mapping[str, float]
    recall: Mapping[str, float]


def baseline_of(report: Report) -> Baseline:
    """The baseline that `report` makes. Raises UsageError where its answers are not all there and fresh."""
    if report.verdict in ("error", "stale"):
        raise UsageError(f"these trials are no baseline: {report.verdict}", hint="answer all of them first")
    return Baseline(
        selector=_name(report.selector),
        model=report.selector.model,
        right={e.case.digest: round(e.right, 4) for e in report.trials if e.case.kind in _KINDS},
        recall={e.id: round(e.recall.rate, 4) for e in report.skills if e.recall.rate is not None},
    )


def write_baseline(baseline: Baseline) -> str:
    """The text, in an order that does not change with the cases' order."""
    said = {
        _HEAD: FORMAT,
        "selector": baseline.selector,
        "model": baseline.model,
        "recall": dict(sorted(baseline.recall.items())),
        "right": dict(sorted(baseline.right.items())),
    }
    return json.dumps(said, indent=1) + "\n"


def read_baseline(text: str, file: str) -> Baseline:
    """The baseline in `text`; `file` is its name for messages. Raises UsageError."""
    shown = printable(file, 300)
    try:
        said = json.loads(text)
    except (ValueError, RecursionError):
        said = None
    if not isinstance(said, dict) or _HEAD not in said:
        raise UsageError(f"{shown}: is no baseline", hint="--write-baseline FILE makes one")
    if said[_HEAD] != FORMAT:
        raise UsageError(f"{shown}: baseline format {printable(str(said[_HEAD]), 20)} is not {FORMAT}")
    if not (_are_shares(said.get("right")) and _are_shares(said.get("recall"))):
        raise UsageError(f"{shown}: is damaged", hint="make it anew with --write-baseline")
    return Baseline(
        selector=str(said.get("selector")),
        model=str(said.get("model")),
        right=said["right"],
        recall=said["recall"],
    )


def _are_shares(value: Any) -> bool:
    return isinstance(value, dict) and all(
        isinstance(each, int | float) and not isinstance(each, bool) and 0 <= each <= 1
        for each in value.values()
    )


def compared(report: Report, baseline: Baseline) -> Report:
    """The report with the change since `baseline` as its gate.

    Raises UsageError for a baseline of another selector or model.
    """
    insist_on_same(report.selector, baseline)
    absolute = [
        each if each.verdict in ("error", "stale") else replace(each, counts=False) for each in report.gates
    ]
    return replace(report, gates=(*absolute, *_changes(report, baseline)))


def insist_on_same(selector: Identity, baseline: Baseline) -> None:
    """Raises UsageError for a baseline of another selector or model, to be told before anything is asked."""
    if (_name(selector), selector.model) != (baseline.selector, baseline.model):
        theirs = printable(" ".join(each for each in (baseline.selector, baseline.model) if each), 200)
        raise UsageError(f"the baseline is of {theirs}, so nothing can be compared", hint="make one of this")


def _changes(report: Report, baseline: Baseline) -> Iterable[Gate]:
    known = [e for e in report.trials if e.answered and e.case.digest in baseline.right]
    for kind, name in (("positive", "found"), ("negative", "left alone")):
        paired = [each for each in known if each.case.kind == kind]
        if paired:
            yield _gate(f"change in what is {name}", paired, baseline, report.selector)
    fallen = [
        f"{each.id} ({100 * baseline.recall[each.id]:.0f} to {100 * each.recall.rate:.0f} %)"
        for each in report.skills
        if each.recall.rate is not None and baseline.recall.get(each.id, 0.0) - each.recall.rate > DROP
    ]
    if fallen:
        verdict: Verdict = "fail" if report.selector.deterministic else "inconclusive"
        yield Gate(name="recall of one capability", verdict=verdict, detail="; ".join(fallen[:10]))
    now = {each.case.digest for each in report.trials}
    gone = sum(each not in now for each in baseline.right)
    if gone:
        detail = f"{gone} cases of the baseline are not there any more"
        yield Gate(name="cases", verdict="inconclusive", detail=detail + "; make it anew if that is meant")
    if not known:
        yield Gate(name="change", verdict="inconclusive", detail="no case is in the baseline")


def _gate(name: str, paired: list[Trial], baseline: Baseline, selector: Identity) -> Gate:
    broken = [e.case for e in paired if e.right < baseline.right[e.case.digest]]
    fixed = [e.case for e in paired if e.right > baseline.right[e.case.digest]]
    detail = f"of {len(paired)} cases {len(broken)} are worse and {len(fixed)} better{_ids(broken)}"
    worse = len(broken) > len(fixed)
    verdict: Verdict = "fail" if worse else "pass"
    if not selector.deterministic:
        chance = mcnemar(len(broken), len(fixed))
        detail += f"; by chance alone {100 * chance:.0f} %" if worse else ""
        verdict = "pass" if not worse else "fail" if chance < ALPHA else "inconclusive"
    return Gate(name=name, verdict=verdict, detail=detail)


def _ids(cases: list[Case]) -> str:
    shown = ", ".join(printable(each.id, 60) for each in cases[:5])
    return f" (worse: {shown}{', ...' if len(cases) > 5 else ''})" if cases else ""


def _name(selector: Identity) -> str:
    return selector.origin or selector.name
