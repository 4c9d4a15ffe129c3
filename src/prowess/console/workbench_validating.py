"""A pasted text judged, as the page tells it: the findings, and the lines of the text that they are about."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from prowess.capability.offer import Tool
from prowess.console.workbench_formatting import AROUND
from prowess.console.workbench_judging import Finding, judge_text, read_schema
from prowess.errors import NotFound, UsageError
from prowess.host import Host
from prowess.redact import printable
from prowess.spec.rules import RULES

KINDS = ("plugin", "mcp", "snapshot", "workflow", "unit", "tool", "schema")
MOST_LINES = 100
CONTEXT = 2  # lines before and after one with a finding
LONGEST = 2 * AROUND + 80  # characters of a line
OFFERED = 50  # tools that are offered to choose from


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One line of the text with what was found there; `after_gap` says that lines before it are left out."""

    number: int
    text: str
    findings: tuple[Finding, ...]
    after_gap: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Validated:
    """Everything found, the lines around it, and of how many; `rules` are those that have a page."""

    findings: tuple[Finding, ...]
    total: int
    lines: tuple[Line, ...]
    total_lines: int

    @property
    def rules(self) -> frozenset[str]:
        """The rules with a page of their own."""
        return frozenset(each.rule for each in self.findings) & RULES.keys()

    @property
    def fits(self) -> bool:
        """Whether nothing was found that leaves something out; notes and advice do not."""
        return all(each.reach in ("note", "advice") for each in self.findings)


def validated(text: str, kind: str, schema: object) -> Validated:
    """`text` judged as a `kind`."""
    judged = judge_text(text, "schema" if kind == "tool" else kind, schema)
    written = text.removeprefix("\ufeff").split("\n")
    lines = tuple(_lines(written, judged.findings))
    return Validated(findings=judged.findings, total=judged.total, lines=lines, total_lines=len(written))


def _lines(written: Sequence[str], found: Sequence[Finding]) -> Iterator[Line]:
    """All lines, or of a long text those around findings."""
    told: dict[int, list[Finding]] = {}
    for each in found:
        if each.line is not None:
            told.setdefault(each.line, []).append(each)
    wanted, near = range(1, len(written) + 1), set[int]()
    if len(written) > MOST_LINES:
        near = {at for line in told for at in range(line - CONTEXT, line + CONTEXT + 1) if at in wanted}
    before = 0
    for number in sorted(near or wanted)[:MOST_LINES]:
        here = tuple(told.get(number, ()))
        text = _cut(written[number - 1].removesuffix("\r"), here)
        yield Line(number=number, text=text, findings=here, after_gap=number != before + 1)
        before = number


def _cut(line: str, found: Sequence[Finding]) -> str:
    if len(line) <= LONGEST:
        return line
    at = next((each.column for each in found if each.column), 1) - 1
    begin = max(0, at - AROUND)
    end = begin + LONGEST
    return ("…" if begin else "") + line[begin:end] + ("…" if end < len(line) else "")


# -- which schema


def every_tool(host: Host) -> dict[str, Tool]:
    """The tools on offer, by their server and name."""
    return {f"{offer.id}/{each.name}": each for offer in host.offers for each in offer.tools}


def choices(host: Host, part: str) -> list[str]:
    """The first tools whose name holds `part`."""
    wanted = part.casefold()
    return [each for each in every_tool(host) if wanted in each.casefold()][:OFFERED]


def chosen_schema(host: Host, kind: str, tool: str, pasted: str) -> object:
    """The schema that a document is held against, or None where a judge needs none.

    Raises NotFound for a tool that is not offered, UsageError for an unknown kind and a pasted text
    that is no JSON.
    """
    if kind not in KINDS:
        raise UsageError("choose what the text is")
    if kind == "schema":
        return read_schema(pasted)
    if kind != "tool":
        return None
    offered = every_tool(host)
    named = [key for key in offered if tool in (key, offered[key].name)]
    if len(named) == 1:
        return offered[named[0]].input_schema
    if named:
        raise UsageError(f"several servers offer {printable(tool, 80)}: {printable(', '.join(named), 300)}")
    raise NotFound(f"no tool is called {printable(tool, 80)}; choose one that is offered")
