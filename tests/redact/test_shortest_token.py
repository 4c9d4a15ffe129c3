"""The short cut that most values take is never taken by a token."""

from __future__ import annotations

from importlib import import_module

import pytest

from prowess.redact.patterns import SHORTEST_TOKEN, TOKENS, Kind, holds_token


@pytest.mark.parametrize("kind", TOKENS, ids=lambda kind: kind.name)
def test_no_kind_of_token_matches_a_text_below_the_shortest(kind: Kind) -> None:
    shortest, _ = import_module("re._parser").parse(kind.pattern).getwidth()
    assert shortest >= SHORTEST_TOKEN or kind.literals == ("://",)


def test_a_password_in_a_short_url_is_still_found() -> None:
    assert holds_token("a://b:xyzw9@c")
