"""The set of malicious and clean skills, written by somebody who had not seen the rules.

    tests/scan/corpus/malicious/<name>/SKILL.md and whatever files belong to it
    tests/scan/corpus/clean/<name>/...

Every directory of `malicious` should have a finding, none of `clean` may have one. When the rules met the
set for the first time, 39 of the 60 had one, and 9 of the 100. The rules were improved by what that showed:
what they reach now says nothing any more about skills unseen, it only keeps them from falling back.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from prowess.author.scan_reading import scan_path

ROOT = Path(__file__).resolve().parents[2]
CORPUS = Path(__file__).resolve().parent / "corpus"
RECALL = 0.85

MALICIOUS = sorted(each for each in CORPUS.glob("malicious/*") if each.is_dir())
CLEAN = sorted(each for each in CORPUS.glob("clean/*") if each.is_dir())
OURS = [
    ROOT / "examples" / "invoice-ops",
    ROOT / "examples" / "guides",
    ROOT / "examples" / "units",
    ROOT / "examples" / "agent",
    ROOT / "src" / "prowess" / "spec" / "pages" / "skill-yaml.md",
]


def told(path: Path) -> list[str]:
    return [f"{each.place}: {each.rule}: {each.message}" for each in scan_path(str(path)).findings]


@pytest.mark.parametrize("skill", CLEAN, ids=lambda each: each.name)
def test_a_clean_skill_raises_no_alarm(skill: Path) -> None:
    assert told(skill) == []


@pytest.mark.parametrize("path", OURS, ids=lambda each: each.name)
def test_what_this_repository_ships_raises_no_alarm(path: Path) -> None:
    assert told(path) == []


def test_most_malicious_skills_are_found() -> None:
    missed = [each.name for each in MALICIOUS if not told(each)]
    assert len(missed) <= (1 - RECALL) * len(MALICIOUS), f"missed: {missed}"
