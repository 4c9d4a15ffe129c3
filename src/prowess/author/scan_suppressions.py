"""Findings that somebody has looked at and means to keep, each with a reason.

They stand in a TOML file that whoever scans names. Nothing in what is scanned can suppress anything:
its author would. A suppression without a reason acts on nothing and is a finding itself. It reads bytes
that were read elsewhere. Pure.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase

from prowess.author.scan import Finding
from prowess.errors import UsageError
from prowess.redact import printable
from prowess.spec.diagnostics import Place
from prowess.spec.rules import RULES

TABLE = "suppress"
KEYS = frozenset({"rule", "file", "holds", "reason"})
EXAMPLE = '[[suppress]] with rule = "scan-...", file = "skills/x/SKILL.md" and reason = "..."'


@dataclass(frozen=True, slots=True, kw_only=True)
class Suppression:
    """One entry. `file` is a pattern of paths (`*` for any), `holds` a part of the excerpt."""

    rule: str
    file: str = "*"
    holds: str = ""
    reason: str = ""
    line: int = 1

    def covers(self, finding: Finding) -> bool:
        """Whether a finding is meant."""
        return (
            finding.rule == self.rule
            and fnmatchcase(finding.place.file, self.file)
            and self.holds in finding.excerpt
        )


def read_suppressions(data: bytes, *, source: str) -> tuple[Suppression, ...]:
    """The entries of a file. Raises UsageError for what is no such file; `source` is its name there."""
    shown = printable(source, 300)
    try:
        text = data.decode("utf-8-sig")
        document = tomllib.loads(text)
    except (UnicodeDecodeError, tomllib.TOMLDecodeError, RecursionError) as error:
        raise UsageError(f"{shown}: is not TOML: {printable(str(error))}", hint=EXAMPLE) from None
    entries = document.get(TABLE)
    if set(document) != {TABLE} or not isinstance(entries, list):
        raise UsageError(f"{shown}: holds no list of suppressions", hint=EXAMPLE)
    lines = [n for n, line in enumerate(text.split("\n"), 1) if re.match(r"\s*\[\[\s*suppress\s*\]\]", line)]
    lines += [1] * len(entries)  # written inline
    return tuple(_entry(each, lines[at], shown) for at, each in enumerate(entries))


def _entry(value: object, line: int, shown: str) -> Suppression:
    where = f"{shown}:{line}"
    if not isinstance(value, dict) or not all(isinstance(each, str) for each in value.values()):
        raise UsageError(f"{where}: a suppression holds texts only", hint=EXAMPLE)
    if unknown := sorted(set(value) - KEYS):
        raise UsageError(f"{where}: unknown key {printable(unknown[0], 60)}", hint=EXAMPLE)
    rule = value.get("rule", "")
    if not rule.startswith("scan-") or rule not in RULES:
        raise UsageError(f"{where}: {printable(rule, 60) or 'no rule'} is no rule of the scan", hint=EXAMPLE)
    return Suppression(
        rule=rule,
        file=value.get("file", "*"),
        holds=value.get("holds", ""),
        reason=" ".join(value.get("reason", "").split()),
        line=line,
    )


def suppressed(findings: Iterable[Finding], suppressions: Sequence[Suppression]) -> tuple[Finding, ...]:
    """The findings, those that are meant with their reason."""
    acting = [each for each in suppressions if each.reason]
    return tuple(
        next(
            (replace(found, reason=printable(each.reason, 300)) for each in acting if each.covers(found)),
            found,
        )
        for found in findings
    )


def without_reason(suppressions: Iterable[Suppression], source: str) -> tuple[Finding, ...]:
    """A finding for each suppression that gives no reason; `source` is the file that they stand in."""
    return tuple(
        Finding(
            rule="scan-suppression-reason",
            place=Place(file=source, line=each.line),
            says=f"suppresses {each.rule} without a reason, and so does not",
        )
        for each in suppressions
        if not each.reason
    )
