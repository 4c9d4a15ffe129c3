"""The corpus of units: one folder a rule, and what each has to be judged as."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from prowess.spec.diagnostics import Reach
from prowess.spec.rules import RULES
from prowess.units.discovery import judge

CORPUS = Path(__file__).parents[2] / "corpus" / "units"
CASES = sorted(path.parent for path in CORPUS.glob("*/expected.json"))

# Rules that no folder in the repository can show, and the tests that show them instead.
SHOWN_ELSEWHERE = {
    "unit-unreadable": "needs a file without permission or of a kind git does not keep: test_discovery.py",
    "unit-outside": "needs a link out of the folder: test_discovery.py",
    "unit-load-failed": "is found by importing, which judging never does: test_discovery.py",
    "unit-signature": "is found by importing, which judging never does: test_decorated.py",
}


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_a_folder_of_units_is_judged_as_expected(case: Path) -> None:
    expected = json.loads((case / "expected.json").read_text(encoding="utf-8"))
    found = judge(str(case / "units"))
    assert {
        "units": sorted(each.unit.title for each in found.units),
        "rules": sorted({each.rule for each in found.diagnostics}),
        "skipped": sorted({each.subject for each in found.diagnostics if each.reach >= Reach.ENTRY}),
    } == expected


def test_every_rule_about_units_has_a_corpus_case() -> None:
    shown = {rule for case in CASES for rule in json.loads((case / "expected.json").read_text())["rules"]}
    ours = {rule for rule in RULES if rule.startswith("unit-")}
    assert ours - shown == set(SHOWN_ELSEWHERE)
