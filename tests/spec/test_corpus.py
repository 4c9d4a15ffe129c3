"""The corpus: one package a rule, and what each has to be judged as."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from prowess.source.judging import judge
from prowess.spec.rules import RULES

CORPUS = Path(__file__).parent.parent / "corpus"
CASES = sorted(path.parent for path in CORPUS.glob("*/expected.json"))

# Rules that no package in the repository can show, and the tests that show them instead.
SHOWN_ELSEWHERE = {
    "skill-unreadable": "needs a file over a mebibyte or one without permission: test_loading.py",
    "mcp-version-mismatch": "needs a second supported version: test_versions.py",
}


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_a_corpus_package_is_judged_as_expected(case: Path) -> None:
    expected = json.loads((case / "expected.json").read_text(encoding="utf-8"))
    judgement = judge(str(case / "plugin"), profile=expected.pop("profile", "spec"))
    plugin = judgement.plugin
    found: dict[str, Any] = {
        "rejected": judgement.rejected is not None,
        "loaded": {
            "skills": [skill.name for skill in plugin.skills] if plugin else [],
            "mcpServers": [server.id for server in plugin.servers] if plugin else [],
        },
        "skipped": [each.subject for each in judgement.skipped],
        "reported": list(judgement.reported),
        "rules": sorted({each.rule for each in judgement.diagnostics}),
    }
    assert found == expected
    assert (plugin is None) == found["rejected"]


def test_every_rule_of_the_judge_has_a_corpus_case() -> None:
    shown = {rule for case in CASES for rule in json.loads((case / "expected.json").read_text())["rules"]}
    ours = {rule for rule in RULES if rule.partition("-")[0] in {"package", "manifest", "mcp", "server"}}
    assert ours - shown - set(SHOWN_ELSEWHERE) == set()
