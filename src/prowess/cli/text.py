"""The report of `check` for people: one block a package, one line a finding, a summary."""

from __future__ import annotations

import sys
from collections.abc import Iterable

from prowess.cli import screen
from prowess.cli.verdict import Tally, Verdict
from prowess.redact import printable
from prowess.spec.diagnostics import Diagnostic, Reach

STYLE = {
    Reach.PLUGIN: "red",
    Reach.COMPONENT: "red",
    Reach.ENTRY: "red",
    Reach.CONNECTION: "yellow",
    Reach.NOTE: "yellow",
    Reach.ADVICE: "cyan",
}
WIDE = max(len(each.word) for each in Reach)


def write(verdicts: Iterable[Verdict], tally: Tally) -> None:
    """Write each block as soon as its package is judged, and the summary at the end."""
    for verdict in verdicts:
        screen.data("".join(f"{line}\n" for line in block(verdict)))
    screen.data(f"{tally.words()}\n")


def block(verdict: Verdict) -> list[str]:
    """The lines about one package."""
    lines = [_title(verdict), f"  {_loaded(verdict)}"]
    for each in verdict.judgement.diagnostics:
        lines += finding(each)
    return [*lines, ""]


def _title(verdict: Verdict) -> str:
    path = screen.paint(printable(verdict.path, 500), "bold", sys.stdout)
    plugin = verdict.judgement.plugin
    if verdict.kind == "skills":
        return f"{path}: skills without a plugin"
    if verdict.kind in ("units", "content", "workflows"):
        return f"{path}: {verdict.kind}"
    if plugin is None:
        return f"{path}: {screen.paint('rejected', 'red', sys.stdout)}"
    manifest = plugin.manifest
    version = f" {printable(manifest.version, 60)}" if manifest.version else ""
    return f"{path}: {manifest.name}{version}, Agent Plugins {manifest.spec}"


def _loaded(verdict: Verdict) -> str:
    """What loads; under the lenient profile both counts, and what that profile is."""
    if verdict.kind == "units":
        return f"{_count(verdict.units, 'unit')} {'loads' if verdict.units == 1 else 'load'}"
    if verdict.kind == "workflows":
        return f"{_count(verdict.workflows, 'workflow')} {'loads' if verdict.workflows == 1 else 'load'}"
    if verdict.kind == "content":
        *most, last = (_count(number, noun[:-1]) for noun, number in verdict.content.items())
        return f"{', '.join(most)} and {last} load"
    loads = f"{_count(len(verdict.skills), 'skill')} and {_count(verdict.servers, 'server')} load"
    if verdict.judgement.rejected is not None:
        loads = "nothing loads"
    if verdict.judgement.profile == "spec":
        return loads
    strict = verdict.judgement.strict_skills
    return (
        f"{loads} under the lenient profile, which is outside the specification; "
        f"by its letter {_count(strict, 'skill')}"
    )


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" + ("" if number == 1 else "s")


def finding(diagnostic: Diagnostic) -> list[str]:
    """The lines about one diagnostic."""
    word = screen.paint(f"{diagnostic.reach.word:{WIDE}}", STYLE[diagnostic.reach], sys.stdout)
    section = f", {diagnostic.section}" if diagnostic.section else ""
    origin = screen.paint(f"[{diagnostic.rule}{section}]", "dim", sys.stdout)
    lines = [f"  {word} {printable(str(diagnostic.place), 300)}: {diagnostic.message} {origin}"]
    if diagnostic.hint:
        lines.append(f"  {'':{WIDE}} hint: {diagnostic.hint}")
    return lines
