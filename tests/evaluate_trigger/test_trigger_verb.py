"""`prowess trigger` offline: where cases are found, what is decided, what is printed and written."""

from __future__ import annotations

import json
import re
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Write = Callable[..., Path]
COFFEE: dict[str, Any] = {"utterance": "please brew some espresso", "expect": ["brew-coffee"]}
NEAR = {"kind": "negative", "skill": "fold-laundry"}
NOBODYS: dict[str, Any] = {"utterance": "zzz qqq", "expect": []}


def test_a_result_offline_is_called_shortlist_recall(trigger: Any, skills: Path, cases: Write) -> None:
    ran = trigger(skills, "--cases", cases(COFFEE), "--json")
    document = ran.json
    assert (document["selector"], document["cases"], document["measures"]) == ("bm25", 1, "shortlist recall")
    assert document["recall"] == {"1": 1.0, "5": 1.0}
    assert document["recall_at_tokens"] == {"1000": 1.0, "2000": 1.0}
    assert set(document["false_triggers"]) == {"near-miss", "sibling", "unrelated"}
    assert "trigger" not in trigger(skills, "--cases", cases(COFFEE)).out.splitlines()[0].lower()


def test_ranks_and_budgets_are_those_asked_for(trigger: Any, skills: Path, cases: Write) -> None:
    file = cases({"utterance": "a fern and towels and shirts", "expect": ["water-plants"]})
    document = trigger(skills, "--cases", file, "--at", "1,2", "--budget", "1,500", "--json").json
    assert document["recall"] == {"1": 0.0, "2": 1.0}
    assert document["recall_at_tokens"] == {"1": 0.0, "500": 1.0}


@pytest.mark.parametrize(("wrong", "of", "status"), [(0, 3, 2), (0, 59, 0), (5, 60, 1)])
def test_the_verdict_is_the_exit_status(
    trigger: Any, skills: Path, cases: Write, wrong: int, of: int, status: int
) -> None:
    rows = [{"utterance": f"brew espresso {at}", "expect": ["brew-coffee"]} for at in range(60)]
    rows += [
        {
            "utterance": f"{'towels' if at < wrong else 'zzz'} {at}",
            "kind": "negative",
            "skill": "fold-laundry",
        }
        for at in range(of)
    ]
    ran = trigger(skills, "--cases", cases(*rows), "--json")
    assert ran.json["false_triggers"]["near-miss"]["count"] == wrong
    assert (ran.status, ran.json["verdict"]) == (status, {0: "pass", 1: "fail", 2: "inconclusive"}[status])


def test_who_knows_may_let_the_inconclusive_pass(trigger: Any, skills: Path, cases: Write) -> None:
    file = cases(COFFEE, NOBODYS)
    assert trigger(skills, "--cases", file).status == 2
    assert trigger(skills, "--cases", file, "--allow-inconclusive").status == 0


def test_limits_are_those_given(trigger: Any, skills: Path, cases: Write) -> None:
    file = cases(*({"utterance": f"towels {at}", "expect": ["brew-coffee"]} for at in range(9)), NOBODYS)
    strict = trigger(skills, "--cases", file, "--json").json["gates"]
    loose = ("--min-recall", "0.01", "--max-false-triggers", "0.99", "--at", "1")
    told = trigger(skills, "--cases", file, *loose, "--json").json
    assert strict[0]["verdict"] == "fail"
    assert told["gates"][0]["verdict"] != "pass"
    assert told["false_triggers"]["unrelated"]["limit"] == 0.99


# -- where cases are


@pytest.mark.parametrize("name", ["triggers.yaml", "trigger_eval.json", "eval_queries.json"])
def test_cases_are_found_in_the_folder_of_a_skill(trigger: Any, skills: Path, name: str) -> None:
    folder = skills / "brew-coffee" / "evals"
    folder.mkdir()
    rows = [
        {"query": "an espresso please", "should_trigger": True},
        {"query": "tea", "should_trigger": False},
    ]
    (folder / name).write_text(json.dumps(rows))
    found = trigger(skills, "--json").json["trials"]
    assert [(each["expect"], each.get("skill")) for each in found] == [
        (["brew-coffee"], None),
        ([], "brew-coffee"),
    ]
    assert found[0]["place"] == f"brew-coffee/evals/{name}:1"


def test_cases_are_found_in_the_package_and_by_the_name_of_a_folder(trigger: Any, skills: Path) -> None:
    (skills / "evals" / "fold-laundry").mkdir(parents=True)
    (skills / "evals" / "triggers.jsonl").write_text(json.dumps(COFFEE))
    (skills / "evals" / "fold-laundry" / "trigger_tests.yaml").write_text(
        "should_trigger_prompts: [fold towels]"
    )
    assert [each["expect"] for each in trigger(skills, "--json").json["trials"]] == [
        ["brew-coffee"],
        ["fold-laundry"],
    ]


def test_cases_beside_a_unit_are_found(trigger: Any, tmp_path: Path) -> None:
    unit = tmp_path / "units" / "weather"
    (unit / "evals").mkdir(parents=True)
    schema = {
        "name": "query_weather",
        "description": "Tell the weather of a city.",
        "triggers": ["weather of a city"],
    }
    (unit / "schema.json").write_text(
        json.dumps({**schema, "parameters": {"type": "object", "properties": {}}})
    )
    (unit / "skill.py").write_text("async def execute(input, ctx):\n    return {}\n")
    (unit / "evals" / "triggers.yaml").write_text(
        "- utterance: weather in a city today\n  expect: [query_weather]\n"
    )
    ran = trigger(tmp_path / "units", "--json")
    assert ran.json["recall"]["1"] == 1.0
    (unit / "evals" / "triggers.yaml").write_text(
        "- utterance: Weather of a city!\n  expect: [query_weather]\n"
    )
    assert "trigger phrase" in trigger(tmp_path / "units", "--json").json["notes"][0]


def test_a_single_skill_owns_the_cases_of_its_package(trigger: Any, skills: Path) -> None:
    for each in ("fold-laundry", "water-plants"):
        (skills / each / "SKILL.md").unlink()
        (skills / each).rmdir()
    (skills / "evals").mkdir()
    (skills / "evals" / "triggers.json").write_text(
        '{"should_trigger": ["espresso"], "should_not_trigger": ["tea"]}'
    )
    assert trigger(skills, "--json").json["false_triggers"]["near-miss"]["of"] == 1


def test_whose_cases_they_are_can_be_said(trigger: Any, skills: Path, tmp_path: Path) -> None:
    file = tmp_path / "q.json"
    file.write_text('[{"query": "espresso", "should_trigger": true}]')
    assert trigger(skills, "--cases", file).status == 2
    ran = trigger(skills, "--cases", file, "--skill", "brew-coffee", "--json")
    assert ran.json["trials"][0]["expect"] == ["brew-coffee"]


@pytest.mark.parametrize(
    ("rows", "words"),
    [
        ([{"utterance": "a", "expect": ["brew-cofee"]}], "brew-coffee"),
        ([{"utterance": "a", "expect": []}, {"utterance": "a", "expect": []}], "twice"),
        ([{"utterance": "a", "expect": ["brew-coffee"], "split": "train"}], "test"),
    ],
)
def test_what_cannot_be_measured_is_told(
    trigger: Any, skills: Path, cases: Write, rows: list[dict[str, Any]], words: str
) -> None:
    ran = trigger(skills, "--cases", cases(*rows))
    assert (ran.status, ran.out) == (2, "")
    assert words in ran.err or "line 1 already" in ran.err


def test_without_cases_there_is_nothing_to_try(trigger: Any, skills: Path, tmp_path: Path) -> None:
    assert trigger(skills).status == 2
    assert trigger(skills, "--cases", tmp_path / "none.yaml").status == 2


def test_a_file_that_leads_out_of_the_package_is_not_read(trigger: Any, skills: Path, cases: Write) -> None:
    (skills / "evals").mkdir()
    (skills / "evals" / "triggers.jsonl").symlink_to(cases(COFFEE))
    ran = trigger(skills)
    assert ran.status == 2
    assert "outside" in ran.err


# -- examples


def test_an_example_is_indexed_and_is_no_test(trigger: Any, skills: Path, cases: Write) -> None:
    ask = {"utterance": "flat white to go", "expect": ["brew-coffee"]}
    example = {"utterance": "one flat white", "expect": ["brew-coffee"], "split": "example"}
    assert trigger(skills, "--cases", cases(ask), "--json").json["recall"]["1"] == 0.0
    found = trigger(skills, "--cases", cases(ask, example), "--json").json
    assert (found["recall"]["1"], found["cases"]) == (1.0, 1)
    ran = trigger(skills, "--cases", cases({**ask, "utterance": "One flat white!"}, example))
    assert ran.status == 2
    assert "cases.jsonl:1" in ran.err


# -- formats


def test_text_tells_the_verdict_first_and_what_went_wrong(trigger: Any, skills: Path, cases: Write) -> None:
    file = cases({"utterance": "towels", "expect": ["brew-coffee"]}, COFFEE, NOBODYS)
    out = trigger(skills, "--cases", file).out
    assert out.splitlines()[0] == "inconclusive: shortlist recall by bm25, 3 cases"
    assert "fold-laundry came, brew-coffee was wanted" in out
    assert "0 of 3 boundary" in out


def test_junit_has_the_gates_as_tests(trigger: Any, skills: Path, cases: Write) -> None:
    rows = [{"utterance": f"towels \x07 {at} <&>", "expect": ["brew-coffee"]} for at in range(20)]
    ran = trigger(skills, "--cases", cases(*rows, COFFEE), "--at", "1", "--format", "junit")
    root = ElementTree.fromstring(ran.out)  # our own
    assert ran.status == 1
    assert root.get("failures") == str(len(root.findall(".//failure"))) != "0"
    assert len(root.findall("testsuite")) == 2
    missed = root.findall("testsuite")[1].findall("testcase/skipped")
    assert len(missed) == 20
    assert root.get("skipped") == str(len(root.findall(".//skipped")))


def test_markdown_makes_nothing_of_what_a_case_says(trigger: Any, skills: Path, cases: Write) -> None:
    file = cases({"utterance": "towels | @team <b> `x` [a](b)", "expect": ["brew-coffee"]}, COFFEE)
    out = trigger(skills, "--cases", file, "--format", "markdown").out
    assert out.startswith("### ")
    assert "``  towels" in out or "`` towels \\| @team <b> `x` [a](b) ``" in out
    for line in out.splitlines():
        if line.startswith("|"):
            assert len(re.findall(r"(?<!\\)\|", line)) in (4, 8)


def test_the_matrix_says_in_words_what_it_shows(
    trigger: Any, skills: Path, cases: Write, tmp_path: Path
) -> None:
    picture = tmp_path / "matrix.svg"
    file = cases({"utterance": "towels", "expect": ["brew-coffee"]}, COFFEE, NOBODYS)
    trigger(skills, "--cases", file, "--matrix", picture)
    root = ElementTree.fromstring(picture.read_text())
    name = "{http://www.w3.org/2000/svg}"
    assert root.get("role") == "img"
    described = {
        each.get("id"): each.text or "" for each in root if each.tag in (name + "title", name + "desc")
    }
    assert set((root.get("aria-labelledby") or "").split()) == set(described)
    assert "2 of 3 cases" in described["description"]
    assert "fold-laundry instead of brew-coffee" in described["description"]
    assert {each.text for each in root.iter(name + "text")} >= {"1", "brew-coffee", "fold-laundry", "nobody"}


def test_a_matrix_of_many_shows_who_is_confused(trigger: Any, tmp_path: Path, cases: Write) -> None:
    root = tmp_path / "many"
    for at in range(40):
        (root / f"skill-{at}").mkdir(parents=True)
        text = f"---\nname: skill-{at}\ndescription: Does word{at}. Use for word{at}.\n---\n"
        (root / f"skill-{at}" / "SKILL.md").write_text(text)
    rows = [{"utterance": f"word{at} now", "expect": [f"skill-{at}"]} for at in range(39)]
    rows.append({"utterance": "word1 later", "expect": ["skill-39"]})
    trigger(root, "--cases", cases(*rows), "--matrix", tmp_path / "m.svg")
    text = (tmp_path / "m.svg").read_text()
    assert "10 capabilities that were seldom confused are left out" in text
    assert ">skill-39<" in text


def test_cases_are_exported_and_what_is_lost_is_told(trigger: Any, skills: Path, cases: Write) -> None:
    file = cases(COFFEE, {"utterance": "edge", "kind": "boundary", "expect": ["brew-coffee"]})
    ran = trigger(skills, "--cases", file, "--export", "query-list")
    assert ran.status == 0
    assert [each["query"] for each in ran.json] == [COFFEE["utterance"]]
    assert "1 case at the boundary" in ran.err
    assert trigger(skills, "--cases", cases(COFFEE, NOBODYS), "--export", "prowess").json["format"] == 1


# -- baselines


def test_a_baseline_decides_on_what_changed(trigger: Any, skills: Path, cases: Write, tmp_path: Path) -> None:
    base = tmp_path / "baseline.json"
    file = cases(
        {**COFFEE, "utterance": "espresso"}, NOBODYS, {"utterance": "towels", "expect": ["brew-coffee"]}
    )
    assert trigger(skills, "--cases", file, "--at", "1", "--write-baseline", base).status == 2
    assert trigger(skills, "--cases", file, "--at", "1", "--baseline", base).status == 0
    skill = skills / "brew-coffee" / "SKILL.md"
    skill.write_text("---\nname: brew-coffee\ndescription: Helps with tasks.\n---\n")
    ran = trigger(skills, "--cases", file, "--at", "1", "--baseline", base, "--json")
    assert (ran.status, ran.json["verdict"]) == (1, "fail")
    assert trigger(skills, "--cases", file, "--baseline", file).status == 2


@pytest.mark.parametrize(
    "arguments",
    [
        ("--at", "0"),
        ("--at", "1,,5"),
        ("--budget", "many"),
        ("--min-recall", "1"),
        ("--max-false-triggers", "nan"),
        ("--repeats", "-1"),
        ("--selector", "replay"),
        ("--selector", "anthropic"),
        ("--selector", "command"),
        ("--selector", "guess"),
    ],
)
def test_a_wrong_option_is_told(trigger: Any, skills: Path, cases: Write, arguments: tuple[str, ...]) -> None:
    assert trigger(skills, "--cases", cases(COFFEE), *arguments).status == 2


def test_a_file_that_cannot_be_written_is_told(
    trigger: Any, skills: Path, cases: Write, tmp_path: Path
) -> None:
    ran = trigger(skills, "--cases", cases(COFFEE), "--matrix", tmp_path / "no" / "where.svg")
    assert ran.status == 2
    assert "where.svg" in ran.err
