"""`prowess search` and `prowess catalogue`: what they print, from where, and their exit status."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest
from tests.acceptance.packages import entry, plugin
from tests.commanding import Run, commanding

from prowess.choose.catalogue import FORMATS
from prowess.choose.estimate import tokens


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    return commanding(capsys)


@pytest.fixture
def skills(tmp_path: Path) -> Path:
    root = tmp_path / "skills-folder"
    for name, text in {
        "pay-invoices": "Pays open bills by bank transfer. Use when an invoice is due.",
        "plan-trips": "Plans journeys by train & plane. Use when somebody <travels>.",
        "write-letters": "Writes letters. Use when a text is to be sent.",
    }.items():
        (root / name).mkdir(parents=True)
        (root / name / "SKILL.md").write_text(f"---\nname: {name}\ndescription: {text}\n---\nSteps.\n")
    return root


@pytest.fixture
def units(tmp_path: Path) -> Path:
    folder = tmp_path / "units" / "query_weather"
    folder.mkdir(parents=True)
    said = {
        "name": "query_weather",
        "description": "Says the weather.",
        "triggers": ["is it raining"],
        "core": True,
    }
    (folder / "schema.json").write_text(json.dumps(said))
    (folder / "skill.py").write_text("class Unit:\n    async def execute(self, params):\n        return {}\n")
    return folder.parent


def test_the_best_is_printed_with_its_score_and_its_words(run: Run, skills: Path) -> None:
    ran = run("search", skills, "the bank transfer of an invoice")
    assert ran.status == 0
    first, _, matched = ran.out.splitlines()[:3]
    assert first.startswith("pay-invoices (skill)  score ")
    assert "description: bank, transfer, invoice" in matched
    assert "1 of 3 found" in ran.out


def test_json_holds_ranks_scores_words_and_what_was_left_out(run: Run, skills: Path) -> None:
    found = run("search", skills, "invoice letters train", "--budget", "60", "--json").json
    assert found["found"] == 3 and found["budget"] == 60 and found["tokens"] <= 60
    scores = [each["score"] for each in found["shown"]]
    assert scores == sorted(scores, reverse=True)
    assert found["left_out"] and all(each["why"] for each in found["left_out"])
    assert found["shown"][0]["matched"]
    assert found["runner_up"]["words"]


def test_nothing_that_answers_exits_with_1_and_names_what_there_is(run: Run, skills: Path) -> None:
    ran = run("search", skills, "qqq zzz")
    assert ran.status == 1
    assert "none of 3 says that" in ran.out and "pay-invoices" in ran.out
    assert run("search", skills, "qqq", "--json").json["names"] == [
        "pay-invoices",
        "plan-trips",
        "write-letters",
    ]


def test_several_paths_are_searched_as_one(run: Run, skills: Path, units: Path) -> None:
    found = run("search", skills, units, "is it raining on trips by train", "--json").json
    assert {each["id"] for each in found["shown"]} >= {"query_weather", "plan-trips"}


def test_the_core_is_shown_whatever_is_asked(run: Run, skills: Path, units: Path) -> None:
    shown = run("search", skills, units, "bank transfer", "--json").json["shown"]
    assert [(each["id"], each["core"]) for each in shown] == [
        ("query_weather", True),
        ("pay-invoices", False),
    ]
    shown = run("search", skills, "bank transfer", "--core", "write-letters", "--json").json["shown"]
    assert [each["id"] for each in shown] == ["write-letters", "pay-invoices"]


def test_a_limit_is_kept_and_what_is_beyond_is_counted(run: Run, skills: Path) -> None:
    ran = run("search", skills, "invoice letters train", "--limit", "1")
    assert "2 more beyond --limit" in ran.out


def test_with_a_snapshot_nothing_is_started(run: Run, tmp_path: Path) -> None:
    log = tmp_path / "log"
    books = plugin(tmp_path / "books", {"ledger": entry(log)})
    frozen = tmp_path / "books.json"
    assert run("snapshot", books, "--out", frozen).status == 0
    live = run("search", books, "reads a week", "--json")
    ran = run("search", books, "reads a week", "--snapshot", frozen, "--json")
    assert "running" in live.err and "running" not in ran.err
    assert [each["id"] for each in ran.json["shown"]] == [each["id"] for each in live.json["shown"]]
    assert ran.json["shown"][0]["id"] == "read"


@pytest.mark.parametrize(
    "arguments",
    [
        (),
        ("--budget", "-1"),
        ("--budget", "many"),
        ("--limit", "0"),
        ("--core", "nobody"),
        ("--snapshot", "nowhere.json"),
    ],
)
def test_a_question_that_cannot_be_answered_exits_with_2(run: Run, skills: Path, arguments: Any) -> None:
    query = "invoice" if arguments else "  "
    assert run("search", skills, query, *arguments).status == 2


def test_exact_counts_need_the_extra_and_say_so(
    run: Run, skills: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "tiktoken", None)
    for arguments in (("search", skills, "invoice"), ("catalogue", skills)):
        ran = run(*arguments, "--exact")
        assert ran.status == 2
        assert "prowess[tokens]" in ran.err


def test_a_rejected_plugin_exits_with_1_and_a_missing_path_with_2(run: Run, tmp_path: Path) -> None:
    (tmp_path / "plugin.json").write_text("{}")
    assert run("search", tmp_path, "invoice").status == 1
    assert run("search", tmp_path / "nowhere", "invoice").status == 2


# -- catalogue


def test_a_catalogue_holds_every_entry_and_stays_well_formed(run: Run, skills: Path, units: Path) -> None:
    from xml.etree import ElementTree

    ran = run("catalogue", skills, units)
    assert ran.status == 0
    root = ElementTree.fromstring(ran.out)
    assert [each.tag for each in root] == ["unit", "skill", "skill", "skill"]
    assert [each.text for each in root.iter("trigger")] == ["is it raining"]
    assert "train & plane" in [each.text or "" for each in root.iter("description")][2]
    assert "4 of 4" in ran.err


def test_json_is_a_line_each_and_markdown_an_item_each(run: Run, skills: Path) -> None:
    lines = run("catalogue", skills, "--format", "json").out.splitlines()
    assert [json.loads(each)["name"] for each in lines] == ["pay-invoices", "plan-trips", "write-letters"]
    items = run("catalogue", skills, "--format", "markdown").out.splitlines()
    assert [each[:3] for each in items] == ["- `"] * 3


def test_a_budget_keeps_whole_entries_and_the_query_says_which(run: Run, skills: Path) -> None:
    ran = run("catalogue", skills, "--budget", "45", "--query", "write a letter")
    assert ran.status == 1
    assert "write-letters" in ran.out and "pay-invoices" not in ran.out
    assert tokens(ran.out) <= 45
    assert "left out: pay-invoices, plan-trips" in ran.err


def test_an_entry_over_what_is_advised_is_told(run: Run, skills: Path) -> None:
    file = skills / "pay-invoices" / "SKILL.md"
    file.write_text(file.read_text().replace("Pays open bills", "Pays open bills " + "of all sorts " * 60))
    ran = run("catalogue", skills)
    assert "pay-invoices: " in ran.err and "more than the 100 advised for a skill" in ran.err
    assert run("catalogue", skills, "--budget", "x").status == 2


@pytest.mark.parametrize("form", FORMATS)
def test_all_that_a_catalogue_prints_keeps_to_the_budget(run: Run, tmp_path: Path, form: str) -> None:
    for number in range(30):
        folder = tmp_path / "many" / f"do-thing-{number}"
        folder.mkdir(parents=True)
        (folder / "SKILL.md").write_text(
            f"---\nname: {folder.name}\ndescription: Does {number}.\n---\nDo it.\n"
        )
    for budget in (0, 5, 90, 200, 260):
        ran = run("catalogue", tmp_path / "many", "--format", form, "--budget", budget)
        assert tokens(ran.out) <= budget
    whole = run("catalogue", tmp_path / "many", "--format", form)
    told = int(whole.err.split()[-1])
    assert tokens(whole.out) <= told
    assert run("catalogue", tmp_path / "many", "--format", form, "--budget", told).status == 0
