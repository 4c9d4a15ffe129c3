from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prowess.choose.versions import (
    LONGEST,
    Version,
    admitted,
    match,
    ordered,
    parse,
    range_of,
    split,
)
from prowess.errors import UsageError

# The order that section 11 of the specification gives, and some of our own.
IN_ORDER = (
    "0.0.1-0",
    "0.0.1",
    "0.9.9",
    "1.0.0-0",
    "1.0.0-9",
    "1.0.0-10",
    "1.0.0--",
    "1.0.0-alpha",
    "1.0.0-alpha.1",
    "1.0.0-alpha.beta",
    "1.0.0-beta",
    "1.0.0-beta.2",
    "1.0.0-beta.11",
    "1.0.0-rc.1",
    "1.0.0",
    "1.9.0",
    "1.10.0",
    "2.0.0",
    "99999999999999999999999.999999999999999999.99999999999999999",
)
NO_VERSIONS = (
    *("", "1", "1.2", "1.2.3.4", "v1.2.3", " 1.2.3", "1.2.3 ", "1.2.3\n", "1.2.3-", "1.2.3+", "1.2.3-a..b"),
    *("01.2.3", "1.02.3", "1.2.03", "1.2.3-01", "1.2.3-a.01", "1.2.3-ä", "١.2.3", "1.2.3+a+b", "-1.2.3"),
    "1.2.3-" + "a" * LONGEST,
)
AVAILABLE = ("0.9.0", "1.2.0", "1.4.1", "1.4.2", "1.5.0-rc.1", "1.5.0", "2.0.0-beta.1", "2.0.0-beta.2")

number = st.integers(0, 10**9)
identifier = st.text("0123456789abcXYZ-", min_size=1, max_size=6)
prerelease = identifier.filter(lambda text: not text.isdigit() or str(int(text)) == text)
versions = st.builds(
    Version,
    major=number,
    minor=number,
    patch=number,
    prerelease=st.lists(prerelease, max_size=3).map(tuple),
    build=st.lists(identifier, max_size=2).map(tuple),
)
small = st.builds(
    Version,
    major=st.integers(0, 2),
    minor=st.integers(0, 2),
    patch=st.integers(0, 2),
    prerelease=st.sampled_from([(), (), ("rc", "1"), ("rc", "2"), ("7",)]),
)


def test_versions_are_ordered_as_the_specification_says() -> None:
    assert ordered(reversed(IN_ORDER)) == list(IN_ORDER)
    for low, high in itertools.combinations(IN_ORDER, 2):
        assert parse(low).precedence < parse(high).precedence


def test_build_metadata_says_nothing_about_the_order() -> None:
    assert parse("1.0.0+one").precedence == parse("1.0.0+two.3").precedence
    assert parse("1.0.0+001").build == ("001",)


@pytest.mark.parametrize("text", NO_VERSIONS)
def test_what_is_no_version_is_refused(text: str) -> None:
    with pytest.raises(UsageError):
        parse(text)


@given(versions)
def test_a_version_is_written_as_it_was_read(version: Version) -> None:
    assert parse(str(version)) == version


@given(st.text("0123456789.-+ab~^ v\n", max_size=24) | st.text(max_size=8))
def test_no_text_is_read_as_a_version_that_is_written_otherwise(text: str) -> None:
    try:
        found = parse(text)
    except UsageError:
        return
    assert str(found) == text


@given(versions, versions, versions)
def test_precedence_is_a_total_order(one: Version, two: Version, three: Version) -> None:
    first, second, third = sorted((one, two, three), key=lambda each: each.precedence)
    assert first.precedence <= second.precedence <= third.precedence
    assert not third.precedence < first.precedence


@pytest.mark.parametrize(
    ("asked", "wanted"),
    [
        ("", "1.5.0"),
        ("1", "1.5.0"),
        ("1.4", "1.4.2"),
        ("1.4.1", "1.4.1"),
        ("1.4.9", None),
        ("^1.2", "1.5.0"),
        ("^1.4.2", "1.5.0"),
        ("^1.6", None),
        ("~1.4", "1.4.2"),
        ("~1.4.1", "1.4.2"),
        ("~1.4.3", None),
        ("~1", "1.5.0"),
        ("0", "0.9.0"),
        ("^0", "0.9.0"),
        ("^0.8", None),
        ("^0.9", "0.9.0"),
        ("2", None),
        ("2.0.0-beta.1", "2.0.0-beta.1"),
        ("^2.0.0-beta.1", "2.0.0-beta.2"),
        ("~2.0.0-beta.2", "2.0.0-beta.2"),
        ("~2.0.0-beta.3", None),
        ("^1.5.0-rc.1", "1.5.0"),
        ("3", None),
    ],
)
def test_a_range_means_the_newest_that_it_admits(asked: str, wanted: str | None) -> None:
    assert match(asked, AVAILABLE) == wanted
    assert match(asked, reversed(AVAILABLE)) == wanted


def test_without_a_question_the_newest_stable_one_is_meant() -> None:
    assert match(None, AVAILABLE) == match("", AVAILABLE) == "1.5.0"
    assert match(None, ["1.0.0-rc.1"]) is None
    assert match(None, []) is None


def test_a_caret_below_one_keeps_what_its_first_number_is() -> None:
    available = ["0.0.3", "0.0.4", "0.1.0", "0.1.9", "0.2.0", "1.0.0"]
    assert match("^0.0.3", available) == "0.0.3"
    assert match("^0.0", available) == "0.0.4"
    assert match("^0.1", available) == "0.1.9"
    assert match("^0", available) == "0.2.0"


def test_build_metadata_counts_only_where_it_is_asked_for() -> None:
    available = ["1.4.2+a", "1.4.2+b"]
    assert match("1.4.2", available) == "1.4.2+b"
    assert match("1.4.2+a", available) == "1.4.2+a"
    assert match("1.4.2+c", available) is None


@pytest.mark.parametrize(
    "text",
    [
        *(
            "v1",
            "1.x",
            "*",
            "latest",
            ">=1.2",
            "1.2 - 1.4",
            "^",
            "~",
            "^~1",
            "1.",
            "01",
            "1.2.3.4",
            "^1.2-rc",
        ),
        *("1||2", " 1", "^1.2.3+build", "1-rc", "\x1b[31m1", "1" * (LONGEST + 1)),
    ],
)
def test_what_is_no_range_is_refused_and_fit_to_print(text: str) -> None:
    with pytest.raises(UsageError) as raised:
        match(text, AVAILABLE)
    assert raised.value.message.isprintable()


@given(small, st.sampled_from(["", "^", "~"]), st.integers(1, 3), st.lists(small, max_size=12))
def test_a_range_admits_what_its_words_say(
    low: Version, sign: str, given_numbers: int, available: list[Version]
) -> None:
    asked = sign + (".".join(map(str, low.numbers[:given_numbers])) if given_numbers < 3 else str(low))
    base = range_of(asked).low
    for each in map(str, available):
        inside = parse(each)
        if each not in admitted(asked, [each]):
            continue
        assert inside.precedence >= base.precedence
        assert inside.stable or (inside.numbers == base.numbers and not base.stable)
        if sign == "" and given_numbers == 3:
            assert inside.precedence == base.precedence
        elif sign == "^" and given_numbers > 1 and base.major == 0:
            assert inside.numbers[:2] == base.numbers[:2]
        else:
            kept = 1 if sign == "^" else min(given_numbers, 2)
            assert inside.numbers[:kept] == base.numbers[:kept]


@given(small, st.sampled_from(["", "^", "~"]))
def test_every_range_admits_the_version_that_it_is_written_with(version: Version, sign: str) -> None:
    assert match(f"{sign}{version}", [str(version)]) == str(version)


@given(st.lists(small, min_size=1, max_size=12))
def test_the_newest_of_all_admitted_is_chosen(available: list[Version]) -> None:
    texts = [str(each) for each in available]
    stable = [each for each in available if each.stable]
    chosen = match("", texts)
    assert (chosen is None) == (not stable)
    if chosen is not None:
        assert parse(chosen).precedence == max(each.precedence for each in stable)


def test_a_name_is_split_from_its_range() -> None:
    assert split("query_weather@~1.4") == ("query_weather", "~1.4")
    assert split("query_weather") == ("query_weather", "")
    assert split("a@1@2") == ("a", "1@2")
