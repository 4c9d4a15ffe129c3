"""Scopes as sets of names, whatever a server writes there."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from prowess.credentials.scopes import NAMES_MAX, beyond, names, together

SCOPES = st.text(max_size=80) | st.lists(st.sampled_from(["a", "b:c", 'q"', "x\\", "é", "d"])).map(" ".join)


@given(SCOPES, SCOPES)
def test_together_has_every_name_once_and_beyond_is_what_is_left(one: str, other: str) -> None:
    both = names(together(one, other))
    assert len(both) == len(set(both)) and set(both) == {*names(one), *names(other)}
    left = names(beyond(one, other))
    assert set(left) == {*names(one)} - {*names(other)} and together(" ".join(left)) == " ".join(left)


@given(SCOPES)
def test_only_names_that_oauth_allows_are_kept(scope: str) -> None:
    assert all(each.isascii() and each.isprintable() and not {*each} & {*' "\\'} for each in names(scope))


def test_a_list_without_end_is_cut() -> None:
    assert len(names(" ".join(map(str, range(10_000))))) == NAMES_MAX
    assert names("x" * 10_000) == []
