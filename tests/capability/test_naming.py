from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prowess.capability.naming import LONGEST, Key, ModelNames, model_name
from prowess.errors import NotFound

ACCEPTED = re.compile(r"[A-Za-z_][A-Za-z0-9_-]*")
# Few characters, so that different pairs come out near each other.
WORDS = st.text(st.sampled_from("ab_-.1é/ "), max_size=7) | st.text(max_size=90)
KEYS = st.lists(st.tuples(WORDS, WORDS), max_size=12)


@pytest.mark.parametrize(
    ("server", "tool", "name"),
    [
        ("invoices", "query", "invoices__query"),
        ("my-server", "a_b", "my-server__a_b"),
        ("my_server", "_a", "my_server___a"),
        ("a", "b__c", "a__b__c"),
        ("a", "", "a__"),
        ("a", "x" * 61, "a__" + "x" * 61),
    ],
)
def test_server_and_tool_stand_in_full_where_that_fits(server: str, tool: str, name: str) -> None:
    assert model_name(server, tool) == name


@pytest.mark.parametrize(
    ("server", "tool", "stem"),
    [
        ("a__b", "c", "a_b_c"),
        ("a_", "b", "a_b"),
        ("1st", "b", "t_1st_b"),
        ("a.b", "c/d", "a_b_c_d"),
        ("é", "寸法", "t"),
        ("a", "x" * 62, "a_" + "x" * 49),
        ("s" * 60, "tool", "s" * 20 + "_tool"),
        ("s" * 70, "t" * 70, "s" * 20 + "_" + "t" * 30),
    ],
)
def test_what_does_not_fit_keeps_what_it_can_and_gets_a_digest(server: str, tool: str, stem: str) -> None:
    assert re.fullmatch(re.escape(stem) + "_[0-9a-f]{12}", model_name(server, tool))


@pytest.mark.parametrize(
    ("tool", "name"),
    [("query", r"query"), ("a__b", r"a__b"), ("1", r"t_1_[0-9a-f]{12}"), ("a b", r"a_b_[0-9a-f]{12}")],
)
def test_a_host_with_one_server_may_leave_it_out(tool: str, name: str) -> None:
    assert re.fullmatch(name, model_name("s", tool, raw=True))


@given(KEYS, st.booleans())
def test_names_are_accepted_everywhere_and_belong_to_one_tool_in_any_order(
    keys: list[Key], raw: bool
) -> None:
    if raw:
        keys = [("s", tool) for _, tool in keys]
    names = ModelNames.of(keys, raw=raw)
    assert all(ACCEPTED.fullmatch(name) and len(name) <= LONGEST for name in names.by_name)
    assert set(names.by_tool) == set(keys)
    assert all(names.tool(names.name(*key)) == key for key in keys)
    assert ModelNames.of([*reversed(keys), *keys], raw=raw) == names


@given(KEYS)
def test_a_name_does_not_depend_on_which_other_tools_there_are(keys: list[Key]) -> None:
    names = ModelNames.of(keys)
    assert all(names.name(*key) == model_name(*key) for key in keys)


def test_a_tool_named_like_the_digest_of_another_takes_nothing_from_a_whole_name() -> None:
    taken = model_name("s", "a b", raw=True)
    names = ModelNames.of([("s", "a b"), ("s", taken)], raw=True)
    assert names.name("s", taken) == taken
    assert re.fullmatch("a_b_[0-9a-f]{12}", names.name("s", "a b"))


def test_what_is_not_on_offer_has_no_name() -> None:
    names = ModelNames.of([("s", "t")])
    with pytest.raises(NotFound):
        names.tool("t")
    with pytest.raises(NotFound):
        names.name("s", "u")


def test_servers_told_apart_by_their_plugins_keep_both_names_in_full() -> None:
    names = ModelNames.of([("invoice-ops/tools", "query_invoices"), ("shop/tools", "query_invoices")])
    assert set(names.by_name) == {"invoice-ops_tools__query_invoices", "shop_tools__query_invoices"}
    assert names.tool("shop_tools__query_invoices") == ("shop/tools", "query_invoices")


def test_names_of_plugins_that_could_be_read_in_two_ways_get_a_digest() -> None:
    keys = [("a_b/c", "t"), ("a/b_c", "t"), ("a/b/c", "t"), ("a_b_c", "t")]
    names = ModelNames.of(keys)
    assert len(names.by_name) == 4
    assert [names.name(*key).endswith("__t") for key in keys] == [False, False, False, True]
