"""A report on triggering as Markdown, for a comment on a pull request. Pure.

Utterances and names come from packages: they stand in code spans, where nothing of them is a mention, a
link or a tag.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from prowess.evaluate.trials_report import Confusion, Gate, Rate, Report
from prowess.redact import printable

MOST = 20  # confusions and failures that are listed
SIGNS = {"pass": "✅", "fail": "❌", "inconclusive": "❔", "stale": "🕓", "error": "⚠️"}
_FENCES = re.compile(r"`+")


def markdown(report: Report) -> str:
    """The comment."""
    sign = SIGNS[report.verdict]
    cases = "1 case" if len(report.trials) == 1 else f"{len(report.trials)} cases"
    lines = [
        f"### {sign} Triggering: {report.verdict}",
        "",
        f"{cases}, {report.capabilities} capabilities, {_code(report.selector.title)}: "
        f"**{report.selector.measures}**",
        "",
        *_table(("", "decided", "what was measured"), map(_gate, report.gates)),
        "",
        *_table(("measured", "rate (95 %)", "of"), _rates(report)),
        *_skills(report),
        *_confusions(report.confusions),
        *_failures(report),
        *(f"\n> {_plain(each)}" for each in report.notes),
    ]
    return "\n".join(lines) + "\n"


def _gate(gate: Gate) -> tuple[str, ...]:
    told = "" if gate.counts else " (told only)"
    return f"{SIGNS[gate.verdict]} {gate.verdict}", f"{_plain(gate.name)}{told}", _plain(gate.detail)


def _rates(report: Report) -> Iterator[tuple[str, str, str]]:
    for name, rate in rates(report):
        yield name, rate.percent, str(rate.of)


def rates(report: Report) -> Iterator[tuple[str, Rate]]:
    """All that was measured, by what it is called."""
    for at, rate in report.recall.items():
        if rate is not None:
            yield f"recall at {at}", rate
    for budget, rate in report.recall_at_tokens.items():
        if rate is not None:
            yield f"recall within {budget} tokens", rate
    for each in report.strata:
        yield f"false triggers, {each.name}", each.rate
    yield "nobody chosen, of positive cases", report.abstained
    yield "boundary cases", report.boundary


def _skills(report: Report) -> Iterator[str]:
    yield "\n<details><summary>By capability</summary>\n"
    rows = (
        (
            _code(each.id),
            each.recall.percent,
            each.precision.percent,
            each.near_miss.percent,
            each.hijacked.percent,
            str(each.errors),
            "yes" if each.completeness.complete else each.completeness.missing,
        )
        for each in report.skills
    )
    head = ("capability", "recall", "precision", "near misses", "taken of others'", "errors", "three of each")
    yield from _table(head, rows)
    yield "\n</details>"


def _confusions(confusions: tuple[Confusion, ...]) -> Iterator[str]:
    if not confusions:
        return
    yield f"\n<details><summary>{len(confusions)} that came out wrong</summary>\n"
    rows = (
        (
            _code(each.utterance),
            ", ".join(map(_code, each.wanted)) or "not who came",
            "nobody" if each.got is None else _code(each.got),
        )
        for each in confusions[:MOST]
    )
    yield from _table(("utterance", "wanted", "came"), rows)
    if len(confusions) > MOST:
        yield f"\nand {len(confusions) - MOST} more"
    yield "\n</details>"


def _failures(report: Report) -> Iterator[str]:
    if report.failures:
        yield f"\n{len(report.failures)} questions without an answer, which are part of no rate:\n"
        yield from (f"- {each.code}: {_code(each.message)}" for each in report.failures[:MOST])


def _table(head: Iterable[str], rows: Iterable[Iterable[str]]) -> Iterator[str]:
    head = list(head)
    yield f"| {' | '.join(head)} |"
    yield f"|{' --- |' * len(head)}"
    for row in rows:
        yield f"| {' | '.join(row)} |"


def _code(text: str) -> str:
    """A code span that fits into a cell of a table."""
    line = printable(text, 200).replace("|", "\\|")
    longest = max((len(run) for run in _FENCES.findall(line)), default=0)
    fence = "`" * (longest + 1)
    return f"{fence} {line} {fence}" if longest else f"`{line}`"


def _plain(text: str) -> str:
    """Text with everything that Markdown or a forge would read something into as it is."""
    return re.sub(r"([\\`*_\[\]<>|#@])", r"\\\1", printable(text, 500))
