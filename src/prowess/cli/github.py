"""The report of `check` as GitHub workflow commands: one annotation a finding.

A line is `::LEVEL key=value,...::message`. In a message `%` and line ends are written `%XX`, in a
value also `:` and `,`; so no text from a package can start a command of its own. What a log shows
is read on terminals too, so names and pointers come without control and bidi characters.
"""

from __future__ import annotations

from collections.abc import Iterable

from prowess.cli import screen
from prowess.cli.json_lines import Lines
from prowess.cli.verdict import LEVELS, Tally, Verdict
from prowess.redact import printable
from prowess.spec.diagnostics import Diagnostic

COMMANDS = {"error": "error", "warning": "warning", "note": "notice"}


def write(verdicts: Iterable[Verdict], tally: Tally) -> None:
    """Write each package's annotations as soon as it is judged."""
    for verdict in verdicts:
        lines = Lines(verdict)
        found = verdict.judgement.diagnostics
        screen.data("".join(f"{annotation(verdict, each, lines.line(each.place))}\n" for each in found))


def annotation(verdict: Verdict, diagnostic: Diagnostic, line: int | None) -> str:
    """One workflow command."""
    place = diagnostic.place
    values = {"file": screen.safe(verdict.file(place))}
    if line is not None:
        values["line"] = str(line)
    values["title"] = f"prowess {diagnostic.rule} ({diagnostic.reach.word})"
    told = ",".join(f"{key}={_value(value)}" for key, value in values.items())
    at = f"{printable(place.pointer, 300)}: " if place.pointer else ""
    hint = f"\nhint: {diagnostic.hint}" if diagnostic.hint else ""
    return f"::{COMMANDS[LEVELS[diagnostic.reach]]} {told}::{_message(f'{at}{diagnostic.message}{hint}')}"


def _message(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _value(text: str) -> str:
    return _message(text).replace(":", "%3A").replace(",", "%2C")
