"""The key by which a unit, and whoever it asks, can tell that a call is made again."""

from __future__ import annotations

import pytest

from prowess.provider import KEY_META, Caller, Invocation
from prowess.units.context import key_of


def key(given: object, **who: str) -> str:
    return key_of(Invocation(tool="pay", caller=Caller(**who), meta={KEY_META: given}))


def test_the_key_of_a_run_is_as_it_is() -> None:
    assert key("3f2a:pay", conversation="run:3f2a") == "3f2a:pay"


@pytest.mark.parametrize("given", [None, "", 7, ["3f2a:pay"]])
def test_what_is_no_key_is_none(given: object) -> None:
    assert key(given) == ""
    assert key_of(Invocation(tool="pay")) == ""


@pytest.mark.parametrize("conversation", ["", "run:other", "3f2a"])
def test_a_client_cannot_name_the_key_of_a_run(conversation: str) -> None:
    assert key("3f2a:pay", principal="mallory", conversation=conversation) != "3f2a:pay"


def test_the_key_of_a_client_is_the_same_each_time_and_no_other_clients() -> None:
    assert key("order-7", principal="ann") == key("order-7", principal="ann")
    assert key("order-7", principal="ann") != key("order-7", principal="bob")


@pytest.mark.parametrize("given", ["3f2a:a\r\nX-Evil: 1", "3f2a:" + "x" * 600, "3f2a:\ud800"])
def test_a_key_fits_into_a_header(given: str) -> None:
    made = key(given, conversation="run:3f2a")
    assert len(made) == 64
    assert made.isalnum()
