"""What is known to fail: the files are well formed, and a run is held against them entry by entry."""

from __future__ import annotations

from pathlib import Path

import pytest
from conformance.suite.expected import Malformed, compare, load, parse
from conformance.suite.results import Check, Scenario
from conformance.suite.subjects import SUBJECTS
from hypothesis import given
from hypothesis import strategies as st

FOLDER = Path(__file__).resolve().parents[2] / "conformance" / "expected"
FILES = sorted(FOLDER.iterdir())


def scenario(name: str, **checks: str) -> Scenario:
    verdicts = tuple(Check(id=id, verdict=verdict) for id, verdict in checks.items())  # type: ignore[arg-type]
    return Scenario(name=name, scored=True, checks=verdicts)


@pytest.mark.parametrize("file", FILES, ids=lambda each: each.name)
def test_a_file_belongs_to_a_leg_that_is_run_and_says_why(file: Path) -> None:
    legs = {(each.name, leg.version, leg.role) for each in SUBJECTS for leg in each.legs}
    mine = [each for each in legs if file.name == f"{each[0]}-{each[1]}.yml"]
    assert mine, f"{file.name} is of no subject and revision"
    assert any(load(FOLDER, *each) for each in mine), f"{file.name} holds nothing"


def test_nothing_is_expected_to_fail_where_there_is_no_file() -> None:
    assert load(FOLDER, "no-such-subject", "2026-07-28", "server") == {}


def test_a_reason_stands_beside_an_entry_or_above_it() -> None:
    text = "server:\n  # All of these for one reason.\n  - one\n  - two:a # Its own.\n"
    assert parse(text, "f.yml", "server") == {"one": "All of these for one reason.", "two:a": "Its own."}


@pytest.mark.parametrize(
    "text",
    [
        "server:\n  - one\n",
        "# About the file.\n\nserver:\n  - one\n",
        "server:\n  - one: a # a mapping\n",
        "server: one # no list\n",
        "servers:\n  - one # no such role\n",
        "server:\n  - one # twice\n  - one # twice\n",
        "server:\n  - one # whole\n  - one:a # and a part of it\n",
        "server: [\n",
        "- one # no role\n",
    ],
)
def test_a_file_that_says_no_reason_or_is_something_else_is_refused(text: str) -> None:
    with pytest.raises(Malformed):
        parse(text, "f.yml", "server")


@given(st.text())
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        entries = parse(text, "f.yml", "server")
    except Malformed:
        return
    assert all(entries.values())


def test_a_failure_that_nobody_expected_is_named() -> None:
    verdicts = compare([scenario("one", a="FAILURE", b="SUCCESS")], {})
    assert verdicts.unexpected == ("one:a",)
    assert not verdicts.holds


def test_a_warning_counts_as_a_failure_so_that_none_goes_unseen() -> None:
    assert compare([scenario("one", a="WARNING")], {}).unexpected == ("one:a",)


def test_a_scenario_that_was_not_run_failed() -> None:
    assert compare([scenario("one")], {}).unexpected == ("one",)


def test_one_check_is_excused_and_the_others_are_not() -> None:
    verdicts = compare([scenario("one", a="FAILURE", b="FAILURE")], {"one:a": "because"})
    assert verdicts.known == (("one:a", "because"),)
    assert verdicts.unexpected == ("one:b",)


def test_a_whole_scenario_is_excused() -> None:
    verdicts = compare([scenario("one", a="FAILURE", b="SUCCESS")], {"one": "because"})
    assert verdicts.holds
    assert verdicts.known == (("one", "because"),)


@pytest.mark.parametrize("entry", ["one", "one:a"])
def test_an_entry_that_passes_is_stale(entry: str) -> None:
    verdicts = compare([scenario("one", a="SUCCESS")], {entry: "because"})
    assert verdicts.stale == (entry,)
    assert not verdicts.holds


def test_an_entry_of_a_scenario_that_is_not_run_any_more_is_stale() -> None:
    assert compare([scenario("one", a="SUCCESS")], {"two:a": "because"}).stale == ("two:a",)


def test_a_check_that_was_skipped_leaves_its_entry_alone() -> None:
    assert compare([scenario("one", a="SKIPPED")], {"one:a": "because"}).holds
