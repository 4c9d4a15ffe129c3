"""The report of `check` as SARIF 2.1.0 (OASIS), one run for all packages.

Every result has a physical location with a start line, since code scanning services leave out
results without one; a place known by JSON pointer carries the pointer as its logical location.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any
from urllib.parse import quote

from prowess import __version__
from prowess.cli import screen
from prowess.cli.json_lines import Lines
from prowess.cli.verdict import LEVELS, Tally, Verdict
from prowess.spec.diagnostics import Diagnostic
from prowess.spec.rules import RULES

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"


def write(verdicts: Iterable[Verdict], tally: Tally) -> None:
    """Write one log with one run."""
    screen.document(log(verdicts))


def log(verdicts: Iterable[Verdict]) -> dict[str, Any]:
    """The SARIF log; only rules that were met are described."""
    rules: dict[str, int] = {}
    results: list[dict[str, Any]] = []
    for verdict in verdicts:
        lines = Lines(verdict)
        found = verdict.judgement.diagnostics
        places = {each.place.file: each.place for each in found}
        uris = {file: _uri(verdict.file(place)) for file, place in places.items()}
        results += [_result(uris[each.place.file], each, lines.line(each.place), rules) for each in found]
    driver = {"name": "prowess", "version": __version__, "rules": [_rule(each) for each in rules]}
    run = {"tool": {"driver": driver}, "columnKind": "unicodeCodePoints", "results": results}
    return {"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}


def _rule(rule: str) -> dict[str, Any]:
    reach, section = RULES[rule]
    return {
        "id": rule,
        "shortDescription": {"text": rule.replace("-", " ")},
        "help": {"text": f"{section}. prowess explain {rule} tells more."},
        "defaultConfiguration": {"level": LEVELS[reach]},
        "properties": {"reach": reach.word, "section": section},
    }


def _result(uri: str, diagnostic: Diagnostic, line: int | None, rules: dict[str, int]) -> dict[str, Any]:
    place = diagnostic.place
    hint = f"\nHint: {diagnostic.hint}" if diagnostic.hint else ""
    location: dict[str, Any] = {
        "physicalLocation": {
            "artifactLocation": {"uri": uri},
            "region": {"startLine": line or 1},
        }
    }
    if place.pointer:
        location["logicalLocations"] = [{"fullyQualifiedName": place.pointer}]
    return {
        "ruleId": diagnostic.rule,
        "ruleIndex": rules.setdefault(diagnostic.rule, len(rules)),
        "level": LEVELS[diagnostic.reach],
        "message": {"text": f"{diagnostic.message}{hint}"},
        "locations": [location],
        "properties": {"reach": diagnostic.reach.word},
    }


def _uri(file: str) -> str:
    """A relative reference, or a file URI for a path outside the working directory."""
    escaped = quote(file, errors="surrogateescape")
    return f"file://{escaped}" if file.startswith("/") else escaped
