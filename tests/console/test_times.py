"""Times on a page: exact for the script that puts them into the reader's form, readable without it."""

from __future__ import annotations

import time
from collections.abc import Iterator
from datetime import UTC, datetime

import pytest

from prowess.console.times import moment


@pytest.fixture
def in_shanghai(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("TZ", "Asia/Shanghai")
    time.tzset()
    yield
    monkeypatch.undo()
    time.tzset()


@pytest.mark.usefixtures("in_shanghai")
@pytest.mark.parametrize("value", [0.0, datetime(1970, 1, 1, tzinfo=UTC)])
def test_a_time_is_exact_in_utc_and_written_as_this_machine_tells_it(value: float | datetime) -> None:
    assert moment(value) == '<time datetime="1970-01-01T00:00:00Z">1970-01-01 08:00:00</time>'


def test_its_fractions_are_shown_where_they_matter() -> None:
    assert "00.250Z" in moment(0.25, "milliseconds")
    assert "00Z" in moment(0.25)


def test_no_time_is_nothing_and_a_number_that_is_none_stays_a_number() -> None:
    assert moment(None) == ""
    assert moment(1e30) == f"{1e30:.0f}"
    assert moment(float("nan")) == "nan"
