from __future__ import annotations

import time
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.bounds import bound

from prowess.choose.clauses import LONGEST, Pointer, read


def test_a_plain_description_is_all_its_own() -> None:
    said = read("Lists unpaid invoices. Use when a customer asks about debts.")
    assert said == ("Lists unpaid invoices. Use when a customer asks about debts.", (), ())


@pytest.mark.parametrize(
    ("description", "own", "pointers"),
    [
        (
            "Builds forms. For reports→report-maker.",
            "Builds forms. .",
            [("report-maker", "For reports")],
        ),
        (
            "Builds forms. For reports → report-maker, for mail -> send_mail.",
            "Builds forms. .",
            [("report-maker", "For reports"), ("send_mail", "for mail")],
        ),
        (
            "For `.flow` files use flow-tools; for cases use `case-tools`.",
            "",
            [("flow-tools", "For `.flow` files"), ("case-tools", "for cases")],
        ),
    ],
)
def test_what_is_left_to_another_is_pointed_at_it(
    description: str, own: str, pointers: list[tuple[str, str]]
) -> None:
    said = read(description)
    assert said.pointers == tuple(Pointer(*each) for each in pointers)
    assert said.own.strip(" .") == own.strip(" .")


@pytest.mark.parametrize(
    "refusal",
    [
        "Not for paying them.",
        "Do not use for paying them.",
        "Don't use when paying them.",
        "DO NOT TRIGGER during paying them.",
        "Never use for paying them.",
        "Skip when paying them.",
        "It is not intended for paying them.",
    ],
)
def test_what_is_refused_is_not_its_own(refusal: str) -> None:
    said = read(f"Lists invoices. {refusal}")
    assert "paying" not in said.own
    assert "invoices" in said.own
    assert len(said.refused) == 1 and "paying them" in said.refused[0]
    assert said.pointers == ()


def test_what_is_refused_in_favour_of_another_is_pointed_at_it() -> None:
    said = read("Writes approval steps. NOT for reassigning tasks at runtime (use task-admin for that).")
    assert said.own == "Writes approval steps."
    assert said.refused == ()
    assert [pointer.name for pointer in said.pointers] == ["task-admin"]
    assert "reassigning tasks" in said.pointers[0].text


def test_a_refusal_with_an_arrow_keeps_what_follows_as_refused() -> None:
    said = read("Trains models. Do not use for wiring nodes→flow-tools, nor for drawing.")
    assert said.pointers == (Pointer("flow-tools", "for wiring nodes"),)
    assert said.refused == ("nor for drawing.",)


@pytest.mark.parametrize(
    "description",
    [
        "Use git to commit.",
        "For quick notes use paper.",
        "Skip ahead in a video.",
        "Use x-ray images of bones.",
        "a→b",
        "Reads not-for-profit filings.",
        "→report-maker",
        "查询发票。不要用于付款。",
    ],
)
def test_words_that_only_look_like_it_change_nothing(description: str) -> None:
    assert read(description) == (description, (), ())


def test_a_refusal_that_says_nothing_more_is_no_refusal_of_anything() -> None:
    assert read("Lists invoices. Not for (use pay-invoices).").pointers == ()
    assert read("Lists invoices. Do not use").refused == ()


def test_beyond_its_bound_a_description_is_its_own() -> None:
    said = read("word " * (LONGEST // 5) + "For reports→report-maker.")
    assert said.pointers == ()
    assert said.own.endswith("For reports→report-maker.")


@given(
    st.lists(
        st.sampled_from(
            ["a", "-", "→", "->", ". ", ";", "(", "\n", "not for ", "use ", "For ", "do not use ", "x-y"]
        ),
        max_size=30,
    ).map("".join)
    | st.text(max_size=200)
)
def test_any_description_is_cut_without_fault_and_nothing_is_added(description: str) -> None:
    said = read(description)
    letters = Counter(filter(str.isalnum, description))
    left = Counter(filter(str.isalnum, said.own + "".join(said.refused)))
    for pointer in said.pointers:
        assert pointer.name in description
        left += Counter(filter(str.isalnum, pointer.text))
    assert left <= letters


def test_a_description_of_marks_alone_takes_no_time() -> None:
    began = time.process_time()
    for mark in (" ", "-", "→", ". ", "use a-", "not for ", "x-y→"):
        read(mark * LONGEST)
    assert time.process_time() - began < bound(5)
