from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prowess.choose.estimate import tokens
from prowess.choose.packing import Definition, LeftOut, pack
from prowess.errors import UsageError


def sized(*sizes: tuple[str, int]) -> list[Definition]:
    return [Definition(id=id, text="x" * size) for id, size in sizes]


def test_definitions_are_shown_whole_as_they_are_ranked_until_the_budget_is_used_up() -> None:
    packed = pack([], sized(("a", 40), ("b", 50), ("c", 30)), 100, len)
    assert packed.ids == ("a", "b")
    assert packed.tokens == 90
    assert packed.left_out == (LeftOut(id="c", reason="budget", tokens=30, left=10),)
    assert packed.left_out[0].why == "30 tokens, 10 left"
    assert [each.text for each in packed.shown] == ["x" * 40, "x" * 50]


def test_a_smaller_one_further_down_may_fit_where_a_larger_one_did_not() -> None:
    packed = pack([], sized(("a", 60), ("b", 50), ("c", 40)), 100, len)
    assert packed.ids == ("a", "c")
    assert packed.left_out == (LeftOut(id="b", reason="budget", tokens=50, left=40),)


def test_one_that_is_larger_than_the_whole_budget_says_so() -> None:
    packed = pack([], sized(("a", 101), ("b", 100)), 100, len)
    assert packed.ids == ("b",)
    assert packed.left_out[0].reason == "too-large"
    assert packed.left_out[0].why == "101 tokens, more than the whole budget"


def test_the_core_is_shown_first_whatever_is_ranked_and_counts() -> None:
    packed = pack(sized(("core", 30)), sized(("a", 60), ("core", 30), ("b", 20)), 100, len)
    assert packed.ids == ("core", "a")
    assert [each.core for each in packed.shown] == [True, False]
    assert (packed.core_tokens, packed.tokens, packed.over) == (30, 90, 0)
    assert [each.id for each in packed.left_out] == ["b"]


def test_a_core_beyond_the_budget_is_shown_all_the_same_and_nothing_else_is() -> None:
    packed = pack(sized(("core", 80), ("more", 40)), sized(("a", 1), ("none", 0)), 100, len)
    assert packed.ids == ("core", "more")
    assert (packed.tokens, packed.over) == (120, 20)
    assert [(each.id, each.left) for each in packed.left_out] == [("a", 0), ("none", 0)]


def test_the_report_is_a_json_value() -> None:
    packed = pack(sized(("core", 30)), sized(("a", 80)), 100, len)
    assert json.loads(json.dumps(packed.to_dict())) == {
        "budget": 100,
        "tokens": 30,
        "shown": [{"id": "core", "tokens": 30, "core": True}],
        "left_out": [{"id": "a", "tokens": 80, "reason": "budget", "left": 70}],
    }


def test_a_budget_below_nothing_is_refused() -> None:
    with pytest.raises(UsageError):
        pack([], [], -1, tokens)
    assert pack([], sized(("a", 1)), 0, len).ids == ()


definitions = st.lists(
    st.builds(Definition, id=st.sampled_from("abcdefgh"), text=st.text(max_size=40)), max_size=12
)


@given(definitions, definitions, st.integers(0, 120))
def test_nobody_is_lost_or_cut_and_the_budget_holds(
    core: list[Definition], ranked: list[Definition], budget: int
) -> None:
    packed = pack(core, ranked, budget, len)
    assert packed == pack(core, ranked, budget, len)
    shown, left = set(packed.ids), {each.id for each in packed.left_out}
    assert len(shown) == len(packed.ids)
    assert shown | left == {each.id for each in (*core, *ranked)}
    assert not shown & left
    assert {each.id for each in core} <= shown
    assert packed.tokens == sum(each.tokens for each in packed.shown)
    assert packed.tokens <= budget or all(each.core for each in packed.shown)
    texts = {(each.id, each.text) for each in (*core, *ranked)}
    assert all((each.id, each.text) in texts for each in packed.shown)
    for each in packed.left_out:
        assert each.tokens > each.left or packed.over
