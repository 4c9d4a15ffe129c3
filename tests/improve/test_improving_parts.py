"""The parts of an improvement by themselves: words that tell, splits, comparisons, signals of records."""

from __future__ import annotations

import math
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.acceptance.packages import entry, plugin
from tests.commanding import Run
from tests.improve.test_improve_verb import call, decision

from prowess.choose.catalogue import Entry, entry_text
from prowess.choose.documents import Document
from prowess.choose.tokens import terms, weak_terms
from prowess.evaluate.cases import Case
from prowess.evaluate.improving import Wording, compared, reworded, splits_of, standing
from prowess.evaluate.improving_asking import fit
from prowess.evaluate.improving_records import cases_of, drafts_of, signals_of
from prowess.evaluate.improving_terms import log_odds, telling
from prowess.evaluate.selectors import Candidates, Chosen, Failed, Selection
from prowess.evaluate.trials import Trial

COUNTS = st.dictionaries(st.sampled_from("abcdef"), st.integers(1, 50), max_size=6).map(Counter)
UTTERANCES = st.lists(st.text("abc xyz é 未付", min_size=1, max_size=40), max_size=8)


@given(COUNTS.filter(bool), COUNTS)
def test_log_odds_are_numbers_whatever_the_counts(own: Counter[str], others: Counter[str]) -> None:
    found = log_odds(own, others)
    assert set(found) == set(own)
    assert all(math.isfinite(each) for each in found.values())


def test_a_word_of_its_own_tells_and_one_of_everybody_does_not() -> None:
    own, others = Counter({"transfer": 5, "please": 5}), Counter({"please": 50, "train": 30})
    found = log_odds(own, others)
    assert found["transfer"] > 1 > found["please"]


@given(UTTERANCES, UTTERANCES)
def test_what_is_held_already_or_says_nothing_is_never_proposed(own: list[str], others: list[str]) -> None:
    document = Document(id="a", name="abc", description="xyz for all")
    found = telling(document, own, others)
    held = set(terms("abc xyz for all")) | weak_terms()
    assert not {each.term for each in found} & held
    assert all(each.own >= 2 and each.word for each in found)


CASES = st.lists(
    st.builds(
        Case,
        id=st.uuids().map(str),
        utterance=st.uuids().map(str),
        expect=st.sampled_from([("a",), ("b",), ("a", "b")]),
        split=st.sampled_from(["example", "train", "test"]),
    ),
    max_size=30,
)


@given(CASES, st.booleans())
def test_no_case_is_learned_from_and_measured_by(cases: list[Case], select: bool) -> None:
    splits = splits_of(cases, "a", select=select)
    parts = [{each.digest for each in part} for part in splits[:3]]
    assert not (parts[0] & parts[1] or parts[0] & parts[2] or parts[1] & parts[2])
    assert not [each for part in splits[:3] for each in part if each.split == "example"]
    assert splits == splits_of(list(reversed(cases)), "a", select=select) or splits.declared
    if splits.declared:
        assert all(each.split == "test" for each in splits.final)


def library(*ids: str) -> Candidates:
    entries = tuple(Entry(name=each, description=f"Does {each}.") for each in ids)
    return Candidates(
        documents=tuple(Document(id=each, name=each, description=f"Does {each}.") for each in ids),
        entries=entries,
        definitions={each.name: entry_text(each) for each in entries},
    )


def test_one_wording_changes_and_the_rest_of_the_library_does_not() -> None:
    before = library("a", "b")
    after = reworded(before, "a", Wording(description="Now says more.", triggers=("more",)))
    assert after.documents[0].description == after.entries[0].description == "Now says more."
    assert "Now says more." in after.definitions["a"]
    assert (after.documents[1], after.entries[1], after.definitions["b"]) == (
        before.documents[1],
        before.entries[1],
        before.definitions["b"],
    )
    assert after.digest != before.digest


def test_of_a_tool_only_the_description_of_its_definition_changes() -> None:
    tool = Candidates(
        documents=(Document(id="t", description="Old."),),
        entries=(Entry(name="t", description="Old.", kind="tool"),),
        definitions={"t": '{"name":"t","description":"Old.","input_schema":{"type":"object"}}'},
    )
    after = reworded(tool, "t", Wording(description="New."))
    assert after.definitions["t"] == '{"name":"t","description":"New.","input_schema":{"type":"object"}}'


def trial(case: Case, *runs: Selection) -> Trial:
    return Trial(case=case, runs=runs)


def test_a_case_without_an_answer_is_part_of_no_number_before_or_after() -> None:
    own = [Case(id=str(at), utterance=f"own {at}", expect=("a",)) for at in range(3)]
    other = Case(id="9", utterance="other", expect=("b",))
    lost = Failed(code="timeout", message="no answer")
    before = [
        trial(own[0], Chosen()),
        trial(own[1], lost),
        trial(own[2], Chosen(ids=("a",))),
        trial(other, Chosen(ids=("b",))),
    ]
    after = [
        trial(own[0], Chosen(ids=("a",))),
        trial(own[1], Chosen(ids=("a",))),
        trial(own[2], lost),
        trial(other, Chosen(ids=("a",))),
    ]
    candidates = library("a", "b")
    found = compared((candidates, before), (candidates, after), "a")
    assert (found.before.own.of, found.before.own.hits, found.after.own.hits) == (1, 0, 1)
    assert (found.fixed, found.broken) == (("0",), ("9",))
    assert found.before.errors == found.after.errors == 2
    assert not found.better, "a sibling's request was lost for it"
    assert found.after.taken.hits == 1
    assert standing([], candidates, "a").own.of == 0


@pytest.mark.parametrize(
    ("text", "held"), [("Says\n what  it does.", "Says what it does."), ("x" * 1_024, "x" * 1_024)]
)
def test_a_wording_that_may_be_judged_is_one_line(text: str, held: str) -> None:
    assert fit(text, ["pay the supplier today now"]) == held


# -- records


def resolve(name: str) -> str:
    return {"pay": "pay", "s/pay": "pay", "write": "write"}.get(name, "")


def test_who_asked_again_and_was_answered_by_another_corrects_both() -> None:
    decisions = [
        decision(1, "pay the landlord please", "write", at=100.0),
        decision(2, "pay the landlord now", "pay", "ok", at=130.0),
    ]
    calls = [call("ok", tool="pay"), call("no", "refused", "invalid-arguments", tool="pay")]
    found = signals_of(decisions, calls, "pay", resolve)
    assert [(each.kind, each.provenance, each.instead) for each in found.found] == [
        ("not-chosen", "corrected", "write")
    ]
    assert (found.chosen, found.calls, found.argument_errors) == (1, 2, 1)
    assert [each.expect for each in cases_of(found, "pay")] == [("pay",)]
    other = signals_of(decisions, calls, "write", resolve)
    assert [(each.kind, each.instead) for each in other.found] == [("wrongly-chosen", "pay")]
    assert [each.expect for each in cases_of(other, "write")] == [("pay",)]


@pytest.mark.parametrize(
    "second",
    [
        decision(2, "pay the landlord now", "pay", "ok", at=100.0 + 601),
        decision(2, "something else altogether", "pay", "ok", at=130.0),
        decision(2, "pay the landlord now", "pay", "bad", at=130.0),
        decision(2, "pay the landlord now", "pay", at=130.0),
    ],
    ids=["too late", "about something else", "its call failed", "nothing followed"],
)
def test_what_nobody_corrected_is_not_learned_from(second: Any) -> None:
    first = decision(1, "pay the landlord please", "write", at=100.0)
    found = signals_of([first, second], [call("ok"), call("bad", "tool-failed")], "pay", resolve)
    assert cases_of(found, "pay") == ()


def test_what_was_chosen_and_never_answered_is_a_draft_for_a_person() -> None:
    found = signals_of(
        [decision(1, "pay it", "pay", "bad", at=1.0)], [call("bad", "timed-out", tool="pay")], "pay", resolve
    )
    [draft] = drafts_of(found, "pay")
    assert (draft.kind, draft.expect, found.count("abandoned")) == ("boundary", ("pay",), 1)


# -- what is written nowhere here


def test_a_servers_tool_has_a_proposal_and_no_file_to_write_it_into(improve: Run, tmp_path: Path) -> None:
    books = plugin(tmp_path / "books", {"ledger": entry()})
    cases = tmp_path / "cases.jsonl"
    cases.write_text(
        "".join(
            f'{{"utterance": "{text}", "expect": ["{name}"], "split": "{split}"}}\n'
            for split in ("train", "test")
            for name, texts in {
                "read": (
                    "balances of {} June",
                    "the balances {} please",
                    "show {} balances",
                    "{} balances again",
                ),
                "greet": ("hello {}", "{} arrives", "say hello {}", "a guest {}"),
            }.items()
            for text in (each.format(split) for each in texts)
        )
    )
    ran = improve(books, "read", "--cases", cases, "--json")
    assert ran.status == 0, ran.out
    assert ran.json["diff"] is None and "balances" in ran.json["after"]["description"]
    assert improve(books, "read", "--cases", cases, "--write").status == 2
