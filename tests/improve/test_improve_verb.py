"""`prowess improve` without a model: a diff with numbers, or nothing; files, units, records."""

from __future__ import annotations

import asyncio
import json
import time
from pathlib import Path
from typing import Any

import pytest
from tests.commanding import Run
from tests.improve.conftest import SKILLS, TEST, TRAIN, rows, write_cases

from prowess.store.database import Database
from prowess.store.records import Records
from prowess.store.remembered import CallRecord, DecisionRecord


def test_words_of_missed_requests_are_proposed_with_numbers_and_nothing_is_written(
    improve: Run, library: Path
) -> None:
    file = library / "pay-invoices" / "SKILL.md"
    before = file.read_bytes()
    ran = improve(library, "pay-invoices")
    assert ran.status == 0
    assert "Also for: transfer, supplier." in ran.out
    assert "own, first: 1 -> 4 of 4" in ran.out
    assert "siblings, first: 5 -> 5 of 5" in ran.out
    assert "not shown" in ran.out
    assert file.read_bytes() == before


def test_json_holds_both_wordings_the_evidence_and_both_standings(improve: Run, library: Path) -> None:
    found = improve(library, "pay-invoices", "--json").json
    assert found["improved"] is True
    assert found["measures"] == "shortlist recall"
    assert found["before"]["description"] == SKILLS["pay-invoices"]
    assert {each["word"] for each in found["evidence"]} == {"transfer", "supplier"}
    assert found["held_out"]["before"]["own"]["count"] == 1
    assert found["held_out"]["after"]["own"]["count"] == 4
    assert found["held_out"]["p"] == 0.125 and found["held_out"]["shown"] is False
    assert found["diff"].startswith("--- a/pay-invoices/SKILL.md")


def test_write_puts_it_into_the_file_and_changes_nothing_else(improve: Run, library: Path) -> None:
    file = library / "pay-invoices" / "SKILL.md"
    before = file.read_text()
    assert improve(library, "pay-invoices", "--write").status == 0
    old = f"description: {SKILLS['pay-invoices']}"
    assert file.read_text() == before.replace(
        old, f"description: '{SKILLS['pay-invoices']} Also for: transfer, supplier.'"
    )
    again = improve(library, "pay-invoices")
    assert again.status == 1, "what is there is not proposed once more"


def test_a_run_where_nothing_improves_says_so(improve: Run, library: Path) -> None:
    ran = improve(library, "plan-trips")
    assert ran.status == 1
    assert "nothing to propose" in ran.out
    assert improve(library, "plan-trips", "--json").json["improved"] is False


def test_words_that_do_not_hold_for_other_cases_are_not_proposed(improve: Run, library: Path) -> None:
    test = {**TEST, "pay-invoices": ("is the invoice settled", "an open bill", "the bill is due")}
    write_cases(library, [*rows(TRAIN, "train"), *rows(test, "test")])
    found = improve(library, "pay-invoices", "--json").json
    assert found["improved"] is False
    assert found["train"]["after"]["own"]["count"] > found["train"]["before"]["own"]["count"]
    assert "nothing improves" in found["reason"]


def test_without_marks_half_of_the_cases_are_learned_from_and_that_is_said(
    improve: Run, library: Path
) -> None:
    cases = [{**each, "split": "test"} for each in (*rows(TRAIN, "train"), *rows(TEST, "test"))]
    write_cases(library, cases)
    found = improve(library, "pay-invoices", "--json").json
    assert any("half of all cases" in each for each in found["notes"])
    assert found["train"] is None or found["train"]["before"]["own"]["of"] == 5


def test_false_triggers_are_shown_with_their_words_and_never_written(improve: Run, library: Path) -> None:
    found = improve(library, "pay-invoices", "--json").json
    [near] = [each for each in found["false_triggers"] if each["near_miss"]]
    assert near["utterance"] == "open the bank page"
    assert set(near["words"]) >= {"open", "bank"}
    assert (near["costs"], near["of"]) == (2, 3)
    assert near["draft"] not in found["diff"]
    other = improve(library, "write-letters", "--json").json["false_triggers"]
    assert {each["instead"] for each in other} == {"pay-invoices"}


# -- shorter


def test_what_it_can_do_without_is_left_out_and_proven(improve: Run, library: Path) -> None:
    long = (
        "Settles open bills with the bank. Use when an invoice is due. It has a friendly manner and works in "
        "the background all day, every day of the week. Handles transfer and supplier questions. Made with "
        "care by people who like order, tidy desks, sharp pencils, and long walks along the river in spring, "
        "which is the season that they prefer to all the other ones that the year has in store for everybody."
    )
    file = library / "pay-invoices" / "SKILL.md"
    file.write_text(file.read_text().replace(SKILLS["pay-invoices"], f'"{long}"'))
    ran = improve(library, "pay-invoices", "--shorter", "--json")
    assert ran.status == 0
    found = ran.json
    after = found["after"]["description"]
    assert "transfer" in after and "invoice" in after and "pencils" not in after
    assert found["held_out"]["after"]["tokens"] < found["held_out"]["before"]["tokens"]
    assert found["held_out"]["broken"] == []


def test_a_description_that_needs_every_word_stays(improve: Run, library: Path) -> None:
    assert improve(library, "plan-trips", "--shorter").status == 1


# -- units


def unit(root: Path, name: str, description: str, indent: int | None = 2) -> Path:
    folder = root / name
    folder.mkdir(parents=True)
    said: dict[str, Any] = {
        "name": name,
        "description": description,
        "triggers": ["open bill"],
        "version": "1.0.0",
    }
    (folder / "schema.json").write_text(json.dumps(said, indent=indent) + "\n")
    (folder / "skill.py").write_text("class Unit:\n    async def execute(self, params):\n        return {}\n")
    return folder / "schema.json"


def test_a_units_words_become_trigger_phrases(improve: Run, tmp_path: Path) -> None:
    root = tmp_path / "units"
    file = unit(root, "pay_invoices", "Settles open bills with the bank.")
    unit(root, "write_letters", "Writes letters about money.")
    unit(root, "plan_trips", "Plans journeys by train and plane.")
    before = json.loads(file.read_text())
    (root / "evals").mkdir()
    cases = [
        {**each, "expect": [each["expect"][0].replace("-", "_")]}
        for each in (*rows(TRAIN, "train"), *rows(TEST, "test"))
    ]
    write_cases(root, cases)
    assert improve(root, "pay_invoices", "--write").status == 0
    after = json.loads(file.read_text())
    assert after.pop("triggers") == ["open bill", "transfer", "supplier"]
    before.pop("triggers")
    assert after == before


# -- records


def decision(number: int, utterance: str, chosen: str, *calls: str, at: float) -> DecisionRecord:
    return DecisionRecord(
        id=f"d{number}",
        trace_id=f"trace{number:028}",
        utterance=utterance,
        shown=tuple(SKILLS),
        chosen=chosen,
        calls=calls,
        principal="ann",
        conversation="c",
        started=at,
    )


def call(
    id: str, outcome: Any = "answered", code: str = "", tool: str = "bank", at: float = 0.0
) -> CallRecord:
    return CallRecord(
        id=id,
        tool=tool,
        server="s",
        version="",
        outcome=outcome,
        code=code,
        attempts=1,
        duration_ms=1.0,
        argument_bytes=2,
        result_bytes=2,
        principal="ann",
        conversation="c",
        skill="",
        trace_id="t",
        started=at,
    )


@pytest.fixture
def recorded(home: Path) -> None:
    """People who asked twice until the right one came, and one who gave up."""
    now = time.time() - 3_600
    records: list[DecisionRecord | CallRecord] = [call("ok", at=now), call("bad", "tool-failed", at=now)]
    for at, text in enumerate(TRAIN["pay-invoices"]):
        start = now + 1_000 * at
        records.append(decision(2 * at, text, "write-letters", at=start))
        records.append(decision(2 * at + 1, text, "pay-invoices", "ok", at=start + 30))
    records.append(decision(90, "balance of my account", "pay-invoices", "bad", at=now + 20_000))

    async def keep() -> None:
        database = Database()
        try:
            for each in records:
                await Records(database).commit(each)
        finally:
            database.close()

    asyncio.run(keep())


def test_what_people_corrected_is_learned_from_and_what_is_inferred_is_not(
    improve: Run, library: Path, recorded: None, tmp_path: Path
) -> None:
    write_cases(library, rows(TEST, "test"))
    alone = improve(library, "pay-invoices", "--json").json
    assert alone["improved"] is False and alone["records"] is None
    drafts = tmp_path / "drafts.jsonl"
    ran = improve(library, "pay-invoices", "--json", "--records", "--drafts", drafts)
    assert ran.status == 0
    found = ran.json
    assert {each["word"] for each in found["evidence"]} == {"transfer", "supplier"}
    kinds = [(each["kind"], each["provenance"]) for each in found["records"]["signals"]]
    assert kinds.count(("not-chosen", "corrected")) == 6
    assert kinds.count(("abandoned", "inferred")) == 1
    [draft] = [json.loads(line) for line in drafts.read_text().splitlines()]
    assert (draft["utterance"], draft["kind"]) == ("balance of my account", "boundary")
    assert "not reviewed" in draft["note"]


def test_records_before_since_are_left_alone(improve: Run, library: Path, recorded: None) -> None:
    write_cases(library, rows(TEST, "test"))
    found = improve(library, "pay-invoices", "--json", "--records", "--since", "1s").json
    assert found["records"]["chosen"] <= 6
    assert improve(library, "pay-invoices", "--records", "--since", "yesterday").status == 2


def test_a_case_that_somebody_wrote_counts_more_than_a_record_of_it(
    improve: Run, library: Path, recorded: None
) -> None:
    own = {"utterance": TRAIN["pay-invoices"][0], "expect": [], "skill": "pay-invoices", "kind": "negative"}
    write_cases(library, [*rows(TEST, "test"), own])
    found = improve(library, "pay-invoices", "--json", "--records").json
    assert found["train"]["before"]["own"]["of"] == 5


# -- what cannot be answered


def test_mistakes_are_said_and_exit_with_2(improve: Run, library: Path) -> None:
    assert improve(library, "pay-invoces").status == 2
    assert "did you mean pay-invoices" in improve(library, "pay-invoces").err
    assert improve(library, "pay-invoices", "--drafts", "x").status == 2
    assert improve(library, "pay-invoices", "--rounds", "0").status == 2
    assert improve(library, "pay-invoices", "--cases", library / "nowhere.yaml").status == 2
    (library / "evals" / "triggers.jsonl").unlink()
    assert improve(library, "pay-invoices").status == 2


def test_cases_of_a_file_take_the_place_of_those_beside(improve: Run, library: Path, tmp_path: Path) -> None:
    file = tmp_path / "mine.jsonl"
    file.write_text("".join(json.dumps(each) + "\n" for each in rows(TEST, "test")))
    assert improve(library, "pay-invoices", "--cases", file).status == 1
