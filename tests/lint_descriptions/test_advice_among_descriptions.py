"""Advice that takes more than one description, or its cases: alike, long, in another script."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from prowess.choose.advising import Described, advise_all, scripts
from prowess.cli import main
from prowess.spec.advice_among import Described as Said
from prowess.spec.advice_among import alike
from prowess.spec.diagnostics import Place, Reach

SALES = "Creates reports from sales data by month. Use when the user asks for a sales report."
AGAIN = "Create a report from sales data by month. Use when a sales report is asked for by users."
TRIPS = "Plans journeys by train and plane. Use when somebody travels."
GOOD = (
    "Reads supplier invoices from PDF and mail. Use when somebody asks what is due, to whom, or how much.",
    "Pays invoices by bank transfer. Use when a bill is to be settled. Not for reading (use read-invoices).",
    "Writes the weekly summary for the finance lead. Use when somebody asks how the week's invoices stand.",
    "未付の請求書を一覧にします。支払い期限を聞かれたときに使います。",
    "把发票翻译成中文。用户要求翻译单据时使用。",
)


def rules(*texts: str) -> list[tuple[str, str]]:
    said = [Said(f"skill-{at}", text, Place(file=f"{at}/SKILL.md")) for at, text in enumerate(texts)]
    return [(each.rule, each.place.file) for each in alike(said)]


def described(description: str, **more: str) -> Described:
    return Described(name="a-skill", description=description, place=Place(file="SKILL.md"), **more)  # type: ignore[arg-type]


def test_two_that_say_nearly_the_same_are_told_at_the_later_one() -> None:
    assert rules(SALES, TRIPS, AGAIN) == [("advice-description-alike", "2/SKILL.md")]


def test_two_that_say_the_same_in_japanese_are_told_too() -> None:
    text = "未付請求書の一覧を作り、支払い期限を知らせます。"
    assert rules(text, TRIPS, text.replace("作り", "まとめ")) == [("advice-description-alike", "2/SKILL.md")]


def test_the_nearest_of_several_is_named() -> None:
    said = [
        Said(name, text, Place(file=name))
        for name, text in (
            ("near", SALES),
            ("far", "Creates reports from trip data by week."),
            ("last", SALES),
        )
    ]
    [found] = alike(said)
    assert found.place.file == "last"
    assert "near" in found.hint


def test_good_descriptions_get_no_advice_whatever_stands_beside_them() -> None:
    assert rules(*GOOD) == []
    assert advise_all([described(each) for each in GOOD], {"a-skill": ["which bills are due?"]}) == ()


def test_texts_without_a_word_are_alike_to_nobody() -> None:
    assert rules("", "...", "the of and", "the of and") == []


@pytest.mark.parametrize(
    ("kind", "words", "told"), [("skill", 70, False), ("skill", 110, True), ("unit", 170, False)]
)
def test_an_entry_over_what_is_advised_for_its_kind_is_told(kind: str, words: int, told: bool) -> None:
    found = advise_all([described("word " * words, kind=kind)])
    assert [each.rule for each in found] == (["advice-description-long"] if told else [])
    assert all(each.reach is Reach.ADVICE for each in found)


@pytest.mark.parametrize(
    ("text", "utterance", "told"),
    [
        ("Lists unpaid invoices.", "本周有哪些未付的发票", True),
        ("Lists unpaid invoices.", "Какие счета не оплачены?", True),
        ("Lists unpaid invoices (未付发票).", "本周有哪些未付的发票", False),
        ("Lists unpaid invoices.", "open the 发票 file of June", False),
        ("未付の請求書を一覧にします。", "請求書はどれ?", False),
        ("把发票翻译成中文。", "この請求書を訳して", True),
        ("Lists unpaid invoices.", "123 !!", False),
    ],
)
def test_cases_in_a_script_that_the_text_lacks_are_told(text: str, utterance: str, told: bool) -> None:
    found = advise_all([described(text)], {"a-skill": [utterance]})
    assert [each.rule for each in found] == (["advice-description-script"] if told else [])


def test_keywords_and_the_body_count_for_the_script() -> None:
    assert advise_all([described("Lists invoices.", text="发票")], {"a-skill": ["未付的发票"]}) == ()
    assert scripts("naïve Straße ΑΒΓ привет") == {"Latin", "Greek", "Cyrillic"}


# -- the command line


def plugin(folder: Path, *descriptions: str) -> Path:
    (folder / "plugin.json").write_text(
        '{"$schema": "https://agent-plugins.org/schemas/1.0.0/plugin.schema.json", "name": "p",'
        ' "version": "1.0.0", "description": "P."}'
    )
    for at, text in enumerate(descriptions):
        place = folder / "skills" / f"skill-{at}"
        place.mkdir(parents=True)
        (place / "SKILL.md").write_text(f"---\nname: skill-{at}\ndescription: {text}\n---\nSteps.\n")
    return folder


def checked(folder: Path, capsys: pytest.CaptureFixture[str], *more: str) -> list[str]:
    status = main(["check", str(folder), "--json", *more])
    found = json.loads(capsys.readouterr().out)["packages"][0]["diagnostics"]
    assert status == (1 if more else 0)
    return sorted(each["rule"] for each in found)


def test_check_shows_the_advice_and_skips_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = plugin(tmp_path, SALES, AGAIN, "Reads files when asked to. " + "It has many words. " * 40)
    cases = folder / "skills" / "skill-0" / "evals"
    cases.mkdir()
    (cases / "triggers.yaml").write_text("cases:\n  - utterance: 上个月的销售报告\n")
    expected = ["advice-description-alike", "advice-description-long", "advice-description-script"]
    assert checked(folder, capsys) == expected
    assert checked(folder, capsys, "--fail-on", "advice") == expected


def test_check_reads_the_body_before_it_says_that_a_script_is_missing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = plugin(tmp_path, SALES)
    (folder / "evals").mkdir()
    (folder / "evals" / "triggers.yaml").write_text("cases:\n  - {utterance: 销售报告, expect: [skill-0]}\n")
    assert checked(folder, capsys) == ["advice-description-script"]
    text = (folder / "skills" / "skill-0" / "SKILL.md").read_text()
    (folder / "skills" / "skill-0" / "SKILL.md").write_text(text + "销售报告\n")
    assert checked(folder, capsys) == []


def test_cases_that_cannot_be_read_are_said_and_are_no_fault_of_the_package(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = plugin(tmp_path, SALES)
    (folder / "evals").mkdir()
    (folder / "evals" / "triggers.yaml").write_text("cases: 3\n")
    assert main(["check", str(folder)]) == 0
    assert "trigger cases are not read" in capsys.readouterr().err


def test_units_that_are_alike_are_told_by_units_lint(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("report_sales", "write_report"):
        (tmp_path / name).mkdir()
        said = {"name": name, "description": "Creates sales reports by month and region.", "version": "1.0.0"}
        (tmp_path / name / "schema.json").write_text(json.dumps(said))
        (tmp_path / name / "skill.py").write_text("async def execute(ctx):\n    return 1\n")
    main(["units", "lint", str(tmp_path), "--json"])
    found = json.loads(capsys.readouterr().out)["diagnostics"]
    assert [each["rule"] for each in found].count("advice-description-alike") == 1


def test_a_letter_that_is_of_no_script_counts_for_none() -> None:
    assert scripts("ℂ µ ª") == frozenset()
    assert scripts("2ª 北京") == scripts("北京")
