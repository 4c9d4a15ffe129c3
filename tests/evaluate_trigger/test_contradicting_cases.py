"""Cases that cannot all be right, and files that are no files of cases."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest
from tests.evaluate_trigger.test_scoring_trials import LOST, MODEL, TWO

from prowess.errors import UsageError
from prowess.evaluate.cases import Case
from prowess.evaluate.cases_located import LARGEST
from prowess.evaluate.cases_reading import read_cases
from prowess.evaluate.trials import Trial
from prowess.evaluate.trials_scoring import score
from prowess.evaluate.trigger_library import read_case_file

COFFEE: dict[str, Any] = {"utterance": "A coffee, please!", "expect": ["brew-coffee"]}
AGAIN = "a coffee,  please"


@pytest.mark.parametrize(
    "other",
    [
        {"utterance": AGAIN, "skill": "brew-coffee", "kind": "negative"},
        {"utterance": AGAIN, "expect": [], "split": "train"},
    ],
)
def test_an_utterance_is_not_for_somebody_and_not_for_him(
    trigger: Any, skills: Path, cases: Any, other: dict[str, Any]
) -> None:
    ran = trigger(skills, "--cases", cases(COFFEE, other))
    assert ran.status == 2
    assert "cases.jsonl:2" in ran.err


@pytest.mark.parametrize(
    "other",
    [
        {"utterance": AGAIN, "skill": "fold-laundry", "kind": "negative"},
        {"utterance": AGAIN, "skill": "brew-coffee", "expect": [], "kind": "boundary"},
        {"utterance": AGAIN, "expect": ["water-plants"]},
    ],
)
def test_what_may_both_be_right_is_taken(
    trigger: Any, skills: Path, cases: Any, other: dict[str, Any]
) -> None:
    assert trigger(skills, "--cases", cases(COFFEE, other), "--json").json["cases"] == 2


def test_what_is_no_regular_file_is_called_that(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.yaml")
    for path in (tmp_path, tmp_path / "pipe.yaml"):
        with pytest.raises(UsageError, match="not a regular file"):
            read_case_file(str(path))
    with pytest.raises(UsageError, match="no such file"):
        read_case_file(str(tmp_path / "none.yaml"))


@pytest.mark.parametrize(
    "document",
    [
        [{"query": "a" * 20_001, "should_trigger": True, "skill": "s"}],
        {"skill": "s", "should_trigger": ["a" * 20_001], "should_not_trigger": []},
        [{"prompt": "a" * 20_001, "expected_skill": "s"}],
        {"format": True, "cases": [COFFEE]},
    ],
)
def test_other_formats_are_bounded_as_ours_is(document: Any) -> None:
    data = json.dumps(document).encode()
    assert len(data) < LARGEST
    with pytest.raises(UsageError, match=r"c\.json:1"):
        read_cases(data, "c.json")


def test_cases_without_an_answer_are_not_called_missing() -> None:
    cases = (Case(id="p", utterance="p", expect=("a",)), Case(id="n", utterance="n", kind="negative"))
    report = score([Trial(case=each, runs=(LOST,)) for each in cases], TWO, MODEL)
    assert report.verdict == "error"
    told = " ".join(each.detail for each in report.gates)
    assert "there are no" not in told
    assert told.count("none of them has an answer") == 2


def test_no_report_holds_what_turns_or_steers_a_terminal(
    trigger: Any, skills: Path, cases: Any, tmp_path: Path
) -> None:
    bad = "\x1b[31m \x9b2J \u202e \u2066 \U000e0041"
    file = cases({"id": f"id {bad}", "utterance": f"turn this {bad}", "expect": ["brew-coffee"], "lang": bad})
    for form in ("text", "json", "junit", "markdown"):
        ran = trigger(skills, "--cases", file, "--format", form, "--matrix", tmp_path / "m.svg")
        for text in (ran.out, ran.err, (tmp_path / "m.svg").read_text()):
            assert all(each.isprintable() or each == "\n" for each in text), form


def test_one_case_is_one_case(trigger: Any, skills: Path, cases: Any) -> None:
    assert "\n1 case, " in trigger(skills, "--cases", cases(COFFEE), "--format", "markdown").out
