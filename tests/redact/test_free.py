"""A look at a whole JSON value that says when there is certainly nothing in it to mask."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prowess.call.redaction import redacted
from prowess.redact import Redactor

# Few characters, so that a value often holds a secret, broken and written in every way.
TEXTS = st.text('ab1"\\/\n\r\tn u字\ud83d', max_size=24)
VALUES = st.recursive(
    TEXTS | st.none() | st.booleans() | st.integers() | st.floats(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=6,
)


@given(st.lists(TEXTS, min_size=1, max_size=3), VALUES)
def test_what_is_free_has_nothing_to_mask(secrets: list[str], value: Any) -> None:
    redactor = Redactor(secrets)
    if redactor.free(value):
        # As texts: NaN is equal to nothing.
        assert repr(redacted(value, redactor.known)) == repr(value)


@pytest.mark.parametrize(
    "value",
    [
        {"a": ["x tok-5f0c9a7be2d14 y"]},
        {"tok-5f0c9a7be2d14": 1},
        "dG9rLTVmMGM5YTdiZTJkMTQ=",
        "746f6b2d35663063396137626532643134",
        "746f6b2d3566306339613\n7626532643134",
        'a "tok\\u002d" x\n tok-5f0c9a7be2d14',
    ],
)
def test_a_secret_in_any_form_is_not_free(value: Any) -> None:
    assert not Redactor(["tok-5f0c9a7be2d14"]).free(value)


def test_honest_values_are_free_also_those_of_many_lines() -> None:
    redactor = Redactor(["tok-5f0c9a7be2d14", "abc"])
    assert redactor.free({"rows": [{"id": "inv-1", "due": "2026-08-01", "n": 1.5}], "text": "a\nb\r\nabcd"})
    assert not redactor.free(["abc"]), "a short secret is masked where it is a whole text"
    assert Redactor().free(object())
    assert not redactor.free(object())
